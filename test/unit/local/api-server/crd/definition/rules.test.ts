import { customResourceDefinition } from '../../../../../../src/local/api-server/crd/definition/kind';
import { AnyObject } from '../../../../../../src/local/api-server/types';
import { JsonSchema, ValidationRule } from '../../../../../../src/local/api-server/schema';
import { validateCrd } from '../../../../../../src/local/api-server/crd/definition/rules';

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
  // the server adds the storage version before it validates
  status: { storedVersions: ['v1'] },
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
  const established = {
    ...crd(),
    status: { conditions: [{ type: 'Established', status: 'True' }], storedVersions: ['v1'] },
  };
  const changed = crd();
  changed.spec.scope = 'Cluster';
  changed.spec.names = { plural: 'xs', kind: 'Y' };
  expect(said(changed, established)).toEqual([
    'spec.scope: Invalid value: "Cluster": field is immutable',
    'spec.names.kind: Invalid value: "Y": field is immutable',
  ]);
  expect(said(changed, crd())).toEqual([]);
});

const FACTOR =
  '(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)';
const texts = { type: 'array', items: { type: 'string' } };
const properties: Record<string, JsonSchema> = {
  a: { type: 'integer' },
  s: { type: 'string', maxLength: 10 },
  l: { type: 'array', maxItems: 10, items: { type: 'string', maxLength: 10 } },
  o: { type: 'object', properties: { x: { type: 'integer' } } },
  i: { 'x-kubernetes-int-or-string': true },
  d: { type: 'string', format: 'date-time' },
  'my-field': { type: 'string' },
  texts,
};
const ruled = (rule: ValidationRule) => crd({ type: 'object', properties, 'x-kubernetes-validations': [rule] });
const aboutRule = (rule: ValidationRule) =>
  said(ruled(rule)).map((text) =>
    text.replace(`${at}.x-kubernetes-validations[0].`, '').replace(/\{"Rule".*\}/, 'RULE'),
  );

test.each<[string, string[]]>([
  ['self.a > 1 && self.o.x > 1 && self.my__dash__field == "x" && self.i == 1', []],
  ['self.d > timestamp("2020-01-01T00:00:00Z")', []],
  ['self.l.all(x, self.l.exists(y, x == y))', []],
  ['oldSelf.a == self.a', []],
  ['self.b', ["rule: Invalid value: RULE: compilation failed: ERROR: <input>:1:5: undefined field 'b'\n | self.b\n | ....^"]],
  ['self.a', ['rule: Invalid value: RULE: cel expression must evaluate to a bool']],
  ['self.texts.map(x, x).size() > 1', [`rule: Forbidden: estimated rule cost exceeds budget by factor of 1.363149x ${FACTOR}`]],
  [
    'self.texts.all(x, self.texts.all(y, x == y))',
    [
      `rule: Forbidden: estimated rule cost exceeds budget by factor of more than 100x ${FACTOR}`,
      'rule: Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema',
      `spec.validation.openAPIV3Schema: Forbidden: x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of more than 100x ${FACTOR}`,
    ],
  ],
])('the types and the cost of the rule %s', (rule, want) => expect(aboutRule({ rule })).toEqual(want)); // prettier-ignore

test.each<[string, Partial<ValidationRule>, string[]]>([
  ['a message that is a number', { messageExpression: 'self.a' }, ['messageExpression: Invalid value: RULE: messageExpression must evaluate to a string']],
  ['a path to a property', { fieldPath: ".o['x']" }, []],
  ['a path to nothing', { fieldPath: '.o.y' }, ['fieldPath: Invalid value: ".o.y": must be a valid path']],
  ['a path to an element', { fieldPath: '.l[0]' }, ['fieldPath: Invalid value: ".l[0]": must be a valid path']],
  ['an optional oldSelf that is not used', { optionalOldSelf: true }, ['optionalOldSelf: Invalid value: true: may not be set if oldSelf is not used in rule']],
  ['an optional oldSelf', { rule: 'oldSelf.orValue(self).a == self.a', optionalOldSelf: true }, []],
])('%s', (_, more, want) => expect(aboutRule({ rule: 'true', ...more })).toEqual(want)); // prettier-ignore

