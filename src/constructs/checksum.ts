import { createHash } from 'node:crypto';

/** Returns a hash of the data that is short enough for an annotation. */
export const checksumOf = (data: object): string =>
  createHash('sha256').update(JSON.stringify(data)).digest('hex').slice(0, 16);
