import { limitRange } from '../../../../../src/local/api-server/kinds/limit-range';
import { resourceQuota } from '../../../../../src/local/api-server/kinds/resource-quota';
import { Kind } from '../../../../../src/local/api-server/registry/kind';
import { Fields } from '../../../../../src/local/api-server/validation/fields';

const reported = (kind: Kind, spec: object): string[] => {
  const object = { apiVersion: 'v1', kind: kind.kind, metadata: { name: 'x' }, spec };
  kind.decode(object);
  const fields = Fields.root();
  kind.validate(object, fields);
  return fields.causes.map(({ field, message }) => `${field}: ${message}`);
};
const terms = (...matchExpressions: object[]) => ({ hard: { pods: '1' }, scopeSelector: { matchExpressions } });

test.each<[string, object, string[]]>([
  ['known names', { hard: { pods: '1', cpu: '1', 'count/x.example.com': '1', 'requests.a.com/x': '1' } }, []],
  [
    'an unknown name',
    { hard: { foo: '1' } },
    [
      'spec.hard[foo]: Invalid value: "foo": must be a standard resource type or fully qualified',
      'spec.hard[foo]: Invalid value: "foo": must be a standard resource for quota',
    ],
  ],
  ['zero', { hard: { pods: '0' } }, []],
  [
    'less than zero',
    { hard: { pods: '-1' } },
    ['spec.hard[pods]: Invalid value: "-1": must be greater than or equal to 0'],
  ],
  ['half a Pod', { hard: { pods: '500m' } }, ['spec.hard[pods]: Invalid value: "500m": must be an integer']],
  [
    'an unknown scope',
    { hard: { pods: '1' }, scopes: ['X'] },
    ['spec.scopes: Invalid value: ["X"]: unsupported scope'],
  ],
  [
    'conflicting scopes',
    { hard: { pods: '1' }, scopes: ['Terminating', 'NotTerminating'] },
    ['spec.scopes: Invalid value: ["Terminating","NotTerminating"]: conflicting scopes'],
  ],
  [
    'CPU of best-effort Pods',
    { hard: { cpu: '1' }, scopes: ['BestEffort'] },
    ['spec.scopes: Invalid value: ["BestEffort"]: unsupported scope applied to resource'],
  ],
  [
    'In without values',
    terms({ scopeName: 'PriorityClass', operator: 'In' }),
    [
      "spec.scopeSelector.matchExpressions.values: Required value: must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
    ],
  ],
  [
    'Exists with values',
    terms({ scopeName: 'PriorityClass', operator: 'Exists', values: ['a'] }),
    [
      "spec.scopeSelector.matchExpressions.values: Invalid value: [\"a\"]: must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector",
    ],
  ],
])('a quota with %s is validated', (_, spec, want) => expect(reported(resourceQuota, spec)).toEqual(want));

const item = (more: object) => ({ limits: [{ type: 'Container', ...more }] });

test.each<[string, object, string[]]>([
  ['equal bounds', item({ min: { cpu: '1' }, max: { cpu: '1' } }), []],
  [
    'a minimum above the maximum',
    { limits: [{ type: 'Pod', min: { cpu: '2' }, max: { cpu: '1' } }] },
    ['spec.limits[0].min[cpu]: Invalid value: "2": min value 2 is greater than max value 1'],
  ],
  [
    'a default above the maximum',
    item({ max: { cpu: '1' }, default: { cpu: '2' }, defaultRequest: { cpu: '1' } }),
    ['spec.limits[0].default[cpu]: Invalid value: "1": default value 2 is greater than max value 1'],
  ],
  ['a ratio of one', item({ maxLimitRequestRatio: { cpu: '1' } }), []],
  [
    'a ratio below one',
    item({ maxLimitRequestRatio: { cpu: '999m' } }),
    ['spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: "999m": ratio 999m is less than 1'],
  ],
  [
    'defaults of Pods',
    { limits: [{ type: 'Pod', default: { cpu: '1' } }] },
    ["spec.limits[0].default: Forbidden: may not be specified when `type` is 'Pod'"],
  ],
  [
    'claims without bounds',
    { limits: [{ type: 'PersistentVolumeClaim' }] },
    [
      'spec.limits[0].limits: Required value: either minimum or maximum storage value is required, but neither was provided',
    ],
  ],
  [
    'an unknown type',
    { limits: [{ type: 'X' }] },
    ['spec.limits[0].type: Invalid value: "X": must be a standard limit type or fully qualified'],
  ],
  [
    'two items of one type',
    { limits: [{ type: 'Pod' }, { type: 'Pod' }] },
    ['spec.limits[1].type: Duplicate value: "Pod"'],
  ],
])('a limit range with %s is validated', (_, spec, want) => expect(reported(limitRange, spec)).toEqual(want));

test('the defaults of containers follow from the bounds', () => {
  const object = {
    apiVersion: 'v1',
    kind: 'LimitRange',
    metadata: {},
    spec: item({ min: { memory: '1' }, max: { cpu: '2' } }),
  };
  limitRange.decode(object);
  expect(object.spec.limits[0]).toMatchObject({ default: { cpu: '2' }, defaultRequest: { cpu: '2', memory: '1' } });
});
