/** Values that the platform sets: the differences between an object and its stored form. Pure. */

/** A field that the platform set or changed. */
export interface Addition {
  readonly path: string;
  readonly value: unknown;
  /** Value that the user wrote, if the platform changed it. */
  readonly before?: unknown;
}

/** Leaf values of `after` that are missing from, or different in, `before`. */
export function additionsOf(before: unknown, after: unknown, path = ''): Addition[] {
  if (isObject(after) && (isObject(before) || before === undefined)) {
    const entries = Object.entries(after);
    if (entries.length === 0 && before === undefined) return [{ path, value: after }];
    return entries.flatMap(([key, value]) =>
      additionsOf((before as Record<string, unknown> | undefined)?.[key], value, path ? `${path}.${key}` : key),
    );
  }
  if (Array.isArray(after) && (Array.isArray(before) || before === undefined)) {
    return after.flatMap((item, i) => additionsOf((before as unknown[] | undefined)?.[i], item, `${path}[${i}]`));
  }
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  return [before === undefined ? { path, value: after } : { path, value: after, before }];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
