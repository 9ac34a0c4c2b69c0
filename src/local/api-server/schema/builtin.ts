import { builtinGroups, builtinTypes } from './generated/builtin-types';
import { anyType, ScalarType, TypeSchema } from './type-schema';

/*
 * Notation of the table: a type is a list of fields, `name!:TYPE=default|patchStrategy|patchMergeKey`, where `!` means
 * required and a leading `~` makes the type atomic. TYPE is one of
 *   s string, i int32, l int64, n double, b bool, y bytes, t time, T time with microseconds, q quantity,
 *   x int-or-string, ? anything, @NAME another type, @~NAME that type as an atomic value, @+NAME as a granular one,
 *   []TYPE atomic list, [*]TYPE set, [a,b]TYPE list with keys a and b, {}TYPE map, {~}TYPE atomic map.
 */

const SCALARS: Readonly<Record<string, readonly [ScalarType, string?]>> = {
  s: ['string'],
  i: ['integer', 'int32'],
  l: ['integer', 'int64'],
  n: ['number', 'double'],
  b: ['boolean'],
  y: ['string', 'byte'],
  t: ['string', 'date-time'],
  T: ['string', 'date-time'],
  q: ['quantity'],
  x: ['int-or-string'],
};

const PACKAGES: Readonly<Record<string, string>> = {
  meta: 'io.k8s.apimachinery.pkg.apis',
  apiextensions: 'io.k8s.apiextensions-apiserver.pkg.apis',
  apiregistration: 'io.k8s.kube-aggregator.pkg.apis',
};

/** Structure and merge semantics of a kind that Kubernetes itself defines; undefined for kinds that it does not. */
export function builtinSchema(group: string, version: string, kind: string): TypeSchema | undefined {
  const pack = Object.hasOwn(builtinGroups, group) ? builtinGroups[group] : undefined;
  return pack === undefined ? undefined : builtinType(`${pack}.${version}.${kind}`);
}

/** `metadata` of every object. */
export const objectMetaSchema = (): TypeSchema => builtinType('meta.v1.ObjectMeta') ?? anyType;

/** `core.v1.Pod` -> `io.k8s.api.core.v1.Pod` */
const definitionName = (name: string): string => `${PACKAGES[name.split('.')[0] ?? ''] ?? 'io.k8s.api'}.${name}`;

const cache = new Map<string, TypeSchema>();

/** A type by its name in the table. Its fields are read when they are first used. */
function builtinType(name: string): TypeSchema | undefined {
  const text = Object.hasOwn(builtinTypes, name) ? builtinTypes[name] : undefined;
  if (text === undefined) return undefined;
  let type = cache.get(name);
  if (!type) cache.set(name, (type = new StructType(name, text)));
  return type;
}

class StructType implements TypeSchema {
  public readonly kind = 'map';
  public readonly name: string;
  public readonly atomic: boolean;
  private parsed?: { fields: Readonly<Record<string, TypeSchema>>; required: readonly string[] };

  public constructor(
    short: string,
    private readonly text: string,
  ) {
    this.name = definitionName(short);
    this.atomic = text.startsWith('~');
  }

  public get fields(): Readonly<Record<string, TypeSchema>> {
    return this.parse().fields;
  }

  public get required(): readonly string[] {
    return this.parse().required;
  }

  private parse(): NonNullable<StructType['parsed']> {
    if (this.parsed) return this.parsed;
    const fields: Record<string, TypeSchema> = {};
    const required: string[] = [];
    for (const field of this.text.split(' ')) {
      const [, name = '', must, type = '', value, strategy, mergeKey] =
        /^([^!:]+)(!)?:([^=|]+)(?:=([^|]+))?(?:\|([^|]+))?(?:\|([^|]+))?$/.exec(field) ?? [];
      if (name === '') continue;
      if (must) required.push(name);
      const extras = {
        ...(value === undefined ? {} : { default: JSON.parse(value) as unknown }),
        ...(strategy === undefined ? {} : { patchStrategy: strategy }),
        ...(mergeKey === undefined ? {} : { patchMergeKey: mergeKey }),
      };
      fields[name] = withExtras(parseType(type), extras);
    }
    return (this.parsed = { fields, required });
  }
}

function parseType(text: string): TypeSchema {
  const scalar = SCALARS[text];
  if (scalar) return { kind: 'scalar', scalar: scalar[0], format: scalar[1] };
  // Untyped data has one owner.
  if (text === '?') return { ...anyType, atomic: true };
  if (text.startsWith('@~')) return withExtras(builtinType(text.slice(2)) ?? anyType, { atomic: true });
  if (text.startsWith('@+')) return withExtras(builtinType(text.slice(2)) ?? anyType, { atomic: false });
  if (text.startsWith('@')) return builtinType(text.slice(1)) ?? anyType;
  const [, open, inside = '', rest = ''] = /^([[{])([^\]}]*)[\]}](.*)$/.exec(text) ?? [];
  if (open === '{') return { kind: 'map', values: parseType(rest), atomic: inside === '~' };
  const items = parseType(rest);
  if (inside === '') return { kind: 'list', items, listType: 'atomic' };
  if (inside === '*') return { kind: 'list', items, listType: 'set' };
  return { kind: 'list', items, listType: 'map', listKeys: inside.split(',') };
}

/** The same type with additional properties of the field that has it. Lazy properties of the type stay lazy. */
function withExtras(type: TypeSchema, extras: Partial<TypeSchema>): TypeSchema {
  return Object.keys(extras).length === 0 ? type : Object.assign(Object.create(type) as TypeSchema, extras);
}
