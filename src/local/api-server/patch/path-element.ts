/**
 * One step of a field path, kept in its FieldsV1 spelling: `f:name` a field, `k:{"name":"a"}` an element of a list by
 * key, `v:"x"` an element of a set. Two elements are the same exactly when the strings are.
 */
export type PathElement = string;

/** Go's JSON text of a scalar: `<`, `>` and `&` are escaped, so that field sets compare equal to stored ones. */
export function goJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

export const fieldElement = (name: string): PathElement => `f:${name}`;

export const valueElement = (value: unknown): PathElement => `v:${goJson(value)}`;

/** `fields` in any order; the element has them sorted. */
export function keyElement(fields: readonly (readonly [string, unknown])[]): PathElement {
  const sorted = [...fields].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `k:{${sorted.map(([name, value]) => `${goJson(name)}:${goJson(value)}`).join(',')}}`;
}

/** Normalizes a stored element; undefined if it is not valid. */
export function parseElement(text: string): PathElement | undefined {
  if (text.startsWith('f:')) return text;
  if (/^i:-?\d+$/.test(text)) return text;
  try {
    if (text.startsWith('v:')) return valueElement(JSON.parse(text.slice(2)));
    if (text.startsWith('k:')) return keyElement(Object.entries(JSON.parse(text.slice(2)) as object));
  } catch {
    return undefined;
  }
  return undefined;
}

/** The name of a field element; undefined for the other kinds. */
export const fieldName = (element: PathElement): string | undefined =>
  element.startsWith('f:') ? element.slice(2) : undefined;

/** Readable form: `.spec`, `[name="a"]`, `[="x"]`, `[0]`. */
export function printElement(element: PathElement): string {
  const rest = element.slice(2);
  switch (element[0]) {
    case 'f':
      return `.${rest}`;
    case 'k':
      return `[${Object.entries(JSON.parse(rest) as object)
        .map(([name, value]) => `${name}=${printValue(value)}`)
        .join(',')}]`;
    case 'v':
      return `[=${printValue(JSON.parse(rest))}]`;
    default:
      return `[${rest}]`;
  }
}

const printValue = (value: unknown): string => (typeof value === 'string' ? JSON.stringify(value) : String(value));

const KINDS = 'fkvi';

/** The order of elements in FieldsV1: fields, keys, values, indices. */
export function compareElements(a: PathElement, b: PathElement): number {
  if (a === b) return 0;
  const kind = KINDS.indexOf(a[0] ?? '') - KINDS.indexOf(b[0] ?? '');
  if (kind !== 0) return kind;
  if (a[0] === 'f') return a < b ? -1 : 1;
  if (a[0] === 'i') return Number(a.slice(2)) - Number(b.slice(2));
  const left: unknown = JSON.parse(a.slice(2));
  const right: unknown = JSON.parse(b.slice(2));
  return a[0] === 'k' ? compareKeys(left as object, right as object) : compareScalars(left, right);
}

function compareKeys(left: object, right: object): number {
  const a = Object.entries(left);
  const b = Object.entries(right);
  for (let i = 0; ; i++) {
    const x = a[i];
    const y = b[i];
    if (!x || !y) return a.length - b.length;
    if (x[0] !== y[0]) return x[0] < y[0] ? -1 : 1;
    const c = compareScalars(x[1], y[1]);
    if (c !== 0) return c;
  }
}

/** Numbers, then strings, then booleans, then null. */
function compareScalars(a: unknown, b: unknown): number {
  const rank = (v: unknown) => ['number', 'string', 'boolean'].indexOf(typeof v) & 3;
  if (rank(a) !== rank(b)) return rank(a) - rank(b);
  if (a === b) return 0;
  return (a as string) < (b as string) ? -1 : 1;
}
