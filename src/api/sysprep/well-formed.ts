/** Finds the first place where a text is not XML. Reads tags, comments, CDATA and references; no DTD. */

/** Line, starting at 1, and what is wrong there. */
export interface XmlProblem {
  readonly line: number;
  readonly cause: string;
  readonly remedy: string;
}

/** Markup that has no tags within: declarations, comments, CDATA. */
const OPAQUE = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
  ['<!', '>'],
] as const;

const TAG = /<(\/?)([A-Za-z_][\w:.-]*)((?:\s+[A-Za-z_][\w:.-]*\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y;
const REFERENCE = /&(?:amp|lt|gt|quot|apos|#\d+|#x[0-9a-fA-F]+);/y;

/** Returns the first problem, or undefined for well-formed XML with one root element of this name. */
export function xmlProblem(text: string, rootName: string): XmlProblem | undefined {
  const open: { name: string; at: number }[] = [];
  const problem = (at: number, cause: string, remedy: string): XmlProblem => ({
    line: text.slice(0, at).split('\n').length,
    cause,
    remedy,
  });
  let root: string | undefined;
  let behind = 0;
  for (;;) {
    const at = nextFrom(text, behind);
    if (at < 0) break;
    if (text[at] === '&') {
      behind = at + 1;
      if (matchAt(REFERENCE, text, at)) continue;
      return problem(at, 'an & begins a reference, such as &amp;', 'write &amp; for the character itself');
    }
    const opaque = OPAQUE.find(([begin]) => text.startsWith(begin, at));
    if (opaque) {
      const end = text.indexOf(opaque[1], at + opaque[0].length);
      if (end < 0) return problem(at, `${opaque[0]} has no end`, `close it with ${opaque[1]}`);
      behind = end + opaque[1].length;
      continue;
    }
    const tag = matchAt(TAG, text, at);
    if (!tag)
      return problem(
        at,
        'a < begins a tag, but what follows is not one',
        'write &lt; for the character itself, and attributes in quotes',
      );
    const [whole, closing, name, , empty] = tag;
    if (closing) {
      const last = open.pop();
      if (last?.name !== name) {
        const wanted = last ? `</${last.name}>` : 'no end tag';
        return problem(at, `</${name}> is where ${wanted} is expected`, last ? `write </${last.name}>` : 'remove it');
      }
    } else {
      root ??= name;
      if (!empty) open.push({ name, at });
    }
    behind = at + whole.length;
  }
  const last = open.pop();
  if (last) return problem(last.at, `<${last.name}> has no end tag`, `close it with </${last.name}>`);
  if (root === rootName) return undefined;
  const cause = root === undefined ? 'the text has no XML element' : `the root element is <${root}>`;
  return problem(0, cause, `write <${rootName}> as the root element`);
}

const MARKUP = /[<&]/g;

/** Offset of the next markup, or -1. */
function nextFrom(text: string, from: number): number {
  MARKUP.lastIndex = from;
  return MARKUP.exec(text)?.index ?? -1;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
