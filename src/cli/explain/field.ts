/** A field's path -> what the schema says of it. Pure. */
import { closest } from '../../api';
import type { FieldSchema, SchemaFile } from './schemas';

/** What is known of a field. */
export interface FieldHelp {
  readonly kind: string;
  /** `kubevirt.io/v1` */
  readonly apiVersion: string;
  /** `spec.template`; empty for the kind itself. */
  readonly path: string;
  readonly type: string;
  readonly description: string;
  /** Limits in words: `one of: …`, `at least 1`. */
  readonly limits: readonly string[];
  readonly fields: readonly {
    readonly name: string;
    readonly type: string;
    readonly required: boolean;
    readonly description: string;
  }[];
}

/** The path names nothing; `remedy` says what would be nearest. */
export class UnknownField extends Error {
  public override readonly name = 'UnknownField';
}

interface Place {
  readonly file: SchemaFile;
  readonly schema: FieldSchema;
}

/** `vm.spec.template.spec.domain.cpu`; the kind by its name, plural or short name, list indexes may be written. */
export function explainField(path: string, files: readonly SchemaFile[]): FieldHelp {
  const [first, ...names] = path
    .replace(/\[\d*\]/g, '')
    .split('.')
    .filter(Boolean);
  const { file, name } = kindOf(first ?? '', files);
  let place: Place = { file, schema: file.definitions[name] };
  let description = place.schema.description ?? '';
  names.forEach((field, i) => {
    const owner = resolve(place, files);
    const next = childOf(owner, field);
    if (!next) {
      const known = Object.keys(owner.schema.properties ?? {});
      const near = closest(field, known);
      const where = [name, ...names.slice(0, i)].join('.');
      const remedy = near
        ? `did you mean "${near}"?`
        : known.length > 0
          ? `it has: ${known.join(', ')}`
          : 'what is in it is not ours to explain';
      throw new UnknownField(`${where} has no field "${field}"; ${remedy}`);
    }
    place = next;
    description = next.schema.description ?? resolve(next, files).schema.description ?? '';
  });
  const target = resolve(place, files);
  return {
    kind: name,
    apiVersion: file.name.replace('_', '/'),
    path: names.join('.'),
    type: typeOf(place.schema),
    description,
    limits: limitsOf({ ...target.schema, ...place.schema }),
    fields: Object.entries(target.schema.properties ?? {}).map(([field, schema]) => ({
      name: field,
      type: typeOf(schema),
      required: target.schema.required?.includes(field) ?? false,
      description: schema.description ?? resolve({ file: target.file, schema }, files).schema.description ?? '',
    })),
  };
}

/** The kind that somebody means: `VirtualMachine`, `vm`, `virtualmachines`. */
function kindOf(word: string, files: readonly SchemaFile[]): { file: SchemaFile; name: string } {
  const kinds = files.flatMap((file) =>
    Object.entries(file.definitions).flatMap(([name, { 'x-kubernetes-kind': kind }]) =>
      kind ? [{ file, name, words: [name.toLowerCase(), kind.plural, ...(kind.shortNames ?? [])] }] : [],
    ),
  );
  const found = kinds.find(({ words }) => words.includes(word.toLowerCase()));
  if (found) return found;
  const near =
    closest(
      word,
      kinds.map(({ name }) => name),
    ) ??
    closest(
      word,
      kinds.flatMap(({ words }) => words),
    );
  throw new UnknownField(
    `there is no kind "${word}"; ${near ? `did you mean "${near}"?` : `start with one of: ${kinds.map(({ name }) => name).join(', ')}`}`,
  );
}

/** Follows references, and lists to their items: `disks.name` means the name of a disk. */
function resolve({ file, schema }: Place, files: readonly SchemaFile[]): Place {
  const of = schema.$ref ? refOf(schema.$ref, file, files) : undefined;
  if (of) return resolve(of, files);
  if (schema.items) return resolve({ file, schema: schema.items }, files);
  return { file, schema };
}

function refOf(ref: string, file: SchemaFile, files: readonly SchemaFile[]): Place | undefined {
  const [other, pointer] = ref.split('#');
  const target = other ? files.find(({ name }) => name === other.replace(/\.json$/, '')) : file;
  const schema = target?.definitions[pointer.replace('/definitions/', '')];
  return target && schema ? { file: target, schema } : undefined;
}

function childOf({ file, schema }: Place, field: string): Place | undefined {
  const own = schema.properties && Object.hasOwn(schema.properties, field) ? schema.properties[field] : undefined;
  if (own) return { file, schema: own };
  const any = schema.additionalProperties;
  return typeof any === 'object' ? { file, schema: any } : undefined;
}

/** `[]Disk`, `map[string]string`, `Quantity`. */
function typeOf(schema: FieldSchema): string {
  if (schema.$ref) return schema.$ref.replace(/^.*\//, '');
  if (schema.items) return `[]${typeOf(schema.items)}`;
  if (typeof schema.additionalProperties === 'object') return `map[string]${typeOf(schema.additionalProperties)}`;
  if (schema['x-kubernetes-int-or-string']) return 'integer or string';
  return schema.type ?? 'any';
}

function limitsOf(schema: FieldSchema): string[] {
  const allowed = schema.enum ?? schema['x-enum'];
  return [
    ...(allowed ? [`one of: ${allowed.join(', ')}`] : []),
    ...(schema.minimum === undefined ? [] : [`at least ${schema.minimum}`]),
    ...(schema.maximum === undefined ? [] : [`at most ${schema.maximum}`]),
    ...(schema.maxLength === undefined ? [] : [`at most ${schema.maxLength} characters`]),
    ...(schema.pattern === undefined ? [] : [`matches ${schema.pattern}`]),
  ];
}
