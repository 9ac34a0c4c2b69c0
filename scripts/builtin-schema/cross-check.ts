import { parse } from 'yaml';

interface Reference {
  namedType?: string;
  elementRelationship?: string;
  scalar?: string;
  list?: { elementType: Reference; elementRelationship?: string; keys?: string[] };
  map?: { fields?: { name: string; type: Reference }[]; elementType?: Reference; elementRelationship?: string };
}

const PREFIXES: readonly (readonly [RegExp, string])[] = [
  [/^io\.k8s\.api\./, ''],
  [/^io\.k8s\.apimachinery\.pkg\.apis\./, ''],
  [/^io\.k8s\.apiextensions-apiserver\.pkg\.apis\./, ''],
];

const MACHINERY: Readonly<Record<string, string>> = {
  'io.k8s.apimachinery.pkg.api.resource.Quantity': 'q',
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': 'x',
  'io.k8s.apimachinery.pkg.runtime.RawExtension': '?',
  __untyped_atomic_: '?',
  __untyped_deduced_: '?',
  'io.k8s.apimachinery.pkg.apis.meta.v1.Time': 't',
  'io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime': 'T',
  'io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1': '?',
};

const SCALARS: Readonly<Record<string, RegExp>> = {
  string: /^[sy]$/,
  numeric: /^[iln]$/,
  boolean: /^b$/,
  untyped: /^[stTqx?]$/,
};

/** Compares the table with the typed schema in a generated internal.go; returns how many types were compared. */
export function crossCheck(types: Readonly<Record<string, string>>, source: string): number {
  const yaml = /`(types:[^`]*)`/.exec(source)?.[1];
  if (!yaml) throw new Error('internal.go: no schema found');
  const given = (parse(yaml) as { types: ({ name: string } & Reference)[] }).types;
  const problems: string[] = [];
  let compared = 0;
  for (const type of given) {
    const name = shorten(type.name);
    const ours = types[name];
    if (ours === undefined || !type.map) continue;
    compared++;
    const [first = '', ...rest] = ours.split(' ');
    const atomic = first === '~';
    if ((type.map.elementRelationship === 'atomic') !== atomic) problems.push(`${name}: atomic differs`);
    const fields = new Map((atomic ? rest : [first, ...rest]).map((f) => [f.slice(0, f.search(/[!:]/)), f]));
    for (const field of type.map.fields ?? []) {
      const text = fields.get(field.name);
      const got = /:([^=|]*)/.exec(text ?? '')?.[1];
      const problem = got === undefined ? 'missing' : differs(got, field.type);
      if (problem) problems.push(`${name}.${field.name}: ${problem} (${got})`);
    }
  }
  if (problems.length > 0) throw new Error(`table and typed schema differ:\n  ${problems.join('\n  ')}`);
  return compared;
}

function shorten(name: string): string {
  const [, rest] = PREFIXES.find(([prefix]) => prefix.test(name)) ?? [];
  const prefix = PREFIXES.find(([p]) => p.test(name))?.[0];
  return rest === undefined || !prefix ? name : name.replace(prefix, '');
}

function differs(got: string, want: Reference): string | undefined {
  if (want.namedType) {
    const machinery = MACHINERY[want.namedType];
    if (machinery) return got === machinery ? undefined : `want ${machinery}`;
    const relation = { atomic: '~', separable: '+' }[want.elementRelationship ?? ''] ?? '';
    const name = `@${relation}${shorten(want.namedType)}`;
    return got === name || got === '?' ? undefined : `want ${name}`;
  }
  if (want.list) {
    const { elementRelationship, keys, elementType } = want.list;
    if (got === 'y') return undefined;
    const prefix = elementRelationship === 'associative' ? `[${keys?.join(',') ?? '*'}]` : '[]';
    return got.startsWith(prefix) ? differs(got.slice(prefix.length), elementType) : `want ${prefix}`;
  }
  if (want.map) {
    const prefix = want.map.elementRelationship === 'atomic' ? '{~}' : '{}';
    if (want.map.fields || !want.map.elementType) return undefined;
    return got.startsWith(prefix) ? differs(got.slice(prefix.length), want.map.elementType) : `want ${prefix}`;
  }
  return SCALARS[want.scalar ?? '']?.test(got) ? undefined : `want ${want.scalar}`;
}
