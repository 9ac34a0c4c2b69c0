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

/** Converts Go's regular expression (RE2) to JavaScript. Throws if it is not valid. */
export function goRegExp(pattern: string): RegExp {
  let compiled = cache.get(pattern);
  if (compiled === undefined) cache.set(pattern, (compiled = compile(pattern)));
  if (compiled instanceof Error) throw compiled;
  return compiled;
}

/** JavaScript syntax that RE2 does not support. */
const UNSUPPORTED = /\(\?(?:<?[=!])|\\[1-9]/;

/** JavaScript's syntax errors in RE2's words. */
const COMPLAINTS: readonly (readonly [RegExp, (pattern: string) => string])[] = [
  [/Unterminated group/, (p) => `missing closing ): \`${p}\``],
  [/Unmatched '\)'/, (p) => `unexpected ): \`${p}\``],
  [
    /Unterminated character class|Lone quantifier|missing \]/,
    (p) => `missing closing ]: \`${p.slice(p.lastIndexOf('['))}\``,
  ],
  [/Nothing to repeat/, (p) => `missing argument to repetition operator: \`${/[*+?]/.exec(p)?.[0] ?? ''}\``],
  [/\\ at end of pattern/, () => 'trailing backslash at end of expression: ``'],
];

const parseError = (text: string): Error => new Error(`error parsing regexp: ${text}`);

function compile(pattern: string): RegExp | Error {
  const [unsupported] = UNSUPPORTED.exec(pattern) ?? [];
  if (unsupported !== undefined)
    return parseError(
      `${unsupported.startsWith('(') ? 'invalid or unsupported Perl syntax' : 'invalid escape sequence'}: \`${unsupported}\``,
    );
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
    const { message } = error as Error;
    return parseError(COMPLAINTS.find(([ours]) => ours.test(message))?.[1](pattern) ?? message);
  }
}
