/** Returns the fields that have a value: a manifest holds no `undefined`. */
export function defined<T extends object>(fields: T): T {
  const kept = {} as T;
  // the fastest loop over the fields of a literal: this runs about ten times for each guest
  for (const key in fields) if (fields[key] !== undefined) kept[key] = fields[key];
  return kept;
}

/**
 * Returns the fields that have a value, or undefined if none has: an empty object has a meaning of its own in a
 * manifest.
 */
export function definedOrNone<T extends object>(fields: T): T | undefined {
  for (const key in fields) if (fields[key] !== undefined) return defined(fields);
  return undefined;
}

/** Returns a copy of the list, or undefined if the list is empty. */
export function listed<T>(items: readonly T[] | undefined): T[] | undefined {
  return items && items.length > 0 ? [...items] : undefined;
}

/** Returns a feature's switch as the API writes it. */
export function switched(on: boolean | undefined): { enabled: boolean } | undefined {
  return on === undefined ? undefined : { enabled: on };
}
