/**
 * Typed values: walks a value together with its type, as structured-merge-diff does. `undefined` is absent, `null` is JSON's null.
 */
import { isMap, own, type Json } from '../json/values';
import { TypeSchema } from '../schema/type-schema';
import { FieldSet } from './field-set';
import { fieldElement, keyElement, PathElement, printElement, valueElement } from './path-element';

type Shape = 'map' | 'list' | 'scalar';

const mapOf = (v: unknown): Json => (isMap(v) ? v : {});
const listOf = (v: unknown): unknown[] => (Array.isArray(v) ? v : []);

/** Shape of a value by its type. Untyped data has the shape of the value; null counts as a map. */
function shapeOf(schema: TypeSchema, value: unknown): Shape {
  if (schema.kind !== 'any') return schema.kind;
  if (Array.isArray(value)) return 'list';
  return value == null || isMap(value) ? 'map' : 'scalar';
}

/** Whether a list is merged, because its type is `set` or `map`. */
export const isAssociative = (schema: TypeSchema): boolean => schema.listType === 'set' || schema.listType === 'map';

const ANY: TypeSchema = { kind: 'any' };

/** The type of a map's entry. */
export function entryType(schema: TypeSchema, key: string): TypeSchema {
  return own(schema.fields, key) ?? schema.values ?? ANY;
}

const itemType = (schema: TypeSchema): TypeSchema => schema.items ?? ANY;

/** Path element of a list item. Throws if it has no key or cannot be an element of a set. */
function itemElement(schema: TypeSchema, item: unknown): PathElement {
  if (schema.listType === 'map') {
    if (item === null) throw new Error('associative list with keys may not have a null element');
    if (!isMap(item)) throw new Error('associative list with keys may not have non-map elements');
    const keys = (schema.listKeys ?? []).flatMap((key): [string, unknown][] => {
      const value = own(item, key) ?? own(itemType(schema).fields, key)?.default;
      return value === undefined ? [] : [[key, value]];
    });
    if (keys.length === 0) {
      const names = (schema.listKeys ?? []).map((k) => JSON.stringify(k)).join(' ');
      throw new Error(
        `associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`,
      );
    }
    return keyElement(keys);
  }
  if (isMap(item)) throw new Error("associative list without keys has an element that's a map type");
  if (Array.isArray(item)) throw new Error('not supported: associative list with lists as elements');
  if (item === null) throw new Error("associative list without keys has an element that's an explicit null");
  return valueElement(item);
}

/** Paths that a manager of this value owns. */
export function toFieldSet(value: unknown, schema: TypeSchema): FieldSet {
  const set = new FieldSet();
  collect(value, schema, [], set);
  return set;
}

function collect(value: unknown, schema: TypeSchema, path: PathElement[], set: FieldSet): void {
  switch (shapeOf(schema, value)) {
    case 'scalar':
      return set.insert(path);
    case 'list': {
      if (!isAssociative(schema)) return set.insert(path);
      const seen = Map.groupBy(listOf(value), (item) => itemElement(schema, item));
      for (const [element, items] of seen) {
        const at = [...path, element];
        if (items.length === 1) collect(items[0], itemType(schema), at, set);
        set.insert(at);
      }
      return;
    }
    case 'map':
      if (schema.atomic) return set.insert(path);
      for (const [key, child] of Object.entries(mapOf(value))) {
        const at = [...path, fieldElement(key)];
        collect(child, entryType(schema, key), at, set);
        const leaf = child === null || (isMap(child) && Object.keys(child).length === 0);
        if (leaf || !own(schema.fields, key)) set.insert(at);
      }
  }
}

export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

/** Differences between the fields of `left` and `right`. */
export function compare(left: unknown, right: unknown, schema: TypeSchema): Comparison {
  const result = { added: new FieldSet(), modified: new FieldSet(), removed: new FieldSet() };
  compareAt(left, right, schema, [], result);
  return result;
}

function compareAt(left: unknown, right: unknown, schema: TypeSchema, path: PathElement[], out: Comparison): void {
  const shapes = right === undefined ? [shapeOf(schema, left)] : [shapeOf(schema, right)];
  if (left !== undefined && right !== undefined) shapes.unshift(shapeOf(schema, left));
  let leaf = false;
  for (const shape of new Set(shapes)) leaf = compareShape(shape, left, right, schema, path, out);
  if (leaf) return;
  if (left === undefined) out.added.insert(path);
  else if (right === undefined) out.removed.insert(path);
}

/** Returns true when the value is a leaf, compared as one. */
function compareShape(
  shape: Shape,
  left: unknown,
  right: unknown,
  schema: TypeSchema,
  path: PathElement[],
  out: Comparison,
): boolean {
  const leaf = (): true => {
    if (left === undefined) out.added.insert(path);
    else if (right === undefined) out.removed.insert(path);
    else if (!equal(left, right)) out.modified.insert(path);
    return true;
  };
  if (shape === 'scalar') return leaf();
  if (shape === 'map') {
    const [l, r] = [mapOf(left), mapOf(right)];
    const keys = new Set([...Object.keys(l), ...Object.keys(r)]);
    if (schema.atomic || keys.size === 0) return leaf();
    for (const key of keys)
      compareAt(own(l, key), own(r, key), entryType(schema, key), [...path, fieldElement(key)], out);
    return false;
  }
  const [l, r] = [listOf(left), listOf(right)];
  if (!isAssociative(schema) || l.length + r.length === 0) return leaf();
  compareItems(l, r, schema, path, out);
  return false;
}

