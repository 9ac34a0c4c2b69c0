import { Size } from 'cdk8s';
import { PlatformSize } from '../../../../src';

const of = (nodes: number) => PlatformSize.forNodes(nodes);

test.each([
  [1, '50m'],
  [100, '50m'],
  [101, '500m'],
])('virt-controller of %d nodes requests %s of a CPU', (nodes, cpu) => {
  expect(of(nodes).virtController.cpuRequest).toBe(cpu);
});

test.each([
  [1, 1],
  [2, 2],
  [3, 2],
])('%d nodes have %d replicas of virt-controller', (nodes, replicas) => {
  expect(of(nodes).virtController.replicas).toBe(replicas);
});

test.each([
  [1, 1],
  [100, 2],
  [101, 3],
])('%d nodes have %d replicas of virt-api', (nodes, replicas) => {
  expect(of(nodes).virtApi.replicas).toBe(replicas);
});

test.each<[string, object, boolean]>([
  ['a limit below the request', { cpuRequest: '100m', cpuLimit: '99m' }, false],
  ['a limit of the request', { cpuRequest: '100m', cpuLimit: '100m' }, true],
  ['a limit above the request', { cpuRequest: '100m', cpuLimit: '101m' }, true],
  ['a memory limit of the request', { memoryLimit: Size.mebibytes(160) }, true],
  ['a memory limit below the request', { memoryLimit: Size.mebibytes(159) }, false],
  ['a request of nothing', { cpuRequest: '0' }, false],
  ['one replica', { replicas: 1 }, true],
  ['no replica', { replicas: 0 }, false],
])('%s: accepted is %s', (_, virtApi, accepted) => {
  const make = (): PlatformSize => PlatformSize.forNodes(3, { virtApi });
  if (accepted) expect(make().nodes).toBe(3);
  else expect(make).toThrow('PlatformSize.forNodes: virtApi.');
});
