const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** The most that a JSON text may contain. */
export interface JsonLimits {
  /** Fields and items, all together. */
  readonly values: number;
  /** Fields of one object. */
  readonly keys: number;
  /** Objects and lists in each other. */
  readonly depth: number;
}

/**
 * What a JSON text has more of than it may, before anything is made of it: a map of three megabytes takes twenty times as
 * long to parse as to measure. Text that is not JSON may pass; whoever parses it finds out.
 */
export function jsonExcess(text: Buffer, { values, keys, depth }: JsonLimits): string | undefined {
  let count = 1;
  /** Of each object or list that is open, how many values it has; of lists less than of any object. */
  const open: number[] = [];
  for (let i = 0; i < text.length; i++) {
    const byte = text[i];
    if (byte === QUOTE) {
      i = endOfString(text, i + 1);
    } else if (byte === COMMA) {
      if (++count > values) return `more than ${values} fields and items`;
      if (++open[open.length - 1] > keys) return `an object with more than ${keys} fields`;
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      if (++count > values) return `more than ${values} fields and items`;
      if (open.push(byte === OPEN_OBJECT ? 1 : -Infinity) > depth)
        return `more than ${depth} objects and lists in each other`;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      open.pop();
    }
  }
  return undefined;
}

/** Where the string that began before `from` ends. */
function endOfString(text: Buffer, from: number): number {
  for (let i = from; ; i++) {
    const end = text.indexOf(QUOTE, i);
    if (end < 0) return text.length;
    let escapes = 0;
    // the quote before `from` ends them at the latest
    while (text[end - escapes - 1] === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return end;
    i = end;
  }
}
