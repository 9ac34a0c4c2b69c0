/** Whether a query parameter is on: it is `true`, `1`, or has no value. */
export function isTrue(value: string | null): boolean {
  return value === '' ? true : value === 'true' || value === '1' || value === 'True' || value === 'TRUE';
}
