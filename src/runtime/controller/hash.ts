import { createHash } from 'node:crypto';

/** Hash of a JSON value. Fields that are absent or null do not change it, and neither does the order of fields. */
export const hash = (value: unknown): string => createHash('sha256').update(stable(value)).digest('hex').slice(0, 16);

/** JSON with sorted keys: the order in which a client wrote them has no meaning. */
function stable(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(stable).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).filter(([, v]) => v !== undefined && v !== null);
  return `{${entries
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, v]) => `${JSON.stringify(key)}:${stable(v)}`)
    .join(',')}}`;
}
