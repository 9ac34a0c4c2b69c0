/** What the platform fills in: the differences between an object and its stored form. Pure. */

/** One field that somebody else decided. */
export interface Addition {
  readonly path: string;
  readonly value: unknown;
  /** What the user had written there, when it was changed. */
  readonly before?: unknown;
}

/** The leaves of `after` that `before` does not have, or has otherwise. */
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
