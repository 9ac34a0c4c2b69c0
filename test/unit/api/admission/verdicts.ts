import type { StructuralSchema } from '../../../support/filled';

/** A value that a field is given, and where. */
export interface Trial {
  /** `domain.cpu.cores`; `disks[1]` is the second one of the valid VMI. */
  readonly path: readonly (string | number)[];
  readonly value: unknown;
}

/** Lists whose items of the valid VMI are changed in place; other lists get one item. */
const EXISTING: Readonly<Record<string, number>> = {
  'domain.devices.disks': 1,
  'domain.devices.interfaces': 0,
  networks: 0,
  volumes: 1,
};

const texts = ['', 'a', 'A b', 'a.b', '0', '-1', '1Gi', '/x', '10.0.0.1', 'x'.repeat(64), 'x'.repeat(257)];
const amounts = ['-1', '0', '1', '0.5', '999999', '1M', '1Mi', '1048577', '512Mi', '1Gi', '2Gi', '1Ti'];
const numbers = [-1, 0, 1, 2, 3, 16, 100, 255, 256, 257, 511, 512, 513, 4096, 4097, 65535, 65536, 2 ** 31 - 1];

/** Values of every kind of field: the boundaries of our rules among them. */
function valuesOf(schema: StructuralSchema): unknown[] {
  if (schema.enum) return [...schema.enum, 'other'];
  if (schema['x-kubernetes-int-or-string']) return schema.pattern ? amounts : [...numbers, 'http', '50%'];
  if (schema.type === 'boolean') return [true, false];
  if (schema.type === 'integer' || schema.type === 'number') return numbers;
  if (schema.type === 'string') return schema.pattern ? [...texts, ...amounts] : texts;
  if (schema.type === 'array') return [[], [minimal(schema.items ?? {}), minimal(schema.items ?? {})]];
  return [minimal(schema)];
}

/** The least value that the schema accepts. */
function minimal(schema: StructuralSchema): unknown {
  if (schema.enum) return schema.enum[0];
  if (schema['x-kubernetes-int-or-string']) return '1Gi';
  if (schema.type === 'boolean') return true;
  if (schema.type === 'integer' || schema.type === 'number') return 1;
  if (schema.type === 'array') return [];
  if (schema.type !== 'object') return 'a';
  const required = (schema.required ?? []).map((name) => [name, minimal(schema.properties?.[name] ?? {})]);
  return Object.fromEntries(required);
}

/** One trial for each value of each field, at any depth. */
export function trialsOf(schema: StructuralSchema, path: readonly (string | number)[] = []): Trial[] {
  const own = path.length === 0 ? [] : valuesOf(schema).map((value) => ({ path, value }));
  const inner = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => trialsOf(field, [...path, name]));
  const { additionalProperties: values, items } = schema;
  const index = EXISTING[path.join('.')] ?? 0;
  return [
    ...own,
    ...inner,
    ...(typeof values === 'object' ? trialsOf(values, [...path, 'key']) : []),
    ...(items ? trialsOf(items, [...path, index]).filter(({ path: { length } }) => length > path.length) : []),
  ];
}

/** Writes the value; parents that are missing get what the schema requires of them. */
export function tried<T extends object>(spec: T, schema: StructuralSchema, { path, value }: Trial): T {
  const changed = structuredClone(spec);
  let at = changed as Record<string | number, unknown>;
  // a volume has one source
  const [list, index, source] = path;
  if (list === 'volumes' && source !== undefined && source !== 'name') {
    const volumes = at.volumes as { name: string }[];
    volumes[index as number] = { name: volumes[index as number]!.name };
  }
  let inner = schema;
  path.slice(0, -1).forEach((step) => {
    inner =
      (typeof step === 'number' ? inner.items : inner.properties?.[step]) ??
      (inner.additionalProperties as StructuralSchema);
    at[step] ??= minimal(inner);
    at = at[step] as Record<string | number, unknown>;
  });
  at[path.at(-1)!] = value;
  return changed;
}
