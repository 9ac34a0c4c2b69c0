/** The fields that have a value. A manifest holds no `undefined`. */
export function defined<T extends object>(fields: T): T {
  const kept = {} as Record<string, unknown>;
  for (const [key, value] of Object.entries(fields)) if (value !== undefined) kept[key] = value;
  return kept as T;
}

/** The same, or nothing when nothing has a value: an empty object would be a statement of its own. */
export function definedOrNone<T extends object>(fields: T): T | undefined {
  const kept = defined(fields);
  return Object.keys(kept).length > 0 ? kept : undefined;
}

/** A list, unless it is empty. */
export function listed<T>(items: readonly T[] | undefined): T[] | undefined {
  return items && items.length > 0 ? [...items] : undefined;
}

/** A feature's switch as the API writes it. */
export function switched(on: boolean | undefined): { enabled: boolean } | undefined {
  return on === undefined ? undefined : { enabled: on };
}
