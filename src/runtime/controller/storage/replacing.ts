type Fields = Readonly<Record<string, unknown>>;

/**
 * Merge patch that makes `before` equal to `after`: a merge keeps each key that the patch does not have, so keys that were
 * removed have the value null. Pure.
 */
export function replacing(before: object | undefined, after: object): Fields {
  const old = (before ?? {}) as Fields;
  const wanted = Object.entries(after).filter(([, value]) => value !== undefined);
  const names = new Set(wanted.map(([name]) => name));
  return Object.fromEntries<unknown>([
    ...Object.keys(old)
      .filter((name) => !names.has(name))
      .map((name) => [name, null] as const),
    ...wanted.map(([name, value]) => {
      const earlier = old[name];
      return [name, isObject(value) ? replacing(isObject(earlier) ? earlier : {}, value) : value] as const;
    }),
  ]);
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
