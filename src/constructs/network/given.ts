/** The fields that were given, in their order. */
export function given(fields: { readonly [field: string]: unknown }): { [field: string]: unknown } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
