import { evaluatePolicy } from '../../../../../src/local/api-server/admission/policy/evaluate';
import { expressionWarnings } from '../../../../../src/local/api-server/admission/policy/type-check';
import { Policy } from '../../../../../src/local/api-server/admission/policy/types';
import { admissionPolicyKinds } from '../../../../../src/local/api-server/kinds/admission-policy';
import { configMap } from '../../../../../src/local/api-server/kinds/config';
import { toCel } from '../../../../../src/local/api-server/schema/cel';
import { AnyObject } from '../../../../../src/local/api-server/types';
import { Fields } from '../../../../../src/local/api-server/validation/fields';

const [policyKind, bindingKind] = admissionPolicyKinds;

const match = {
  resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
};
const policy = (spec: Partial<Policy['spec']>): Policy =>
  ({
    apiVersion: 'v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'p' },
    spec: { failurePolicy: 'Fail', matchConstraints: match, ...spec },
  }) as Policy;

const evaluate = (spec: Partial<Policy['spec']>, object: unknown = { metadata: { name: 'a' } }) =>
  evaluatePolicy(policy(spec), { object: toCel(object, undefined) });
const messages = (spec: Partial<Policy['spec']>, object?: unknown) =>
  evaluate(spec, object).denials.map((d) => d.message);

describe('evaluation', () => {
  test.each<[string, Partial<Policy['spec']>, string[]]>([
    ['accepts what the expression accepts', { validations: [{ expression: 'true' }] }, []],
    ['shows the expression', { validations: [{ expression: ' 1 > 2 ' }] }, ['failed expression: 1 > 2']],
    ['shows the message', { validations: [{ expression: 'false', message: ' no ' }] }, ['no']],
    [
      'prefers the message of an expression',
      { validations: [{ expression: 'false', message: 'no', messageExpression: '"not " + object.metadata.name' }] },
      ['not a'],
    ],
    [
      'ignores a message with a line break',
      { validations: [{ expression: 'false', message: 'no', messageExpression: '"a\\nb"' }] },
      ['no'],
    ],
    [
      'ignores a message that is too long',
      { validations: [{ expression: 'false', message: 'no', messageExpression: `"${'x'.repeat(5 * 1024 + 1)}"` }] },
      ['no'],
    ],
    [
      'reports an error as a rejection',
      { validations: [{ expression: 'object.nope == 1' }] },
      ["expression 'object.nope == 1' resulted in error: no such key: nope"],
    ],
    [
      'ignores an error if the policy does',
      { failurePolicy: 'Ignore', validations: [{ expression: 'object.nope == 1' }] },
      [],
    ],
    [
      'evaluates variables in terms of others',
      {
        variables: [
          { name: 'n', expression: 'object.metadata.name' },
          { name: 'l', expression: 'size(variables.n)' },
        ],
        validations: [{ expression: 'variables.l > 1' }],
      },
      ['failed expression: variables.l > 1'],
    ],
    [
      'does not evaluate a variable that is not used',
      { variables: [{ name: 'n', expression: 'object.nope' }], validations: [{ expression: 'true' }] },
      [],
    ],
    [
      'validates nothing if a condition is not met, even if another one fails',
      {
        matchConditions: [
          { name: 'a', expression: 'object.nope' },
          { name: 'b', expression: 'false' },
        ],
        validations: [{ expression: 'false' }],
      },
      [],
    ],
    [
      'rejects if a condition fails',
      { matchConditions: [{ name: 'a', expression: 'object.nope' }], validations: [{ expression: 'true' }] },
      ["expression 'object.nope' resulted in error: no such key: nope"],
    ],
  ])('%s', (_, spec, want) => expect(messages(spec)).toEqual(want));

  test('ends a policy that costs too much', () => {
    const expression = 'object.l.all(a, object.l.all(b, object.l.all(c, a + b + c >= 0)))';
    const [message] = messages({ validations: [{ expression }] }, { l: Array.from({ length: 200 }, () => 1) });
    expect(message).toBe(
      `expression '${expression}' resulted in error: operation cancelled: actual cost limit exceeded`,
    );
  });

  test('audit annotations are texts; an error is a failure for every action', () => {
    const auditAnnotations = [
      { key: 'a', valueExpression: '"x"' },
      { key: 'b', valueExpression: 'null' },
      { key: 'c', valueExpression: 'object.nope' },
    ];
    const { annotations, failures } = evaluate({ auditAnnotations });
    expect(annotations).toEqual([{ key: 'a', value: 'x' }]);
    expect(failures.map((failure) => failure.message)).toEqual([
      "expression 'object.nope' resulted in error: no such key: nope",
    ]);
  });
});

