import { webhookKinds } from '../../../../../src/local/api-server/kinds/webhook-configuration';
import { Fields } from '../../../../../src/local/api-server/validation/fields';

const RULE = { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] };
const VALID = {
  name: 'a.example.com',
  clientConfig: { url: 'https://host/path' },
  rules: [RULE],
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
};
const reported = (...webhooks: object[]): string[] => {
  const [, mutating] = webhookKinds;
  const object = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: mutating.kind,
    metadata: { name: 'x' },
    webhooks,
  };
  mutating.decode(object);
  const fields = Fields.root();
  mutating.validate(object, fields);
  return fields.causes.map(({ field, message }) => `${field?.replace('webhooks[0].', '')}: ${message}`);
};

test.each<[string, object, string[]]>([
  ['nothing wrong', {}, []],
  [
    'a short name',
    { name: 'a.b' },
    ['name: Invalid value: "a.b": should be a domain with at least three segments separated by dots'],
  ],
  [
    'no https',
    { clientConfig: { url: 'http://h' } },
    [
      `clientConfig.url: Invalid value: "http": 'https' is the only allowed URL scheme; desired format: https://host[/path]`,
    ],
  ],
  [
    'more than a URL',
    { clientConfig: { url: 'https://u:p@h/?q#f' } },
    [
      'clientConfig.url: Invalid value: "u:p": user information is not permitted in the URL',
      'clientConfig.url: Invalid value: "f": fragments are not permitted in the URL',
      'clientConfig.url: Invalid value: "q": query parameters are not permitted in the URL',
    ],
  ],
  [
    'an incomplete service',
    { clientConfig: { service: {} } },
    ['clientConfig.service.name: Required value', 'clientConfig.service.namespace: Required value'],
  ],
  [
    'both',
    { clientConfig: { url: 'https://h', service: { name: 'a', namespace: 'b' } } },
    ['clientConfig: Required value: exactly one of url or service is required'],
  ],
  ['the longest timeout', { timeoutSeconds: 30 }, []],
  [
    'a longer timeout',
    { timeoutSeconds: 31 },
    ['timeoutSeconds: Invalid value: 31: the timeout value must be between 1 and 30 seconds'],
  ],
  [
    'side effects',
    { sideEffects: 'Some' },
    ['sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"'],
  ],
  [
    'an unknown policy',
    { failurePolicy: 'X' },
    ['failurePolicy: Unsupported value: "X": supported values: "Fail", "Ignore"'],
  ],
  [
    'an empty rule',
    { rules: [{}] },
    ['operations', 'apiGroups', 'apiVersions', 'resources'].map((name) => `rules[0].${name}: Required value`),
  ],
  [
    'a wildcard and more',
    { rules: [{ ...RULE, operations: ['*', 'CREATE'] }] },
    [`rules[0].operations: Invalid value: ["*","CREATE"]: if '*' is present, must not specify other operations`],
  ],
  [
    'a subresource twice',
    { rules: [{ ...RULE, resources: ['pods/*', 'pods/exec'] }] },
    [`rules[0].resources[1]: Invalid value: "pods/exec": if 'pods/*' is present, must not specify pods/exec`],
  ],
  [
    'a bad selector',
    { objectSelector: { matchExpressions: [{ key: 'a', operator: 'In' }] } },
    ["objectSelector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'"],
  ],
  [
    'no known version',
    { admissionReviewVersions: ['v9'] },
    ['admissionReviewVersions: Invalid value: ["v9"]: must include at least one of v1, v1beta1'],
  ],
  [
    '64 conditions',
    { matchConditions: Array.from({ length: 64 }, (_, i) => ({ name: `n${i}`, expression: 'true' })) },
    [],
  ],
  [
    '65 conditions',
    { matchConditions: Array.from({ length: 65 }, (_, i) => ({ name: `n${i}`, expression: 'true' })) },
    ['matchConditions: Too many: 65: must have at most 64 items'],
  ],
])('a webhook with %s is validated', (_, more, want) => expect(reported({ ...VALID, ...more })).toEqual(want));

test('an expression that cannot be parsed is rejected', () => {
  const [text] = reported({ ...VALID, matchConditions: [{ name: 'a', expression: 'object.x ==' }] });
  expect(text).toMatch(/^matchConditions\[0\].expression: Invalid value: "object.x ==": compilation failed: ERROR: /);
});

test('names are unique in a configuration', () => {
  expect(reported(VALID, VALID)).toEqual(['webhooks[1].name: Duplicate value: "a.example.com"']);
});
