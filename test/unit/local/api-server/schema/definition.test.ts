import { JsonSchema, validateCrd } from '../../../../../src/local/api-server/schema';

const crd = (spec: JsonSchema = { type: 'object' }) => ({
  metadata: { name: 'xs.a.io' },
  spec: {
    group: 'a.io',
    scope: 'Namespaced',
    names: { plural: 'xs', kind: 'X' } as Record<string, unknown>,
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
      } as Record<string, unknown>,
    ],
  },
});

const said = (definition: object, old?: object) => validateCrd(definition, old).map((c) => `${c.field}: ${c.message}`);
const at = 'spec.validation.openAPIV3Schema.properties[spec]';

test('a valid definition has no findings', () => expect(said(crd())).toEqual([]));

test.each<[string, JsonSchema, string]>([
  ['no type', {}, `${at}.type: Required value: must not be empty for specified object fields`],
  ['no items', { type: 'array' }, `${at}.items: Required value: must be specified`],
  ['type in anyOf', { type: 'string', anyOf: [{ type: 'string' }] }, `${at}.anyOf[0].type: Forbidden: must be empty to be structural`],
  ['lookahead', { type: 'string', pattern: '(?=a)' }, `${at}.pattern: Invalid value: "(?=a)": must be a valid regular expression, but isn't: error parsing regexp: invalid or unsupported Perl syntax: \`(?=\``],
  ['map without keys', { type: 'array', items: { type: 'object' }, 'x-kubernetes-list-type': 'map' }, `${at}.x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map`],
  ['wrong default', { type: 'string', default: 1 }, `${at}.default: Invalid value: "integer":  in body must be of type string: "integer"`],
])('%s is rejected', (_, spec, want) => expect(said(crd(spec))).toContain(want)); // prettier-ignore

test('the name consists of plural and group', () => {
  const other = { ...crd(), metadata: { name: 'ys.a.io' } };
  expect(said(other)).toEqual(['metadata.name: Invalid value: "ys.a.io": must be spec.names.plural+"."+spec.group']);
});

test('exactly one version is stored', () => {
  const none = crd();
  Object.assign(none.spec.versions[0] ?? {}, { storage: false });
  expect(said(none).join('\n')).toContain('must have exactly one version marked as storage version');
});

test('group, plural, and once established scope and kind cannot change', () => {
  const established = { ...crd(), status: { conditions: [{ type: 'Established', status: 'True' }] } };
  const changed = crd();
  changed.spec.scope = 'Cluster';
  changed.spec.names = { plural: 'xs', kind: 'Y' };
  expect(said(changed, established)).toEqual([
    'spec.scope: Invalid value: "Cluster": field is immutable',
    'spec.names.kind: Invalid value: "Y": field is immutable',
  ]);
  expect(said(changed, crd())).toEqual([]);
});
