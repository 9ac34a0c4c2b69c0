/** Longest list that is shown. */
const MAX_FIELDS = 20;

/** What a launcher says is not applied: paths of a VMI's fields, such as `spec.volumes[data]`; all else is left out. */
export function parseFields(fields: readonly string[] | undefined): string[] {
  return (fields ?? []).slice(0, MAX_FIELDS).filter((field) => /^spec[A-Za-z0-9_.[\]-]{0,200}$/.test(field));
}
