import type { StructuralSchema } from './filled';

/** One field, or item of a list, that objects of a schema may have. */
export interface SchemaField {
  readonly path: readonly string[];
  readonly schema: StructuralSchema;
}

/** Schemas that contain themselves end here. */
export const DEEPEST_PLACE = 14;
/** A step of a path into a list. */
const ITEM = '[]';

/** Every place of a schema that is wanted. */
export function placesOf(
  schema: StructuralSchema,
  wanted: (schema: StructuralSchema) => boolean,
  path: readonly string[] = [],
): SchemaField[] {
  if (path.length > DEEPEST_PLACE) return [];
  const inner: (readonly [string, StructuralSchema])[] = Object.entries(schema.properties ?? {});
  const below = [...inner, ...(schema.items ? [[ITEM, schema.items] as const] : [])];
  return [
    ...(path.length > 0 && wanted(schema) ? [{ path, schema }] : []),
    ...below.flatMap(([key, of]) => placesOf(of, wanted, [...path, key])),
  ];
}

/** The least object of a schema that has something at a place. */
export function within(schema: StructuralSchema, [key, ...rest]: readonly string[], make: () => unknown): unknown {
  if (key === undefined) return make();
  if (key === ITEM) return [within(schema.items ?? {}, rest, make)];
  return { ...(itemOf(schema, 'x') as object), [key]: within(schema.properties?.[key] ?? {}, rest, make) };
}

/** The least value of a schema; what has a name has this one. */
export function itemOf(schema: StructuralSchema & { required?: string[] }, name: string): unknown {
  if (schema.enum) return schema.enum[0];
  if (schema['x-kubernetes-int-or-string']) return schema.pattern ? '1Gi' : 80;
  if (schema.type === 'object') {
    const { properties = {}, required = [] } = schema;
    const wanted = new Set([...required, ...('name' in properties ? ['name'] : [])]);
    return Object.fromEntries([...wanted].map((key) => [key, itemOf(properties[key] ?? {}, name)]));
  }
  if (schema.type === 'array') return [];
  if (schema.type === 'integer' || schema.type === 'number') return 1;
  return schema.type === 'boolean' ? true : name;
}
