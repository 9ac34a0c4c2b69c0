import { GoField, GoPackage, GoType } from './go-types';

/** Types of the machinery that have a JSON form of their own. */
const SPECIAL: Readonly<Record<string, string>> = {
  'meta.v1.Time': 't',
  'meta.v1.MicroTime': 'T',
  'meta.v1.Duration': 's',
  'meta.v1.FieldsV1': '?',
  'apiextensions.v1.JSON': '?',
  'apiextensions.v1.JSONSchemaPropsOrArray': '?',
  'apiextensions.v1.JSONSchemaPropsOrBool': '?',
  'apiextensions.v1.JSONSchemaPropsOrStringArray': '?',
};

const EXTERNAL: Readonly<Record<string, string>> = {
  'k8s.io/apimachinery/pkg/api/resource.Quantity': 'q',
  'k8s.io/apimachinery/pkg/util/intstr.IntOrString': 'x',
  'k8s.io/apimachinery/pkg/runtime.RawExtension': '?',
  'k8s.io/apimachinery/pkg/runtime.Object': '?',
  'k8s.io/apimachinery/pkg/types.UID': 's',
  'k8s.io/apimachinery/pkg/types.NodeName': 's',
  'k8s.io/apimachinery/pkg/types.NamespacedName': '?',
};

const PRIMITIVE: Readonly<Record<string, string>> = {
  string: 's',
  int: 'i',
  int32: 'i',
  uint16: 'i',
  int64: 'l',
  float64: 'n',
  bool: 'b',
  '[]byte': 'y',
};

interface LocatedType {
  readonly pack: GoPackage;
  readonly type: GoType;
  readonly name: string;
}

/** All types that an object can reach, in the table's notation. */
export function renderTypes(packages: readonly GoPackage[]): Record<string, string> {
  const byPath = new Map(packages.map((p) => [p.name, p]));
  const out: Record<string, string> = {};
  const todo: LocatedType[] = [];

  const find = (pack: GoPackage, name: string): LocatedType | string => {
    const dot = name.indexOf('.');
    const path = dot < 0 ? undefined : pack.imports.get(name.slice(0, dot));
    const local = name.slice(dot + 1);
    if (path !== undefined && EXTERNAL[`${path}.${local}`]) return EXTERNAL[`${path}.${local}`] ?? '';
    const owner = path === undefined ? pack : byPath.get(path.split('/').slice(-2).join('.'));
    const full = `${owner?.name}.${local}`;
    if (SPECIAL[full]) return SPECIAL[full];
    const type = owner?.types.get(local);
    if (!owner || !type) throw new Error(`${pack.name}: type ${name} is not known`);
    return { pack: owner, type, name: full };
  };

  /** The notation of a type, with the markers of the field that has it. */
  const render = (pack: GoPackage, go: string, markers: GoField['markers']): string => {
    const type = go.replace(/^\*+/, '');
    if (PRIMITIVE[type]) return PRIMITIVE[type];
    const relation = relationOf(markers);
    const atomicMap = relation === 'atomic';
    if (type.startsWith('[]')) return listPrefix(markers) + render(pack, type.slice(2), {});
    const map = /^map\[[\w.]+\](.*)$/.exec(type);
    if (map) return (atomicMap ? '{~}' : '{}') + render(pack, map[1] ?? '', {});
    const found = find(pack, type);
    if (typeof found === 'string') return found;
    if (found.type.alias) return render(found.pack, found.type.alias, { ...found.type.markers, ...markers });
    todo.push(found);
    return `@${atomicMap ? '~' : relation === 'granular' ? '+' : ''}${found.name}`;
  };

  const renderFields = ({ pack, type }: LocatedType): string[] =>
    (type.fields ?? []).flatMap((field) => {
      if (field.json === undefined) {
        if (/(^|\.)(TypeMeta)$/.test(field.type)) return ['kind:s', 'apiVersion:s'];
        const embedded = find(pack, field.type.replace(/^\*/, ''));
        return typeof embedded === 'string' ? [] : renderFields(embedded);
      }
      const required = !field.omitEmpty && !('optional' in field.markers);
      const text = render(pack, field.type, field.markers);
      const given = field.markers.default?.[0];
      const zero = { s: '""', i: '0', l: '0', b: 'false' }[text];
      const literal = given?.startsWith('ref(') ? constant(pack, given.slice(4, -1)) : given;
      const value = literal ?? (!field.omitEmpty && !field.type.startsWith('*') ? zero : undefined);
      const merge = field.patchStrategy
        ? `|${field.patchStrategy}${field.patchMergeKey ? `|${field.patchMergeKey}` : ''}`
        : '';
      // only keys of lists need their defaults, and those are scalars
      const simple = value !== undefined && /^(?:"[\w-]*"|\d+|true|false)$/.test(value) && /^[silb]$/.test(text);
      return [`${field.json}${required ? '!' : ''}:${text}${simple ? `=${value}` : ''}${merge}`];
    });

  for (const pack of packages)
    for (const [name, type] of pack.types) {
      const kind = type.fields?.some((f) => f.json === undefined && /(^|\.)TypeMeta$/.test(f.type));
      const isList = type.fields?.some((f) => /(^|\.)ListMeta$/.test(f.type) && !/^(Status|DeleteOptions)$/.test(name));
      if (kind && !isList) todo.push({ pack, type, name: `${pack.name}.${name}` });
    }
  for (let place = todo.pop(); place; place = todo.pop()) {
    if (out[place.name] !== undefined) continue;
    const { markers } = place.type;
    out[place.name] = [...(relationOf(markers) === 'atomic' ? ['~'] : []), ...renderFields(place)].join(' ');
  }
  return Object.fromEntries(Object.entries(out).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Ownership of a struct's fields or a map's keys: `atomic` or `granular`. */
const relationOf = ({ structType, mapType }: GoField['markers']): string | undefined => structType?.[0] ?? mapType?.[0];

function listPrefix(markers: GoField['markers']): string {
  const type = markers.listType?.[0];
  if (type === 'map') return `[${(markers.listMapKey ?? []).join(',')}]`;
  if (type === 'set') return '[*]';
  if (type === undefined && markers.patchStrategy?.[0]?.includes('merge')) {
    const key = markers.patchMergeKey?.[0];
    return key ? `[${key}]` : '[*]';
  }
  return '[]';
}

/** `+default=ref(Name)`: a constant of the package. We only need those that key lists, and none does. */
const constant = (_pack: GoPackage, _name: string): string | undefined => undefined;
