import { type Chart, Duration, Size } from 'cdk8s';
import {
  GuestAutoscaler,
  type GuestAutoscalingOptions,
  VirtualMachinePool,
  VirtualMachineReplicaSet,
} from '../../../../src';
import { mistakeOf, synthMistake, testChart } from '../fixtures';

const pool = (chart = testChart(), replicas?: number) =>
  new VirtualMachinePool(chart, 'pool', { replicas, memory: Size.gibibytes(1) });
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- manifests of several kinds
const manifest = ({ apiObject }: { readonly apiObject: { toJson(): unknown } }): any => apiObject.toJson();

test('a pool with an autoscaler leaves its replicas out', () => {
  const chart = testChart();
  const vms = pool(chart);
  expect(manifest(pool(testChart(), 2)).spec.replicas).toBe(2);
  const scaler = vms.autoscale('load', {
    min: 2,
    max: 10,
    cpuUsage: 0.7,
    memoryUtilization: 80,
    scaleDownStabilization: Duration.minutes(10),
  });
  expect(manifest(vms).spec).not.toHaveProperty('replicas');
  expect(manifest(scaler)).toMatchObject({
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    spec: {
      scaleTargetRef: { apiVersion: 'pool.kubevirt.io/v1beta1', kind: 'VirtualMachinePool', name: vms.name },
      minReplicas: 2,
      maxReplicas: 10,
      metrics: [
        { type: 'Resource', resource: { name: 'cpu', target: { type: 'AverageValue', averageValue: '700m' } } },
        { type: 'Resource', resource: { name: 'memory', target: { type: 'Utilization', averageUtilization: 80 } } },
      ],
      behavior: { scaleDown: { stabilizationWindowSeconds: 600 } },
    },
  });
  expect(synthMistake(chart)).toBe('nothing was thrown');
});

test('an autoscaler of a replica set is in the namespace of the set', () => {
  const chart = testChart();
  const set = new VirtualMachineReplicaSet(chart, 'set', {
    memory: Size.gibibytes(1),
    metadata: { namespace: 'shop' },
  });
  const scaler = new GuestAutoscaler(chart, 'load', { target: set, max: 5, cpuUtilization: 500 });
  expect(manifest(set).spec).not.toHaveProperty('replicas');
  expect(manifest(scaler)).toMatchObject({
    metadata: { namespace: 'shop' },
    spec: { minReplicas: 1, scaleTargetRef: { apiVersion: 'kubevirt.io/v1', name: set.name } },
  });
});

test.each<[string, (chart: Chart) => unknown]>([
  ['a pool', (chart) => pool(chart, 2).autoscale('load', { min: 1, max: 5, cpuUsage: 1 })],
  [
    'a replica set',
    (chart) => {
      const target = new VirtualMachineReplicaSet(chart, 'set', { replicas: 2, memory: Size.gibibytes(1) });
      return new GuestAutoscaler(chart, 'load', { target, max: 5, cpuUsage: 1 });
    },
  ],
])('reports the replicas of %s that is scaled', (_, declare) => {
  const chart = testChart();
  declare(chart);
  expect(synthMistake(chart)).toContain('replicas (spec.replicas): HorizontalPodAutoscaler "');
  expect(synthMistake(chart)).toContain('leave replicas out [replicas-autoscaled]');
});

test.each<[string, GuestAutoscalingOptions, string]>([
  ['a maximum below the minimum', { min: 3, max: 2, cpuUsage: 1 }, 'max (spec.maxReplicas): '],
  ['a minimum of no guests', { min: 0, max: 2, cpuUsage: 1 }, 'min (spec.minReplicas): '],
  ['a missing measure', { max: 2 }, 'no metric shows when guests are busy'],
  ['a load of zero', { max: 2, cpuUsage: 0 }, '0m is not a valid load'],
  [
    'a stabilization of a day',
    { max: 2, cpuUsage: 1, scaleUpStabilization: Duration.days(1) },
    'scaleUpStabilization (spec.behavior.scaleUp',
  ],
])('rejects %s', (_, options, message) => {
  expect(mistakeOf(() => pool().autoscale('load', options))).toContain(message);
});

test.each([
  ['a share', { cpuUtilization: 0.7 }, 'use whole percent, such as 70'],
  ['no amount', { cpuUsage: 0 }, 'use an amount greater than 0'],
])('says how to correct %s', (_, measure, remedy) => {
  expect(mistakeOf(() => pool().autoscale('load', { max: 5, ...measure }))).toContain(remedy);
});
