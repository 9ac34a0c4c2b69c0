import { Cause, duplicate, invalid } from '../../schema/cause';
import { JsonSchema } from '../../schema/json-schema';
import { isMap, sortedJson } from '../../json/values';

/** Lists of type set and map: every element, or its keys, at most once. */
export function validateLists(value: unknown, schema: JsonSchema | undefined, path = ''): Cause[] {
  if (!schema) return [];
  if (Array.isArray(value))
    return [
      ...validateList(value, schema, path),
      ...value.flatMap((v, i) => validateLists(v, schema.items, `${path}[${i}]`)),
    ];
  if (!isMap(value)) return [];
  const { properties = {}, additionalProperties } = schema;
  return Object.entries(value).flatMap(([key, v]) => {
    if (Object.hasOwn(properties, key)) return validateLists(v, properties[key], path === '' ? key : `${path}.${key}`);
    return typeof additionalProperties === 'object' ? validateLists(v, additionalProperties, `${path}[${key}]`) : [];
  });
}

function validateList(list: unknown[], schema: JsonSchema, path: string): Cause[] {
  const type = schema['x-kubernetes-list-type'];
  if (type === 'set') return repeated(list).map((i) => duplicate(`${path}[${i}]`, list[i]));
  if (type !== 'map') return [];
  const stray = list.findIndex((v) => v !== null && !isMap(v));
  if (stray >= 0) return [invalid(`${path}[${stray}]`, list[stray], 'must be an object for an array of list-type map')];
  const names = schema['x-kubernetes-list-map-keys'] ?? [];
  const keys = list.map((v) =>
    Object.fromEntries(names.flatMap((k) => (isMap(v) && Object.hasOwn(v, k) ? [[k, v[k]]] : []))),
  );
  return repeated(keys).map((i) => duplicate(`${path}[${i}]`, keys[i]));
}

/** Indices at which a value is there for the second time. */
function repeated(list: unknown[]): number[] {
  const seen = new Map<string, number>();
  return list.flatMap((v, i) => {
    const text = sortedJson(v);
    const times = (seen.get(text) ?? 0) + 1;
    seen.set(text, times);
    return times === 2 ? [i] : [];
  });
}
