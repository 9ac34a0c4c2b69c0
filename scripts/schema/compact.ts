import { Schema, SchemaFile, target } from './schemas';

/** Every definition without prose, keyed `FILE/NAME`: what the schema tier reads at run time. */
export function compactSchemas(files: SchemaFile[]): string {
  const definitions = Object.fromEntries(
    files.flatMap((file) =>
      Object.entries(file.definitions).map(([name, schema]) => [`${file.name}/${name}`, compact(schema, file.name)]),
    ),
  );
  // A string parses faster than an object literal, both for node and for the type checker.
  return [
    '// Generated from api/schema by scripts/generate.ts; edit those files.',
    `export const schemas: unknown = JSON.parse(\`${JSON.stringify(definitions).replace(/[\\`$]/g, '\\$&')}\`);`,
    '',
  ].join('\n');
}

const kept = new Set([
  'type',
  'properties',
  'items',
  'additionalProperties',
  'required',
  'enum',
  'pattern',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'maxItems',
  'nullable',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-int-or-string',
]);

function compact(schema: Schema, from: string): Schema {
  const out: Schema = Object.fromEntries(Object.entries(schema).filter(([keyword]) => kept.has(keyword)));
  if (schema.$ref) {
    const { file, definition } = target(schema.$ref, from);
    out.$ref = `${file}/${definition}`;
  }
  if (schema.properties) {
    out.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([field, value]) => [field, compact(value, from)]),
    );
  }
  if (schema.items) out.items = compact(schema.items, from);
  if (typeof schema.additionalProperties === 'object')
    out.additionalProperties = compact(schema.additionalProperties, from);
  return out;
}
