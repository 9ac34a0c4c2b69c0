/** Covers values that must not be printed. Pure. */
import { createHash } from 'node:crypto';
import type { KubeObject } from '../../api';
import { type Change, type PathPart, pathWords } from './changes';

/** Replacements for a secret value and for a changed secret value. */
export const HIDDEN = '(hidden)';
export const CHANGED = '(changed)';

const TELLTALE =
  /pass(w(or)?d|phrase)|secret|token|credential|private[-_ ]?key|api[-_]?key|chpasswd|authorization|cookie/i;
/** Whether the word is the key of the value after it: `password: x`, `DB_PASSWORD=x`, `<Password>x`. If not, the whole line is covered. */
const KEYED = new RegExp(`^([\\w\\s.<"'-]*?(?:${TELLTALE.source})[\\w-]*["']?\\s*[:=>]\\s*)(.*)$`, 'i');
/** Longer lines are covered completely, because the time to find their key grows with the square of the length. */
const MAX_LINE = 2_000;
/** User, password and signature of a URL. */
const IN_URL = /(:\/\/)[^/?#\s"']+(?=@)|([?&](?:[\w.-]{0,40}(?:sig|signature|token|key|secret|password))=)[^&#\s"']+/gi;
/** Fields that refer to a secret and do not contain it. */
const REFERENCE = /(refs?|names?|pullsecrets?|headers)$/i;

/** Values of a Secret as one map; `stringData` is encoded like `data`. They are compared, never printed. */
export function sealed(object: KubeObject): KubeObject {
  if (object.kind !== 'Secret' || object.apiVersion !== 'v1') return object;
  const { stringData, data, ...rest } = object as KubeObject & Record<'data' | 'stringData', Record<string, unknown>>;
  const values = {
    ...data,
    ...Object.fromEntries(
      Object.entries(stringData ?? {}).map(([key, text]) => [key, Buffer.from(String(text)).toString('base64')]),
    ),
  };
  const seal = (value: unknown): string => `sha256:${createHash('sha256').update(String(value)).digest('hex')}`;
  return {
    ...rest,
    data: Object.fromEntries(Object.entries(values).map(([key, value]) => [key, seal(value)])),
  } as KubeObject;
}

/** Covers the secret values of a change. */
export function veiled(change: Change, object: KubeObject): Change {
  if (!('before' in change)) return { ...change, after: veil(change.after, change.path, object) };
  if (!('after' in change)) return { ...change, before: veil(change.before, change.path, object) };
  const { path, before, after } = change;
  if (isSecret(path, object) && isText(before) && isText(after)) return { ...change, before: HIDDEN, after: CHANGED };
  if (!isText(before) || !isText(after)) {
    return { ...change, before: veil(before, path, object), after: veil(after, path, object) };
  }
  const [one, two] = [before, after].map((text) => readable(text, path).split('\n'));
  const veiledOne = veiledLines(one, HIDDEN);
  const known = new Set(one);
  const veiledTwo = veiledLines(two, (line) => (known.has(line) ? HIDDEN : CHANGED));
  return { ...change, before: veiledOne.join('\n'), after: veiledTwo.join('\n') };
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** Covers secrets in fields and in lines of text. Numbers and booleans are never secret. */
function veil(value: unknown, path: readonly PathPart[], object: KubeObject): unknown {
  if (isText(value)) {
    return isSecret(path, object) ? HIDDEN : veiledLines(readable(value, path).split('\n'), HIDDEN).join('\n');
  }
  if (Array.isArray(value))
    return value.map((item: unknown, i) => veil(item, [...path, { item: nameOf(item) ?? i }], object));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, inner]) => [field, veil(inner, [...path, field], object)]),
  );
}

const nameOf = (item: unknown): string | undefined => {
  const name = (item as { name?: unknown } | null)?.name;
  return isText(name) ? name : undefined;
};

/** Decodes base64 text such as `userDataBase64`. */
function readable(text: string, path: readonly PathPart[]): string {
  if (!pathWords(path).at(-1)?.endsWith('Base64')) return text;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'base64'));
  } catch {
    return text;
  }
}

function isSecret(path: readonly PathPart[], { kind, apiVersion }: KubeObject): boolean {
  const words = pathWords(path);
  if (kind === 'Secret' && apiVersion === 'v1' && words[0] === 'data') return true;
  const last = words.at(-1) ?? '';
  // the name of an environment variable shows whether its value is secret
  if (last === 'value') return words.some((word) => TELLTALE.test(word));
  const field = [...path].reverse().find((part) => typeof part === 'string');
  return field !== undefined && TELLTALE.test(field) && !REFERENCE.test(field);
}

/**
 * Covers secrets in the lines of a text (cloud-init, an answer file, …): values after words such as `password`, the
 * lines indented below them, and keys in PEM.
 */
export function veiledLines(lines: readonly string[], cover: string | ((line: string) => string)): string[] {
  const coverOf = (line: string): string => (typeof cover === 'string' ? cover : cover(line));
  let below: number | undefined;
  let isPem = false;
  return lines.map((line) => {
    const indent = line.length - line.trimStart().length;
    const wasPem = isPem;
    if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(line)) isPem = true;
    if (/-----END [A-Z ]*PRIVATE KEY-----/.test(line)) isPem = false;
    const isBelow = below !== undefined && line.trim() !== '' && indent > below;
    if (wasPem || isPem || isBelow) return `${line.slice(0, indent)}${coverOf(line)}`;
    if (line.trim() !== '') below = undefined;
    if (!TELLTALE.test(line.includes('://') ? line.replace(IN_URL, '') : line)) {
      return line.replace(IN_URL, (_, place = '', query = '') => `${place}${query}${coverOf(line)}`);
    }
    below = indent;
    const match = line.length > MAX_LINE ? undefined : KEYED.exec(line);
    const [key, value] = match ? [match[1], match.at(-1)] : [line.slice(0, indent), line];
    return value === '' ? line : `${key}${coverOf(line)}`;
  });
}
