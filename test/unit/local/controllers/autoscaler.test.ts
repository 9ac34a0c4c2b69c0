import type { Autoscaler, ScalingRules } from '../../../../src/local/controllers/autoscaling-v2';
import { afterRescale, decide, type Observed } from '../../../../src/local/controllers/autoscaler/decide';
import { limit, NO_HISTORY, type History } from '../../../../src/local/controllers/autoscaler/limits';
import { durationMs } from '../../../../src/local/controllers/autoscaler/metrics';
import { quantityText, replicasFor, type PodUsage } from '../../../../src/local/controllers/autoscaler/replicas';
import type { Pod } from '../../../../src/local/core-v1';

const NOW = Date.parse('2026-01-01T01:00:00Z');
const at = (secondsAgo: number): string => new Date(NOW - secondsAgo * 1000).toISOString().replace('.000Z', 'Z');

interface Facts {
  readonly phase?: 'Pending' | 'Running' | 'Failed';
  readonly ready?: boolean;
  readonly readySecondsAgo?: number;
  readonly startedSecondsAgo?: number;
  readonly request?: string;
  readonly deleted?: boolean;
}

const pod = (name: string, facts: Facts = {}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, ...(facts.deleted ? { deletionTimestamp: at(0) } : {}) },
  spec: { containers: [{ name: 'c', resources: { requests: { cpu: facts.request ?? '1', memory: '1Gi' } } }] },
  status: {
    phase: facts.phase ?? 'Running',
    startTime: at(facts.startedSecondsAgo ?? 1000),
    conditions: [
      {
        type: 'Ready',
        status: facts.ready === false ? 'False' : 'True',
        lastTransitionTime: at(facts.readySecondsAgo ?? 900),
      },
    ],
  },
});

const usage = (name: string, cpu: string, memory = '0'): PodUsage => ({
  name,
  timestamp: at(10),
  windowMs: 30_000,
  containers: [{ name: 'c', usage: { cpu, memory } }],
});

const tolerance = { up: 0.1, down: 0.1 };
const question = { resource: 'cpu', target: { utilization: 50 }, tolerance, now: NOW };

test.each<[string, [string, string | undefined, Facts?][], number, number]>([
  [
    'keeps the number at its target',
    [
      ['a', '500m'],
      ['b', '500m'],
    ],
    2,
    2,
  ],
  [
    'keeps the number within the tolerance',
    [
      ['a', '550m'],
      ['b', '550m'],
    ],
    2,
    2,
  ],
  [
    'adds replicas above the tolerance',
    [
      ['a', '560m'],
      ['b', '560m'],
    ],
    2,
    3,
  ],
  [
    'keeps the number at the lower tolerance',
    [
      ['a', '450m'],
      ['b', '450m'],
      ['c', '450m'],
      ['d', '450m'],
    ],
    4,
    4,
  ],
  [
    'removes replicas below the tolerance',
    [
      ['a', '250m'],
      ['b', '250m'],
      ['c', '250m'],
      ['d', '250m'],
    ],
    4,
    2,
  ],
  [
    'counts a Pod without metrics as idle when it adds',
    [
      ['a', '1'],
      ['b', undefined],
    ],
    2,
    2,
  ],
  [
    'counts a Pod without metrics as busy when it removes',
    [
      ['a', '0'],
      ['b', undefined],
    ],
    2,
    2,
  ],
  [
    'counts a pending Pod as idle when it adds',
    [
      ['a', '2'],
      ['b', undefined, { phase: 'Pending' }],
    ],
    2,
    4,
  ],
  [
    'ignores Pods that are being deleted',
    [
      ['a', '1'],
      ['b', '1', { deleted: true }],
    ],
    2,
    2,
  ],
  [
    'ignores the usage of a start',
    [
      ['a', '1'],
      ['b', '1', { startedSecondsAgo: 20, readySecondsAgo: 15 }],
    ],
    2,
    2,
  ],
])('a utilization %s', (_, pods, currentReplicas, want) => {
  const answer = replicasFor({
    ...question,
    currentReplicas,
    pods: pods.map(([name, , facts]) => pod(name, facts)),
    usage: pods.flatMap(([name, cpu]) => (cpu === undefined ? [] : [usage(name, cpu)])),
  });
  expect(answer.replicas).toBe(want);
});

test.each<[string, Partial<Parameters<typeof replicasFor>[0]>, string]>([
  ['without Pods', { pods: [] }, 'no pods returned by selector while calculating replica count'],
  ['without metrics', { usage: [] }, 'did not receive metrics for targeted pods (pods might be unready)'],
  [
    'without requests',
    { pods: [{ ...pod('a'), spec: { containers: [{ name: 'c' }] } }] },
    'missing request for cpu in container c of Pod a',
  ],
  ['of another container', { container: 'x' }, 'container x not present in metrics for pod a'],
])('a utilization %s is an error', (_, change, message) => {
  const given = { ...question, currentReplicas: 1, pods: [pod('a')], usage: [usage('a', '1')], ...change };
  expect(() => replicasFor(given)).toThrow(message);
});

