import { objectMetaSchema } from '../../schema/builtin';
import { JsonSchema } from '../../schema/json-schema';
import { unknownFields } from '../../schema/unknown-fields';
import { isMap, own } from '../../json/values';

const META = new Set(['apiVersion', 'kind', 'metadata']);

/** Removes fields that the schema lacks, in place; returns their sorted paths. */
export function prune(obj: unknown, schema: JsonSchema): string[] {
  const found: string[] = [];
  pruneValue(obj, { ...schema, 'x-kubernetes-embedded-resource': true }, '', found);
  return found.sort();
}

/** `schema` is undefined where no field is allowed. */
function pruneValue(value: unknown, schema: JsonSchema | undefined, path: string, found: string[]): void {
  if (schema?.['x-kubernetes-preserve-unknown-fields']) return pruneKnown(value, schema, path, found);
  if (Array.isArray(value)) return value.forEach((v, i) => pruneValue(v, schema?.items, `${path}[${i}]`, found));
  if (!isMap(value)) return;
  for (const [key, v] of Object.entries(value)) {
    const at = path === '' ? key : `${path}.${key}`;
    if (keepsMeta(schema, key, v, at, found)) continue;
    const property = own(schema?.properties, key);
    const rest = schema?.additionalProperties;
    if (property) pruneValue(v, property, at, found);
    else if (rest !== undefined) pruneValue(v, typeof rest === 'object' ? rest : undefined, at, found);
    else {
      if (!META.has(key) || path !== '') found.push(at);
      delete value[key];
    }
  }
}

/** Prunes only known fields, where unknown fields are preserved. */
function pruneKnown(value: unknown, schema: JsonSchema | undefined, path: string, found: string[]): void {
  if (!schema) return;
  if (Array.isArray(value)) return value.forEach((v, i) => pruneKnown(v, schema.items, `${path}[${i}]`, found));
  if (!isMap(value)) return;
  for (const [key, v] of Object.entries(value)) {
    const at = path === '' ? key : `${path}.${key}`;
    if (keepsMeta(schema, key, v, at, found)) continue;
    const rest = schema.additionalProperties;
    const type = own(schema.properties, key) ?? (typeof rest === 'object' ? rest : undefined);
    if (type) pruneValue(v, type, at, found);
  }
}

function keepsMeta(schema: JsonSchema | undefined, key: string, value: unknown, at: string, found: string[]): boolean {
  if (!schema?.['x-kubernetes-embedded-resource'] || !META.has(key)) return false;
  if (key === 'metadata') pruneMetadata(value, at, found);
  return true;
}

/** Fields that ObjectMeta lacks. */
function pruneMetadata(metadata: unknown, path: string, found: string[]): void {
  if (!isMap(metadata)) return;
  const schema = objectMetaSchema();
  for (const unknown of unknownFields(metadata, schema)) found.push(`${path}.${unknown}`);
  for (const key of Object.keys(metadata)) if (!own(schema.fields, key)) delete metadata[key];
}
