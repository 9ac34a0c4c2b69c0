const isMap = (v: unknown): v is Record<string, unknown> => typeof v === 'object' && v !== null && !Array.isArray(v);

/** RFC 7386: maps merge, null removes, everything else replaces. Returns a new value. */
export function mergePatch(doc: unknown, patch: unknown): unknown {
  if (!isMap(patch)) return structuredClone(patch);
  const result: Record<string, unknown> = isMap(doc) ? { ...doc } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = mergePatch(result[key], value);
  }
  return result;
}
