/** Longest list that is reported. */
const MAX_FIELDS = 20;

/** Cleans the list of fields that a launcher did not apply: paths of a VMI, such as `spec.volumes[data]`. Other entries are left out, which the list mentions. */
export function parseFields(fields: readonly string[] | undefined): string[] {
  if (!fields?.length) return [];
  const known = fields.filter((field) => /^spec[A-Za-z0-9_.[\]/-]{0,200}$/.test(field)).slice(0, MAX_FIELDS);
  return known.length > 0 ? known : ['spec'];
}
