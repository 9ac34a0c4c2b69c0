import { TypeSchema } from '../schema/type-schema';
import { PatchError } from './errors';
import { clone, isMap, type Json, own } from '../json/values';
import { refuseReservedKey } from '../json/parse';
import { ANY, badDirective, DIRECTIVE, withoutDirectives } from './strategic-directives';
import { deleteFromList, mergeList, orderList } from './strategic-lists';

const RETAIN_KEYS = '$retainKeys';
const DELETE_FROM = '$deleteFromPrimitiveList/';
const SET_ORDER = '$setElementOrder/';

/**
 * Strategic merge patch: like a merge patch, but lists whose field has a patch strategy of `merge` merge by key, and
 * `$patch`, `$retainKeys`, `$setElementOrder/x` and `$deleteFromPrimitiveList/x` direct it. Returns a new value.
 */
export function strategicMergePatch(doc: unknown, patch: unknown, schema: TypeSchema): unknown {
  if (!isMap(patch)) {
    const kind = Array.isArray(patch) ? 'array' : typeof patch;
    throw new PatchError(400, `json: cannot unmarshal ${kind} into Go value of type map[string]interface {}`);
  }
  return mergeMap(isMap(doc) ? clone(doc) : {}, clone(patch), schema);
}

/** Merges `patch` into `original`. The caller passes copies: both are modified. */
function mergeMap(original: Json, patch: Json, schema: TypeSchema): Json {
  const directive = own(patch, DIRECTIVE);
  if (directive === 'replace') {
    delete patch[DIRECTIVE];
    return patch;
  }
  if (directive === 'delete') return {};
  if (directive !== undefined) throw badDirective(directive, patch);
  retainKeys(original, patch);
  setOrders(original, patch, schema);
  for (const [field, value] of Object.entries(patch)) mergeField(original, field, value, schema);
  return original;
}

function mergeField(original: Json, field: string, value: unknown, schema: TypeSchema): void {
  const deleting = field.startsWith(DELETE_FROM);
  const key = deleting ? field.slice(DELETE_FROM.length) : field;
  refuseReservedKey(key);
  if (value === null) {
    delete original[key];
    return;
  }
  const before = own(original, key);
  if (kindOf(before) !== kindOf(value)) {
    if (deleting) return;
    const plain = withoutDirectives(withoutNulls(value));
    if (plain === undefined) delete original[key];
    else original[key] = plain;
    return;
  }
  const type = fieldType(schema, key);
  if (isMap(value) && isMap(before)) {
    original[key] = strategyOf(type) === 'replace' ? value : mergeMap(before, value, type);
  } else if (Array.isArray(value) && Array.isArray(before)) {
    if (deleting) original[key] = deleteFromList(before, value);
    else original[key] = strategyOf(type) === 'merge' ? mergeList(before, value, type, mergeMap) : value;
  } else original[key] = value;
}

/** The type of a field; untyped data is merged by name alone. */
const fieldType = (schema: TypeSchema, key: string): TypeSchema => own(schema.fields, key) ?? schema.values ?? ANY;

/** The strategy without `retainKeys`, which is only a hint for the client. */
const strategyOf = (type: TypeSchema): string =>
  (type.patchStrategy ?? '')
    .split(',')
    .filter((s) => s !== 'retainKeys')
    .join(',');

const kindOf = (v: unknown): string =>
  v === undefined ? 'absent' : v === null ? 'null' : Array.isArray(v) ? 'list' : typeof v;

/** `$retainKeys` lists the fields that stay; the patch may set no others. */
function retainKeys(original: Json, patch: Json): void {
  const keys = own(patch, RETAIN_KEYS);
  if (keys === undefined) return;
  delete patch[RETAIN_KEYS];
  const invalid = new PatchError(400, 'invalid patch format of retainKeys');
  if (!Array.isArray(keys)) throw invalid;
  for (const [key, value] of Object.entries(patch)) {
    if (value === null || key.startsWith(DELETE_FROM) || key.startsWith(SET_ORDER)) continue;
    if (!keys.includes(key)) throw invalid;
  }
  for (const key of Object.keys(original)) if (!keys.includes(key)) delete original[key];
}

/** Merges each list that has a `$setElementOrder` and orders it. Takes both out of the patch. */
function setOrders(original: Json, patch: Json, schema: TypeSchema): void {
  for (const [field, order] of Object.entries(patch)) {
    if (!field.startsWith(SET_ORDER)) continue;
    delete patch[field];
    if (!Array.isArray(order)) throw new PatchError(500, `expected a []interface {}, but received a ${kindOf(order)}`);
    const key = field.slice(SET_ORDER.length);
    refuseReservedKey(key);
    const before = listOrNone(own(original, key));
    const change = listOrNone(own(patch, key));
    if (!before && !change) continue;
    const type = fieldType(schema, key);
    const merged = orderList(before, change, order, type, strategyOf(type) === 'merge' ? mergeMap : undefined);
    original[key] = merged;
    delete patch[key];
  }
}

function listOrNone(value: unknown): unknown[] | undefined {
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) throw new PatchError(500, `expected a []interface {}, but received a ${kindOf(value)}`);
  return value;
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries(value).flatMap(([k, v]) => (v === null ? [] : [[k, withoutNulls(v)]])));
}
