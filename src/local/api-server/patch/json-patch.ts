import { refuseReservedKey } from '../json/parse';
import { clone, deepEqual, isMap, own } from '../json/values';
import { PatchError } from './errors';

/** Maximum number of operations. The real server responds with 413, this one with 400. */
const MAX_OPERATIONS = 10_000;

/** Maximum size of all values that `copy` operations may add: without it, a short patch could double a value 10,000 times. */
const MAX_COPIED = 3 * 1024 * 1024;

interface Operation {
  readonly op: 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test';
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

/** Error of an operation that does not fit the document. The message is that of the real server, which has no details. */
const unfit = (detail?: string): PatchError =>
  new PatchError(422, 'the server rejected our request due to an error in our request', detail);

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
  const document = new Document(clone(doc));
  for (const op of ops as Operation[]) {
    try {
      document.apply(op);
    } catch (error) {
      throw error instanceof PatchError && !error.detail ? unfit(whyFailed(op, document)) : error;
    }
  }
  return document.value;
}

/** Go's text about an operation that cannot be applied. */
function whyFailed({ op, path }: Operation, document: Document): string {
  const exists = document.has(path.slice(0, Math.max(0, path.lastIndexOf('/'))));
  const key = path.slice(path.lastIndexOf('/') + 1);
  switch (op) {
    case 'test':
      return `testing value ${path} failed: test failed`;
    case 'replace':
      return `replace operation does not apply: doc is missing ${exists ? 'key' : 'path'}: ${path}: missing value`;
    case 'remove':
      return exists
        ? `error in remove for path: '${path}': Unable to remove nonexistent key: ${key}: missing value`
        : `remove operation does not apply: doc is missing path: "${path}": missing value`;
    default:
      return `${op} operation does not apply: doc is missing path: "${path}": missing value`;
  }
}

class Document {
  /** The document is the value of one key, so that an operation on "" (the whole document) is not a special case. */
  private readonly holder: { root: unknown };
  private copied = 0;

  public constructor(root: unknown) {
    this.holder = { root };
  }

  public get value(): unknown {
    return this.holder.root;
  }

  /** Whether a map or list is at the path. */
  public has(path: string): boolean {
    try {
      return typeof (this.find(path) ?? undefined) === 'object';
    } catch {
      return false;
    }
  }

  public apply({ op, path, from, value = null }: Operation): void {
    const source = () => {
      if (typeof from !== 'string') throw unfit(`${op} operation failed to decode from: missing value`);
      return from;
    };
    if (typeof path !== 'string') throw unfit(`${op} operation failed to decode path: missing value`);
    switch (op) {
      case 'add':
        // an absent value is null, as in the real server
        return this.add(path, clone(value));
      case 'remove':
        return void this.remove(path);
      case 'replace':
        return this.set(path, clone(value));
      case 'move':
        if (path.startsWith(`${source()}/`)) throw unfit();
        return this.add(path, this.remove(source()));
      case 'copy':
        return this.add(path, this.copyOf(source()));
      case 'test':
        // null equals a missing value, as in the real server
        if (!deepEqual(this.find(path) ?? null, value)) throw unfit();
        return;
      default:
        throw unfit(`Unexpected kind: ${String(op)}`);
    }
  }

  private copyOf(from: string): unknown {
    // as in the real server, a missing value is copied as null
    const found = this.find(from) ?? null;
    this.copied += JSON.stringify(found).length;
    if (this.copied > MAX_COPIED) throw unfit();
    return clone(found);
  }

  private add(path: string, value: unknown): void {
    const { parent, key } = this.parentOf(path);
    if (isMap(parent)) parent[key] = value;
    else parent.splice(key === '-' ? parent.length : indexOf(key, parent.length + 1), 0, value);
  }

  /** Sets a value, which may be missing in a map: the real server does not look for it. */
  private set(path: string, value: unknown): void {
    if (path === '' && typeof value !== 'object') throw unfit();
    const { parent, key } = this.parentOf(path);
    if (isMap(parent)) parent[key] = value;
    else parent[indexOf(key, parent.length)] = value;
  }

  private remove(path: string): unknown {
    const found = this.find(path);
    if (found === undefined || path === '') throw unfit();
    const { parent, key } = this.parentOf(path);
    if (isMap(parent)) delete parent[key];
    else parent.splice(indexOf(key, parent.length), 1);
    return found;
  }

  /** The value at a path; undefined if it is missing. */
  private find(path: string): unknown {
    const { parent, key } = this.parentOf(path);
    return child(parent, key);
  }

  /** @throws PatchError if the parent is missing or a scalar */
  private parentOf(path: string): { parent: Record<string, unknown> | unknown[]; key: string } {
    const steps = ['root', ...stepsOf(path)];
    const key = steps.pop() as string;
    let parent: unknown = this.holder;
    for (const step of steps) parent = child(parent, step);
    if (!isMap(parent) && !Array.isArray(parent)) throw unfit();
    return { parent, key };
  }
}

function child(parent: unknown, key: string): unknown {
  if (isMap(parent)) return own(parent, key);
  return Array.isArray(parent) ? (parent[indexOf(key, parent.length)] as unknown) : undefined;
}

function stepsOf(path: string): string[] {
  if (path === '') return [];
  if (!path.startsWith('/')) throw unfit();
  return path
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Position in a list of `length` elements; negative positions count from the end. */
function indexOf(key: string, length: number): number {
  const index = /^-?\d+$/.test(key) ? Number(key) : NaN;
  if (!(index >= -length && index < length)) throw unfit();
  return index < 0 ? index + length : index;
}

/** An operation that is not a map cannot be decoded; other mistakes are found when it is applied. */
function checkOperation(op: unknown): void {
  if (!isMap(op))
    throw new PatchError(
      400,
      `error decoding patch: json: cannot unmarshal ${Array.isArray(op) ? 'array' : typeof op} into Go value of type handlers.jsonPatchOp`,
    );
  const { op: kind, path, from } = op;
  for (const [name, text] of Object.entries({ op: kind, path, from })) {
    if (text === undefined || typeof text === 'string') continue;
    const type = Array.isArray(text) ? 'array' : text === null ? 'null' : typeof text;
    const what = `json: cannot unmarshal ${type === 'boolean' ? 'bool' : type} into Go struct field jsonPatchOp.${name} of type string`;
    throw new PatchError(400, `error decoding patch: ${what}`);
  }
  for (const pointer of [path, from])
    if (typeof pointer === 'string') for (const step of pointer.split('/')) refuseReservedKey(step);
}
