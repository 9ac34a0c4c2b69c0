import { podProblem, whyEnded } from '../../../../../src/runtime/controller/instance/pod-problem';
import type { Node } from '../../../../../src/runtime/controller/instance/observed';
import type { VirtualMachineInstance } from '../../../../../src/api';
import { ago, condition, config, node, pod, vmi } from '../fixtures';

const unplaced = {
  conditions: [condition('PodScheduled', 'False', 'Unschedulable', '0/2 nodes are available: too bad.')],
};
const says = (change: (v: VirtualMachineInstance) => void, nodes: Node[]): string | undefined =>
  podProblem(pod(unplaced, undefined, vmi({}, change)), nodes, config)?.message;

const memory = (size: string) => (n: Node) => void (n.status!.allocatable!.memory = size);
/** A list of this many machine types. */
const machineTypes = (count: number) => (n: Node) => {
  const types = Array.from({ length: count }, (_, i) => [`machine-type.node.kubevirt.io/m${i}`, 'true']);
  n.metadata.labels = {
    'kubevirt.io/schedulable': 'true',
    'kubernetes.io/arch': 'amd64',
    ...Object.fromEntries(types),
  };
};

test.each<[string, (v: VirtualMachineInstance) => void, Node[], RegExp]>([
  ['no node at all', () => {}, [], /^the cluster has no node: 0\/2 nodes are available: too bad; add one$/],
  [
    'a machine type',
    (v) => (v.spec.domain.machine = { type: 'pc-q35-99' }),
    [node()],
    /^no node offers machine type "pc-q35-99" \(offered: pc-q35-10.0, q35\); choose another in spec.domain.machine.type/,
  ],
  [
    'a CPU model',
    (v) => (v.spec.domain.cpu = { model: 'Penryn' }),
    [node()],
    /^no node offers CPU model "Penryn"; choose/,
  ],
  [
    'a label of the user',
    (v) => (v.spec.nodeSelector = { rack: '7' }),
    [node()],
    /^no node has the label rack=7; set it on a node, or change spec.nodeSelector$/,
  ],
  [
    'room on its disk',
    () => {},
    [node('n1', (n) => (n.status!.conditions = [condition('DiskPressure', 'True')]))],
    /^the disk of node "n1" is nearly full; free space there/,
  ],
  [
    'KVM',
    () => {},
    [node('n1', (n) => delete n.status?.allocatable?.['devices.kubevirt.io/kvm'])],
    /^no node has a usable \/dev\/kvm; enable hardware virtualization/,
  ],
  [
    'memory',
    (v) => (v.spec.domain.memory = { guest: '20Gi' }),
    [node(), node('n2', (n) => (n.status!.allocatable!.memory = '8Gi'))],
    /needs 20768Mi .* the largest node, "n1", has 16Gi; lower spec.domain.memory.guest/,
  ],
  [
    'memory, by one MiB',
    (v) => (v.spec.domain.memory = { guest: '20Gi' }),
    [node('n1', memory('20767Mi')), node('n2', memory('8Gi'))],
    /needs 20768Mi .* the largest node, "n1", has 20767Mi;/,
  ],
  [
    'nothing of memory that just fits',
    (v) => (v.spec.domain.memory = { guest: '20Gi' }),
    [node('n1', memory('8Gi')), node('n2', memory('20768Mi'))],
    /^no node can run the Pod now/,
  ],
  [
    'nothing that one of two nodes has',
    (v) => (v.spec.nodeSelector = { rack: '7' }),
    [
      node('n1', (n) => {
        delete n.status?.allocatable?.['devices.kubevirt.io/kvm'];
        delete n.status?.allocatable?.['devices.kubevirt.io/tun'];
        n.status!.conditions = [condition('DiskPressure', 'True')];
      }),
      node('n2', (n) => (n.metadata.labels!.rack = '7')),
    ],
    /^no node can run the Pod now/,
  ],
  [
    'room on the disks of several nodes',
    () => {},
    ['n1', 'n2'].map((name) => node(name, (n) => (n.status!.conditions = [condition('DiskPressure', 'True')]))),
    /^the disks of all nodes \("n1", "n2" …\) are nearly full;/,
  ],
  [
    'KVM, with the cause from the node',
    () => {},
    [
      node('n1', (n) => {
        delete n.status?.allocatable?.['devices.kubevirt.io/kvm'];
        n.metadata.annotations = { 'virt8s.io/kvm-unusable': 'a vCPU hung' };
      }),
    ],
    /^no node has a usable \/dev\/kvm \(n1: a vCPU hung\); enable/,
  ],
  [
    'a handler',
    () => {},
    [node('n1', (n) => delete n.metadata.labels?.['kubevirt.io/schedulable'])],
    /^no node is ready for VMs: virt-handler does not run on any of them/,
  ],
  [
    'one of twelve machine types',
    (v) => (v.spec.domain.machine = { type: 'none' }),
    [node('n1', machineTypes(12))],
    /\(offered: (m\d+, ){11}m\d+\);/,
  ],
  [
    'one of thirteen machine types',
    (v) => (v.spec.domain.machine = { type: 'none' }),
    [node('n1', machineTypes(13))],
    /\(offered: (m\d+, ){11}m\d+ …\);/,
  ],
  [
    'a device',
    () => {},
    [node('n1', (n) => delete n.status?.allocatable?.['devices.kubevirt.io/tun'])],
    /^no node offers devices.kubevirt.io\/tun; virt-handler or the device's plugin must run/,
  ],
  [
    'huge pages',
    (v) => (v.spec.domain.memory = { guest: '1Gi', hugepages: { pageSize: '2Mi' } }),
    [node()],
    /^no node offers hugepages-2Mi; reserve/,
  ],
  [
    'anything else',
    () => {},
    [node()],
    /^no node can run the Pod now: 0\/2 nodes are available: too bad; it will start automatically/,
  ],
])('a VM that no node can run gets cause and remedy: %s', (_, change, nodes, want) => {
  expect(says(change, nodes)).toMatch(want);
});

