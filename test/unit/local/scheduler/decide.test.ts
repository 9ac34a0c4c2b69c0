import { decide } from '../../../../src/local/scheduler/decide';
import type { Cluster } from '../../../../src/local/scheduler/decide';
import { podRequests } from '../../../../src/local/scheduler/requests';
import type { Node, Pod } from '../../../../src/local/core-v1';

const node = (name: string, change: (node: Node) => void = () => undefined): Node => {
  const made: Node = {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { 'kubernetes.io/hostname': name, zone: 'a' } },
    spec: {},
    status: { allocatable: { cpu: '2', memory: '4Gi', pods: '10', 'devices.kubevirt.io/kvm': '1' } },
  };
  change(made);
  return made;
};
const pod = (name: string, spec: Partial<Pod['spec']> = {}, labels = {}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default', uid: name, labels },
  spec: { containers: [{ name: 'c' }], ...spec },
});
const requesting = (requests: Record<string, string>) => ({ containers: [{ name: 'c', resources: { requests } }] });
const cluster = (change: Partial<Cluster> = {}): Cluster => ({
  nodes: [node('n1')],
  pods: [],
  claims: [],
  volumes: [],
  classes: [],
  namespaces: new Map([['default', { team: 'x' }]]),
  ...change,
});
const on = (name: string, other: Pod): Pod => ({ ...other, spec: { ...other.spec, nodeName: name } });
const verdict = (subject: Pod, where: Cluster): string => {
  const decision = decide(subject, where);
  return decision.do === 'bind' ? `bind ${decision.node}` : decision.message;
};
const affinity = (kind: 'podAffinity' | 'podAntiAffinity', key = 'kubernetes.io/hostname') => ({
  affinity: {
    [kind]: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { topologyKey: key, labelSelector: { matchLabels: { app: 'x' } } },
      ],
    },
  },
});
const claim = (spec = {}, status = {}) =>
  ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'data', namespace: 'default' },
    spec,
    status,
  }) as never;
const uses = { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }] };
const owned = (uid: string) =>
  ({
    metadata: { name: 'p-v', namespace: 'default', ownerReferences: [{ uid, controller: true }] },
    spec: {},
  }) as never;
const ephemeral = { volumes: [{ name: 'v', ephemeral: {} }] };
const lateClass = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: 'local' },
  provisioner: 'p',
  volumeBindingMode: 'WaitForFirstConsumer',
} as never;

const taint =
  (effect: string, key = 'k') =>
  (n: Node) =>
    void (n.spec = { taints: [{ key, value: 'v', effect }] });

