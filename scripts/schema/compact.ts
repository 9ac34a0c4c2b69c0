import { kinds, Schema, SchemaFile, target } from './schemas';

/** Definitions without prose, as text per file: what the schema tier reads at run time. */
export function compactSchemas(files: SchemaFile[]): string {
  const texts = files.map((file) => {
    const definitions = Object.entries(file.definitions).map(([name, schema]) => [name, compact(schema, file.name)]);
    return [file.name, JSON.stringify(Object.fromEntries(definitions))] as const;
  });
  const readBy = files.flatMap((file) =>
    [...new Set([file['x-version'], ...versionsOf(file)])].map((version) => [
      `${file['x-group']}/${version}`,
      file.name,
    ]),
  );
  // Text parses faster than an object literal, both for node and for the type checker, and only when it is asked for.
  return [
    '// Generated from api/schema by scripts/generate.ts; edit those files.',
    '/** A file of api/schema, without its ending. */',
    'export type SchemaName =',
    ...files.map(({ name }, i) => `  | '${name}'${i === files.length - 1 ? ';' : ''}`),
    '',
    '/** By file of api/schema: its definitions, as JSON. */',
    'export const schemas: Readonly<Record<string, string>> = {',
    ...texts.map(([name, text]) => `  '${name}': \`${text.replace(/[\\`$]/g, '\\$&')}\`,`),
    '};',
    '',
    '/** By group and version: the file that describes it. */',
    'export const describedBy: Readonly<Record<string, string>> = {',
    ...readBy.map(([version, name]) => `  '${version}': '${name}',`),
    '};',
    '',
  ].join('\n');
}

function versionsOf(file: SchemaFile): string[] {
  return kinds([file]).flatMap(({ kind }) => kind.versions.map(({ name }) => name));
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
  'minItems',
  'maxItems',
  'nullable',
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
