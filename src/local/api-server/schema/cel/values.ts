import { JsonSchema } from '../json-schema';
import { isMap } from '../values';
import { compileCel } from '.';

const RESERVED = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

/** A property's name as CEL sees it: `namespace` is `__namespace__`, `a-b` is `a__dash__b`. */
function escapeName(name: string): string {
  if (RESERVED.has(name)) return `__${name}__`;
  return name
    .replaceAll('__', '__underscores__')
    .replaceAll('.', '__dot__')
    .replaceAll('-', '__dash__')
    .replaceAll('/', '__slash__');
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
        return compileCel('duration(x)')({ x: value });
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
  return Object.fromEntries(
    Object.entries(value).map(([key, v]) => [
      isStructure ? escapeName(key) : key,
      toCel(v, schema?.properties?.[key] ?? rest),
    ]),
  );
}