/** Findings about an object after defaulting, as `field: message`. */
function findings(kind: (typeof admissionPolicyKinds)[number], object: AnyObject): string[] {
  kind.decode(object);
  const fields = Fields.root();
  kind.validate(object, fields);
  return fields.causes.map(({ field, message }) => `${field}: ${message}`);
}
const object = (kind: string, spec: unknown): AnyObject => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind,
  metadata: { name: 'p' },
  spec,
});
const policyFindings = (spec: object) =>
  findings(policyKind, object('ValidatingAdmissionPolicy', { matchConstraints: structuredClone(match), ...spec }));
const bindingFindings = (spec: object) => findings(bindingKind, object('ValidatingAdmissionPolicyBinding', spec));
const valid = { validations: [{ expression: 'true' }] };

test.each<[string, object, string[]]>([
  ['a valid policy', valid, []],
  [
    'a policy without validations',
    {},
    ['spec.validations', 'spec.auditAnnotations'].map((at) => `${at}: Required value: validations or auditAnnotations must contain at least one item`),
  ],
  ['rules that are missing', { ...valid, matchConstraints: {} }, ['spec.matchConstraints.resourceRules: Required value']],
  ['a failure policy', { ...valid, failurePolicy: 'No' }, ['spec.failurePolicy: Unsupported value: "No": supported values: "Fail", "Ignore"']],
  ['a reason', { validations: [{ expression: 'true', reason: 'Unauthorized' }] }, ['spec.validations[0].reason: Unsupported value: "Unauthorized": supported values: "Forbidden", "Invalid", "RequestEntityTooLarge"']],
  ['the type of a validation', { validations: [{ expression: '1' }] }, ['spec.validations[0].expression: Invalid value: "1": must evaluate to bool but got int']],
  ['the type of a message', { validations: [{ expression: 'true', messageExpression: '1' }] }, ['spec.validations[0].messageExpression: Invalid value: "1": must evaluate to string but got int']],
  ['a name that two conditions have', { ...valid, matchConditions: [{ name: 'a', expression: 'true' }, { name: 'a', expression: 'true' }] }, ['spec.matchConditions[1].name: Duplicate value: "a"']],
  ['the name of a variable', { ...valid, variables: [{ name: 'in', expression: '1' }] }, ['spec.variables[0].name: Invalid value: "in": must be a valid CEL identifier']],
  ['the type of an annotation', { auditAnnotations: [{ key: 'a', valueExpression: '1' }] }, ['spec.auditAnnotations[0].valueExpression: Invalid value: "1": must evaluate to one of [string null_type] but got int']],
])('%s: findings about the policy', (_, spec, want) => expect(policyFindings(spec)).toEqual(want)); // prettier-ignore

test.each<[number, number]>([
  [64, 0],
  [65, 1],
])('%d match conditions have %d finding', (count, want) => {
  const matchConditions = Array.from({ length: count }, (_, i) => ({ name: `c${i}`, expression: 'true' }));
  expect(policyFindings({ ...valid, matchConditions })).toHaveLength(want);
});

test.each<[string, object, string[]]>([
  ['a valid binding', { policyName: 'p', validationActions: ['Deny'] }, []],
  ['no action', { policyName: 'p' }, ['spec.validationActions: Required value: at least one validation action is required']],
  ['Deny and Warn', { policyName: 'p', validationActions: ['Deny', 'Warn'] }, ['spec.validationActions: Invalid value: ["Deny","Warn"]: must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)']],
  ['a parameter without a name', { policyName: 'p', validationActions: ['Deny'], paramRef: {} }, ['spec.paramRef: Required value: one of name or selector must be specified', 'spec.paramRef.parameterNotFoundAction: Required value']],
])('%s: findings about the binding', (_, spec, want) => expect(bindingFindings(spec)).toEqual(want)); // prettier-ignore

test('the types of the named kinds are checked', () => {
  expect(
    expressionWarnings(
      policy({ validations: [{ expression: 'object.dat.x == 1' }, { expression: 'object.data.x == "1"' }] }),
      [configMap],
    ),
  ).toEqual([
    {
      fieldRef: 'spec.validations[0].expression',
      warning: "/v1, Kind=ConfigMap: ERROR: <input>:1:7: undefined field 'dat'\n | object.dat.x == 1\n | ......^\n",
    },
  ]);
});

test('mutating policies are declared as stored only', () => {
  expect(admissionPolicyKinds.map(({ kind, storedOnly }) => [kind, storedOnly ?? false])).toEqual([
    ['ValidatingAdmissionPolicy', false],
    ['ValidatingAdmissionPolicyBinding', false],
    ['MutatingAdmissionPolicy', true],
    ['MutatingAdmissionPolicyBinding', true],
  ]);
});
