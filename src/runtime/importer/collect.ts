import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes of chunks after which they are collected. */
const EVERY_BYTES = 4 << 20;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (options: { readonly type: 'minor' }) => void;

let passed = 0;

/**
 * Frees the chunks of a stream while it passes. V8 counts their few bytes in its heap, and not the memory that they occupy
 * outside, of which it lets up to 64 MiB collect.
 */
export function collectAfter(bytes: number): void {
  passed += bytes;
  if (passed < EVERY_BYTES) return;
  passed = 0;
  collect({ type: 'minor' });
}
