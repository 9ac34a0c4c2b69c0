/** Remedies for values and fields that a schema does not allow. Pure. Called only for mistakes, so it may search. */
import { isObject, read } from './lint/read';
import { closest } from './names';
import type { Schema } from './schema';

/** A schema on the way from the object to the mistake, with the value there. */
export interface Step {
  readonly schema: Schema;
  readonly value: unknown;
  /** Field or index that led here; undefined for the object. */
  readonly part?: string | number;
}

/** Names of older versions and of neighbouring APIs, and the field that replaces each. */
const RENAMED: Readonly<Record<string, readonly string[]>> = {
  registryDisk: ['containerDisk'],
  cloudInit: ['cloudInitNoCloud'],
  volumeName: ['name'],
  cores: ['guest'],
  size: ['capacity', 'guest'],
  enabled: ['present'],
  enable: ['enabled'],
  mac: ['macAddress'],
  filename: ['path'],
  hostPath: ['hostDisk'],
  periodSecond: ['periodSeconds'],
  template: ['virtualMachineTemplate'],
  vm: ['source'],
};

/** Names that occur in so many objects that a place further down says nothing. */
const COMMON = new Set(['name', 'namespace', 'kind', 'type', 'value', 'key', 'apiVersion', 'apiGroup', 'enabled']);

/** Returns the remedy for a field that the last schema of the way does not have. */
export function remedyForUnknown(
  field: string,
  value: unknown,
  way: readonly Step[],
  resolve: (schema: Schema) => Schema,
  kindsWith: (fields: readonly string[]) => readonly string[],
): string {
  const here = way[way.length - 1];
  const known = Object.keys(here.schema.properties ?? {});
  const cased = known.find((name) => name.toLowerCase() === field.toLowerCase()) ?? closest(field, known, 1);
  if (cased) return `did you mean "${cased}"?`;
  if (typeof value === 'string' && known.includes(value)) return `write ${value}: {} instead`;
  const renamed = Object.hasOwn(RENAMED, field) && RENAMED[field].find((name) => known.includes(name));
  if (renamed) return `write "${renamed}" instead`;
  if (METADATA.includes(field) && known.includes('metadata')) {
    return `move it to ${pathOf([...way.slice(1).map(({ part }) => part!), 'metadata', field])}`;
  }
  const map = MAPS.find((name) => isMapOf(propertyOf(here.schema, name), value, resolve));
  if (map) return `move it to ${pathOf([...way.slice(1).map(({ part }) => part!), map, field])}`;
  const places = placesOf(field, value, way, resolve);
  if (places.length === 1) return `move it to ${places[0]}`;
  if (places.length > 0) return `move it to one of ${places.slice(0, MOST_PLACES).join(', ')}`;
  const near = closest(field, known) ?? containing(field, known);
  if (near) return `did you mean "${near}"?`;
  if (way.length === 2 && here.part === 'spec' && isObject(here.value)) {
    const [kind] = kindsWith(Object.keys(here.value));
    if (kind) return `write kind: ${kind}, which has these fields`;
  }
  return 'remove it';
}

const METADATA = ['name', 'namespace', 'labels', 'annotations'];
/** Fields whose entries are often written one level too high. */
const MAPS = ['requests', 'matchLabels', 'labels'] as const;

function isMapOf(schema: Schema | undefined, value: unknown, resolve: (schema: Schema) => Schema): boolean {
  const entries = schema && resolve(schema).additionalProperties;
  return typeof entries === 'object' && typeof value !== 'object' && accepts(resolve(entries), value);
}

const MOST_PLACES = 3;
const MOST_DOWN = 4;
/** Shorter names are part of many others by chance. */
const SHORTEST_PART = 4;

/** Returns the only known name that shares its begin or end with the field: `name` of `claimName`. */
function containing(field: string, known: readonly string[]): string | undefined {
  const word = field.toLowerCase();
  const found = known.filter((name) => {
    const other = name.toLowerCase();
    const [part, whole] = word.length < other.length ? [word, other] : [other, word];
    return part.length >= SHORTEST_PART && (whole.startsWith(part) || whole.endsWith(part));
  });
  if (found.length > 0) return found.length === 1 ? found[0] : undefined;
  // secretName and secretRef
  const [first] = field.split(/(?=[A-Z])/);
  const same = first.length < SHORTEST_PART ? [] : known.filter((name) => name.split(/(?=[A-Z])/)[0] === first);
  return same.length === 1 ? same[0] : undefined;
}

/** Returns the nearest places of the object where the field may be: in parents, or in objects below them. */
function placesOf(field: string, value: unknown, way: readonly Step[], resolve: (schema: Schema) => Schema): string[] {
  let best: string[] = [];
  let cost = Infinity;
  for (let up = 0; up < way.length; up++) {
    const step = way[way.length - 1 - up];
    const at = way.slice(1, way.length - up).map(({ part }) => part!);
    for (const below of nearestBelow(field, value, step, resolve, up)) {
      const price = up + below.length - 1;
      if (price < cost) [best, cost] = [[], price];
      if (price === cost) best.push(pathOf([...at, ...below]));
    }
  }
  return best;
}

