import type { VirtualMachineInstance, VolumeStatus } from '../../../../../src/api';
import { attachmentPodName } from '../../../../../src/api/attachment-name';
import { pluggedVolumes, releasedVolumes } from '../../../../../src/runtime/handler/hotplug/plan';
import { hotplugProblem, hotplugStatus } from '../../../../../src/runtime/handler/hotplug/status';
import type { PodFacts } from '../../../../../src/runtime/handler/instance/observed';
import type { Pod } from '../../../../../src/runtime/handler/kube-types';

const launcher = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'launcher', namespace: 'web', uid: 'l-1' },
  spec: { containers: [] },
} as Pod;
const vmi = (volumes: string[], volumeStatus: VolumeStatus[] = []): VirtualMachineInstance =>
  ({
    metadata: { name: 'vm', namespace: 'web' },
    spec: {
      domain: { devices: {} },
      volumes: volumes.map((name) => ({ name, persistentVolumeClaim: { claimName: `c-${name}`, hotpluggable: true } })),
    },
    status: { volumeStatus },
  }) as VirtualMachineInstance;

const attachment = (name: string, change: (pod: Pod) => void = () => undefined): Pod => {
  const pod: Pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: attachmentPodName('l-1', [{ name, claimName: `c-${name}` }]),
      namespace: 'web',
      uid: `p-${name}`,
      ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'launcher', uid: 'l-1', controller: true }],
    },
    spec: { containers: [{ name: 'hotplug-disk' }] },
    status: {
      containerStatuses: [{ name: 'hotplug-disk', containerID: 'crun://abcdef0123456789', state: { running: {} } }],
    },
  };
  change(pod);
  return pod;
};
const names = (pods: Pod[], wanted = ['a']): string[] =>
  pluggedVolumes(vmi(wanted), launcher, pods).map(({ name }) => name);

test.each<[string, Pod, string[]]>([
  ['a running attachment Pod provides its volume', attachment('a'), ['a']],
  ['one that is being deleted does not', attachment('a', (pod) => (pod.metadata.deletionTimestamp = 'now')), []],
  ['one of another namespace does not', attachment('a', (pod) => (pod.metadata.namespace = 'other')), []],
  ['one of another launcher does not', attachment('a', (pod) => (pod.metadata.ownerReferences![0].uid = 'x')), []],
  ['one of another name does not', attachment('a', (pod) => (pod.metadata.name = 'hp-volume-mine')), []],
  ['one that does not run does not', attachment('a', (pod) => (pod.status = {})), []],
])('%s', (_, pod, expected) => {
  expect(names([pod])).toEqual(expected);
});

test('a block volume is at the path of its device', () => {
  const pod = attachment('a', ({ spec }) => {
    spec.containers[0].volumeDevices = [{ name: 'a', devicePath: '/path/a/uid' }];
  });
  expect(pluggedVolumes(vmi(['a']), launcher, [pod])).toMatchObject([{ isBlock: true, place: ['path', 'a', 'uid'] }]);
});

test('a volume is released when neither VMI nor guest have it', () => {
  const facts = {
    plugged: ['a', 'b', 'c'],
    domain: { volumes: [{ name: 'b', target: 'sda' }] },
  } as unknown as PodFacts;
  expect(releasedVolumes(vmi(['a']), facts)).toEqual(['c']);
});

const domain = (attached: boolean, problem?: object) =>
  ({ volumes: attached ? [{ name: 'a', target: 'sda' }] : [], volumeProblems: problem ? [problem] : [] }) as never;
const failed = { name: 'a', reason: 'DetachFailed', message: 'not released' };
const status = (phase: VolumeStatus['phase']): VolumeStatus => ({ name: 'a', target: '', phase, hotplugVolume: {} });

test.each<[string, string[], Partial<PodFacts>, VolumeStatus, object]>([
  ['mounted', ['a'], { plugged: ['a'], domain: domain(false) }, status('AttachedToNode'), { phase: 'MountedToPod' }],
  ['ready', ['a'], { plugged: ['a'], domain: domain(true) }, status('MountedToPod'), { phase: 'Ready' }],
  [
    'ready although a report omits it',
    ['a'],
    { plugged: ['a'], domain: domain(false) },
    status('Ready'),
    { phase: 'Ready' },
  ],
  ['the controller writes the phases before', ['a'], { plugged: [] }, status('Bound'), { phase: 'Bound' }],
  ['detaching', [], { plugged: ['a'], domain: domain(true) }, status('Ready'), { phase: 'Detaching' }],
  ['still mounted', [], { plugged: ['a'], domain: domain(false) }, status('Detaching'), { phase: 'Detaching' }],
  ['not known yet after a restart', [], { domain: domain(false) }, status('Detaching'), { phase: 'Detaching' }],
  ['unmounted', [], { plugged: [], domain: domain(false) }, status('Detaching'), { phase: 'UnMountedFromPod' }],
  [
    'not released by the guest',
    [],
    { plugged: ['a'], domain: domain(true, failed) },
    status('Ready'),
    { phase: 'Detaching', reason: 'DetachFailed', message: 'not released' },
  ],
])('a volume is %s', (_, wanted, facts, old, expected) => {
  expect(hotplugStatus(vmi(wanted), facts, launcher, [attachment('a')], old, 0)).toMatchObject(expected);
});

test('a failure is a problem of the instance, the normal course is not', () => {
  expect(hotplugProblem([{ ...status('Ready'), reason: 'VolumeReady' }])).toBeUndefined();
  expect(hotplugProblem([{ ...status('Pending'), reason: 'DataVolumePending', message: 'x' }])).toBeUndefined();
  const problem = { reason: 'FailedPvcNotFound', message: 'missing' };
  expect(hotplugProblem([{ ...status('Pending'), ...problem }])).toEqual(problem);
});
