/** A JSON object. */
export type Json = Record<string, unknown>;

export const isMap = (v: unknown): v is Json => typeof v === 'object' && v !== null && !Array.isArray(v);

/** Structural equality of plain JSON data: the order of keys does not matter, and an absent key equals `undefined`. */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((v, i) => deepEqual(v, b[i]));
  if (!isMap(a) || !isMap(b)) return false;
  for (const key of Object.keys(a)) if (!deepEqual(a[key], own(b, key))) return false;
  for (const key of Object.keys(b)) if (b[key] !== undefined && !Object.hasOwn(a, key)) return false;
  return true;
}

const DATA = { configurable: true, enumerable: true, writable: true };

/** A deep copy of plain JSON data: several times faster than `structuredClone`, which also copies what JSON cannot hold. */
export function clone<T>(value: T): T {
  if (Array.isArray(value)) return value.map(clone) as T;
  if (!isMap(value)) return value;
  const copy: Json = {};
  for (const key of Object.keys(value)) {
    // an assignment to this key would set the prototype, and hide the key from who refuses it
    if (key === '__proto__') Object.defineProperty(copy, key, { ...DATA, value: clone(value[key]) });
    else copy[key] = clone(value[key]);
  }
  return copy as T;
}

/** The object's own value of a key, so that a key such as `constructor` is not found in every object. */
export const own = <T>(object: Readonly<Record<string, T>> | undefined, key: string): T | undefined =>
  object && Object.hasOwn(object, key) ? object[key] : undefined;

/** A copy with the keys of all objects in order, as Go encodes maps. */
export function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sortKeys(item)]),
  );
}

/** JSON with sorted keys. */
export const sortedJson = (value: unknown): string => JSON.stringify(sortKeys(value) ?? null);
