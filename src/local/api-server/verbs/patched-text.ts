import { isMap } from '../json/values';
import { fieldsOf } from '../protobuf/messages';

/** Parts of an object that a patch reaches: Kubernetes prints their keys sorted, and those of other parts in Go's order. */
export interface Reached {
  readonly [key: string]: Reached | undefined;
}

/** Parts that a merge patch reaches. */
export function reachedByMerge(patch: unknown): Reached | undefined {
  if (!isMap(patch)) return undefined;
  return fromEntries(Object.entries(patch).map(([key, value]) => [key, reachedByMerge(value)]));
}

/** Parts that the operations of a JSON patch reach: everything on the way to their values. */
export function reachedByOperations(operations: readonly unknown[]): Reached {
  const root = fromEntries([]);
  for (const operation of operations) {
    if (!isMap(operation)) continue;
    for (const path of [operation.path, operation.from]) {
      if (typeof path !== 'string') continue;
      const keys = path.split('/').slice(1, -1);
      let at = root as Record<string, Reached | undefined>;
      for (const key of keys) at = at[key.replaceAll('~1', '/').replaceAll('~0', '~')] ??= fromEntries([]);
    }
  }
  return root;
}

const fromEntries = (entries: [string, Reached | undefined][]): Reached =>
  Object.assign(Object.create(null) as Reached, Object.fromEntries(entries));

/**
 * JSON of a patched object as messages show it.
 * @param go Go type (`core.v1.Pod`)
 */
export function patchedText(object: unknown, go: string | undefined, reached: Reached | undefined): string {
  return JSON.stringify(ordered(object, go ? `@${go}` : '', reached ?? fromEntries([])));
}

/** A copy with the keys in the order in which Kubernetes prints them. */
function ordered(value: unknown, type: string, reached: Reached | undefined): unknown {
  if (Array.isArray(value)) {
    const item = type.startsWith('[]') ? type.slice(2) : '';
    return value.map((entry, i) => ordered(entry, item, reached?.[String(i)]));
  }
  if (!isMap(value)) return value;
  const types = typesOf(type, value);
  const given = Object.keys(value);
  const known = [...types.keys()].filter((key) => Object.hasOwn(value, key));
  const sorted = reached !== undefined || type.startsWith('{}');
  const keys = sorted ? given.sort() : [...known, ...given.filter((key) => !types.has(key))];
  return Object.fromEntries(keys.map((key) => [key, ordered(value[key], types.get(key) ?? '', reached?.[key])]));
}

/** Types of the fields of a struct, in their order, or of the values of a map. */
function typesOf(type: string, value: Record<string, unknown>): Map<string, string> {
  if (type.startsWith('{}')) return new Map(Object.keys(value).map((key) => [key, type.slice(2)]));
  if (!type.startsWith('@')) return new Map();
  return new Map(
    fieldsOf(type.slice(1)).flatMap((field) =>
      field.name ? [[field.name, field.type] as const] : [...typesOf(field.type, value)],
    ),
  );
}
