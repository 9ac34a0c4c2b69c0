import type { VirtualMachineInstance } from '../../../../../src/api';
import { claimStatus, withClaimStatus } from '../../../../../src/runtime/controller/pod';
import type { Pod } from '../../../../../src/runtime/controller/pod';
import { instanceOf } from '../../../../../src/runtime/controller/virtual-machine/instance-of';
import { compute, config, configured, render, vm } from '../fixtures';
import type { Change } from '../fixtures';

const withoutImageVolumes = configured({ developerConfiguration: { disabledFeatureGates: ['ImageVolume'] } });

const volumes =
  (...list: NonNullable<VirtualMachineInstance['spec']['volumes']>): Change =>
  (v) => {
    v.spec.volumes = list;
    v.spec.domain.devices.disks = list.map(({ name }) => ({ name, disk: { bus: 'virtio' as const } }));
  };
const mountsOf = (pod: Pod, name: string) => compute(pod).volumeMounts?.filter((mount) => mount.name === name);

test('container disks are image volumes, by their place in the list', () => {
  const pod = render(
    volumes(
      { name: 'a', emptyDisk: { capacity: '1Gi' } },
      { name: 'b', containerDisk: { image: 'b:1', imagePullPolicy: 'Always', imagePullSecret: 's' } },
    ),
  );
  expect(pod.spec.volumes).toContainEqual({ name: 'b', image: { reference: 'b:1', pullPolicy: 'Always' } });
  expect(mountsOf(pod, 'b')).toEqual([
    { name: 'b', mountPath: '/var/run/kubevirt-image-volume/disk_1', readOnly: true },
  ]);
  expect(pod.spec.imagePullSecrets).toEqual([{ name: 's' }]);
  expect(pod.spec.initContainers?.map(({ name }) => name)).toEqual(['guest-console-log', 'volumeb']);
  expect(pod.spec.containers.map(({ name }) => name)).toEqual(['compute']);
});

test('without image volumes a side container holds each image, by a binary copied from the launcher', () => {
  const pod = render(volumes({ name: 'a', containerDisk: { image: 'a:1' } }), withoutImageVolumes);
  expect(pod.spec.initContainers?.map(({ name, image }) => `${name} ${image}`)).toEqual([
    'guest-console-log launcher:1',
    'container-disk-binary launcher:1',
    'volumea-init a:1',
  ]);
  const [, side] = pod.spec.containers;
  expect(side).toMatchObject({
    name: 'volumea',
    image: 'a:1',
    args: ['-P'],
  });
  expect(mountsOf(pod, 'container-disks')).toEqual([
    { name: 'container-disks', mountPath: '/var/run/kubevirt/container-disks', mountPropagation: 'HostToContainer' },
  ]);
  expect(compute(pod).args).not.toContain('--image-volume');
  expect(JSON.stringify(pod.spec.volumes)).not.toContain('"image"');
});

test('a kernel comes from its own image, either way', () => {
  const kernel: Change = (v) =>
    (v.spec.domain.firmware = { kernelBoot: { container: { image: 'k:1', kernelPath: '/k', initrdPath: '/i' } } });
  expect(mountsOf(render(kernel), 'kernel-boot-volume')).toEqual([
    { name: 'kernel-boot-volume', mountPath: '/var/run/kubevirt-kernel-boot', readOnly: true },
  ]);
  expect(render(kernel, withoutImageVolumes).spec.containers.map(({ name }) => name)).toContain(
    'volumekernel-boot-volume',
  );
});

test('claims are devices or file systems, as the claim is', () => {
  const change = volumes(
    { name: 'fs', persistentVolumeClaim: { claimName: 'a' } },
    { name: 'raw', dataVolume: { name: 'b' } },
    { name: 'base', ephemeral: { persistentVolumeClaim: { claimName: 'c', readOnly: true } } },
  );
  const claims = new Map<string, object>([
    ['a', {}],
    ['b', { volumeMode: 'Block' }],
    ['c', { volumeMode: 'Filesystem' }],
  ]);
  const pod = render(change, configured({}), claims);
  expect(mountsOf(pod, 'fs')).toEqual([{ name: 'fs', mountPath: '/var/run/kubevirt-private/vmi-disks/fs' }]);
  expect(compute(pod).volumeDevices).toEqual([{ name: 'raw', devicePath: '/dev/raw' }]);
  expect(pod.spec.volumes).toContainEqual({
    name: 'base',
    persistentVolumeClaim: { claimName: 'c', readOnly: true },
  });
});

test('hot-plugged claims are not in the launcher Pod', () => {
  const pod = render(volumes({ name: 'hot', persistentVolumeClaim: { claimName: 'a', hotpluggable: true } }));
  expect(pod.spec.volumes?.some(({ name }) => name === 'hot')).toBe(false);
  expect(mountsOf(pod, 'hotplug-disks')).toEqual([
    { name: 'hotplug-disks', mountPath: '/var/run/kubevirt/hotplug-disks', mountPropagation: 'HostToContainer' },
  ]);
});

