const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const SPACE = 0x20;
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Limits for a JSON text. */
export interface JsonLimits {
  /** Fields of one object. */
  readonly keys: number;
  /** Nesting depth of objects and lists. */
  readonly depth: number;
  /** Fields and items in total, including managed fields. */
  readonly values: number;
}

/** A range of the text: first byte, and the byte after the last. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** A field of an object. */
export interface JsonField extends Stretch {
  readonly name: string;
  /** Number of fields and items below the field. */
  readonly values: number;
}

/** An object of a review. */
export interface JsonPart extends Stretch {
  readonly name: string;
  /** Number of its fields and items, without managed fields. */
  readonly values: number;
  /** Its managed fields, with the adjacent comma. */
  readonly managed?: Stretch;
  /** Its fields `spec` and `status`, if they are objects. */
  readonly fields: readonly JsonField[];
}

/** Size of a JSON text. */
export interface JsonSize {
  /** Fields and items in total, without those of the parts. */
  readonly values: number;
  readonly parts: readonly JsonPart[];
  /** The exceeded limit, if any: counting stops there. */
  readonly excess?: string;
}

/** Fields whose names matter, by depth. */
const NAMES: readonly (readonly string[])[] = [
  [],
  ['request'],
  ['object', 'oldObject'],
  ['metadata', 'spec', 'status'],
  ['managedFields'],
];
const NAMED_DEPTH = NAMES.length - 1;

/** Bytes that structure a text: quotes, commas, brackets. The others are skipped. */
const TELLING = Uint8Array.from({ length: 256 }, (_, byte) =>
  [QUOTE, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT].includes(byte) ? 1 : 0,
);

/**
 * Counts the values of a JSON text before it is parsed, because parsing takes twenty times as long. `object` and `oldObject`
 * of a `request` are parts, which are counted separately. A text that is not JSON is counted at least up to its first
 * error; the parser reports that error.
 */
export function jsonSize(text: Buffer, { keys, depth, values: most }: JsonLimits): JsonSize {
  /** Number of values of each open object or list; lists count as less than objects. */
  const open: number[] = [];
  /** Known field that is being read, for each open object near the root. */
  const names: (string | undefined)[] = [];
  const parts: JsonPart[] = [];
  let part: { name: string; start: number; managed?: Stretch; fields: JsonField[] } | undefined;
  let [values, outside, all] = [1, 0, 1];
  const managed = { start: -1, values: 0 };
  const field = { start: -1, values: 0 };
  for (let i = 0; i < text.length; i++) {
    const byte = text[i];
    if (TELLING[byte] === 0) continue;
    if (all > most) return { values, parts, excess: `more than ${most} fields and items` };
    if (byte === QUOTE) {
      const end = endOfString(text, i + 1);
      if (open.length <= NAMED_DEPTH && text[nextOf(text, end + 1)] === COLON) {
        names[open.length] = nameOf(text, i + 1, end, open.length);
        if (open.length === NAMED_DEPTH) managed.start = i;
      }
      i = end;
    } else if (byte === COMMA) {
      values += 1;
      all += 1;
      if (++open[open.length - 1] > keys) return { values, parts, excess: `an object with more than ${keys} fields` };
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      if (open.push(byte === OPEN_OBJECT ? 1 : -Infinity) > depth) {
        return { values, parts, excess: `more than ${depth} nested objects and lists` };
      }
      names[open.length] = undefined;
      if (open.length === 3 && names[1] && names[2]) {
        part = { name: names[2], start: i, fields: [] };
        [values, outside] = [0, values];
      } else if (open.length === 4) {
        [field.start, field.values] = [i, values];
      } else if (open.length === NAMED_DEPTH + 1) {
        managed.values = values - 1;
      }
      if (!isClose(text[nextOf(text, i + 1)])) {
        values += 1;
        all += 1;
      }
    } else if (isClose(byte)) {
      open.pop();
      if (!part) continue;
      if (open.length === 2) {
        parts.push({ ...part, end: i + 1, values });
        [values, part] = [outside, undefined];
      } else if (open.length === 3 && names[3] && names[3] !== 'metadata') {
        addField(part.fields, { name: names[3], start: field.start, end: i + 1, values: values - field.values });
      } else if (open.length === NAMED_DEPTH && names[3] === 'metadata' && names[4] && !part.managed) {
        part.managed = withComma(text, managed.start, i + 1);
        values = managed.values;
      }
    }
  }
  if (part) parts.push({ ...part, end: text.length, values });
  return { values: part ? outside : values, parts };
}

const isClose = (byte: number | undefined): boolean => byte === CLOSE_LIST || byte === CLOSE_OBJECT;

/** JSON.parse would use a second field of the same name, so its text is left to the parser. */
function addField(fields: JsonField[], field: JsonField): void {
  if (fields.every(({ name }) => name !== field.name)) fields.push(field);
}

/** The known field name at this position, if any. */
function nameOf(text: Buffer, start: number, end: number, depth: number): string | undefined {
  for (const name of NAMES[depth]) {
    if (name.length !== end - start) continue;
    let same = 0;
    while (same < name.length && text[start + same] === name.charCodeAt(same)) same += 1;
    if (same === name.length) return name;
  }
  return undefined;
}

/** Range of a field with the comma after or before it, so that the rest is still JSON. */
function withComma(text: Buffer, start: number, end: number): Stretch {
  const next = nextOf(text, end);
  if (text[next] === COMMA) return { start, end: next + 1 };
  let before = start - 1;
  while (text[before] <= SPACE) before -= 1;
  return { start: text[before] === COMMA ? before : start, end };
}

/** First byte from here that is not white space. */
function nextOf(text: Buffer, from: number): number {
  let i = from;
  while (text[i] <= SPACE) i += 1;
  return i;
}

/** Longer strings are searched by a method that is faster but takes longer to start. */
const SHORT = 32;

/** End of the string that began before `from`. */
function endOfString(text: Buffer, from: number): number {
  for (let i = from; ;) {
    for (const stop = i + SHORT; i < stop; i++) {
      if (text[i] === QUOTE) return i;
      if (text[i] === BACKSLASH) i += 1;
    }
    const end = text.indexOf(QUOTE, i);
    if (end < 0) return text.length;
    let escapes = 0;
    // the quote before `from` ends the string at the latest
    while (text[end - escapes - 1] === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return end;
    i = end + 1;
  }
}
