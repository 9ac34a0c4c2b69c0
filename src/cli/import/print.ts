/** Prints expressions as TypeScript in prettier's layout. Pure. */
import type { Call, Expression, New, Statement } from './expression';

/** Width of a line. */
const WIDTH = 120;

/** Printed expression: on one line, and broken over several lines. */
interface Printed {
  /** Text on one line; undefined if a part must break. */
  readonly flat?: string;
  /** Text over several lines, for a first line with this indentation and start column. */
  broken(indent: number, column: number): string;
}

/** Prints one statement with its comment and a line break. */
export function printStatement({ declares, expression, comment = [] }: Statement): string {
  const said = comment.map((line) => `${`// ${oneLine(line)}`.trimEnd()}\n`).join('');
  if (expression.type === 'text') return `${said}const ${declares} = ${template(expression.value)};\n`;
  const head = declares === undefined ? '' : `const ${declares} = `;
  return `${said}${assigned(head, Infinity, expression, 0, 1)}\n`.replace(/\n$/, ';\n');
}

/** Escapes text that would end the comment. */
export const oneLine = (text: string): string => text.replace(/[\u0000-\u001f\u007f\u0085\u2028\u2029]+/g, ' ');

/** Prints a text of several lines between backticks. */
function template(text: string): string {
  const escaped = text
    .replace(/[\\`]|\$\{/g, '\\$&')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f\u0085\u2028\u2029\ufeff]|\p{Surrogate}/gu, escape);
  return `\`${escaped}\``;
}

/** Prints `name: value` or `const name = value`; `after` columns follow on its last line. */
function assigned(head: string, nameWidth: number, expression: Expression, indent: number, after: number): string {
  const printed = printedOf(expression);
  const column = indent + width(head);
  if (fits(printed, column, after)) return head + printed.flat!;
  const text = expression.type === 'value' && typeof expression.value === 'string';
  // a long text starts on the line below its name, unless the name is shorter than the indentation
  if (text && nameWidth > 4) return `${head.trimEnd()}\n${' '.repeat(indent + 2)}${printed.flat}`;
  return head + layout(printed, indent, column, after);
}

const fits = ({ flat }: Printed, column: number, after: number): boolean =>
  flat !== undefined && column + width(flat) + after <= WIDTH;

const layout = (printed: Printed, indent: number, column: number, after: number): string =>
  fits(printed, column, after) ? printed.flat! : printed.broken(indent, column);

function printedOf(expression: Expression): Printed {
  switch (expression.type) {
    case 'value':
      return printedValue(expression.value);
    case 'text':
      return word(expression.name);
    case 'variable':
      return word(expression.name);
    case 'exported':
      return word(expression.path.join('.'));
    case 'member':
      return word(`${printedOf(expression.of).flat}.${expression.name}`);
    case 'object':
      return braces(expression.entries);
    case 'list':
      return brackets(expression.items);
    case 'call':
    case 'new':
      return invocation(expression);
  }
}

const word = (text: string): Printed => ({ flat: text, broken: () => text });

function printedValue(value: unknown): Printed {
  if (Array.isArray(value)) return brackets(value.map((item: unknown) => ({ type: 'value', value: item })));
  if (typeof value === 'object' && value !== null) {
    return braces(Object.entries(value).map(([key, inner]) => [key, { type: 'value', value: inner }]));
  }
  if (typeof value === 'string') return word(quoted(value));
  return word(Object.is(value, -0) ? '-0' : String(value).replace('e+', 'e'));
}

function braces(entries: readonly (readonly [string, Expression])[]): Printed {
  if (entries.length === 0) return word('{}');
  const inner = entries.map(([key, value]) => ({ key: keyOf(key), value, printed: printedOf(value) }));
  const flat = inner.every(({ printed }) => printed.flat !== undefined)
    ? `{ ${inner.map(({ key, value, printed }) => (key === printed.flat && value.type !== 'value' ? key : `${key}: ${printed.flat}`)).join(', ')} }`
    : undefined;
  return {
    flat,
    broken: (indent) => {
      const space = ' '.repeat(indent + 2);
      const lines = inner.map(({ key, value }) => `${space}${assigned(`${key}: `, key.length, value, indent + 2, 1)},`);
      return `{\n${lines.join('\n')}\n${' '.repeat(indent)}}`;
    },
  };
}

/** Whether a list must break: prettier breaks lists of several objects (or lists) with more than one part. */
function mustBreak(items: readonly Expression[]): boolean {
  const sizes = items.map((item) => ({ isList: isList(item), size: sizeOf(item) }));
  return (
    sizes.length > 1 && sizes.every(({ isList, size }) => size !== undefined && size > 1 && isList === sizes[0]!.isList)
  );
}

const isList = (item: Expression): boolean =>
  item.type === 'list' || (item.type === 'value' && Array.isArray(item.value));

/** Number of parts of an object or list. */
function sizeOf(item: Expression): number | undefined {
  if (item.type === 'object') return item.entries.length;
  if (item.type === 'list') return item.items.length;
  if (item.type !== 'value' || typeof item.value !== 'object' || item.value === null) return undefined;
  return Object.keys(item.value).length;
}

function brackets(items: readonly Expression[]): Printed {
  if (items.length === 0) return word('[]');
  const inner = items.map(printedOf);
  const flat =
    mustBreak(items) || inner.some((item) => item.flat === undefined)
      ? undefined
      : `[${inner.map((item) => item.flat).join(', ')}]`;
  const numbers = items.every((item) => item.type === 'value' && typeof item.value === 'number');
  return {
    flat,
    broken: (indent) => {
      const space = ' '.repeat(indent + 2);
      const lines = numbers
        ? filled(
            inner.map((item) => item.flat!),
            indent + 2,
          )
        : inner.map((item) => layout(item, indent + 2, indent + 2, 1));
      const end = numbers ? `${lines.join(`,\n${space}`)},` : lines.map((line) => `${line},`).join(`\n${space}`);
      return `[\n${space}${end}\n${' '.repeat(indent)}]`;
    },
  };
}

/** Fills each line with as many items as fit. */
function filled(words: readonly string[], indent: number): string[] {
  const lines: string[] = [];
  for (const next of words) {
    const last = lines.at(-1);
    if (last !== undefined && indent + last.length + 2 + next.length + 1 <= WIDTH) {
      lines[lines.length - 1] = `${last}, ${next}`;
    } else lines.push(next);
  }
  return lines;
}

function invocation({ type, callee, args }: Call | New): Printed {
  const head = `${type === 'new' ? 'new ' : ''}${printedOf(callee).flat}(`;
  const inner = args.map(printedOf);
  const flats = inner.map((arg) => arg.flat);
  const flat = flats.every((each) => each !== undefined) ? `${head}${flats.join(', ')})` : undefined;
  const last = args.at(-1);
  const hugs = last !== undefined && sizeOf(last) && !sameShape(last, args.at(-2));
  const before = flats.slice(0, -1);
  return {
    flat,
    broken: (indent, column) => {
      if (hugs && before.every((each) => each !== undefined)) {
        const start = head + before.map((each) => `${each}, `).join('');
        // the line on which the last argument starts
        if (column + width(start) + 1 <= WIDTH)
          return `${start}${inner.at(-1)!.broken(indent, column + width(start))})`;
      }
      if (args.length === 0) return `${head})`;
      const space = ' '.repeat(indent + 2);
      const lines = inner.map((arg) => `${space}${layout(arg, indent + 2, indent + 2, 1)},`);
      return `${head}\n${lines.join('\n')}\n${' '.repeat(indent)})`;
    },
  };
}

const sameShape = (one: Expression, other: Expression | undefined): boolean =>
  other !== undefined && sizeOf(other) !== undefined && isList(one) === isList(other);

/** Prints a key; `__proto__` in an object literal would set the prototype. */
function keyOf(key: string): string {
  if (key === '__proto__') return "['__proto__']";
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(key) ? key : quoted(key);
}

/** Prints a string in the quotes that need fewer escapes. */
export function quoted(text: string): string {
  const singles = text.split("'").length;
  const doubles = text.split('"').length;
  const quote = singles > doubles ? '"' : "'";
  const escaped = text
    .replace(/\\/g, '\\\\')
    .replace(quote === "'" ? /'/g : /"/g, `\\${quote}`)
    .replace(/[\u0000-\u001f\u007f\u0085\u2028\u2029\ufeff]|\p{Surrogate}/gu, escape);
  return quote + escaped + quote;
}

/** Escapes an invisible character. */
function escape(character: string): string {
  const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\b': '\\b', '\f': '\\f' };
  return short[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Width of a text: East Asian characters and emoji are two columns wide. */
function width(text: string): number {
  if (/^[\u0000-\u02ff]*$/.test(text)) return text.length;
  let columns = 0;
  for (const character of text)
    columns +=
      /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u.test(
        character,
      )
        ? 2
        : 1;
  return columns;
}
