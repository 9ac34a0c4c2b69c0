import { deepEqual, sortedJson } from '../api-server/json/values';
import type { PodTemplate } from './apps-v1';

/** Names and comparison of templates. Pure. */

export const TEMPLATE_HASH = 'pod-template-hash';

/** Letters and digits that cannot form words by accident. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

/** FNV-1a with 32 bits. */
export function fnv32a(bytes: Buffer): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}

/** Text that may be part of a name: each character of the number selects one of the alphabet. */
export const safeText = (value: number): string =>
  [...String(value)].map((char) => ALPHABET[char.charCodeAt(0) % ALPHABET.length]).join('');

/** Hash of a template. After a collision with another template, the count changes the hash. */
export function templateHash(template: PodTemplate, collisionCount?: number): string {
  const parts = [Buffer.from(sortedJson(template))];
  if (collisionCount !== undefined) {
    const count = Buffer.alloc(8);
    count.writeUInt32LE(collisionCount);
    parts.push(count);
  }
  return safeText(fnv32a(Buffer.concat(parts)));
}

/** Whether two templates are equal, apart from the label with their hash. */
export const sameTemplate = (a: PodTemplate | undefined, b: PodTemplate | undefined): boolean =>
  deepEqual(withoutHash(a), withoutHash(b));

function withoutHash({ metadata = {}, spec }: PodTemplate = {}): unknown {
  const { [TEMPLATE_HASH]: _hash, ...labels } = metadata.labels ?? {};
  const { creationTimestamp: _time, annotations = {}, ...rest } = metadata;
  return { metadata: { ...rest, annotations, labels }, spec };
}
