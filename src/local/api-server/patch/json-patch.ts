import { applyPatch, Operation } from 'rfc6902';
import { PatchError } from './errors';

/** Maximum number of operations. The real server responds with 413, this one with 400. */
const MAX_OPERATIONS = 10_000;

/** RFC 6902 on a copy of `doc`. */
export function jsonPatch(doc: unknown, ops: unknown): unknown {
  if (!Array.isArray(ops)) {
    const kind = ops === null ? 'null' : typeof ops;
    throw new PatchError(
      400,
      `error decoding patch: json: cannot unmarshal ${kind} into Go value of type []handlers.jsonPatchOp`,
    );
  }
  if (ops.length > MAX_OPERATIONS)
    throw new PatchError(400, `The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, got ${ops.length}`);
  for (const op of ops) checkOperation(op);
  const result = { root: structuredClone(doc) };
  // the document is the value of one key, so that an operation on "" (the whole document) is not a special case
  const failed = applyPatch(result, (ops as Operation[]).map(belowRoot)).find((error) => error !== null);
  // the message of the real server, which has no details
  if (failed) throw new PatchError(422, 'the server rejected our request due to an error in our request');
  return result.root;
}

const belowRoot = (op: Operation): Operation => {
  const moved = { ...op, path: `/root${op.path}` } as Operation & { from?: string };
  if (moved.from !== undefined) moved.from = `/root${moved.from}`;
  return moved;
};

function checkOperation(op: unknown): void {
  if (typeof op !== 'object' || op === null || Array.isArray(op))
    throw new PatchError(
      400,
      `error decoding patch: json: cannot unmarshal ${Array.isArray(op) ? 'array' : typeof op} into Go value of type handlers.jsonPatchOp`,
    );
  const { op: kind, path, from, value } = op as Record<string, unknown>;
  const refuse = (why: string): never => {
    throw new PatchError(400, `invalid operation ${JSON.stringify(op)}: ${why}`);
  };
  if (!['add', 'remove', 'replace', 'move', 'copy', 'test'].includes(kind as string)) refuse('unsupported operation');
  if ((kind === 'add' || kind === 'replace') && value === undefined)
    refuse(`failed to decode 'value': operation, missing value field: missing value`);
  if ((kind === 'move' || kind === 'copy') && typeof from !== 'string')
    refuse(`failed to decode 'from': operation, missing from field: missing value`);
  if (typeof path !== 'string') refuse(`failed to decode 'path': operation missing path field: missing value`);
}
