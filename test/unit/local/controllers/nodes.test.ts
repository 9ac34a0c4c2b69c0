import type { Condition } from '../../../../src/api/meta';
import { evictionTime } from '../../../../src/local/controllers/nodes/eviction';
import { decide, disruption } from '../../../../src/local/controllers/nodes/health';
import { garbage } from '../../../../src/local/controllers/nodes/pod-gc';
import type { Node, Pod, Taint, Toleration } from '../../../../src/local/core-v1';

const NOW = Date.parse('2026-01-01T00:10:00Z');
const at = (secondsAgo: number): string => new Date(NOW - secondsAgo * 1000).toISOString().replace('.000Z', 'Z');

const node = (ready: Condition['status'] | undefined, taints: Taint[] = [], spec: Node['spec'] = {}): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'n', creationTimestamp: at(500) },
  spec: { ...spec, ...(taints.length ? { taints } : {}) },
  status: { conditions: ready ? [{ type: 'Ready', status: ready, reason: 'KubeletReady' }] : [] },
});

const noExecute = (key: string): Taint => ({ key: `node.kubernetes.io/${key}`, effect: 'NoExecute', timeAdded: at(0) });
const noSchedule = (key: string): Taint => ({
  key: `node.kubernetes.io/${key}`,
  effect: 'NoSchedule',
  timeAdded: at(0),
});

const healthy = { mayEvict: true, allDown: false };

describe('a node', () => {
  test.each<[string, Condition['status'] | undefined, number, string | undefined]>([
    ['is ready at the end of its time', 'True', 50_000, undefined],
    ['is unknown after its time', 'True', 50_001, 'NodeStatusUnknown'],
    ['that never reported has more time', undefined, 60_000, undefined],
    ['that never reported is unknown after that', undefined, 60_001, 'NodeStatusNeverUpdated'],
    ['stays unknown', 'Unknown', 99_999, 'KubeletReady'],
  ])('%s', (_, ready, silentMs, reason) => {
    const { conditions, lost } = decide({ node: node(ready), silentMs, ...healthy, now: NOW });
    expect(conditions?.find(({ type }) => type === 'Ready')?.reason).toBe(reason);
    expect(lost).toBe(reason === 'NodeStatusUnknown');
  });

  const foreign: Taint = { key: 'example.com/mine', effect: 'NoExecute' };
  test.each<[string, Node, { mayEvict: boolean; allDown: boolean }, Taint[] | undefined]>([
    ['has no taint when it is ready', node('True'), healthy, undefined],
    ['has no taint before its first report', node(undefined), healthy, undefined],
    ['keeps taints of others', node('True', [foreign]), healthy, undefined],
    ['loses its taints when it is ready', node('True', [noExecute('unreachable'), foreign]), healthy, [foreign]],
    ['is tainted when it is not ready', node('False'), healthy, [noSchedule('not-ready'), noExecute('not-ready')]],
    [
      'is tainted when it is unreachable',
      node('Unknown'),
      healthy,
      [noSchedule('unreachable'), noExecute('unreachable')],
    ],
    [
      'evicts nothing while most nodes are down',
      node('Unknown'),
      { mayEvict: false, allDown: false },
      [noSchedule('unreachable')],
    ],
    [
      'evicts nothing while all nodes are down',
      node('Unknown', [noExecute('unreachable')]),
      { mayEvict: false, allDown: true },
      [noSchedule('unreachable')],
    ],
    [
      'changes the kind of its taint',
      node('Unknown', [noSchedule('not-ready'), noExecute('not-ready')]),
      healthy,
      [noSchedule('unreachable'), noExecute('unreachable')],
    ],
    [
      'is tainted when it is cordoned',
      node('True', [], { unschedulable: true }),
      healthy,
      [noSchedule('unschedulable')],
    ],
    ['loses that taint when it is uncordoned', node('True', [noSchedule('unschedulable')]), healthy, []],
  ])('%s', (_, given, zone, want) => {
    expect(decide({ node: given, silentMs: 0, ...zone, now: NOW }).taints).toEqual(want);
  });

  const pressed: Taint = noSchedule('disk-pressure');
  test.each<[string, Taint[], [type: string, status: string][], Taint[] | undefined]>([
    ['has the taint of a pressure', [foreign], [['DiskPressure', 'True']], [foreign, pressed]],
    ['keeps the taint of a pressure that lasts', [pressed, foreign], [['DiskPressure', 'True']], undefined],
    ['loses the taint of a pressure that ended', [foreign, pressed], [['DiskPressure', 'False']], [foreign]],
    ['has no taint of a pressure in an unknown state', [], [['DiskPressure', 'Unknown']], undefined],
    [
      'has one taint per pressure',
      [noSchedule('memory-pressure')],
      [
        ['MemoryPressure', 'True'],
        ['DiskPressure', 'True'],
      ],
      [noSchedule('memory-pressure'), pressed],
    ],
    [
      'has no taint of a condition that is named like a property of objects',
      [foreign],
      [
        ['__proto__', 'True'],
        ['constructor', 'name'],
        ['DiskPressure', 'constructor'],
      ],
      undefined,
    ],
    ['keeps the key of a pressure with another effect', [{ ...pressed, effect: 'NoExecute' }], [], undefined],
  ])('%s', (_, taints, conditions, want) => {
    const given = node('True', taints);
    for (const [type, status] of conditions) {
      given.status!.conditions!.push({ type, status: status as Condition['status'] });
    }
    expect(decide({ node: given, silentMs: 0, ...healthy, now: NOW }).taints).toEqual(want);
  });
});

