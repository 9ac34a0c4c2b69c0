import { createHash } from 'node:crypto';

/** Changes with the data: short enough for an annotation. */
export const checksumOf = (data: object): string =>
  createHash('sha256').update(JSON.stringify(data)).digest('hex').slice(0, 16);
