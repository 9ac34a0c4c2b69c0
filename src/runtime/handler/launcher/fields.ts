/** Longest list that is shown. */
const MAX_FIELDS = 20;

/** What a launcher says is not applied: paths of a VMI's fields, such as `spec.volumes[data]`; all else is left out, but not that there was something. */
export function parseFields(fields: readonly string[] | undefined): string[] {
  if (!fields?.length) return [];
  const known = fields.filter((field) => /^spec[A-Za-z0-9_.[\]/-]{0,200}$/.test(field)).slice(0, MAX_FIELDS);
  return known.length > 0 ? known : ['spec'];
}