/** Returns the nearest fields of this name in an object: itself, then the objects that it contains. */
function nearestBelow(
  field: string,
  value: unknown,
  { schema, value: owner }: Step,
  resolve: (schema: Schema) => Schema,
  up: number,
): readonly (readonly string[])[] {
  const own = propertyOf(schema, field);
  // the field cannot move to a place that is taken; the items of a list can
  const isFree = (...at: string[]): boolean => Array.isArray(value) || read(owner, ...at) === undefined;
  if (up > 0 && own && isFree(field) && accepts(resolve(own), value)) return [[field]];
  if (COMMON.has(field)) return [];
  const fits = (placesBelow(schema, resolve).get(field) ?? []).filter(
    // beside the field's object, only one that is there: another source would be a second one
    ({ at, schema: inner }) =>
      accepts(inner, value) && isFree(...at) && (up === 0 || isObject(read(owner, ...at.slice(0, -1)))),
  );
  const least = Math.min(...fits.map(({ at }) => at.length));
  return fits.filter(({ at }) => at.length === least).map(({ at }) => at);
}

interface Place {
  readonly at: readonly string[];
  readonly schema: Schema;
}

const indexes = new WeakMap<Schema, ReadonlyMap<string, readonly Place[]>>();

/** Returns the fields of the objects within an object, by name; made once for each schema, since requests may repeat a mistake. */
function placesBelow(schema: Schema, resolve: (schema: Schema) => Schema): ReadonlyMap<string, readonly Place[]> {
  const known = indexes.get(schema);
  if (known) return known;
  const places = new Map<string, Place[]>();
  let level: Place[] = [{ schema, at: [] }];
  for (let depth = 1; depth <= MOST_DOWN; depth++) {
    level = level.flatMap((parent) =>
      Object.entries(parent.schema.properties ?? {})
        .filter(([name]) => name !== 'status')
        .map(([name, inner]) => ({ schema: resolve(inner), at: [...parent.at, name] })),
    );
    if (depth === 1) continue;
    for (const place of level) {
      const name = place.at[place.at.length - 1];
      const same = places.get(name);
      if (same) same.push(place);
      else places.set(name, [place]);
    }
  }
  indexes.set(schema, places);
  return places;
}

const propertyOf = ({ properties }: Schema, field: string): Schema | undefined =>
  properties && Object.hasOwn(properties, field) ? properties[field] : undefined;

const pathOf = (parts: readonly (string | number)[]): string =>
  parts.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : text ? `${text}.${part}` : part),
    '',
  );

/** Returns the remedy for a value of the wrong type. Shows no value, which may be a secret. */
export function remedyForType(
  schema: Schema,
  value: unknown,
  field: string | number | undefined,
  resolve: (schema: Schema) => Schema,
): string {
  const isScalar = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  switch (schema.type) {
    case 'string':
      if (isScalar) return `put it into quotes: without them, YAML reads a ${typeof value}`;
      if (field === 'matchLabels') return 'write the labels without matchLabels, one level higher';
      return Array.isArray(value)
        ? 'write one string instead of a list'
        : 'write a string here; begin a text of several lines with |';
    case 'boolean':
      return typeof value === 'string' && /^(true|false|yes|no|on|off)$/i.test(value)
        ? 'write it without quotes'
        : 'write true or false';
    case 'integer':
    case 'number':
      if (typeof value === 'string' && /^-?\d+$/.test(value)) return 'write it without quotes';
      if (schema.type === 'number') return 'write a number here';
      return typeof value === 'string' ? 'write an integer here, without a unit' : 'write an integer here';
    case 'array':
      return isObject(value) ? 'write a list: begin each item with a dash (-)' : 'write a list here, also for one item';
    default: {
      if (typeof value === 'string' && /^[\w.-]+:\S/.test(value)) return 'put a space after the colon';
      const example = Array.isArray(value) ? undefined : fieldFor(schema, value, resolve);
      if (example) return `write an object here: {${example}: …}`;
      const names = Object.keys(schema.properties ?? {});
      return names.length > 0 && names.length <= MOST_NAMES
        ? `write an object here, with ${listed(names)}`
        : 'write an object here';
    }
  }
}

const MOST_NAMES = 6;
const listed = (names: readonly string[]): string =>
  names.length === 1 ? names[0] : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;

/** Fields that are meant where several would fit. */
const USUAL = ['guest', 'cores', 'image', 'deviceName', 'name'];

/** Returns the field of an object that a value without the object was meant for. */
function fieldFor(schema: Schema, value: unknown, resolve: (schema: Schema) => Schema): string | undefined {
  const fits = Object.entries(schema.properties ?? {}).filter(([, inner]) => accepts(resolve(inner), value));
  const required = fits.filter(([name]) => schema.required?.includes(name));
  const names = (required.length > 0 ? required : fits).map(([name]) => name);
  return names.length === 1 ? names[0] : USUAL.find((name) => names.includes(name));
}

/** Whether the value has the type of the schema. */
function accepts(schema: Schema, value: unknown): boolean {
  if (schema['x-kubernetes-int-or-string']) return typeof value === 'string' || typeof value === 'number';
  switch (schema.type) {
    case undefined:
      return true;
    case 'object':
      return isObject(value);
    case 'array':
      return Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === schema.type;
  }
}
