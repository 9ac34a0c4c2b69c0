import type { DaemonSet } from '../../../../../src/local/controllers/apps-v1';
import { Backoff } from '../../../../../src/local/controllers/daemon-set/backoff';
import { decide, type Observed } from '../../../../../src/local/controllers/daemon-set/decide';
import { nodeOf, placement, templateFor } from '../../../../../src/local/controllers/daemon-set/nodes';
import type { Node, Pod, Taint } from '../../../../../src/local/core-v1';
import { NOW, pod, template, type PodFacts } from '../pods';

const set = (spec: Partial<DaemonSet['spec']> = {}, podSpec: object = {}): DaemonSet => {
  const base = template();
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'agent', namespace: 'default', uid: 'uid-agent', generation: 1 },
    spec: {
      selector: { matchLabels: { app: 'web' } },
      template: { ...base, spec: { ...base.spec, ...podSpec } },
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } },
      ...spec,
    },
  };
};

const node = (name: string, taints: Taint[] = [], labels = {}): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, labels },
  spec: { taints },
});

const on = (name: string, facts: PodFacts & { hash?: string } = {}): Pod =>
  pod({
    name: `on-${name}`,
    node: name,
    readyFor: 60,
    labels: { 'controller-revision-hash': facts.hash ?? 'new' },
    ...facts,
  });

const old = (name: string, facts: PodFacts = {}): Pod => on(name, { hash: 'old', ...facts });

function step(own: DaemonSet, nodes: Node[], pods: Pod[], more: Partial<Observed> = {}) {
  const decision = decide({ set: own, nodes, pods, hash: 'new', backoffMs: () => 0, now: NOW, ...more });
  return { ...decision, delete: decision.delete.map(({ metadata }) => metadata.name) };
}

const abc = ['a', 'b', 'c'].map((name) => node(name));
const surging = set({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } } });

test.each<[string, DaemonSet, Node[], Pod[], string[], string[]]>([
  ['creates a Pod on each node', set(), abc, [], ['a', 'b', 'c'], []],
  ['keeps one Pod per node', set(), [node('a')], [on('a')], [], []],
  [
    'deletes a younger second Pod',
    set(),
    [node('a')],
    [on('a', { age: 50 }), on('a', { name: 'older', age: 90 })],
    [],
    ['on-a'],
  ],
  ['replaces a Pod that has ended', set(), [node('a')], [on('a', { phase: 'Failed' })], [], ['on-a']],
  ['waits for a Pod that is being deleted', set(), [node('a')], [on('a', { deleting: true })], [], []],
  [
    'does not wait for one that has ended',
    set(),
    [node('a')],
    [on('a', { deleting: true, phase: 'Failed' })],
    ['a'],
    [],
  ],
  [
    'deletes Pods from nodes that do not fit',
    set({}, { nodeSelector: { disk: 'ssd' } }),
    [node('a')],
    [on('a')],
    [],
    ['on-a'],
  ],
  ['leaves assigned Pods of missing nodes to others', set(), [], [on('gone')], [], []],
])('%s', (_, own, nodes, pods, create, deleted) => {
  expect(step(own, nodes, pods)).toMatchObject({ create, delete: deleted });
});

test('deletes a Pod that waits for a missing node', () => {
  const waiting = on('', { name: 'waiting', phase: 'Pending' });
  waiting.spec.affinity = templateFor(set(), 'gone', 'new').spec!.affinity!;
  expect(nodeOf(waiting)).toBe('gone');
  expect(step(set(), [], [waiting]).delete).toEqual(['waiting']);
});

test('keeps a failed Pod for the time of the delay', () => {
  const failed = [on('a', { phase: 'Failed' })];
  expect(step(set(), [node('a')], failed, { backoffMs: () => 4000 })).toMatchObject({ delete: [], recheckMs: 4000 });
});

test('the delay doubles with each failure, and is forgotten after a long time', () => {
  const backoff = new Backoff();
  backoff.next('a', 0);
  expect(backoff.remaining('a', 0)).toBe(1000);
  backoff.next('a', 1000);
  expect([backoff.remaining('a', 1000), backoff.remaining('b', 1000)]).toEqual([2000, 0]);
  backoff.next('a', 10_000_000);
  expect(backoff.remaining('a', 10_000_000)).toBe(1000);
});

