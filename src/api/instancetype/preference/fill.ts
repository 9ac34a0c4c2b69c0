/**
 * Writes a copy of the preferred value into a field that is absent or an empty string. A preference may contain values
 * that the field does not accept; the rules validate the result.
 */
export function fill<T extends object>(object: T, field: keyof T, preferred: unknown): void {
  const own: unknown = object[field];
  if (preferred == null || preferred === '') return;
  if (own == null || own === '') object[field] = structuredClone(preferred) as T[keyof T];
}
