import type { Cause, CrdSchema } from '.';
import { JsonSchema } from './json-schema';
import { anyType, TypeSchema } from './type-schema';

const isMap = (v: unknown): v is Record<string, unknown> => typeof v === 'object' && v !== null && !Array.isArray(v);

/** Compiles one version's `openAPIV3Schema`. */
export function compileCrdSchema(schema: JsonSchema): CrdSchema {
  return {
    validate: () => [] as Cause[],
    prune: (obj) => prune(obj, schema, ''),
    applyDefaults: (obj) => applyDefaults(obj, schema),
    typeSchema: toTypeSchema(schema),
  };
}

/** What is wrong with a CustomResourceDefinition itself. */
export function validateCrd(_crd: unknown): Cause[] {
  return [];
}

function prune(value: unknown, schema: JsonSchema | undefined, path: string): string[] {
  if (Array.isArray(value)) return value.flatMap((v, i) => prune(v, schema?.items, `${path}[${i}]`));
  if (!isMap(value) || !schema) return [];
  return Object.keys(value).flatMap((key) => {
    const at = path === '' ? key : `${path}.${key}`;
    if (path === '' && ['apiVersion', 'kind', 'metadata'].includes(key)) return [];
    const child =
      schema.properties?.[key] ?? (isMap(schema.additionalProperties) ? schema.additionalProperties : undefined);
    if (child) return prune(value[key], child as JsonSchema, at);
    if (schema['x-kubernetes-preserve-unknown-fields'] || schema.additionalProperties === true) return [];
    delete value[key];
    return [at];
  });
}

function applyDefaults(value: unknown, schema: JsonSchema | undefined): void {
  if (!schema) return;
  if (Array.isArray(value)) return value.forEach((v) => applyDefaults(v, schema.items));
  if (!isMap(value)) return;
  for (const [key, child] of Object.entries(schema.properties ?? {})) {
    if (value[key] === undefined && child.default !== undefined) value[key] = structuredClone(child.default);
    applyDefaults(value[key], child);
  }
  if (isMap(schema.additionalProperties))
    for (const [key, v] of Object.entries(value))
      if (!schema.properties?.[key]) applyDefaults(v, schema.additionalProperties as JsonSchema);
}

function toTypeSchema(schema: JsonSchema): TypeSchema {
  if (schema.type === 'array')
    return {
      kind: 'list',
      items: schema.items ? toTypeSchema(schema.items) : anyType,
      listType: schema['x-kubernetes-list-type'],
      listKeys: schema['x-kubernetes-list-map-keys'],
    };
  if (schema.type === 'object')
    return {
      kind: 'map',
      fields: Object.fromEntries(Object.entries(schema.properties ?? {}).map(([k, v]) => [k, toTypeSchema(v)])),
      preserveUnknown: schema['x-kubernetes-preserve-unknown-fields'],
      atomic: schema['x-kubernetes-map-type'] === 'atomic',
      values: isMap(schema.additionalProperties) ? toTypeSchema(schema.additionalProperties as JsonSchema) : undefined,
    };
  if (schema.type) return { kind: 'scalar', scalar: schema.type as TypeSchema['scalar'] };
  return anyType;
}