test.each([
  ['ErrImagePull', 'ErrImagePull'],
  ['ImagePullBackOff', 'ImagePullBackOff'],
  ['InvalidImageName', 'ErrImagePull'],
  ['ErrImageNeverPull', 'ErrImagePull'],
  ['CreateContainerConfigError', 'FailedContainer'],
])('a container that waits for %s is a problem of kind %s', (waiting, reason) => {
  const status = {
    containerStatuses: [{ name: 'compute', image: 'x:1', state: { waiting: { reason: waiting, message: 'said so' } } }],
  };
  expect(podProblem(pod(status), [node()], config)).toEqual({
    reason,
    message: expect.stringMatching(/compute.*: said so; \w+/),
  });
});

test('a Pod whose scheduling is gated is on its way', () => {
  const gated = { conditions: [condition('PodScheduled', 'False', 'SchedulingGated', 'waits')] };
  expect(podProblem(pod(gated), [node()], config)).toBeUndefined();
});

test('a Pod that the scheduler rejects without a message is reported', () => {
  const mute = { conditions: [{ type: 'PodScheduled', status: 'False' as const, reason: 'Unschedulable' }] };
  expect(podProblem(pod(mute), [], config)?.message).toBe('the cluster has no node; add one');
});

test('a container that runs does not hide one that waits', () => {
  const containerStatuses = [
    { name: 'compute', state: { running: { startedAt: ago(5) } } },
    { name: 'volumeroot', state: { waiting: { reason: 'ErrImagePull' } } },
  ];
  expect(podProblem(pod({ containerStatuses }), [node()], config)?.message).toBe(
    'image of container "volumeroot" cannot be pulled; correct the reference, make the image available, or name its ' +
      'imagePullSecret (the kubelet retries the pull automatically)',
  );
});

test('a container that is being created is not a problem', () => {
  const status = { containerStatuses: [{ name: 'compute', state: { waiting: { reason: 'ContainerCreating' } } }] };
  expect(podProblem(pod(status), [node()], config)).toBeUndefined();
});

test('the end of a Pod is explained by the component that ended it, or by the last output of the failed container', () => {
  expect(whyEnded(pod({ phase: 'Failed', reason: 'Evicted', message: 'The node was low on memory.' }))).toMatch(
    /was ended \(Evicted\): The node was low on memory$/,
  );
  const state = (exitCode: number, message?: string, reason?: string) => ({
    terminated: { exitCode, message, reason },
  });
  expect(
    whyEnded(
      pod({ phase: 'Failed', containerStatuses: [{ name: 'compute', state: state(2, 'a\nb\nc\nd\n', 'Error') }] }),
    ),
  ).toMatch(/^container "compute" of Pod "virt-launcher-fedora-.{5}" ended with exit code 2: b \| c \| d$/);
  expect(
    whyEnded(pod({ phase: 'Failed', containerStatuses: [{ name: 'compute', state: state(137, '', 'OOMKilled') }] })),
  ).toMatch(/exit code 137, OOMKilled$/);
  expect(whyEnded(pod({ phase: 'Succeeded' }))).toMatch(/ended with phase Succeeded$/);
});

test('of several containers that wait for one image, the one of that image is reported', () => {
  const waiting = { reason: 'ErrImagePull', message: 'failed to pull image "disk:9": unknown' };
  const status = {
    initContainerStatuses: [
      { name: 'guest-console-log', image: 'launcher:1', state: { waiting } },
      { name: 'volumeroot', image: 'disk:9', state: { waiting } },
    ],
  };
  expect(podProblem(pod(status), [node()], config)?.message).toMatch(
    /^image "disk:9" of container "volumeroot" cannot/,
  );
});

test('a full disk is reported as its own cause, on one line', () => {
  const waiting = { reason: 'ErrImagePull', message: 'failed to unpack:\ntar: a: No space left on device\n' };
  const status = { initContainerStatuses: [{ name: 'volumeroot', image: 'a:1', state: { waiting } }] };
  expect(podProblem(pod(status), [node()], config)?.message).toBe(
    'image "a:1" of container "volumeroot" cannot be pulled: failed to unpack: | tar: a: No space left on device; ' +
      'free space on the disk of the node (it is retried automatically)',
  );
});