test.each<[down: number, of: number, allDown: boolean, mayEvict: boolean]>([
  [0, 1, false, true],
  [1, 1, true, false],
  [1, 2, false, true],
  [2, 3, false, true],
  [3, 4, false, false],
  [3, 6, false, true],
])('with %i of %i nodes down, all are down: %p, Pods may be evicted: %p', (down, of, allDown, mayEvict) => {
  const nodes = Array.from({ length: of }, (_, i) => node(i < down ? 'Unknown' : 'True'));
  expect(disruption(nodes)).toEqual({ allDown, mayEvict });
});

const pod = (name: string, spec: Partial<Pod['spec']> = {}, phase = 'Running', deleted = false): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, creationTimestamp: at(400), ...(deleted ? { deletionTimestamp: at(0) } : {}) },
  spec: { containers: [], ...spec },
  status: { phase: phase as NonNullable<Pod['status']>['phase'] },
});

const tolerating = (...tolerations: Toleration[]): Pod => pod('p', { tolerations });
const unreachable = { key: 'node.kubernetes.io/unreachable', operator: 'Exists' as const };

test.each<[string, Pod, Taint[], number | undefined]>([
  ['without taints never', pod('p'), [], undefined],
  ['without NoExecute taints never', pod('p'), [noSchedule('unreachable')], undefined],
  ['that tolerates nothing now', pod('p'), [noExecute('unreachable')], 0],
  ['that tolerates the taint never', tolerating(unreachable), [noExecute('unreachable')], undefined],
  [
    'that tolerates the taint for some time later',
    tolerating({ ...unreachable, tolerationSeconds: 300 }),
    [{ ...noExecute('unreachable'), timeAdded: at(100) }],
    200_000,
  ],
  [
    'that tolerates one of two taints now',
    tolerating(unreachable),
    [noExecute('unreachable'), noExecute('not-ready')],
    0,
  ],
  ['that tolerates no time now', tolerating({ ...unreachable, tolerationSeconds: -1 }), [noExecute('unreachable')], 0],
])('taints evict a Pod %s', (_, given, taints, want) => {
  expect(evictionTime(given, taints, NOW)).toBe(want === undefined ? undefined : NOW + want);
});

describe('garbage', () => {
  const names = (pods: Pod[], gone: string[] = [], most?: number): string[] =>
    garbage(
      pods,
      new Map([['n', node('False', [{ key: 'node.kubernetes.io/out-of-service', effect: 'NoExecute' }])]]),
      new Set(gone),
      most,
    ).map((found) => found.pod.metadata.name ?? '');

  test.each<[string, Pod, string[], boolean]>([
    ['keeps a Pod of a node', pod('p', { nodeName: 'n' }), [], false],
    ['keeps a Pod without node', pod('p'), [], false],
    ['deletes a Pod of a node that does not exist', pod('p', { nodeName: 'gone' }), ['gone'], true],
    ['keeps a Pod of a node that may exist', pod('p', { nodeName: 'gone' }), [], false],
    ['ends the deletion of a Pod without node', pod('p', {}, 'Pending', true), [], true],
    ['ends the deletion of a Pod of a node out of service', pod('p', { nodeName: 'n' }, 'Running', true), [], true],
  ])('%s', (_, given, gone, want) => {
    expect(names([given], gone)).toEqual(want ? ['p'] : []);
  });

  test('keeps only some Pods that have ended, evicted ones last', () => {
    const pods = [pod('b', {}, 'Succeeded'), pod('a', {}, 'Failed'), pod('c', {}, 'Failed')];
    pods[2]!.status!.reason = 'Evicted';
    expect(names(pods, [], 3)).toEqual([]);
    expect(names(pods, [], 2)).toEqual(['c']);
    expect(names(pods, [], 1)).toEqual(['c', 'a']);
  });
});