test('a value per Pod needs no requests', () => {
  const answer = replicasFor({
    ...question,
    resource: 'memory',
    target: { value: '100Mi' },
    currentReplicas: 2,
    pods: [pod('a'), pod('b')],
    usage: [usage('a', '0', '300Mi'), usage('b', '0', '100Mi')],
  });
  expect(answer).toEqual({ replicas: 4, average: 200 * 2 ** 20 * 1000 });
});

test.each([
  ['cpu', 250, '250m'],
  ['cpu', 2000, '2'],
  ['memory', 2 ** 20 * 1000, '1Mi'],
  ['memory', 1500, '1500m'],
])('writes %s of %i thousandths as %s', (resource, value, want) => {
  expect(quantityText(resource, value)).toBe(want);
});

test.each([
  ['30s', 30_000],
  ['1m0s', 60_000],
  ['15.5s', 15_500],
  ['', 0],
])('reads the duration "%s"', (text, want) => {
  expect(durationMs(text)).toBe(want);
});

describe('the limits of a step', () => {
  const asked = (...list: [secondsAgo: number, replicas: number][]): History => ({
    recommendations: list.map(([secondsAgo, replicas]) => ({ at: NOW - secondsAgo * 1000, replicas })),
    changes: [],
  });
  const changed = (...list: [secondsAgo: number, by: number][]): History => ({
    recommendations: [],
    changes: list.map(([secondsAgo, by]) => ({ at: NOW - secondsAgo * 1000, by })),
  });
  const percent = (value: number): ScalingRules => ({
    policies: [{ type: 'Percent', value, periodSeconds: 60 }],
    stabilizationWindowSeconds: 0,
  });
  const pods = (value: number): ScalingRules => ({
    policies: [{ type: 'Pods', value, periodSeconds: 60 }],
    stabilizationWindowSeconds: 0,
  });
  const behavior = { scaleUp: pods(2), scaleDown: percent(50) };

  test.each<[string, Partial<Parameters<typeof limit>[0]>, number, string, string]>([
    ['allow a step', { current: 2, desired: 3 }, 3, 'ReadyForNewScale', 'DesiredWithinRange'],
    ['allow at most the maximum', { current: 8, desired: 11 }, 10, 'ReadyForNewScale', 'TooManyReplicas'],
    ['allow at least the minimum', { current: 2, desired: 0 }, 1, 'ReadyForNewScale', 'TooFewReplicas'],
    ['allow four replicas at once', { current: 1, desired: 5 }, 4, 'ReadyForNewScale', 'ScaleUpLimit'],
    ['allow twice the replicas at once', { current: 3, desired: 7 }, 6, 'ReadyForNewScale', 'ScaleUpLimit'],
    [
      'wait before removing',
      { current: 5, desired: 2, history: asked([299, 5]) },
      5,
      'ScaleDownStabilized',
      'DesiredWithinRange',
    ],
    [
      'remove after five minutes',
      { current: 5, desired: 2, history: asked([301, 5]) },
      2,
      'ReadyForNewScale',
      'DesiredWithinRange',
    ],
    ['follow a policy of Pods', { current: 3, desired: 9, behavior }, 5, 'ReadyForNewScale', 'ScaleUpLimit'],
    [
      'count earlier changes of the period',
      { current: 4, desired: 9, behavior, history: changed([59, 1]) },
      5,
      'ReadyForNewScale',
      'ScaleUpLimit',
    ],
    [
      'forget changes before the period',
      { current: 4, desired: 9, behavior, history: changed([60, 1]) },
      6,
      'ReadyForNewScale',
      'ScaleUpLimit',
    ],
    ['follow a percentage', { current: 9, desired: 1, behavior }, 4, 'ReadyForNewScale', 'ScaleDownLimit'],
    [
      'follow a disabled direction',
      { current: 9, desired: 1, behavior: { ...behavior, scaleDown: { ...percent(1), selectPolicy: 'Disabled' } } },
      9,
      'ReadyForNewScale',
      'ScaleDownLimit',
    ],
    [
      'wait before adding if a window requires that',
      {
        current: 2,
        desired: 4,
        behavior: { ...behavior, scaleUp: { ...pods(9), stabilizationWindowSeconds: 60 } },
        history: asked([30, 2]),
      },
      2,
      'ScaleUpStabilized',
      'DesiredWithinRange',
    ],
  ])('%s', (_, request, replicas, able, limited) => {
    const result = limit({ current: 1, desired: 1, min: 1, max: 10, history: NO_HISTORY, now: NOW, ...request });
    expect([result.replicas, result.able.reason, result.limited.reason]).toEqual([replicas, able, limited]);
  });
});