test.each<[string, NonNullable<VirtualMachineInstance['spec']['volumes']>[number], object, string[]]>([
  [
    'cloud-init from Secrets',
    { name: 'c', cloudInitNoCloud: { secretRef: { name: 's' } } },
    { name: 'c-udata', secret: { secretName: 's' } },
    ['/var/run/kubevirt-private/secret/c/userdata', '/var/run/kubevirt-private/secret/c/userData'],
  ],
  [
    'network data',
    { name: 'c', cloudInitConfigDrive: { networkDataSecretRef: { name: 's' } } },
    { name: 'c-ndata', secret: { secretName: 's' } },
    ['/var/run/kubevirt-private/secret/c/networkdata', '/var/run/kubevirt-private/secret/c/networkData'],
  ],
  [
    'sysprep',
    { name: 'c', sysprep: { configMap: { name: 's' } } },
    { name: 'c', configMap: { name: 's' } },
    ['/var/run/kubevirt-private/sysprep/c'],
  ],
  [
    'a Secret',
    { name: 'c', secret: { secretName: 's', optional: true } },
    { name: 'c', secret: { secretName: 's', optional: true } },
    ['/var/run/kubevirt-private/secret/c'],
  ],
  [
    'a ConfigMap',
    { name: 'c', configMap: { name: 's' } },
    { name: 'c', configMap: { name: 's' } },
    ['/var/run/kubevirt-private/config-map/c'],
  ],
  [
    'the downward API',
    { name: 'c', downwardAPI: { fields: [{ path: 'x', fieldRef: { fieldPath: 'metadata.name' } }] } },
    { name: 'c', downwardAPI: { items: [{ path: 'x', fieldRef: { fieldPath: 'metadata.name' } }] } },
    ['/var/run/kubevirt-private/downwardapi/c'],
  ],
  [
    'a file of the host',
    { name: 'c', hostDisk: { path: '/data/disk.img', type: 'DiskOrCreate', capacity: '1Gi' } },
    { name: 'c', hostPath: { path: '/data', type: 'DirectoryOrCreate' } },
    ['/var/run/kubevirt-private/vmi-disks/c'],
  ],
])('%s', (_, volume, want, mounts) => {
  const pod = render(volumes(volume));
  const rendered = pod.spec.volumes?.find(({ name }) => name === (want as { name: string }).name);
  expect(rendered).toEqual(want);
  expect(mountsOf(pod, rendered?.name ?? '')?.map(({ mountPath }) => mountPath)).toEqual(mounts);
});

test('cloud-init given inline needs nothing of the Pod', () => {
  const pod = render(volumes({ name: 'c', cloudInitNoCloud: { userData: '#cloud-config' } }));
  expect(JSON.stringify(pod)).not.toContain('"c"');
});

test('a ServiceAccount volume makes the Pod run as that account', () => {
  const pod = render(volumes({ name: 'sa', serviceAccount: { serviceAccountName: 'robot' } }));
  expect(pod.spec).toMatchObject({ serviceAccountName: 'robot', automountServiceAccountToken: true });
});

test('users of one access credential share its volume', () => {
  const source = { secret: { secretName: 'keys' } };
  const pod = render((v) => {
    v.spec.accessCredentials = [
      { sshPublicKey: { source, propagationMethod: { noCloud: {} } } },
      { userPassword: { source, propagationMethod: { qemuGuestAgent: {} } } },
    ];
  });
  expect(pod.spec.volumes?.filter(({ name }) => name === 'keys-access-cred')).toHaveLength(1);
});

test('a VMI reports the access modes of its claims from its creation by a VM', () => {
  const claims = new Map([['data', { accessModes: ['ReadWriteMany'], requests: { storage: '1Gi' } }]]);
  const made = instanceOf(
    vm(
      'Always',
      (v) => (v.spec.template.spec!.volumes = [{ name: 'root', persistentVolumeClaim: { claimName: 'data' } }]),
    ),
    false,
    { claims, config },
  );
  const status = [
    {
      name: 'root',
      target: '',
      persistentVolumeClaimInfo: {
        claimName: 'data',
        volumeMode: 'Filesystem',
        accessModes: ['ReadWriteMany'],
        requests: { storage: '1Gi' },
        filesystemOverhead: '0.06',
      },
    },
  ];
  expect(made.status?.volumeStatus).toEqual(status);
  expect(claimStatus(made.spec, new Map())).toEqual([]);
});

test('a claim that has grown changes the recorded status, and what others have recorded stays', () => {
  const spec = { volumes: [{ name: 'root', persistentVolumeClaim: { claimName: 'data' } }] };
  const at = (storage: string) =>
    claimStatus(spec, new Map([['data', { volumeMode: 'Block' as const, capacity: { storage } }]]));
  const [before] = at('1Gi');
  const recorded = [
    { ...before!, target: 'vda', size: 1 },
    { name: 'plugged', target: 'sda' },
  ];
  expect(withClaimStatus(recorded, at('1Gi'))).toBeUndefined();
  expect(withClaimStatus(recorded, [])).toBeUndefined();
  expect(withClaimStatus(recorded, at('2Gi'))).toEqual([
    { ...at('2Gi')[0], target: 'vda', size: 1 },
    { name: 'plugged', target: 'sda' },
  ]);
  expect(withClaimStatus([], at('1Gi'))).toEqual(at('1Gi'));
});
