import { formatQuantity, tryParseQuantity } from '../../../api/quantity';
import { errors } from '../errors';
import { own } from '../json/values';
import { embeddingOf, fieldsOf, goTypeName } from '../protobuf/messages';
import { TypeSchema } from '../schema';

/** Error of Go's decoder for a value of the wrong type. */
class DecodeError extends Error {}

/** Position of a value: a field or a key of a map, or an index of a list, within the place that contains it. */
interface Place {
  readonly within?: Place;
  /** Type of the map or list. */
  readonly container: TypeSchema;
  readonly key: string | number;
}

/** Zero of a scalar, which Go decodes from null. */
const ZERO: Readonly<Record<string, unknown>> = { string: '', quantity: '0', boolean: false };

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
  const unknown: Place[] = [];
  try {
    shapeMap(object, schema, undefined, unknown);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw errors.badRequest(
      `${kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}: ${error.message}`,
    );
  }
  return unknown.map(pathOf);
}

function shapeMap(map: Record<string, unknown>, schema: TypeSchema, within: Place | undefined, unknown: Place[]): void {
  for (const [key, value] of Object.entries(map)) {
    const place: Place = { within, container: schema, key };
    const type = schema.fields ? own(schema.fields, key) : schema.values;
    if (!type) {
      if (schema.preserveUnknown) continue;
      unknown.push(place);
      delete map[key];
    } else if (value === null) {
      if (schema.fields || type.kind !== 'scalar') delete map[key];
      else map[key] = zeroOf(type);
    } else {
      const shaped = shapeValue(value, type, place, unknown);
      if (shaped === undefined) delete map[key];
      else map[key] = shaped;
    }
  }
}

const zeroOf = (type: TypeSchema): unknown => ZERO[type.scalar ?? ''] ?? 0;

/** undefined: Go would not print the value. */
function shapeValue(value: unknown, type: TypeSchema, place: Place, unknown: Place[]): unknown {
  if (type.kind === 'any') return value;
  if (type.kind === 'list') {
    if (!Array.isArray(value)) throw mismatch(value, type, place);
    const items = type.items;
    if (items) {
      value.forEach((item, key) => {
        if (item === null) value[key] = items.kind === 'map' ? {} : items.kind === 'scalar' ? zeroOf(items) : [];
        else value[key] = shapeValue(item, items, { within: place, container: type, key }, unknown) ?? item;
      });
    }
    return value.length ? value : undefined;
  }
  if (type.kind === 'map') {
    if (typeof value !== 'object' || Array.isArray(value)) throw mismatch(value, type, place);
    shapeMap(value as Record<string, unknown>, type, place, unknown);
    // A struct stays, even when empty (`emptyDir: {}`); a map with free keys is omitted.
    return !type.fields && type.values && !Object.keys(value as object).length ? undefined : value;
  }
  return shapeScalar(value, type, place);
}

function shapeScalar(value: unknown, type: TypeSchema, place: Place): unknown {
  switch (type.scalar) {
    case 'string':
      if (type.format === 'byte' && Array.isArray(value)) return shapeBytes(value, place);
      if (typeof value !== 'string') throw mismatch(value, type, place);
      if (type.format === 'byte') checkBase64(value);
      return type.format === 'date-time' ? shapeTime(value, place) : value;
    case 'boolean':
      if (typeof value !== 'boolean') throw mismatch(value, type, place);
      return value;
    case 'integer':
      if (typeof value !== 'number' || !Number.isInteger(value)) throw mismatch(value, type, place);
      return value;
    case 'number':
      if (typeof value !== 'number') throw mismatch(value, type, place);
      return value;
    case 'int-or-string':
      if (typeof value !== 'number' && typeof value !== 'string') throw mismatch(value, type, place);
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

/** Go also decodes bytes from a list of numbers. */
function shapeBytes(value: readonly unknown[], place: Place): string {
  const wrong = value.find((item) => !(Number.isInteger(item) && Number(item) >= 0 && Number(item) <= 255));
  if (wrong !== undefined) throw mismatch(wrong, { kind: 'scalar', scalar: 'integer', format: 'uint8' }, place);
  return Buffer.from(value as number[]).toString('base64');
}

/** Go's decoder accepts only padded standard base64, with line breaks. */
function checkBase64(value: string): void {
  const text = value.replace(/[\r\n]/g, '');
  const bad = /[^A-Za-z0-9+/]/.exec(text.replace(/={1,2}$/, ''));
  if (bad) throw new DecodeError(`illegal base64 data at input byte ${bad.index}`);
  if (text.length % 4) throw new DecodeError(`illegal base64 data at input byte ${text.length - (text.length % 4)}`);
}

/** Times are stored in UTC. */
function shapeTime(value: string, place: Place): string {
  if (Number.isNaN(Date.parse(value)) || !/^\d{4}-\d\d-\d\dT/.test(value)) {
    const layout = isMicroTime(place) ? '2006-01-02T15:04:05.000000Z07:00' : '2006-01-02T15:04:05Z07:00';
    throw new DecodeError(
      `parsing time ${JSON.stringify(value)} as "${layout}": cannot parse ${JSON.stringify(value)} as "2006"`,
    );
  }
  return value.endsWith('Z') ? value : new Date(value).toISOString().replace('.000Z', 'Z');
}

function isMicroTime({ container, key }: Place): boolean {
  return fieldsOf(goStruct(container)).some(({ name, type }) => name === key && type === 'T');
}

/** Name of a struct in the tables of Go types: `core.v1.Pod`. */
const goStruct = ({ name = '' }: TypeSchema): string => name.split('.').slice(-3).join('.');

function mismatch(value: unknown, type: TypeSchema, place: Place): DecodeError {
  let got: string = typeof value;
  if (Array.isArray(value)) got = 'array';
  else if (typeof value === 'boolean') got = 'bool';
  else if (typeof value === 'number') got = type.scalar === 'integer' ? `number ${value}` : 'number';
  const { struct, field, name } = goPlace(place);
  return new DecodeError(
    `json: cannot unmarshal ${got} into Go struct field ${struct}.${field} of type ${name ?? goName(type)}`,
  );
}

/** Path with the indexes of lists and the keys of maps: `spec.ports[0].name`. */
function pathOf({ within, key }: Place): string {
  if (typeof key === 'number') return `${within ? pathOf(within) : ''}[${key}]`;
  return within ? `${pathOf(within)}.${key}` : key;
}

/**
 * Struct, path and type of a place in messages of Go's decoder: the path has the names of embedded structs, but neither
 * indexes nor keys of maps. `name` is the type, if JSON does not show it.
 */
function goPlace(place: Place): { struct: string; field: string; name: string | undefined } {
  const { within, container, key } = place;
  const outer = within && goPlace(within);
  if (!container.fields || typeof key === 'number') {
    const { struct = '', field = '', name } = outer ?? {};
    // The name of a list's or a map's type, without the list or map, is that of its items.
    const [, item] = /^(?:\[\]|map\[[^\]]*\])(.*)$/.exec(name ?? '') ?? [];
    return { struct, field, name: item };
  }
  const go = goStruct(container);
  const struct = go.slice(go.lastIndexOf('.') + 1);
  const path = [...(outer ? [outer.field] : []), ...embeddingOf(go, key), key];
  return { struct, field: path.join('.'), name: goTypeName(go, key) };
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
    case 'int-or-string':
      return type.format ?? 'int32';
    case 'number':
      return 'float64';
    default:
      return type.format === 'byte' ? '[]uint8' : 'string';
  }
}
