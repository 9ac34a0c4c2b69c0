/**
 * Writes a copy of what is preferred into a field that is open: absent, or an empty word. A preference may hold words
 * that its field does not take; the rules see the result.
 */
export function fill<T extends object>(object: T, field: keyof T, preferred: unknown): void {
  const own: unknown = object[field];
  if (preferred == null || preferred === '') return;
  if (own == null || own === '') object[field] = structuredClone(preferred) as T[keyof T];
}
