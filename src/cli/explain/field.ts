/** Looks up a field in the schema by its path. Pure. */
import { closest } from '../../api';
import type { FieldSchema, SchemaFile } from './schemas';

/** Description of a field. */
export interface FieldHelp {
  readonly kind: string;
  /** `kubevirt.io/v1` */
  readonly apiVersion: string;
  /** Path such as `spec.template`; empty for the kind itself. */
  readonly path: string;
  readonly type: string;
  readonly description: string;
  /** Constraints in words: `one of: …`, `at least 1`. */
  readonly limits: readonly string[];
  readonly fields: readonly {
    readonly name: string;
    readonly type: string;
    readonly required: boolean;
    readonly description: string;
  }[];
}

/** Error for a path that does not exist; its message suggests the nearest name. */
export class UnknownField extends Error {
  public override readonly name = 'UnknownField';
}

interface SchemaNode {
  readonly file: SchemaFile;
  readonly schema: FieldSchema;
}

/** Describes a path such as `vm.spec.template.spec.domain.cpu`. It starts with a kind, plural or short name; list indexes are optional. */
export function explainField(path: string, files: readonly SchemaFile[]): FieldHelp {
  const [first, ...names] = path
    .replace(/\[\d*\]/g, '')
    .split('.')
    .filter(Boolean);
  const { file, name } = kindOf(first ?? '', files);
  let place: SchemaNode = { file, schema: file.definitions[name] };
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
          ? `its fields are: ${known.join(', ')}`
          : 'this schema does not describe its fields';
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

/** Finds a kind by `VirtualMachine`, `vm` or `virtualmachines`. */
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
    `unknown kind "${word}"; ${near ? `did you mean "${near}"?` : `start with one of: ${kinds.map(({ name }) => name).join(', ')}`}`,
  );
}

/** Resolves references, and lists to their items: `disks.name` is the name of a disk. */
function resolve({ file, schema }: SchemaNode, files: readonly SchemaFile[]): SchemaNode {
  const of = schema.$ref ? refOf(schema.$ref, file, files) : undefined;
  if (of) return resolve(of, files);
  if (schema.items) return resolve({ file, schema: schema.items }, files);
  return { file, schema };
}

function refOf(ref: string, file: SchemaFile, files: readonly SchemaFile[]): SchemaNode | undefined {
  const [other, pointer] = ref.split('#');
  const target = other ? files.find(({ name }) => name === other.replace(/\.json$/, '')) : file;
  const schema = target?.definitions[pointer.replace('/definitions/', '')];
  return target && schema ? { file: target, schema } : undefined;
}

function childOf({ file, schema }: SchemaNode, field: string): SchemaNode | undefined {
  const own = schema.properties && Object.hasOwn(schema.properties, field) ? schema.properties[field] : undefined;
  if (own) return { file, schema: own };
  const any = schema.additionalProperties;
  return typeof any === 'object' ? { file, schema: any } : undefined;
}

/** Type in Go's notation: `[]Disk`, `map[string]string`, `Quantity`. */
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
