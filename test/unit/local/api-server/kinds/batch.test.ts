import { batchKinds } from '../../../../../src/local/api-server/kinds/batch';
import { autoscalingKinds } from '../../../../../src/local/api-server/kinds/autoscaling';
import { podDisruptionBudget } from '../../../../../src/local/api-server/kinds/policy';
import type { Kind, StrategyContext } from '../../../../../src/local/api-server/registry/kind';
import type { AnyObject } from '../../../../../src/local/api-server/types';
import { Fields } from '../../../../../src/local/api-server/validation/fields';

const [job, cronJob] = batchKinds as [Kind, Kind];
const [v2, v1] = autoscalingKinds as [Kind, Kind];

const context: StrategyContext = { user: { username: 'test', groups: [] }, now: '', dryRun: false, warn: () => {} };

/** The object as the API server stores a new one. */
function created(kind: Kind, spec: object, name = 'x'): AnyObject {
  const { group, version } = kind;
  const object: AnyObject = {
    apiVersion: `${group}/${version}`,
    kind: kind.kind,
    metadata: { name, uid: 'u1' },
    spec: structuredClone(spec),
  };
  kind.decode(object);
  kind.prepareForCreate(object, context);
  return object;
}

/** Errors as `field: message`. */
function wrong(kind: Kind, spec: object, name?: string): string[] {
  const fields = Fields.root();
  kind.validate(created(kind, spec, name), fields);
  return fields.causes.map(({ field, message }) => `${field}: ${message}`);
}

