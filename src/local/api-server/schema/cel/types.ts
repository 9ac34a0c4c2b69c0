/** Static types of CEL expressions. */
export type CelType =
  | { readonly kind: 'simple'; readonly name: string; readonly max?: number }
  | { readonly kind: 'list'; readonly item: CelType; readonly max?: number }
  | { readonly kind: 'map'; readonly key: CelType; readonly value: CelType; readonly max?: number }
  | { readonly kind: 'optional'; readonly value: CelType }
  | { readonly kind: 'object'; readonly name: string; readonly fields: ReadonlyMap<string, CelType> }
  /** Variable of a function's signature: any type, the same for each of its places. */
  | { readonly kind: 'variable'; readonly name: string };

const simple = (name: string): CelType => ({ kind: 'simple', name });

export const DYN = simple('dyn');
export const BOOL = simple('bool');
export const INT = simple('int');
export const UINT = simple('uint');
export const DOUBLE = simple('double');
export const STRING = simple('string');
export const BYTES = simple('bytes');
export const NULL = simple('null');
export const TIMESTAMP = simple('timestamp');
export const DURATION = simple('duration');
export const TYPE = simple('type');

export const listOf = (item: CelType, max?: number): CelType => ({ kind: 'list', item, max });
export const mapOf = (key: CelType, value: CelType, max?: number): CelType => ({ kind: 'map', key, value, max });
/** A string of at most `max` bytes. */
export const stringOf = (max: number): CelType => ({ kind: 'simple', name: 'string', max });

/** Maximum number of characters or elements of a value; 0 for values without a size. */
export function sizeOf(type: CelType): number {
  if (type.kind === 'list' || type.kind === 'map') return type.max ?? Infinity;
  return type.kind === 'simple' && (type.name === 'string' || type.name === 'bytes') ? (type.max ?? Infinity) : 0;
}
export const optionalOf = (value: CelType): CelType => ({ kind: 'optional', value });
export const objectOf = (name: string, fields: Readonly<Record<string, CelType>>): CelType => ({
  kind: 'object',
  name,
  fields: new Map(Object.entries(fields)),
});
export const opaque = simple;

export const isDyn = (type: CelType): boolean => type.kind === 'simple' && type.name === 'dyn';

/** Name of a type in the messages of the compiler. */
export function typeName(type: CelType): string {
  switch (type.kind) {
    case 'list':
      return `list(${typeName(type.item)})`;
    case 'map':
      return `map(${typeName(type.key)}, ${typeName(type.value)})`;
    case 'optional':
      return `optional_type(${typeName(type.value)})`;
    case 'variable':
      return 'dyn';
    default:
      return type.name;
  }
}

/** Types that variables of a signature stand for. */
export type Bindings = Map<string, CelType>;

/** Whether a value of type `given` fits a parameter of type `wanted`. `dyn` fits everything. Extends the bindings. */
export function fits(given: CelType, wanted: CelType, bindings: Bindings): boolean {
  if (wanted.kind === 'variable') {
    const bound = bindings.get(wanted.name);
    // the most general type: dyn, if one place has it
    if (bound === undefined || isDyn(given) || bound.kind === 'variable') {
      bindings.set(wanted.name, given);
      return true;
    }
    return fits(given, bound, bindings);
  }
  if (given.kind === 'variable' || isDyn(given) || isDyn(wanted)) return true;
  if (given.kind === 'list' && wanted.kind === 'list') return fits(given.item, wanted.item, bindings);
  if (given.kind === 'map' && wanted.kind === 'map')
    return fits(given.key, wanted.key, bindings) && fits(given.value, wanted.value, bindings);
  if (given.kind === 'optional' && wanted.kind === 'optional') return fits(given.value, wanted.value, bindings);
  if (isNullable(given) && wanted === NULL) return true;
  if (given === NULL && isNullable(wanted)) return true;
  return given.kind === wanted.kind && 'name' in given && 'name' in wanted && given.name === wanted.name;
}

/** Whether null may be compared with the type. */
const isNullable = (type: CelType): boolean =>
  type.kind === 'object' || (type.kind === 'simple' && (type.name === 'timestamp' || type.name === 'duration'));

/** A type with the bindings in place of its variables. */
export function bound(type: CelType, bindings: Bindings): CelType {
  switch (type.kind) {
    case 'variable':
      return bindings.get(type.name) ?? DYN;
    case 'list':
      return listOf(bound(type.item, bindings));
    case 'map':
      return mapOf(bound(type.key, bindings), bound(type.value, bindings));
    case 'optional':
      return optionalOf(bound(type.value, bindings));
    default:
      return type;
  }
}

const SIMPLE: Readonly<Record<string, CelType>> = Object.fromEntries(
  [DYN, BOOL, INT, UINT, DOUBLE, STRING, BYTES, NULL, TIMESTAMP, DURATION, TYPE].map((type) => [typeName(type), type]),
);

/** Type from its notation in signatures: `list<A>`, `map<string, int>`, `optional<A>`; single letters are variables. */
export function parseType(text: string): CelType {
  const [, outer, inner] = /^(\w+)<(.*)>$/.exec(text) ?? [];
  if (outer === 'list') return listOf(parseType(inner));
  if (outer === 'optional') return optionalOf(parseType(inner));
  if (outer === 'map') {
    const [key = '', ...value] = inner.split(', ');
    return mapOf(parseType(key), parseType(value.join(', ')));
  }
  if (/^[A-Z]$/.test(text)) return { kind: 'variable', name: text };
  return SIMPLE[text] ?? opaque(text);
}
