import { JsonSchema } from '../json-schema';
import { isMap, own } from '../../json/values';
import { programOf } from './program';

/** Words that cannot be names of variables. */
export const RESERVED_WORDS = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

/** Words that a selection of a field cannot use, unlike the other reserved words. */
const KEYWORDS = new Set(['true', 'false', 'null', 'in']);

/** Names of a property in expressions: `a-b` is `a__dash__b`, `namespace` is `__namespace__` as well. */
export function namesInCel(name: string): string[] {
  if (RESERVED_WORDS.has(name)) return KEYWORDS.has(name) ? [`__${name}__`] : [`__${name}__`, name];
  const escaped = name
    .replaceAll('__', '__underscores__')
    .replaceAll('.', '__dot__')
    .replaceAll('-', '__dash__')
    .replaceAll('/', '__slash__');
  return [escaped];
}

/** JSON as CEL's values, by the schema: integers as bigint, times and durations as such, names escaped. */
export function toCel(value: unknown, schema: JsonSchema | undefined): unknown {
  if (Array.isArray(value)) return value.map((v) => toCel(v, schema?.items));
  if (isMap(value)) return mapToCel(value, schema);
  if (typeof value === 'number') return schema?.type === 'number' || !Number.isInteger(value) ? value : BigInt(value);
  if (typeof value !== 'string' || schema?.type !== 'string') return value;
  try {
    switch (schema.format) {
      case 'byte':
        return new Uint8Array(Buffer.from(value, 'base64'));
      case 'duration':
        return programOf('duration(x)').evaluate({ x: value }).value ?? value;
      case 'date':
      case 'date-time':
        return new Date(value);
    }
  } catch {
    // the schema validation reports it
  }
  return value;
}

function mapToCel(value: Record<string, unknown>, schema: JsonSchema | undefined): unknown {
  const rest = typeof schema?.additionalProperties === 'object' ? schema.additionalProperties : undefined;
  // a map's keys are data; a structure's are names
  const isStructure = schema?.properties !== undefined;
  const entries = Object.entries(value).flatMap(([key, v]): [string, unknown][] => {
    const converted = toCel(v, own(schema?.properties, key) ?? rest);
    return (isStructure ? namesInCel(key) : [key]).map((name) => [name, converted]);
  });
  // the library recognizes objects by their constructor
  return Object.hasOwn(value, 'constructor') ? new Map(entries) : Object.fromEntries(entries);
}
