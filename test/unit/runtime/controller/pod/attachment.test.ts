import { renderAttachmentPod } from '../../../../../src/runtime/controller/pod';
import type { AttachmentInput } from '../../../../../src/runtime/controller/pod';
import { configured, render, stored } from './fixtures';

const attach = (more: Partial<AttachmentInput> = {}) => {
  const launcherPod = render();
  launcherPod.metadata.uid = 'pod-uid';
  launcherPod.spec.nodeName = 'n1';
  return renderAttachmentPod({
    vmi: stored(),
    config: configured({}),
    launcherImage: 'launcher:1',
    launcherPod,
    volumes: [
      { name: 'fs', persistentVolumeClaim: { claimName: 'a', hotpluggable: true } },
      { name: 'raw', dataVolume: { name: 'b', hotpluggable: true } },
      { name: 'dump', memoryDump: { claimName: 'c' } },
      { name: 'other', emptyDisk: { capacity: '1Gi' } },
    ],
    claims: new Map([
      ['a', { uid: 'ua' }],
      ['b', { uid: 'ub', volumeMode: 'Block' }],
    ]),
    ...more,
  });
};

test('it brings the claims to the launcher’s node, and ends with the launcher', () => {
  const pod = attach();
  expect(pod.metadata).toMatchObject({
    namespace: 'web',
    labels: { 'kubevirt.io': 'hotplug-disk' },
    annotations: { 'kubevirt.io/owner-vmi-name': 'fedora', 'kubevirt.io/owner-vmi-uid': 'vmi-uid' },
    ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', uid: 'pod-uid', controller: true }],
  });
  expect(pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms).toEqual([
    { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: ['n1'] }] },
  ]);
  expect(pod.spec.volumes).toEqual([
    { name: 'hotplug-disks', emptyDir: {} },
    { name: 'fs', persistentVolumeClaim: { claimName: 'a' } },
    { name: 'raw', persistentVolumeClaim: { claimName: 'b' } },
    { name: 'dump', persistentVolumeClaim: { claimName: 'c' } },
  ]);
  expect(pod.spec.terminationGracePeriodSeconds).toBe(0);
});

test('file systems are mounted, block devices are where the handler looks by the claim’s uid', () => {
  const [container] = attach().spec.containers;
  expect(container).toMatchObject({
    name: 'hotplug-disk',
    image: 'launcher:1',
    resources: { limits: { cpu: '100m', memory: '80M' }, requests: { cpu: '10m', memory: '2M' } },
    volumeDevices: [{ name: 'raw', devicePath: '/path/raw/ub' }],
    volumeMounts: [
      { name: 'hotplug-disks', mountPath: '/path', mountPropagation: 'HostToContainer' },
      { name: 'fs', mountPath: '/fs' },
    ],
  });
});

test('a file system that the guest has is not mounted again', () => {
  const vmi = stored(
    (v) => (v.status!.volumeStatus = [{ name: 'fs', target: 'sda', phase: 'Ready', hotplugVolume: {} }]),
  );
  const [container] = attach({ vmi }).spec.containers;
  expect(container.volumeMounts?.map(({ name }) => name)).toEqual(['hotplug-disks']);
});

test('another set of volumes is another Pod', () => {
  const names = [attach(), attach(), attach({ volumes: [] })].map(({ metadata }) => metadata.name);
  expect(names[0]).toMatch(/^hp-volume-.{5}$/);
  expect(names[1]).toBe(names[0]);
  expect(names[2]).not.toBe(names[0]);
});

test('tolerates problems of the guest’s node, and the launcher’s tolerations, without duplicates', () => {
  const launcherPod = render(
    (v) =>
      (v.spec.tolerations = [
        { key: 'mine', operator: 'Exists' },
        { key: 'node.kubernetes.io/disk-pressure', operator: 'Exists', effect: 'NoSchedule' },
      ]),
  );
  expect(attach({ launcherPod }).spec.tolerations?.map(({ key }) => key)).toEqual([
    'mine',
    'node.kubernetes.io/disk-pressure',
    'node.kubernetes.io/memory-pressure',
    'node.kubernetes.io/network-unavailable',
    'node.kubernetes.io/pid-pressure',
    'node.kubernetes.io/unschedulable',
  ]);
});

test.each([
  [{}, { level: 's0' }],
  [{ selinuxContext: 'none' }, { level: 's0' }],
  [{ selinuxContext: 'u:r:t:s0:c1,c2' }, { level: 's0:c1,c2' }],
  [{ migrationState: { sourceState: { selinuxContext: 'u:r:t:s0:c3' } } }, { level: 's0:c3' }],
])('its files have the launcher’s SELinux level: %j', (status, want) => {
  const vmi = stored((v) => Object.assign(v.status!, status));
  expect(attach({ vmi }).spec.containers[0].securityContext?.seLinuxOptions).toEqual(want);
});
