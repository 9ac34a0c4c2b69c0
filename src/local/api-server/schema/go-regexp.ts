const cache = new Map<string, RegExp | Error>();

const POSIX: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\x00-\\x7F',
  blank: '\\t ',
  cntrl: '\\x00-\\x1F\\x7F',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-\\/:-@\\[-`{-~',
  space: '\\t\\n\\v\\f\\r ',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
};

/** A regular expression of Go's (RE2) as one of ours. Throws when it is none. */
export function goRegExp(pattern: string): RegExp {
  let compiled = cache.get(pattern);
  if (compiled === undefined) cache.set(pattern, (compiled = compile(pattern)));
  if (compiled instanceof Error) throw compiled;
  return compiled;
}

function compile(pattern: string): RegExp | Error {
  const [, flags = ''] = /^\(\?([ims]+)\)/.exec(pattern) ?? [];
  const body = pattern
    .slice(flags === '' ? 0 : flags.length + 3)
    .replace(/\(\?P</g, '(?<')
    .replace(/\[:(\w+):\]/g, (all, name: string) => POSIX[name] ?? all)
    .replace(/\\A/g, '^')
    .replace(/\\z/g, '$(?![\\s\\S])')
    .replace(/\\Q([\s\S]*?)(?:\\E|$)/g, (_, text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  try {
    return new RegExp(body, `${flags}u`);
  } catch {
    // escapes that RE2 and plain patterns allow, but the unicode mode does not
  }
  try {
    return new RegExp(body, flags);
  } catch (error) {
    return error as Error;
  }
}
