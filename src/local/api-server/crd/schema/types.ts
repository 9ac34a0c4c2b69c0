import { objectMetaSchema } from '../../schema/builtin';
import { JsonSchema } from '../../schema/json-schema';
import { anyType, ScalarType, TypeSchema } from '../../schema/type-schema';

/** The merge semantics of a custom resource. */
export function crdTypeSchema(schema: JsonSchema): TypeSchema {
  return toType({ ...schema, type: 'object', 'x-kubernetes-embedded-resource': true }, false);
}

const text: TypeSchema = { kind: 'scalar', scalar: 'string' };

/** `preserve` is inherited: below a node that preserves unknown fields, apply accepts them everywhere. */
function toType(schema: JsonSchema, inherited: boolean): TypeSchema {
  const preserve = inherited || schema['x-kubernetes-preserve-unknown-fields'] === true;
  const extra = schema.default === undefined ? {} : { default: schema.default };
  if (schema['x-kubernetes-int-or-string']) return { kind: 'scalar', scalar: 'int-or-string', ...extra };
  switch (schema.type) {
    case 'array':
      return {
        kind: 'list',
        items: schema.items ? toType(schema.items, preserve) : anyType,
        listType: schema['x-kubernetes-list-type'],
        listKeys: schema['x-kubernetes-list-map-keys'],
        ...extra,
      };
    case 'object':
      return { ...mapType(schema, preserve), ...extra };
    case 'integer':
    case 'number':
    case 'string':
    case 'boolean':
      return { kind: 'scalar', scalar: schema.type satisfies ScalarType, format: schema.format, ...extra };
    default:
      // no type: anything, but known fields keep theirs
      return schema.properties || schema['x-kubernetes-embedded-resource'] ? mapType(schema, preserve) : anyType;
  }
}

function mapType(schema: JsonSchema, preserve: boolean): TypeSchema {
  const properties = Object.entries(schema.properties ?? {}).map(([k, v]) => [k, toType(v, preserve)] as const);
  const rest = schema.additionalProperties;
  const free = preserve || (properties.length === 0 && !schema['x-kubernetes-embedded-resource']);
  const values =
    typeof rest === 'object'
      ? toType(rest, preserve)
      : rest === true || (rest === undefined && free)
        ? anyType
        : undefined;
  const fields: Record<string, TypeSchema> = Object.fromEntries(properties);
  if (schema['x-kubernetes-embedded-resource'])
    Object.assign(fields, { apiVersion: text, kind: text, metadata: objectMetaSchema() });
  return {
    kind: 'map',
    fields,
    values,
    atomic: schema['x-kubernetes-map-type'] === 'atomic',
    preserveUnknown: preserve,
  };
}