test('a transition rule requires elements that can be found again', () => {
  const items = { type: 'string', maxLength: 3, 'x-kubernetes-validations': [{ rule: 'self == oldSelf' }] };
  expect(said(crd({ type: 'array', maxItems: 5, items }))).toEqual([
    `${at}.items.x-kubernetes-validations[0].rule: Invalid value: "self == oldSelf": oldSelf cannot be used on the uncorrelatable portion of the schema within ${at}`,
  ]);
});

test('a version stays as long as objects may be stored in it', () => {
  const stored = { ...crd(), status: { storedVersions: ['v0', 'v1'] } };
  expect(said(stored).join('')).toContain(
    'status.storedVersions[0]: Invalid value: "v0": missing from spec.versions; v0',
  );
});

test.each([
  [undefined, 'Required value: protected groups must have approval annotation'],
  ['x', 'Invalid value: "x": protected groups must have approval annotation'],
  ['unapproved, experimental', undefined],
  ['https://example.com/1', undefined],
])('a group of Kubernetes with the approval %s', (approval, want) => {
  const protectedCrd = crd();
  protectedCrd.spec.group = 'a.k8s.io';
  const annotations = approval === undefined ? {} : { 'api-approved.kubernetes.io': approval };
  const findings = said({ ...protectedCrd, metadata: { name: 'xs.a.k8s.io', annotations } });
  if (want === undefined) expect(findings).toEqual([]);
  else expect(findings).toEqual([expect.stringContaining(`metadata.annotations[api-approved.kubernetes.io]: ${want}`)]);
});

test.each<[string, object, string[]]>([
  ['http', { url: 'http://x' }, [`webhookClientConfig.url: Invalid value: "http": 'https' is the only allowed URL scheme; desired format: https://host[/path]`]],
  ['a port below the range', { service: { name: 'a', namespace: 'b', port: 0 } }, ['webhookClientConfig.service.port: Invalid value: 0: port is not valid: must be between 1 and 65535, inclusive']],
  ['the first port', { service: { name: 'a', namespace: 'b', port: 1 } }, []],
  ['the last port', { service: { name: 'a', namespace: 'b', port: 65535 } }, []],
  ['a port above the range', { service: { name: 'a', namespace: 'b', port: 65536 } }, ['webhookClientConfig.service.port: Invalid value: 65536: port is not valid: must be between 1 and 65535, inclusive']],
  ['a relative path', { service: { name: 'a', namespace: 'b', path: 'x' } }, [`webhookClientConfig.service.path: Invalid value: "x": must start with a '/'`, 'webhookClientConfig.service.path: Invalid value: "x": segment[0] may not be empty']],
])('a conversion webhook with %s', (_, clientConfig, want) => {
  const converted = crd();
  Object.assign(converted.spec, { conversion: { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } } });
  expect(said(converted).map((text) => text.replace('spec.conversion.', ''))).toEqual(want);
}); // prettier-ignore

test.each<[string, object, string[]]>([
  ['versions that are missing', { versions: undefined }, ['spec.versions: Invalid value: null: must have exactly one version marked as storage version']],
  ['an empty list of versions', { versions: [] }, ['spec.versions: Invalid value: []: must have exactly one version marked as storage version']],
  ['names that are missing', { names: {} }, ['spec.names.plural', 'spec.names.singular', 'spec.names.kind', 'spec.names.listKind'].map((field) => `${field}: Required value`)],
])('%s', (_, spec, want) => {
  const definition = crd();
  Object.assign(definition.spec, spec);
  expect(said(definition)).toEqual(expect.arrayContaining(want));
}); // prettier-ignore

test('a generated name does not fit, because the name has a rule', () => {
  const findings = said({ ...crd(), metadata: { name: 'x-abcde', generateName: 'x-' } });
  const why = 'must be spec.names.plural+"."+spec.group';
  expect(findings).toEqual([
    `metadata.generateName: Invalid value: "x-": ${why}`,
    `metadata.name: Invalid value: "x-abcde": ${why}`,
  ]);
});

test('an unsupported keyword is the only finding about its schema', () => {
  expect(said(crd({ $ref: '#/x' }))).toEqual([`${at}.$ref: Forbidden: $ref is not supported`]);
});

test('the path of an unknown field has the keys of maps', () => {
  const { versions } = crd({ type: 'string', foo: 1 }).spec;
  const object = { metadata: { name: 'a' }, spec: { versions } } as unknown as AnyObject;
  expect(customResourceDefinition.decode(object)).toEqual([
    'spec.versions[0].schema.openAPIV3Schema.properties.spec.foo',
  ]);
});
