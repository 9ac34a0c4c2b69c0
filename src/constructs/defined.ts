/** The fields that have a value. A manifest holds no `undefined`. */
export function defined<T extends object>(fields: T): T {
  const kept = {} as T;
  // the quickest way over the fields of a literal: this runs some ten times for each guest
  for (const key in fields) if (fields[key] !== undefined) kept[key] = fields[key];
  return kept;
}

/** The same, or nothing when nothing has a value: an empty object would be a statement of its own. */
export function definedOrNone<T extends object>(fields: T): T | undefined {
  for (const key in fields) if (fields[key] !== undefined) return defined(fields);
  return undefined;
}

/** A list, unless it is empty. */
export function listed<T>(items: readonly T[] | undefined): T[] | undefined {
  return items && items.length > 0 ? [...items] : undefined;
}

/** A feature's switch as the API writes it. */
export function switched(on: boolean | undefined): { enabled: boolean } | undefined {
  return on === undefined ? undefined : { enabled: on };
}
