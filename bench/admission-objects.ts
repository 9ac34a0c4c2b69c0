import fc from 'fast-check';
import { admissionOf } from '../src/api';
import crds from '../src/api/generated/crds.json';
import { shaped, tame, wild } from '../test/support/arbitrary';
import type { Crd, StructuralSchema } from '../test/support/filled';
import { DEEPEST_PLACE, itemOf, placesOf, within } from '../test/support/places';
import type { SchemaField } from '../test/support/places';

/** An object that a user may send, and its special property. */
export interface Sample {
  readonly shape: string;
  readonly apiVersion: string;
  readonly kind: string;
  /** The object as JSON. */
  readonly text: string;
  /** Deeper than anything writes. */
  readonly isNested?: boolean;
}

interface Kind {
  readonly kind: string;
  readonly apiVersion: string;
  readonly schema: StructuralSchema;
  /** Every list, map and text that the schema has. */
  readonly places: readonly SchemaField[];
}

/** Kubernetes takes no longer request. */
const LONGEST = 3 * 1024 * 1024;
const SHORTEST = 1024;

/** Whether a field can be of any length: a text, a list or a map. */
const isLong = ({ type, additionalProperties }: StructuralSchema): boolean =>
  type === 'string' || type === 'array' || typeof additionalProperties === 'object';

const kinds: readonly Kind[] = (crds as unknown as Crd[])
  .map((crd) => {
    const version = crd.spec.versions.find(({ storage }) => storage) ?? crd.spec.versions[0]!;
    const schema = version.schema.openAPIV3Schema;
    const { kind } = crd.spec.names;
    return { kind, apiVersion: `${crd.spec.group}/${version.name}`, schema, places: placesOf(schema, isLong) };
  })
  .filter((kind) => admissionOf(kind));

/**
 * Objects of every kind that has rules: what a fuzzer makes of the schema; some whose lists are all long; some with one
 * list, map or text that is as long as a request may be, or a part of that; a few that are nested as deep. The same seed
 * gives the same objects.
 */
export function* admissionObjects(seed: number, count: number): Generator<Sample> {
  const random = mulberry32(seed);
  const fuzzed = kinds.map((kind, i) => fuzz(kind, seed + i));
  for (let i = 0; i < count; i++) {
    const of = Math.floor(random() * kinds.length);
    const kind = kinds[of]!;
    const choice = random();
    if (choice < 0.4) yield fuzzed[of]!();
    else if (choice < 0.42) yield nested(kind, Math.floor(random() * 100_000));
    else if (choice < 0.6) yield wide(kind, Math.round(2 * 150 ** random()), random);
    else yield long(kind, kind.places[Math.floor(random() * kind.places.length)]!, sizeOf(random()), random() < 0.5);
  }
}

/** Sizes, spread evenly over their orders of magnitude. */
const sizeOf = (share: number): number => Math.round(SHORTEST * (LONGEST / SHORTEST) ** share);

/** An object in which one list, map or text fills `bytes`; besides it has what its schema requires. */
function long({ kind, apiVersion, schema }: Kind, place: SchemaField, bytes: number, distinct: boolean): Sample {
  const body = within(schema, place.path, () => filling(place.schema, bytes, distinct)) as object;
  const shape = `${kind} ${place.path.join('.')} of ${bytes} bytes${distinct ? ', distinct' : ''}`;
  const object = { metadata: { name: 'x', namespace: 'default' }, ...body, apiVersion, kind };
  return { shape, apiVersion, kind, text: JSON.stringify(object) };
}

/** An object whose lists have `length` items each, of the same names, as disks and volumes have. */
function wide({ kind, apiVersion, schema }: Kind, length: number, random: () => number): Sample {
  const made = (of: StructuralSchema & { required?: string[] }, name: string, depth: number, most: number): unknown => {
    if (of.type === 'array') {
      return Array.from({ length: most }, (_, i) => made(of.items ?? {}, most > 1 ? `x${i}` : name, depth + 1, 1));
    }
    if (of.type !== 'object' || depth > DEEPEST_PLACE || !of.properties) return itemOf(of, name);
    const required = new Set([...(of.required ?? []), 'name']);
    const chosen = Object.entries(of.properties).filter(
      ([key]) => required.has(key) || random() < (most > 1 ? 0.4 : 0.2),
    );
    return Object.fromEntries(chosen.map(([key, inner]) => [key, made(inner, name, depth + 1, most)]));
  };
  const spec = made(schema.properties?.spec ?? {}, 'x', 1, length);
  const object = { apiVersion, kind, metadata: { name: 'x', namespace: 'default' }, spec };
  return { shape: `${kind} with lists of ${length}`, apiVersion, kind, text: JSON.stringify(object) };
}

function filling(schema: StructuralSchema, bytes: number, distinct: boolean): unknown {
  if (schema.type === 'array') {
    const sample = JSON.stringify(itemOf(schema.items ?? {}, 'x')).length + 8;
    return Array.from({ length: Math.ceil(bytes / sample) }, (_, i) =>
      itemOf(schema.items ?? {}, distinct ? `x${i}` : 'x'),
    );
  }
  if (typeof schema.additionalProperties === 'object') {
    const values = schema.additionalProperties;
    const sample = JSON.stringify(itemOf(values, 'x')).length + 16;
    return Object.fromEntries(
      Array.from({ length: Math.ceil(bytes / sample) }, (_, i) => [`k${i}`, itemOf(values, 'x')]),
    );
  }
  const units = distinct ? ['a-', 'a.', '1', '[', '$(', '${', '://', 'A=', ' ', '\n'] : ['a'];
  const unit = units[bytes % units.length]!;
  return unit.repeat(Math.ceil(bytes / unit.length));
}

/** Lists in lists, objects in objects. */
function nested({ kind, apiVersion }: Kind, depth: number): Sample {
  // as text: nothing here could write it from an object
  const spec = `${'[{"template":'.repeat(depth)}1${'}]'.repeat(depth)}`;
  const head = JSON.stringify({ apiVersion, kind, metadata: { name: 'x', namespace: 'default' } });
  const text = `${head.slice(0, -1)},"spec":${spec}}`;
  return { shape: `${kind} nested ${2 * depth} deep`, apiVersion, kind, text, isNested: true };
}

function fuzz({ kind, apiVersion, schema }: Kind, seed: number): () => Sample {
  const { metadata: _m, apiVersion: _a, kind: _k, ...properties } = schema.properties ?? {};
  const body = (how: typeof tame): fc.Arbitrary<unknown> => shaped({ ...schema, properties }, how);
  const arbitrary = fc.oneof(body(tame), body(wild));
  let batch: unknown[] = [];
  let next = seed;
  return () => {
    if (batch.length === 0) batch = fc.sample(arbitrary, { seed: next++, numRuns: 100 });
    const made = batch.pop();
    const fields = typeof made === 'object' && made !== null && !Array.isArray(made) ? made : { spec: made };
    const object = { ...fields, apiVersion, kind, metadata: { name: 'x', namespace: 'default' } };
    return { shape: `${kind} fuzzed with seed ${next - 1}`, apiVersion, kind, text: JSON.stringify(object) };
  };
}

/** Random numbers from 0 to 1 that follow from a seed. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