test.each<[string, Pod, Cluster, string]>([
  ['an empty node takes a Pod', pod('p'), cluster(), 'bind n1'],
  ['no node at all', pod('p'), cluster({ nodes: [] }), 'no nodes available to schedule pods'],
  [
    'gates block',
    pod('p', { schedulingGates: [{ name: 'g' }] }),
    cluster(),
    'Scheduling is blocked due to non-empty scheduling gates',
  ],
  [
    'too much memory and cpu',
    pod('p', requesting({ memory: '5Gi', cpu: '3' })),
    cluster(),
    '0/1 nodes are available: 1 Insufficient cpu, 1 Insufficient memory.',
  ],
  [
    'the requests of other Pods count',
    pod('p', requesting({ memory: '3Gi' })),
    cluster({ pods: [on('n1', pod('q', requesting({ memory: '2Gi' })))] }),
    '0/1 nodes are available: 1 Insufficient memory.',
  ],
  [
    'an extended resource that is taken',
    pod('p', requesting({ 'devices.kubevirt.io/kvm': '1' })),
    cluster({ pods: [on('n1', pod('q', requesting({ 'devices.kubevirt.io/kvm': '1' })))] }),
    '0/1 nodes are available: 1 Insufficient devices.kubevirt.io/kvm.',
  ],
  [
    'an extended resource that no node has',
    pod('p', requesting({ 'x.y/z': '1' })),
    cluster(),
    '0/1 nodes are available: 1 Insufficient x.y/z.',
  ],
  [
    'reasons are counted over nodes',
    pod('p', requesting({ memory: '5Gi' })),
    cluster({ nodes: [node('n1'), node('n2'), node('n3', taint('NoSchedule'))] }),
    '0/3 nodes are available: 1 node(s) had untolerated taint {k: v}, 2 Insufficient memory.',
  ],
  [
    'a node selector',
    pod('p', { nodeSelector: { zone: 'b' } }),
    cluster(),
    "0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector.",
  ],
  [
    'a label that every JavaScript object seems to have',
    pod('p', {
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: 'constructor', operator: 'Exists' }] }],
          },
        },
      },
    }),
    cluster(),
    "0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector.",
  ],
  [
    'a topology key that every JavaScript object seems to have',
    pod('p', {
      topologySpreadConstraints: [
        { topologyKey: 'constructor', maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule', labelSelector: {} },
      ],
    }),
    cluster(),
    "0/1 nodes are available: 1 node(s) didn't match pod topology spread constraints (missing required label).",
  ],
  [
    'a cordoned node',
    pod('p'),
    cluster({ nodes: [node('n1', (n) => void (n.spec = { unschedulable: true }))] }),
    '0/1 nodes are available: 1 node(s) were unschedulable.',
  ],
  [
    'a tolerated taint',
    pod('p', { tolerations: [{ key: 'k', operator: 'Exists' }] }),
    cluster({ nodes: [node('n1', taint('NoSchedule'))] }),
    'bind n1',
  ],
  [
    'a toleration of another value',
    pod('p', { tolerations: [{ key: 'k', value: 'w' }] }),
    cluster({ nodes: [node('n1', taint('NoSchedule'))] }),
    '0/1 nodes are available: 1 node(s) had untolerated taint {k: v}.',
  ],
  [
    'a soft taint only lowers the score',
    pod('p'),
    cluster({ nodes: [node('n1', taint('PreferNoSchedule')), node('n2')] }),
    'bind n2',
  ],
  [
    'the emptier node wins',
    pod('p'),
    cluster({ nodes: [node('n1'), node('n2')], pods: [on('n1', pod('q', requesting({ memory: '1Gi' })))] }),
    'bind n2',
  ],
  [
    'anti-affinity keeps away',
    pod('p', affinity('podAntiAffinity')),
    cluster({ pods: [on('n1', pod('q', {}, { app: 'x' }))] }),
    "0/1 nodes are available: 1 node(s) didn't match pod anti-affinity rules.",
  ],
  [
    "others' anti-affinity keeps away",
    pod('p', {}, { app: 'x' }),
    cluster({ pods: [on('n1', pod('q', affinity('podAntiAffinity')))] }),
    "0/1 nodes are available: 1 node(s) didn't satisfy existing pods anti-affinity rules.",
  ],
  [
    'affinity needs company',
    pod('p', affinity('podAffinity')),
    cluster(),
    "0/1 nodes are available: 1 node(s) didn't match pod affinity rules.",
  ],
  ['affinity to itself starts a group', pod('p', affinity('podAffinity'), { app: 'x' }), cluster(), 'bind n1'],
  [
    'affinity follows the topology',
    pod('p', affinity('podAffinity', 'zone')),
    cluster({
      nodes: [node('n1'), node('n2', (n) => void (n.metadata.labels = { zone: 'b' }))],
      pods: [on('n2', pod('q', {}, { app: 'x' }))],
    }),
    'bind n2',
  ],
  [
    'a host port that is taken',
    pod('p', { containers: [{ name: 'c', ports: [{ containerPort: 80, hostPort: 80 }] }] }),
    cluster({
      pods: [on('n1', pod('q', { hostNetwork: true, containers: [{ name: 'c', ports: [{ containerPort: 80 }] }] }))],
    }),
    "0/1 nodes are available: 1 node(s) didn't have free ports for the requested pod ports.",
  ],
  ['a missing claim', pod('p', uses), cluster(), '0/1 nodes are available: persistentvolumeclaim "data" not found.'],
  [
    'an ephemeral volume without its claim',
    pod('p', ephemeral),
    cluster(),
    '0/1 nodes are available: waiting for ephemeral volume controller to create the persistentvolumeclaim "p-v".',
  ],
  [
    "an ephemeral volume with another Pod's claim",
    pod('p', ephemeral),
    cluster({ claims: [owned('other')] }),
    '0/1 nodes are available: PVC default/p-v was not created for pod default/p (pod is not owner).',
  ],
  [
    'an ephemeral volume with its unbound claim',
    pod('p', ephemeral),
    cluster({ claims: [owned('p')] }),
    '0/1 nodes are available: pod has unbound immediate PersistentVolumeClaims.',
  ],
  [
    'an unbound immediate claim',
    pod('p', uses),
    cluster({ claims: [claim({ storageClassName: 'x' })] }),
    '0/1 nodes are available: pod has unbound immediate PersistentVolumeClaims.',
  ],
  [
    'a claim that waits for its consumer',
    pod('p', uses),
    cluster({ claims: [claim({ storageClassName: 'local' })], classes: [lateClass] }),
    'bind n1',
  ],
  [
    'a volume of another node',
    pod('p', uses),
    cluster({
      claims: [claim({ volumeName: 'pv' }, { phase: 'Bound' })],
      volumes: [
        {
          metadata: { name: 'pv' },
          spec: {
            nodeAffinity: {
              required: {
                nodeSelectorTerms: [
                  { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: ['n2'] }] },
                ],
              },
            },
          },
        } as never,
      ],
    }),
    "0/1 nodes are available: 1 node(s) didn't match PersistentVolume's node affinity.",
  ],
])('%s', (_, subject, where, want) => expect(verdict(subject, where)).toBe(want));

test('the binding names the claims that are created', () => {
  const where = cluster({ claims: [claim({ storageClassName: 'local' })], classes: [lateClass] });
  expect(decide(pod('p', uses), where)).toEqual({ do: 'bind', node: 'n1', claims: ['data'] });
});

test('sidecars run beside all, init containers one by one', () => {
  const of = (memory: string, restartPolicy?: 'Always') => ({
    name: memory,
    restartPolicy,
    resources: { requests: { memory } },
  });
  const subject = pod('p', {
    initContainers: [of('10', 'Always'), of('100'), of('20', 'Always')],
    containers: [of('30')],
  });
  expect(podRequests(subject)).toEqual({ memory: 110 });
});

test('the work for a Pod grows with the nodes and Pods, and not with their product', () => {
  let reads = 0;
  const counted = (name: string, i: number): Pod => {
    const made = pod(name, requesting({ cpu: '10m' }));
    const spec = Object.defineProperty({ ...made.spec }, 'nodeName', {
      get: () => {
        reads += 1;
        return `n${i % 50}`;
      },
    });
    return { ...made, spec };
  };
  const nodes = Array.from({ length: 50 }, (_, i) => node(`n${i}`));
  const pods = Array.from({ length: 200 }, (_, i) => counted(`p${i}`, i));
  expect(verdict(pod('new', requesting({ cpu: '10m' })), cluster({ nodes, pods }))).toBe('bind n0');
  expect(reads).toBe(pods.length);
});
