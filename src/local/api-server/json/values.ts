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

/** A deep copy of plain JSON data: several times faster than `structuredClone`, which also copies what JSON cannot hold. */
export function clone<T>(value: T): T {
  if (Array.isArray(value)) return value.map(clone) as T;
  if (!isMap(value)) return value;
  // the spread makes every key an own one, also `__proto__`, so that no assignment sets the prototype
  const copy: Json = { ...value };
  for (const key of Object.keys(copy)) copy[key] = clone(copy[key]);
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