/** Elements are matched by key. An element whose key occurs twice has no inside: the duplicates count as one leaf. */
function compareItems(l: unknown[], r: unknown[], schema: TypeSchema, path: PathElement[], out: Comparison): void {
  const left = Map.groupBy(l, (item) => itemElement(schema, item));
  const right = Map.groupBy(r, (item) => itemElement(schema, item));
  for (const element of new Set([...left.keys(), ...right.keys()])) {
    const at = [...path, element];
    const [before = [], after = []] = [left.get(element), right.get(element)];
    if (before.length <= 1 && after.length <= 1) {
      compareAt(before[0], after[0], itemType(schema), at, out);
    } else if (before.length >= 2 && after.length >= 2) {
      if (!equal(before, after)) out.modified.insert(at);
    } else if (before.length >= 2) {
      if (after.length > 0) compareAt(undefined, after[0], itemType(schema), at, out);
      out.removed.insert(at);
    } else {
      if (before.length > 0) compareAt(before[0], undefined, itemType(schema), at, out);
      out.added.insert(at);
    }
  }
}

/** JSON equality; the order of a map's keys does not matter. */
export function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((v, i) => equal(v, b[i]));
  if (!isMap(a) || !isMap(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((k) => Object.hasOwn(b, k) && equal(a[k], b[k]));
}

/** Merges `right` into `left`. */
export function mergeTyped(left: unknown, right: unknown, schema: TypeSchema): unknown {
  const shape = shapeOf(schema, right === undefined ? left : right);
  const leaf = () => (right === undefined ? left : right);
  if (shape === 'scalar') return leaf();
  if (shape === 'map') {
    const [l, r] = [mapOf(left), mapOf(right)];
    const keys = new Set([...Object.keys(l), ...Object.keys(r)]);
    if (schema.atomic || keys.size === 0) return leaf();
    const out: Json = {};
    for (const key of keys) {
      const merged = mergeTyped(own(l, key), own(r, key), entryType(schema, key));
      if (merged !== undefined) out[key] = merged;
    }
    return Object.keys(out).length > 0 ? out : undefined;
  }
  const [l, r] = [listOf(left), listOf(right)];
  if (!isAssociative(schema) || l.length + r.length === 0) return leaf();
  const merged = mergeItems(l, r, schema);
  return merged.length > 0 ? merged : undefined;
}

/**
 * The elements of both lists: shared ones in the order of `right`, the others of `left` where they were relative to
 * their neighbours.
 */
function mergeItems(left: unknown[], right: unknown[], schema: TypeSchema): unknown[] {
  const lElements = left.map((item) => itemElement(schema, item));
  const rElements = right.map((item) => itemElement(schema, item));
  const lByElement = new Map<PathElement, unknown>();
  // duplicates on the left cannot be merged with anything: they stand as null
  lElements.forEach((e, i) => lByElement.set(e, lByElement.has(e) ? null : left[i]));
  const rByElement = new Map(rElements.map((e, i) => [e, right[i]]));
  const shared = rElements.filter((e) => lByElement.has(e));
  let nextShared = shared.shift();
  const done = new Set<PathElement>();
  const out: unknown[] = [];
  const push = (l: unknown, r: unknown) => {
    const merged = mergeTyped(l, r, itemType(schema));
    if (merged !== undefined) out.push(merged);
  };
  for (let i = 0, j = 0; i < left.length || j < right.length;) {
    const l = lElements[i];
    const r = rElements[j];
    if (l !== undefined && r !== undefined) {
      if (l === r) {
        done.add(l);
        push(lByElement.get(l), rByElement.get(l));
        i++;
        j++;
        nextShared = shared.shift();
        continue;
      }
      if (rByElement.has(l) && nextShared !== undefined && nextShared !== l) {
        i++; // a shared element whose turn comes later
        continue;
      }
    }
    if (l !== undefined) {
      if (!rByElement.has(l)) {
        push(left[i], undefined);
        i++;
        continue;
      }
      if (done.has(l)) i++;
    }
    if (r !== undefined) {
      done.add(r);
      push(lByElement.get(r), rByElement.get(r));
      j++;
      if (nextShared === r) nextShared = shared.shift();
    }
  }
  return out;
}

/**
 * Removes the paths of `items` from `value`. A map or list that loses all its entries is null, but one that loses only
 * parts of its entries stays.
 */
export function removeItems(value: unknown, items: FieldSet, schema: TypeSchema): unknown {
  const shape = shapeOf(schema, value);
  if (shape === 'scalar') return value;
  if (shape === 'map') {
    if (!isMap(value) || schema.atomic) return null;
    const out: Json = {};
    let entered = false;
    for (const [key, child] of Object.entries(value)) {
      const element = fieldElement(key);
      if (items.members.has(element)) continue;
      const below = items.children.get(element);
      entered ||= below !== undefined;
      out[key] = below ? removeBelow(child, below, entryType(schema, key)) : child;
    }
    return Object.keys(out).length > 0 || entered ? out : null;
  }
  if (!isAssociative(schema)) return null;
  const out = listOf(value).flatMap((item) => {
    const element = itemElement(schema, item);
    if (items.members.has(element)) return [];
    const below = items.children.get(element);
    return [below ? removeBelow(item, below, itemType(schema)) : item];
  });
  return out.length > 0 ? out : null;
}

/** An entry without the paths below it: it stays, even if it is empty then. */
function removeBelow(value: unknown, items: FieldSet, schema: TypeSchema): unknown {
  return removeItems(value, items, schema) ?? (isMap(value) ? {} : Array.isArray(value) ? [] : null);
}

/** Checks a value against its type: `.spec.x: expected string, got &value.valueUnstructured{...}` and the like. */
export function validateTyped(value: unknown, schema: TypeSchema, allowDuplicates: boolean): string[] {
  const errors: string[] = [];
  check(value, schema, '', allowDuplicates, errors);
  return errors;
}

function check(value: unknown, schema: TypeSchema, path: string, allowDuplicates: boolean, errors: string[]): void {
  const fail = (text: string) => void errors.push(path === '' ? text : `${path}: ${text}`);
  if (value === null || value === undefined) return;
  switch (shapeOf(schema, value)) {
    case 'scalar':
      return checkScalar(value, schema, fail);
    case 'map':
      if (!isMap(value)) return fail(`expected map, got &{${goValue(value)}}`);
      for (const [key, child] of Object.entries(value)) {
        const declared = own(schema.fields, key) ?? schema.values;
        if (declared) check(child, declared, `${path}.${key}`, allowDuplicates, errors);
        else if (schema.kind !== 'any' && !schema.preserveUnknown) {
          // the rest of this map is not checked, as in the original
          return void errors.push(`${path}.${key}: field not declared in schema`);
        }
      }
      return;
    case 'list': {
      if (!Array.isArray(value)) return fail(`expected list, got &{${goValue(value)}}`);
      const seen = new Set<PathElement>();
      for (const [i, item] of value.entries()) {
        let element: PathElement = `i:${i}`;
        if (isAssociative(schema)) {
          try {
            element = itemElement(schema, item);
          } catch (error) {
            return fail(`element ${i}: ${(error as Error).message}`);
          }
          if (seen.has(element) && !allowDuplicates) fail(`duplicate entries for key ${printElement(element)}`);
          seen.add(element);
        }
        check(item, itemType(schema), path + printElement(element), allowDuplicates, errors);
      }
    }
  }
}

function checkScalar(value: unknown, schema: TypeSchema, fail: (text: string) => void): void {
  switch (schema.scalar) {
    case 'integer':
    case 'number':
      if (typeof value !== 'number') fail(`expected numeric (int or float), got ${goType(value)}`);
      return;
    case 'string':
      // a format (date-time and such) is untyped for the original
      if (typeof value !== 'string' && !(schema.format && schema.format !== 'byte' && !isComposite(value)))
        fail(`expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`);
      return;
    case 'boolean':
      if (typeof value !== 'boolean') fail(`expected boolean, got &{${goValue(value)}}`);
      return;
    default:
      if (isComposite(value)) fail(`expected any scalar, got &{${goValue(value)}}`);
  }
}

const isComposite = (v: unknown): boolean => typeof v === 'object' && v !== null;

/** Go's `%v`. */
function goValue(v: unknown): string {
  if (Array.isArray(v)) return `[${v.map(goValue).join(' ')}]`;
  if (isMap(v))
    return `map[${Object.keys(v)
      .sort()
      .map((k) => `${k}:${goValue(v[k])}`)
      .join(' ')}]`;
  return v === null ? '<nil>' : String(v);
}

/** Go's `%T` of decoded JSON. */
function goType(v: unknown): string {
  if (Array.isArray(v)) return '[]interface {}';
  if (isMap(v)) return 'map[string]interface {}';
  if (typeof v === 'number') return Number.isInteger(v) ? 'int64' : 'float64';
  return typeof v === 'boolean' ? 'bool' : 'string';
}

/** Go's `%#v` of decoded JSON. */
function goSyntax(v: unknown): string {
  if (Array.isArray(v)) return `[]interface {}{${v.map(goSyntax).join(', ')}}`;
  if (isMap(v))
    return `map[string]interface {}{${Object.keys(v)
      .sort()
      .map((k) => `${JSON.stringify(k)}:${goSyntax(v[k])}`)
      .join(', ')}}`;
  return typeof v === 'string' ? JSON.stringify(v) : v === null ? 'interface {}(nil)' : String(v);
}
