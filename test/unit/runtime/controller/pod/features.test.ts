import { missingStateClaim } from '../../../../../src/runtime/controller/pod';
import { compute, configured, inputOf, mountsOf, render, stored, volumeOf, withGates } from './fixtures';
import type { Change } from './fixtures';

test('huge pages are mounted for QEMU, both where it looks and where libvirt puts them', () => {
  const pod = render((v) => (v.spec.domain.memory = { guest: '1Gi', hugepages: { pageSize: '2Mi' } }));
  expect(volumeOf(pod, 'hugepages')?.emptyDir).toEqual({ medium: 'HugePages' });
  expect(volumeOf(pod, 'hugetblfs-dir')?.emptyDir).toEqual({ medium: 'HugePages' });
  expect(mountsOf(pod, 'hugetblfs-dir')?.[0].mountPath).toBe('/dev/hugepages/libvirt/qemu');
});

test('disks can be hotplugged unless the VM disables it', () => {
  expect(mountsOf(render(), 'hotplug-disks')).toEqual([
    { name: 'hotplug-disks', mountPath: '/var/run/kubevirt/hotplug-disks', mountPropagation: 'HostToContainer' },
  ]);
  const pod = render((v) => (v.spec.domain.devices.disableHotplug = true));
  expect(volumeOf(pod, 'hotplug-disks')).toBeUndefined();
});

test('plugins have a place for their sockets', () => {
  const pod = render(() => {}, { config: withGates('Plugins') });
  expect(mountsOf(pod, 'kubevirt-plugin-sockets')?.[0].mountPath).toBe('/var/run/kubevirt-plugin');
  expect(volumeOf(render(), 'kubevirt-plugin-sockets')).toBeUndefined();
});

test('metrics of the host are a small file in memory', () => {
  const pod = render((v) => v.spec.volumes!.push({ name: 'm', downwardMetrics: {} }));
  expect(volumeOf(pod, 'm')?.emptyDir).toEqual({ medium: 'Memory', sizeLimit: '1Mi' });
  expect(mountsOf(pod, 'm')?.[0].mountPath).toBe('/var/run/kubevirt-private/downwardmetric-disk');
});

test('file systems that several nodes write to are passed to the launcher', () => {
  const claims = new Map([
    ['many', { accessModes: ['ReadWriteMany'] }],
    ['one', { accessModes: ['ReadWriteOnce'] }],
    ['block', { accessModes: ['ReadWriteMany'], volumeMode: 'Block' as const }],
  ]);
  const pod = render(
    (v) =>
      (v.spec.volumes = [
        { name: 'a', persistentVolumeClaim: { claimName: 'many' } },
        { name: 'b', persistentVolumeClaim: { claimName: 'one' } },
        { name: 'c', persistentVolumeClaim: { claimName: 'block' } },
        { name: 'd', dataVolume: { name: 'many' } },
      ]),
    { claims },
  );
  expect(compute(pod).env).toContainEqual({
    name: 'SHARED_FILESYSTEM_PATHS',
    value: '/var/run/kubevirt-private/vmi-disks/a:/var/run/kubevirt-private/vmi-disks/d',
  });
});

describe('state that outlives the guest', () => {
  const tpm: Change = (v) => (v.spec.domain.devices.tpm = { persistent: true });
  const efi: Change = (v) => (v.spec.domain.firmware = { bootloader: { efi: { persistent: true } } });
  const blocks: Change = (v) => (v.status!.changedBlockTracking = { state: 'Enabled' } as never);
  const stateOf = (change: Change) =>
    mountsOf(render(change), 'vm-state')?.map(({ mountPath, subPath }) => [
      mountPath.replace('/var/run/kubevirt-private', '~'),
      subPath,
    ]);
  const meta = ['/run/kubevirt-private/backend-storage-meta', 'meta'];
  const swtpm = [
    ['~/libvirt/qemu/swtpm', 'swtpm'],
    ['~/var/lib/swtpm-localca', 'swtpm-localca'],
  ];
  test.each<[string, Change, unknown[]]>([
    ['nothing', () => {}, []],
    ['a TPM', tpm, [meta, ...swtpm]],
    ['a TPM that forgets', (v) => (v.spec.domain.devices.tpm = {}), []],
    ['a TPM that is off', (v) => (v.spec.domain.devices.tpm = { enabled: false, persistent: true }), []],
    ['EFI variables', efi, [meta, ['~/libvirt/qemu/nvram', 'nvram']]],
    ['changed blocks', blocks, [meta, ['~/libvirt/qemu/cbt', 'cbt']]],
    ['a TPM and EFI variables', (v) => (tpm(v), efi(v)), [meta, ...swtpm, ['~/libvirt/qemu/nvram', 'nvram']]],
  ])('is mounted where libvirt looks for it: %s', (_, change, want) => expect(stateOf(change)).toEqual(want));

  test('is on a claim with the VM’s name, or on its earlier claim', () => {
    expect(volumeOf(render(tpm), 'vm-state')?.persistentVolumeClaim).toEqual({
      claimName: 'persistent-state-for-fedora',
    });
    expect(volumeOf(render(tpm, { stateClaim: 'old' }), 'vm-state')?.persistentVolumeClaim?.claimName).toBe('old');
  });

  const claimOf = (change: Change, configuration: object = {}) =>
    missingStateClaim(inputOf(stored(change), { config: configured(configuration) }));
  test('gets a claim that belongs to the VM', () => {
    const owner = { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine', name: 'fedora', uid: 'vm-uid' };
    const made = claimOf((v) => (tpm(v), (v.metadata.ownerReferences = [owner])));
    expect(made).toEqual({
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: {
        name: 'persistent-state-for-fedora',
        namespace: 'web',
        labels: { 'persistent-state-for': 'fedora', 'cdi.kubevirt.io/applyStorageProfile': 'true' },
        ownerReferences: [owner],
      },
      spec: {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '10Mi' } },
        volumeMode: 'Filesystem',
      },
    });
    expect(claimOf(tpm)?.metadata.ownerReferences).toMatchObject([{ kind: 'VirtualMachineInstance', uid: 'vmi-uid' }]);
  });
  test('gets a claim of the class that the cluster has for it, large enough for changed blocks', () => {
    expect(claimOf(blocks, { vmStateStorageClass: 'shared' })?.spec).toEqual({
      accessModes: ['ReadWriteMany'],
      resources: { requests: { storage: '522Mi' } },
      storageClassName: 'shared',
      volumeMode: 'Filesystem',
    });
  });
  test('gets no claim if one exists, or if there is no state', () => {
    expect(claimOf(() => {})).toBeUndefined();
    expect(missingStateClaim({ ...inputOf(stored(tpm)), stateClaim: 'old' })).toBeUndefined();
  });
});