describe('a rolling update', () => {
  test.each<[string, DaemonSet, Pod[], string[], string[]]>([
    ['deletes one available Pod', set(), [old('a'), old('b'), old('c')], [], ['on-a']],
    ['waits for the new Pod', set(), [on('a', { readyFor: undefined }), old('b'), old('c')], [], []],
    ['continues when it is available', set(), [on('a'), old('b'), old('c')], [], ['on-b']],
    [
      'deletes Pods that are not available at once',
      set(),
      [old('a', { readyFor: undefined }), old('b', { readyFor: undefined }), old('c')],
      [],
      ['on-a', 'on-b'],
    ],
    [
      'deletes as many as may be missing',
      set({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '50%' } } }),
      [old('a'), old('b'), old('c')],
      [],
      ['on-a', 'on-b'],
    ],
    [
      'deletes nothing with OnDelete',
      set({ updateStrategy: { type: 'OnDelete' } }),
      [old('a'), old('b'), old('c')],
      [],
      [],
    ],
    ['with surge creates one Pod beside the old one', surging, [old('a'), old('b'), old('c')], ['a'], []],
    [
      'with surge waits for it',
      surging,
      [old('a'), on('a', { name: 'new-a', readyFor: undefined }), old('b'), old('c')],
      [],
      [],
    ],
    [
      'with surge deletes the old Pod then',
      surging,
      [old('a'), on('a', { name: 'new-a' }), old('b'), old('c')],
      [],
      ['on-a'],
    ],
    [
      'with surge replaces Pods that are not available at once',
      surging,
      [old('a', { readyFor: undefined }), old('b', { readyFor: undefined }), on('c')],
      ['a', 'b'],
      [],
    ],
  ])('%s', (_, own, pods, create, deleted) => {
    expect(step(own, abc, pods)).toMatchObject({ create, delete: deleted });
  });

  test('accepts Pods with the number of the template', () => {
    const own = set();
    own.metadata.annotations = { 'deprecated.daemonset.template.generation': '2' };
    const numbered = old('a');
    numbered.metadata.labels = { 'pod-template-generation': '2' };
    expect(step(own, [node('a')], [numbered]).delete).toEqual([]);
  });
});

test('the status counts nodes', () => {
  const nodes = [...abc, node('d', [{ key: 'x', effect: 'NoSchedule' }])];
  const pods = [on('a'), old('b', { readyFor: 5 }), on('d')];
  expect(step(set({ minReadySeconds: 10 }), nodes, pods).status).toMatchObject({
    desiredNumberScheduled: 3,
    currentNumberScheduled: 2,
    numberMisscheduled: 1,
    numberReady: 2,
    numberAvailable: 1,
    numberUnavailable: 2,
    updatedNumberScheduled: 1,
    observedGeneration: 1,
  });
});

describe('placement', () => {
  const taint = (key: string, effect: string): Taint => ({ key, effect });
  test.each<[string, Taint[], object, boolean, boolean]>([
    ['without taints', [], {}, true, true],
    ['with a taint', [taint('x', 'NoSchedule')], {}, false, true],
    ['with a taint that ends Pods', [taint('x', 'NoExecute')], {}, false, false],
    ['with a tolerated taint', [taint('x', 'NoExecute')], { tolerations: [{ operator: 'Exists' }] }, true, true],
    ['that is not ready', [taint('node.kubernetes.io/not-ready', 'NoExecute')], {}, true, true],
    ['that is cordoned', [taint('node.kubernetes.io/unschedulable', 'NoSchedule')], {}, true, true],
    ['without network', [taint('node.kubernetes.io/network-unavailable', 'NoSchedule')], {}, false, true],
    [
      'without network, for Pods of its own',
      [taint('node.kubernetes.io/network-unavailable', 'NoSchedule')],
      { hostNetwork: true },
      true,
      true,
    ],
    ['with another name', [], { nodeName: 'b' }, false, false],
    ['without the label', [], { nodeSelector: { constructor: 'x' } }, false, false],
  ])('a node %s', (_, taints, spec, runs, stays) => {
    expect(placement(set({}, spec), node('a', taints))).toEqual({ runs, stays });
  });
});

test('a Pod requires its node, and replaces other required affinity', () => {
  const affinity = {
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [] }] } },
  };
  const made = templateFor(set({}, { affinity }), 'a', 'new');
  expect(made.spec?.affinity).toEqual({
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['a'] }] }],
      },
    },
  });
  expect(made.metadata?.labels).toEqual({ app: 'web', 'controller-revision-hash': 'new' });
});
