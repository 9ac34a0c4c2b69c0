/** Types of CEL values from the schemas of objects. */
import { own } from '../../json/values';
import { JsonSchema } from '../json-schema';
import { TypeSchema } from '../type-schema';
import {
  BOOL,
  BYTES,
  CelType,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  objectOf,
  STRING,
  stringOf,
  TIMESTAMP,
} from './types';
import { namesInCel } from './values';

/** Metadata that rules on the root of a custom resource, or on an embedded resource, may read. */
const META = objectOf('metadata', { name: STRING, generateName: STRING });

/** Type of the values of a CRD's schema; undefined if rules cannot read them. */
export function typeOfJsonSchema(schema: JsonSchema, isResource = false): CelType | undefined {
  if (schema['x-kubernetes-int-or-string']) return DYN;
  const resource = isResource || schema['x-kubernetes-embedded-resource'] === true;
  switch (schema.type) {
    case 'array': {
      const item = schema.items && typeOfJsonSchema(schema.items);
      return item && listOf(item, schema.maxItems ?? elements(schema.items!));
    }
    case 'object':
      return typeOfObject(schema, resource);
    case 'string':
      return typeOfText(schema);
    case 'boolean':
      return BOOL;
    case 'integer':
      return INT;
    case 'number':
      return DOUBLE;
    default:
      return resource ? typeOfObject(schema, resource) : undefined;
  }
}

function typeOfObject(schema: JsonSchema, resource: boolean): CelType | undefined {
  if (typeof schema.additionalProperties === 'object') {
    const value = typeOfJsonSchema(schema.additionalProperties);
    return value && mapOf(STRING, value, schema.maxProperties ?? elements(schema.additionalProperties, 6));
  }
  const fields: Record<string, CelType> = {};
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const type = typeOfJsonSchema(property);
    if (type) for (const alias of namesInCel(name)) fields[alias] = type;
  }
  return objectOf('object', resource ? { ...fields, apiVersion: STRING, kind: STRING, metadata: META } : fields);
}

/** Maximum size of a request. */
const REQUEST = 3 * 1024 * 1024;

/** Maximum number of elements that fit into a request; `more` is the size of what an element has beside its value. */
const elements = (schema: JsonSchema, more = 1): number => Math.floor((REQUEST - 2) / (minimumSize(schema) + more));

/** Size of the shortest value, as JSON. */
function minimumSize(schema: JsonSchema): number {
  switch (schema.type) {
    case 'object':
      return (schema.required ?? []).reduce((size, name) => {
        const property = own(schema.properties, name);
        return property ? size + name.length + minimumSize(property) + 4 : size;
      }, 2);
    case 'array':
    case 'string':
      return 2;
    case 'boolean':
      return 4;
    default:
      return 1;
  }
}

function typeOfText({ format, maxLength, enum: values }: JsonSchema): CelType {
  const type = typeOfString(format);
  if (type !== STRING) return type;
  if (values) return stringOf(Math.max(0, ...values.map((value) => (typeof value === 'string' ? value.length : 0))));
  // a character has up to four bytes
  return stringOf(maxLength === undefined ? REQUEST - 2 : maxLength * 4);
}

function typeOfString(format: string | undefined): CelType {
  if (format === 'byte') return BYTES;
  if (format === 'duration') return DURATION;
  return format === 'date' || format === 'date-time' ? TIMESTAMP : STRING;
}

/** Type of the objects of a kind. Recursive types end in `dyn`. */
export function typeOfTypeSchema(schema: TypeSchema, depth = 0): CelType {
  if (depth > MAX_DEPTH) return DYN;
  switch (schema.kind) {
    case 'list':
      return listOf(schema.items ? typeOfTypeSchema(schema.items, depth + 1) : DYN);
    case 'map':
      if (!schema.fields) return mapOf(STRING, schema.values ? typeOfTypeSchema(schema.values, depth + 1) : DYN);
      return {
        kind: 'object',
        name: schema.name ?? 'object',
        fields: new LazyFields(schema.fields, depth + 1),
      };
    case 'scalar':
      return typeOfScalar(schema);
    default:
      return DYN;
  }
}

const MAX_DEPTH = 30;

function typeOfScalar({ scalar, format }: TypeSchema): CelType {
  switch (scalar) {
    case 'integer':
      return INT;
    case 'number':
      return DOUBLE;
    case 'boolean':
      return BOOL;
    case 'string':
      return typeOfString(format);
    case 'quantity':
      return STRING;
    default:
      return DYN;
  }
}

/** Fields of a type, made when they are read: the types of built-in kinds are large. */
class LazyFields extends Map<string, CelType> {
  public constructor(
    private readonly declared: Readonly<Record<string, TypeSchema>>,
    private readonly depth: number,
  ) {
    super();
  }

  public override get(name: string): CelType | undefined {
    const known = super.get(name);
    if (known) return known;
    const found = Object.entries(this.declared).find(([field]) => namesInCel(field).includes(name));
    if (!found) return undefined;
    const type = typeOfTypeSchema(found[1], this.depth);
    this.set(name, type);
    return type;
  }
}
