import { own } from '../json/values';
import { TypeSchema } from './type-schema';

/** Paths (`spec.containers[0].imagee`) of fields that the type does not have, for `fieldValidation=Strict|Warn`. */
export function unknownFields(obj: unknown, schema: TypeSchema): string[] {
  const found: string[] = [];
  walk(obj, schema, '', found);
  return found;
}

function walk(value: unknown, schema: TypeSchema, path: string, found: string[]): void {
  if (Array.isArray(value)) {
    const { items } = schema;
    if (schema.kind === 'list' && items) value.forEach((v, i) => walk(v, items, `${path}[${i}]`, found));
    return;
  }
  if (typeof value !== 'object' || value === null || schema.kind !== 'map') return;
  for (const [key, child] of Object.entries(value)) {
    const at = path === '' ? key : `${path}.${key}`;
    const type = own(schema.fields, key) ?? schema.values;
    if (type) walk(child, type, at, found);
    else if (!schema.preserveUnknown) found.push(at);
  }
}
