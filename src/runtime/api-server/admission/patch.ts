/** One operation of an RFC 6902 patch. */
export interface PatchOperation {
  readonly op: 'add' | 'remove' | 'replace';
  readonly path: string;
  readonly value?: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

/** Above this number of single fields, the patch replaces the few large fields that contain them. */
const MAX_OPERATIONS = 256;
/** `/metadata/annotations`, `/spec/template`. */
const COARSE_DEPTH = 2;
/** The depth of `/spec/template/spec/domain/devices/disks`. */
const FINE_DEPTH = 8;

/**
 * Patch from `before` to `after`. Lists are replaced as a whole: the cost is linear in the size of both, whereas the shortest
 * patch of two lists takes the product of their lengths. Objects are compared field by field, so that a number which
 * JavaScript cannot represent exactly stays as written as long as no field of the same object changes.
 */
export function patchBetween(before: object, after: object): PatchOperation[] {
  const fine = difference(before as Fields, after as Fields, FINE_DEPTH);
  return fine.length <= MAX_OPERATIONS ? fine : difference(before as Fields, after as Fields, COARSE_DEPTH);
}

function difference(before: Fields, after: Fields, depth: number): PatchOperation[] {
  const operations: PatchOperation[] = [];
  compare(before, after, '', depth, operations);
  return operations;
}

function compare(before: Fields, after: Fields, at: string, depth: number, operations: PatchOperation[]): void {
  for (const key of Object.keys(before)) {
    if (after[key] === undefined || !Object.hasOwn(after, key)) operations.push({ op: 'remove', path: below(at, key) });
  }
  for (const [key, value] of Object.entries(after)) {
    if (value === undefined) continue;
    const old = Object.hasOwn(before, key) ? before[key] : undefined;
    if (old === value) continue;
    const path = below(at, key);
    if (old === undefined) operations.push({ op: 'add', path, value });
    else if (depth > 1 && isFields(old) && isFields(value)) compare(old, value, path, depth - 1, operations);
    else if (typeof old !== 'object' || !isSame(old, value)) operations.push({ op: 'replace', path, value });
  }
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Compares as JSON, in which an undefined field is absent. */
const isSame = (a: object | null, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const below = (at: string, key: string): string => `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