const pod = { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox' }] };
const template = { spec: pod };

test('an autoscaler without a spec lacks its limit and its target', () => {
  const object: AnyObject = { apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler', metadata: { name: 'x' } };
  v2.decode(object);
  const fields = Fields.root();
  v2.validate(object, fields);
  expect(fields.causes.map(({ field }) => field)).toEqual([
    'spec.maxReplicas',
    'spec.maxReplicas',
    'spec.scaleTargetRef.kind',
    'spec.scaleTargetRef.name',
    'spec.scaleTargetRef.apiVersion',
  ]);
});

describe('Job', () => {
  test('gets defaults, a selector, and the labels of its Pods', () => {
    const { metadata, spec } = job.fromStorage(created(job, { template }, 'a'));
    expect(spec).toMatchObject({
      backoffLimit: 6,
      completionMode: 'NonIndexed',
      completions: 1,
      manualSelector: false,
      parallelism: 1,
      podReplacementPolicy: 'TerminatingOrFailed',
      selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': 'u1' } },
      suspend: false,
    });
    expect(metadata.labels).toEqual({
      'batch.kubernetes.io/controller-uid': 'u1',
      'batch.kubernetes.io/job-name': 'a',
      'controller-uid': 'u1',
      'job-name': 'a',
    });
  });

  test('without labels has none of its own while it is validated', () => {
    expect(created(job, { template }, 'Not Valid_').metadata.labels).toBeUndefined();
  });

  test('without a name or a spec is reported by the rules, not by an exception', () => {
    const unnamed: AnyObject = { apiVersion: 'batch/v1', kind: 'Job', metadata: { uid: 'u1' } };
    job.decode(unnamed);
    job.prepareForCreate(unnamed, context);
    const fields = Fields.root();
    job.validate(unnamed, fields);
    expect(fields.causes.map(({ field, message }) => `${field}: ${message}`)).toEqual([
      'spec.template.spec.containers: Required value',
      'spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
    ]);
  });

  const indexed = { template, completionMode: 'Indexed', completions: 3 };
  const must = 'Invalid value: -1: must be greater than or equal to 0';
  test.each<[string, object, string[]]>([
    ['accepts a Job', { template }, []],
    ['accepts no Pods', { template, parallelism: 0, completions: 0 }, []],
    ['rejects a negative count', { template, parallelism: -1 }, [`spec.parallelism: ${must}`]],
    [
      'requires a restart policy other than Always',
      { template: { spec: { ...pod, restartPolicy: 'Always' } } },
      ['spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"'],
    ],
    [
      'requires completions of an Indexed Job',
      { template, completionMode: 'Indexed', parallelism: 1 },
      ['spec.completions: Required value: when completion mode is Indexed'],
    ],
    ['accepts the largest parallelism of an Indexed Job', { ...indexed, parallelism: 100_000 }, []],
    [
      'rejects a larger parallelism of an Indexed Job',
      { ...indexed, parallelism: 100_001 },
      ['spec.parallelism: Invalid value: 100001: must be less than or equal to 100000 when completion mode is Indexed'],
    ],
    [
      'rejects a limit per index without indexes',
      { template, backoffLimitPerIndex: 1 },
      ['spec.backoffLimitPerIndex: Invalid value: 1: requires indexed completion mode'],
    ],
    ['accepts the last index', { ...indexed, successPolicy: { rules: [{ succeededIndexes: '0,2' }] } }, []],
    [
      'rejects an index after the last',
      { ...indexed, successPolicy: { rules: [{ succeededIndexes: '3' }] } },
      [
        'spec.successPolicy.rules[0].succeededIndexes: Invalid value: "3": error parsing succeededIndexes: too large index: "3"',
      ],
    ],
    [
      'rejects a label that another Job would have',
      { template: { metadata: { labels: { 'job-name': 'other' } }, spec: pod } },
      [expect.stringContaining('spec.template.metadata.labels[job-name]: Invalid value: ')] as string[],
    ],
  ])('%s', (_, spec, want) => {
    expect(wrong(job, spec)).toEqual(want);
  });

  test.each<[string, object, object, string[]]>([
    [
      'cannot lose its failures',
      { failed: 2 },
      { failed: 1 },
      ['status.failed: Invalid value: 1: cannot decrease the failed counter'],
    ],
    ['may keep its failures', { failed: 2 }, { failed: 2 }, []],
    [
      'completes only after its success criteria were met',
      {},
      { conditions: [{ type: 'Complete', status: 'True' }], startTime: 'a', completionTime: 'b' },
      [
        'status.conditions: Invalid value: cannot set Complete=True condition without the SuccessCriteriaMet=true condition',
      ],
    ],
  ])('%s', (_, before, after, want) => {
    const [old, next] = [created(job, { template }), created(job, { template })];
    const fields = Fields.root();
    job.validateStatus({ ...next, status: after }, { ...old, status: before }, fields);
    expect(fields.causes.map(({ field, message }) => `${field}: ${message}`)).toEqual(want);
  });
});

test.each<[string, object, string | undefined, string[]]>([
  ['accepts a CronJob', {}, undefined, []],
  ['accepts a name that leaves room for its Jobs', {}, 'n'.repeat(52), []],
  [
    'rejects a name that leaves no room for its Jobs',
    {},
    'n'.repeat(53),
    [`metadata.name: Invalid value: "${'n'.repeat(53)}": must be no more than 52 characters`],
  ],
  [
    'rejects a schedule that matches no field',
    { schedule: '* * *' },
    undefined,
    ['spec.schedule: Invalid value: "* * *": expected exactly 5 fields, found 3: [* * *]'],
  ],
  [
    'rejects an unknown time zone',
    { timeZone: 'Europe/Nowhere' },
    undefined,
    ['spec.timeZone: Invalid value: "Europe/Nowhere": unknown time zone Europe/Nowhere'],
  ],
  [
    'rejects an unknown policy',
    { concurrencyPolicy: 'Maybe' },
    undefined,
    ['spec.concurrencyPolicy: Unsupported value: "Maybe": supported values: "Allow", "Forbid", "Replace"'],
  ],
])('%s', (_, spec, name, want) => {
  expect(wrong(cronJob, { schedule: '@daily', jobTemplate: { spec: { template } }, ...spec }, name)).toEqual(want);
});

describe('HorizontalPodAutoscaler', () => {
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };

  test('scales by 80 % of CPU by default', () => {
    expect(created(v2, { scaleTargetRef, maxReplicas: 3 }).spec).toMatchObject({
      minReplicas: 1,
      metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { averageUtilization: 80 } } }],
    });
  });

  test('is the same after conversion to version 1 and back', () => {
    const metrics = [
      { type: 'Resource', resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '10Mi' } } },
      {
        type: 'ContainerResource',
        containerResource: { name: 'cpu', container: 'c', target: { type: 'Utilization', averageUtilization: 7 } },
      },
      { type: 'Pods', pods: { metric: { name: 'm' }, target: { type: 'AverageValue', averageValue: '1' } } },
      { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } },
    ];
    const behavior = { scaleDown: { selectPolicy: 'Disabled' } };
    const stored = created(v2, { scaleTargetRef, maxReplicas: 3, metrics, behavior });
    const converted = v1.fromStorage(stored);
    expect(converted.spec).toEqual({
      scaleTargetRef,
      minReplicas: 1,
      maxReplicas: 3,
      targetCPUUtilizationPercentage: 50,
    });
    expect(v1.toStorage(converted)).toEqual({ ...stored, apiVersion: 'autoscaling/v2' });
  });

  test.each<[string, object, string[]]>([
    ['accepts equal limits', { minReplicas: 3 }, []],
    [
      'rejects a minimum above the maximum',
      { minReplicas: 4 },
      ['spec.maxReplicas: Invalid value: 3: must be greater than or equal to `minReplicas`'],
    ],
    [
      'rejects a scale to zero by CPU',
      { minReplicas: 0 },
      [
        'spec.minReplicas: Invalid value: 0: must be greater than or equal to 1',
        'spec.metrics: Forbidden: must specify at least one Object or External metric to support scaling to zero replicas',
      ],
    ],
    [
      'rejects a target without an API group',
      { scaleTargetRef: { ...scaleTargetRef, apiVersion: 'v1' } },
      ['spec.scaleTargetRef.apiVersion: Invalid value: "v1": apiVersion must specify API group'],
    ],
  ])('%s', (_, spec, want) => {
    expect(wrong(v2, { scaleTargetRef, maxReplicas: 3, ...spec })).toEqual(want);
  });
});

test.each<[string, object, string[]]>([
  ['accepts 100 %', { minAvailable: '100%' }, []],
  [
    'rejects 101 %',
    { minAvailable: '101%' },
    ['spec.minAvailable: Invalid value: "101%": must not be greater than 100%'],
  ],
  [
    'rejects two limits',
    { minAvailable: 1, maxUnavailable: 1 },
    [expect.stringContaining('minAvailable and maxUnavailable cannot be both set')] as string[],
  ],
])('a disruption budget %s', (_, spec, want) => {
  expect(wrong(podDisruptionBudget, spec)).toEqual(want);
});
