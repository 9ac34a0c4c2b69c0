import { applyPatch } from 'rfc6902';
import { PatchError } from './errors';

/** RFC 6902 on a copy of `doc`. */
export function jsonPatch(doc: unknown, ops: unknown): unknown {
  if (!Array.isArray(ops))
    throw new PatchError(400, 'json: cannot unmarshal object into Go value of type jsonpatch.Patch');
  const result = structuredClone(doc);
  const failed = applyPatch(result, ops).find((error) => error !== null);
  if (failed) throw new PatchError(422, 'the server rejected our request due to an error in our request');
  return result;
}
