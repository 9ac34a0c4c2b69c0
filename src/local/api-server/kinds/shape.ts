import { formatQuantity, tryParseQuantity } from '../../../api/quantity';
import { errors } from '../errors';
import { TypeSchema } from '../schema';

/** Error of Go's decoder for a value of the wrong type. */
class DecodeError extends Error {}

interface Walk {
  readonly unknown: string[];
}

/**
 * Converts `object` to the result of Go's decoder for the built-in type: rejects wrong types, drops nulls, unknown
 * fields, empty lists and empty maps with free keys (Go omits them), writes quantities canonically. Works in place.
 * @returns paths of unknown fields
 * @throws StatusError 400
 */
export function shapeBuiltin(
  object: Record<string, unknown>,
  schema: TypeSchema,
  kind: string,
  version: string,
): string[] {
  const walk: Walk = { unknown: [] };
  try {
    shapeMap(object, schema, '', walk);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw errors.badRequest(
      `${kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}: ${error.message}`,
    );
  }
  return walk.unknown;
}

function shapeMap(
  map: Record<string, unknown>,
  schema: TypeSchema,
  path: string,
  walk: Walk,
  holder: TypeSchema = schema,
): void {
  for (const [key, value] of Object.entries(map)) {
    const at = path ? `${path}.${key}` : key;
    const type = schema.fields ? schema.fields[key] : schema.values;
    if (!type) {
      if (schema.preserveUnknown) continue;
      walk.unknown.push(at);
      delete map[key];
      continue;
    }
    if (value === null) {
      if (schema.fields || type.kind !== 'scalar') delete map[key];
      else map[key] = type.scalar === 'string' ? '' : 0;
      continue;
    }
    // Errors in a map with free keys name the struct that holds the map.
    const shaped = shapeValue(value, type, schema.fields ? at : path, schema.fields ? schema : holder, walk);
    if (shaped === undefined) delete map[key];
    else map[key] = shaped;
  }
}

/** undefined: Go would not print it. */
function shapeValue(value: unknown, type: TypeSchema, path: string, parent: TypeSchema, walk: Walk): unknown {
  if (type.kind === 'any') return value;
  if (type.kind === 'list') {
    if (!Array.isArray(value)) throw mismatch(value, path, type, parent);
    const items = type.items;
    if (items) {
      value.forEach((item, i) => {
        if (item === null) value[i] = items.kind === 'map' ? {} : items.kind === 'scalar' ? '' : [];
        else value[i] = shapeValue(item, items, `${path}[${i}]`, parent, walk) ?? item;
      });
    }
    return value.length ? value : undefined;
  }
  if (type.kind === 'map') {
    if (typeof value !== 'object' || Array.isArray(value)) throw mismatch(value, path, type, parent);
    shapeMap(value as Record<string, unknown>, type, path, walk, parent);
    // A struct stays, even when empty (`emptyDir: {}`); a map with free keys is omitted.
    return !type.fields && type.values && !Object.keys(value as object).length ? undefined : value;
  }
  return shapeScalar(value, type, path, parent);
}

function shapeScalar(value: unknown, type: TypeSchema, path: string, parent: TypeSchema): unknown {
  switch (type.scalar) {
    case 'string':
      if (typeof value !== 'string') throw mismatch(value, path, type, parent);
      if (type.format === 'byte') checkBase64(value);
      return type.format === 'date-time' ? shapeTime(value) : value;
    case 'boolean':
      if (typeof value !== 'boolean') throw mismatch(value, path, type, parent);
      return value;
    case 'integer':
      if (typeof value !== 'number' || !Number.isInteger(value)) throw mismatch(value, path, type, parent);
      return value;
    case 'number':
      if (typeof value !== 'number') throw mismatch(value, path, type, parent);
      return value;
    case 'int-or-string':
      if (typeof value !== 'number' && typeof value !== 'string') throw mismatch(value, path, type, parent);
      return value;
    case 'quantity': {
      const parsed = tryParseQuantity(typeof value === 'string' ? value.trim() : value);
      if (parsed) return formatQuantity(parsed);
      throw new DecodeError(
        `quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'`,
      );
    }
    default:
      return value;
  }
}

/** Go's decoder accepts only padded standard base64, with line breaks. */
function checkBase64(value: string): void {
  const text = value.replace(/[\r\n]/g, '');
  const bad = /[^A-Za-z0-9+/]/.exec(text.replace(/={1,2}$/, ''));
  if (bad) throw new DecodeError(`illegal base64 data at input byte ${bad.index}`);
  if (text.length % 4) throw new DecodeError(`illegal base64 data at input byte ${text.length - (text.length % 4)}`);
}

/** Times are stored in UTC. */
function shapeTime(value: string): string {
  if (value === '') return value;
  if (Number.isNaN(Date.parse(value)) || !/^\d{4}-\d\d-\d\dT/.test(value)) {
    throw new DecodeError(
      `parsing time ${JSON.stringify(value)} as "2006-01-02T15:04:05Z07:00": cannot parse ${JSON.stringify(value)} as "2006"`,
    );
  }
  return value.endsWith('Z') ? value : new Date(value).toISOString().replace('.000Z', 'Z');
}

function mismatch(value: unknown, path: string, type: TypeSchema, parent: TypeSchema): DecodeError {
  let got: string = typeof value;
  if (Array.isArray(value)) got = 'array';
  else if (typeof value === 'boolean') got = 'bool';
  else if (typeof value === 'number') got = type.scalar === 'integer' ? `number ${value}` : 'number';
  const struct = parent.name?.split('.').pop() ?? '';
  const field = path.replace(/\[\d+\]/g, '');
  return new DecodeError(
    `json: cannot unmarshal ${got} into Go struct field ${struct}.${field} of type ${goName(type)}`,
  );
}

/** The Go type of a schema node, as far as error messages show it. */
function goName(type: TypeSchema): string {
  if (type.kind === 'list') return `[]${type.items ? goName(type.items) : 'interface {}'}`;
  if (type.kind === 'map') {
    if (type.name) return type.name.split('.').slice(-2).join('.');
    return `map[string]${type.values ? goName(type.values) : 'interface {}'}`;
  }
  switch (type.scalar) {
    case 'boolean':
      return 'bool';
    case 'integer':
      return type.format ?? 'int32';
    case 'number':
      return 'float64';
    case 'int-or-string':
      return 'intstr.IntOrString';
    default:
      return type.format === 'date-time' ? 'v1.Time' : type.format === 'byte' ? '[]uint8' : 'string';
  }
}
