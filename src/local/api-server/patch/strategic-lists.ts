import { TypeSchema } from '../schema/type-schema';
import { PatchError } from './errors';
import { isMap, type Json } from '../json/values';
import { ANY, badDirective, DIRECTIVE, withoutDirectives } from './strategic-directives';

/** Merges one element of a list. A parameter, because maps hold lists: `strategic-merge.ts` imports this file. */
type MergeElement = (original: Json, patch: Json, type: TypeSchema) => Json;

/** Merges a list of maps by the type's merge key, or a list of scalars as a set. */
export function mergeList(
  original: unknown[],
  patch: unknown[],
  type: TypeSchema,
  mergeElement: MergeElement,
): unknown[] {
  if (original.length === 0 && patch.length === 0) return original;
  checkSameKind([...original, ...patch]);
  if (!isMap(original[0] ?? patch[0])) {
    const merged = [...new Set([...original, ...patch])];
    return interleave(merged, patch, original, (v) => v);
  }
  const key = type.patchMergeKey;
  if (!key) throw new PatchError(500, `cannot merge lists without merge key for ${type.name ?? 'the list'}`);
  const { base, rest } = followDirectives(original as Json[], patch as Json[], key);
  const merged = mergeMaps(base, rest, key, (a, b) => mergeElement(a, b, type.items ?? ANY));
  return interleave(merged, rest, base, (v) => (v as Json)[key]);
}

/** `$patch: delete` elements remove, one `$patch: replace` makes the rest of the patch the whole list. */
function followDirectives(original: Json[], patch: Json[], key: string): { base: Json[]; rest: Json[] } {
  let base = original;
  let replace = false;
  const rest: Json[] = [];
  for (const item of patch) {
    const directive = item[DIRECTIVE];
    if (directive === undefined) rest.push(item);
    else if (directive === 'delete') {
      const value = keyOf(item, key);
      base = base.filter((v) => v[key] !== value);
    } else if (directive === 'replace') replace = true;
    else if (directive === 'merge') throw new PatchError(500, 'merging lists cannot yet be specified in the patch');
    else throw badDirective(directive, item);
  }
  return replace ? { base: rest, rest: [] } : { base, rest };
}

function mergeMaps(original: Json[], patch: Json[], key: string, merge: (a: Json, b: Json) => Json): Json[] {
  const result = [...original];
  for (const item of patch) {
    const value = keyOf(item, key);
    const at = result.findIndex((v) => v[key] === value);
    const found = result[at];
    if (found) result[at] = merge(found, item);
    else result.push(item);
  }
  return result;
}

function keyOf(item: Json, key: string): unknown {
  const value = item[key];
  if (value === undefined) throw new PatchError(500, `map: ${goMap(item)} does not contain declared merge key: ${key}`);
  return value;
}

/** `$deleteFromPrimitiveList`: all elements but these. */
export const deleteFromList = (original: unknown[], gone: unknown[]): unknown[] =>
  original.filter((v) => !gone.includes(v));

/** A list merged and then ordered by `$setElementOrder`; elements that only the server has keep their places. */
export function orderList(
  original: unknown[] | undefined,
  patch: unknown[] | undefined,
  order: unknown[],
  type: TypeSchema,
  mergeElement: MergeElement | undefined,
): unknown[] {
  const key = type.patchMergeKey;
  checkOrder(patch ?? [], order, key);
  const merged = !patch
    ? (original ?? [])
    : !original
      ? (withoutDirectives(patch) as unknown[])
      : mergeElement
        ? mergeList(original, patch, type, mergeElement)
        : patch;
  const elements = [...(original ?? []), ...(patch ?? [])];
  // Kubernetes takes the element type from the first element and fails when there is none
  if (elements.length === 0) throw new PatchError(500, 'no elements in any of the given slices');
  checkSameKind(elements);
  return interleave(merged, order, original ?? [], (v) => (key && isMap(v) ? v[key] : v));
}

/** Elements that the patch sets must be listed in `$setElementOrder`, in the same order. */
function checkOrder(patch: unknown[], order: unknown[], key: string | undefined): void {
  if (order.length === 0 || patch.length === 0) return;
  const set = patch.filter((v) => !(isMap(v) && DIRECTIVE in v));
  const identity = (v: unknown) => (key && isMap(v) ? keyOf(v, key) : v);
  let at = 0;
  for (const v of order) if (at < set.length && identity(set[at]) === identity(v)) at++;
  if (at < set.length)
    throw new PatchError(
      500,
      `The order in patch list:\n${goList(patch)}\n doesn't match $setElementOrder list:\n${goList(order)}\n`,
    );
}

/**
 * Sorts `merged`: elements of `first` in its order, the others in the order of `server`, each of these before the
 * first element of `first` that comes after it in `server`.
 */
function interleave(
  merged: unknown[],
  first: unknown[],
  server: unknown[],
  identity: (v: unknown) => unknown,
): unknown[] {
  const positions = (list: unknown[]): Map<unknown, number> => {
    const at = new Map<unknown, number>();
    list.forEach((v, i) => at.has(identity(v)) || at.set(identity(v), i));
    return at;
  };
  const firstAt = positions(first);
  const serverAt = positions(server);
  const by = (at: Map<unknown, number>) => (a: unknown, b: unknown) =>
    (at.get(identity(a)) ?? Infinity) - (at.get(identity(b)) ?? Infinity) || 0;
  const patched = merged.filter((v) => firstAt.has(identity(v))).sort(by(firstAt));
  const others = merged.filter((v) => !firstAt.has(identity(v))).sort(by(serverAt));
  const out: unknown[] = [];
  for (let i = 0, j = 0; i < others.length || j < patched.length;) {
    const left = i < others.length ? serverAt.get(identity(others[i])) : undefined;
    const right = j < patched.length ? serverAt.get(identity(patched[j])) : undefined;
    const takeOther =
      j >= patched.length || (i < others.length && left !== undefined && right !== undefined && left < right);
    out.push(takeOther ? others[i++] : patched[j++]);
  }
  return out;
}

function checkSameKind(items: unknown[]): void {
  const kindOf = (v: unknown) => (Array.isArray(v) ? 'list' : v === null ? 'null' : typeof v);
  const [first] = items;
  if (Array.isArray(first)) throw new PatchError(422, 'lists of lists are not supported');
  if (items.some((v) => kindOf(v) !== kindOf(first)))
    throw new PatchError(500, `list element types are not identical: ${goList(items)}`);
}

/** Go's `%v`. */
function goText(v: unknown): string {
  if (Array.isArray(v)) return goList(v);
  return isMap(v) ? goMap(v) : v === null ? '<nil>' : String(v);
}
const goList = (list: unknown[]): string => `[${list.map(goText).join(' ')}]`;
const goMap = (map: Json): string =>
  `map[${Object.keys(map)
    .sort()
    .map((k) => `${k}:${goText(map[k])}`)
    .join(' ')}]`;
