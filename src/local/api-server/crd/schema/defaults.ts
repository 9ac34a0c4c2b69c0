import { JsonSchema } from '../../schema/json-schema';
import { clone, isMap } from '../../json/values';

const itemsOf = (schema: JsonSchema | undefined): JsonSchema | undefined => schema?.items;

const additional = (schema: JsonSchema | undefined): JsonSchema | undefined =>
  typeof schema?.additionalProperties === 'object' ? schema.additionalProperties : undefined;

const property = (schema: JsonSchema | undefined, key: string): JsonSchema | undefined =>
  schema?.properties && Object.hasOwn(schema.properties, key) ? schema.properties[key] : additional(schema);

const wrongNull = (value: unknown, schema: JsonSchema | undefined): boolean =>
  value === null && schema !== undefined && !schema.nullable;

/** Drops nulls where the schema allows none and has no default; in place. */
export function dropNulls(value: unknown, schema: JsonSchema | undefined): void {
  if (Array.isArray(value)) return value.forEach((v) => dropNulls(v, itemsOf(schema)));
  if (!isMap(value)) return;
  for (const [key, v] of Object.entries(value)) {
    const type = property(schema, key);
    if (wrongNull(v, type) && type?.default == null) delete value[key];
    else dropNulls(v, type);
  }
}

/** Fills in defaults, also for nulls where none are allowed; in place. */
export function applyDefaults(value: unknown, schema: JsonSchema | undefined): void {
  if (!schema) return;
  if (Array.isArray(value)) {
    const items = itemsOf(schema);
    value.forEach((v, i) => {
      if (wrongNull(v, items)) value[i] = clone(items?.default ?? null);
      applyDefaults(value[i], items);
    });
    return;
  }
  if (!isMap(value)) return;
  for (const [key, type] of Object.entries(schema.properties ?? {}))
    if (type.default != null && (!Object.hasOwn(value, key) || wrongNull(value[key], type)))
      value[key] = clone(type.default);
  for (const key of Object.keys(value)) {
    const type = property(schema, key);
    const rest = additional(schema);
    if (type === rest && wrongNull(value[key], rest)) value[key] = clone(rest?.default ?? null);
    applyDefaults(value[key], type);
  }
}