describe('an autoscaler', () => {
  const autoscaler = (spec: Partial<Autoscaler['spec']> = {}): Autoscaler => ({
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'h', namespace: 'ns' },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
      minReplicas: 2,
      maxReplicas: 4,
      metrics: [
        { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } },
      ],
      ...spec,
    },
  });
  const observed = (change: Partial<Observed> = {}): Observed => ({
    autoscaler: autoscaler(),
    scale: { replicas: 2, selector: 'app=d' },
    pods: [pod('a'), pod('b')],
    usage: [usage('a', '900m'), usage('b', '900m')],
    rivals: ['ns/h'],
    history: NO_HISTORY,
    now: NOW,
    ...change,
  });
  const missing = { failure: 'no metrics returned from resource metrics API' };
  test.each<[string, Observed, number | undefined, string[]]>([
    [
      'scales by its metric',
      observed(),
      4,
      [
        'AbleToScale=True ReadyForNewScale',
        'ScalingActive=True ValidMetricFound',
        'ScalingLimited=False DesiredWithinRange',
      ],
    ],
    [
      'raises the replicas to its minimum',
      observed({ scale: { replicas: 1, selector: 'app=d' } }),
      2,
      ['AbleToScale=True SucceededGetScale'],
    ],
    [
      'lowers the replicas to its maximum',
      observed({ scale: { replicas: 5, selector: 'app=d' } }),
      4,
      ['AbleToScale=True SucceededGetScale'],
    ],
    [
      'leaves a target with no replicas alone',
      observed({ scale: { replicas: 0, selector: 'app=d' } }),
      undefined,
      ['AbleToScale=True SucceededGetScale', 'ScalingActive=False ScalingDisabled'],
    ],
    [
      'reports a missing target',
      observed({ scale: { failure: 'not found' } }),
      undefined,
      ['AbleToScale=False FailedGetScale'],
    ],
    [
      'reports missing metrics',
      observed({ usage: missing }),
      undefined,
      ['AbleToScale=True SucceededGetScale', 'ScalingActive=False FailedGetResourceMetric'],
    ],
    [
      'reports a second autoscaler',
      observed({ rivals: ['ns/a', 'ns/h'] }),
      undefined,
      ['AbleToScale=True SucceededGetScale', 'ScalingActive=False AmbiguousSelector'],
    ],
    [
      'reports a missing selector',
      observed({ scale: { replicas: 2, selector: '' } }),
      undefined,
      ['AbleToScale=True SucceededGetScale', 'ScalingActive=False InvalidSelector'],
    ],
  ])('%s', (_, given, replicas, conditions) => {
    const { rescale, status } = decide(given);
    expect(rescale?.replicas).toBe(replicas);
    expect(status.conditions?.map(({ type, status: on, reason }) => `${type}=${on} ${reason}`)).toEqual(conditions);
  });

  test('reports the current metrics', () => {
    const { status } = decide(observed());
    expect(status).toMatchObject({
      currentReplicas: 2,
      desiredReplicas: 4,
      currentMetrics: [
        { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 90, averageValue: '900m' } } },
      ],
    });
  });

  test('scales by the metrics that work, but only up', () => {
    const unknown = { type: 'External', external: { metric: { name: 'm' }, target: { type: 'Value', value: '1' } } };
    const metrics = [unknown, ...autoscaler().spec.metrics!];
    const plan = decide(observed({ autoscaler: autoscaler({ metrics }) }));
    expect(plan.rescale?.replicas).toBe(4);
    const idle = observed({
      autoscaler: autoscaler({ metrics, minReplicas: 1 }),
      usage: [usage('a', '1m'), usage('b', '1m')],
    });
    expect(decide(idle).rescale).toBeUndefined();
    expect(decide(idle).status.conditions).toContainEqual(
      expect.objectContaining({ type: 'ScalingActive', status: 'False', reason: 'FailedGetExternalMetric' }),
    );
  });

  test('reports whether the target was scaled', () => {
    const plan = decide(observed());
    const scaled = afterRescale(autoscaler(), plan, undefined, NOW);
    expect(scaled.event).toEqual({
      type: 'Normal',
      reason: 'SuccessfulRescale',
      message: 'New size: 4; reason: cpu resource utilization (percentage of request) above target',
    });
    expect(scaled.status).toMatchObject({ desiredReplicas: 4, lastScaleTime: at(0) });
    const failed = afterRescale(autoscaler(), plan, 'no', NOW);
    expect(failed.event.reason).toBe('FailedRescale');
    expect(failed.status.conditions?.[0]).toMatchObject({ status: 'False', reason: 'FailedUpdateScale' });
  });
});
