import { JsonSchema } from '../../schema/json-schema';
import { deepEqual, isMap } from '../../json/values';

/** Stored value that a new value replaces; undefined if there is none or it cannot be found. */
export type Correlated = { readonly value: unknown } | undefined;

/** The stored value below a key. */
export function correlate(old: Correlated, key: string): Correlated {
  return old && isMap(old.value) && Object.hasOwn(old.value, key) ? { value: old.value[key] } : undefined;
}

/** The stored element with the same keys; only lists of type map have elements that can be found again. */
export function correlateItem(old: Correlated, item: unknown, list: JsonSchema): Correlated {
  if (list['x-kubernetes-list-type'] !== 'map' || !old || !Array.isArray(old.value) || !isMap(item)) return undefined;
  const keys = list['x-kubernetes-list-map-keys'] ?? [];
  const found = old.value.find((v) => isMap(v) && keys.every((k) => deepEqual(v[k], item[k])));
  return found === undefined ? undefined : { value: found };
}
