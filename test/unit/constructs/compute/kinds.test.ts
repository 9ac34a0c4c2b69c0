/** Tests every kind: what it declares, that the webhook accepts it, and that rendering twice gives the same. */
import { App, Chart, Duration, Size, Testing } from 'cdk8s';
import { admit, clusterConfig, type KubeObject } from '../../../../src/api';
import {
  Appliance,
  Clock,
  CloudInit,
  ClusterInstancetype,
  ClusterPreference,
  Cpu,
  Disk,
  DiskBus,
  DiskDevice,
  Firmware,
  HyperV,
  Instancetype,
  KernelBoot,
  LinuxServer,
  NicModel,
  PoolMaxUnavailable,
  Preference,
  RunStrategy,
  Tpm,
  UpdateVolumesStrategy,
  VirtualMachine,
  VirtualMachineInstance,
  VirtualMachineInstancePreset,
  VirtualMachinePool,
  VirtualMachinePoolProps,
  VirtualMachineReplicaSet,
  VmNetwork,
  Watchdog,
  Windows11,
  WindowsRelease,
  WindowsServer,
  type GuestProps,
} from '../../../../src';
import { mistakeOf, synthMistake } from '../fixtures';
import { testApp } from '../../../support/app';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- manifests are data
type Loose = any;

const inNamespace = (): Chart => new Chart(testApp(), 'web', { disableResourceNameHashes: true, namespace: 'prod' });
const small = { cpus: 2, memory: Size.gibibytes(2) };
const guest: GuestProps = { memory: Size.gibibytes(1), disks: [Disk.containerDisk('registry.example/os:1')] };

const kinds: [string, (chart: Chart) => { apiObject: { toJson(): Loose } }][] = [
  ['VirtualMachine', (chart) => new VirtualMachine(chart, 'a', guest)],
  ['VirtualMachineInstance', (chart) => new VirtualMachineInstance(chart, 'a', guest)],
  [
    'VirtualMachineInstancePreset',
    (chart) =>
      new VirtualMachineInstancePreset(chart, 'a', {
        selector: { matchLabels: { os: 'windows' } },
        cpu: Cpu.cores(2),
        requests: { memory: '2Gi' },
        clock: Clock.windows(),
        hyperv: HyperV.windows(),
        watchdog: Watchdog.i6300esb(),
      }),
  ],
  ['VirtualMachineInstanceReplicaSet', (chart) => new VirtualMachineReplicaSet(chart, 'a', { ...guest, replicas: 2 })],
  ['VirtualMachinePool', (chart) => new VirtualMachinePool(chart, 'a', { ...guest, replicas: 2 })],
  ['VirtualMachineInstancetype', (chart) => new Instancetype(chart, 'a', small)],
  ['VirtualMachineClusterInstancetype', (chart) => new ClusterInstancetype(chart, 'a', small)],
  ['VirtualMachinePreference', (chart) => new Preference(chart, 'a', { hyperv: HyperV.windows() })],
  ['VirtualMachineClusterPreference', (chart) => new ClusterPreference(chart, 'a', { machineType: 'q35' })],
];

describe.each(kinds)('%s', (kind, make) => {
  const chart = inNamespace();
  const construct = make(chart);
  const manifest = construct.apiObject.toJson() as KubeObject;

  test('is accepted by the webhook', () => {
    const context = {
      config: clusterConfig(),
      find: () => undefined,
      list: () => [],
      by: { name: 'me', trusted: false },
    };
    expect(manifest.kind).toBe(kind);
    expect(admit(manifest, context as never).errors).toEqual([]);
  });

  test('is namespaced or cluster-scoped', () => {
    expect(manifest.metadata.namespace).toBe(kind.includes('Cluster') ? undefined : 'prod');
  });

  test('renders the same twice', () => {
    expect(construct.apiObject.toJson()).toEqual(manifest);
    expect(Testing.synth(chart)).toEqual(Testing.synth(chart));
  });
});

test('a preset renders only the properties that are set', () => {
  const selector = { matchLabels: { os: 'windows' } };
  const preset = new VirtualMachineInstancePreset(inNamespace(), 'a', { selector, watchdog: Watchdog.diag288() });
  const watchdog = { name: 'watchdog', diag288: { action: 'reset' } };
  expect(preset.apiObject.toJson().spec).toEqual({ selector, domain: { devices: { watchdog } } });
});

test('changing a rendered manifest does not change later ones', () => {
  const vm = new VirtualMachine(inNamespace(), 'a', guest);
  const first = vm.apiObject.toJson();
  first.spec.template.spec.domain.devices.disks.pop();
  expect(vm.apiObject.toJson().spec.template.spec.domain.devices.disks).toHaveLength(1);
});

describe('instance types and preferences', () => {
  const matchers = (vm: VirtualMachine): Loose => {
    const { instancetype, preference } = vm.apiObject.toJson().spec;
    return { instancetype, preference };
  };

  test('an instance type leaves the VM without a CPU', () => {
    const chart = inNamespace();
    const vm = new VirtualMachine(chart, 'vm', {
      instancetype: new ClusterInstancetype(chart, 'small', small),
      preference: new Preference(chart, 'linux'),
    });
    expect(matchers(vm)).toEqual({
      instancetype: { kind: 'VirtualMachineClusterInstancetype', name: 'web-small' },
      preference: { kind: 'VirtualMachinePreference', name: 'web-linux' },
    });
    expect(vm.cpu).toBeUndefined();
    expect(Object.keys(vm.apiObject.toJson().spec.template.spec.domain)).toEqual(['devices']);
    expect(synthMistake(chart)).toBe('nothing was thrown');
  });

  test('accepts cluster-scoped ones that the app does not declare', () => {
    const chart = inNamespace();
    const vm = new VirtualMachine(chart, 'vm', {
      instancetype: { name: 'u1.medium' },
      preference: ClusterPreference.fromName('fedora', { revision: 'fedora-1' }),
    });
    expect(matchers(vm)).toEqual({
      instancetype: { name: 'u1.medium' },
      preference: { kind: 'VirtualMachineClusterPreference', name: 'fedora', revisionName: 'fedora-1' },
    });
    expect(synthMistake(chart)).toBe('nothing was thrown');
  });

  test('a preference chooses buses that are not set', () => {
    const vm = new VirtualMachine(inNamespace(), 'vm', {
      memory: Size.gibibytes(1),
      preference: { name: 'windows' },
      disks: [Disk.containerDisk('os'), Disk.containerDisk('data', { bus: DiskBus.SCSI })],
      cloudInit: CloudInit.noCloud({}),
    });
    expect(vm.apiObject.toJson().spec.template.spec.domain.devices.disks).toEqual([
      { name: 'disk0', disk: {} },
      { name: 'disk1', disk: { bus: 'scsi' } },
      { name: 'cloudinit', disk: {} },
    ]);
  });

  test('are inferred from the labels of a volume', () => {
    const vm = new VirtualMachine(inNamespace(), 'vm', {
      disks: [Disk.dataVolume({ name: 'fedora' }, { name: 'root' })],
      inferInstancetype: { volume: 'root' },
      inferPreference: { volume: 'root', optional: true },
    });
    expect(matchers(vm)).toEqual({
      instancetype: { inferFromVolume: 'root' },
      preference: { inferFromVolume: 'root', inferFromVolumeFailurePolicy: 'Ignore' },
    });
  });

  test('rejects memory in both the VM and its instance type', () => {
    const chart = inNamespace();
    const instancetype = new ClusterInstancetype(chart, 'small', small);
    new VirtualMachine(chart, 'vm', { instancetype, memory: Size.gibibytes(1) });
    expect(synthMistake(chart)).toContain(
      '[web/vm] memory (spec.template.spec.domain.memory.guest): VM field(s) memory conflicts',
    );
  });

  test('rejects a CPU in both the VM and its instance type', () => {
    const chart = inNamespace();
    const instancetype = new Instancetype(chart, 'small', small);
    new VirtualMachine(chart, 'vm', { instancetype, cpu: Cpu.cores(2) });
    expect(synthMistake(chart)).toContain(
      '[web/vm] cpu.cores (spec.template.spec.domain.cpu.cores): VM field(s) cpu.cores conflicts',
    );
  });

  test('rejects an instance type that is too small for the preference', () => {
    const chart = inNamespace();
    const instancetype = new ClusterInstancetype(chart, 'small', small);
    const preference = new ClusterPreference(chart, 'big', { requirements: { cpus: 4 } });
    new VirtualMachine(chart, 'vm', { instancetype, preference });
    expect(synthMistake(chart)).toContain(
      'insufficient CPU resources of 2 vCPU provided by instance type, preference requires 4 vCPU',
    );
  });

  test('rejects invalid values of an instance type or a preference', () => {
    const chart = inNamespace();
    expect(mistakeOf(() => new Instancetype(chart, 'a', { ...small, cpus: 1.5 }))).toContain('cpus (spec.cpu.guest)');
    new Instancetype(chart, 'b', { ...small, memoryOvercommitPercent: 200 });
    expect(synthMistake(chart)).toContain('memoryOvercommitPercent (spec.memory.overcommitPercent)');
    const passthrough = { hyperv: HyperV.passthrough() };
    expect(mistakeOf(() => new Preference(chart, 'c', passthrough))).toBe(
      'Preference: hyperv: HyperV.passthrough() is not allowed in a preference\n' +
        '  list the enlightenments, as HyperV.windows() does [preference-hyperv]',
    );
  });
});

describe('a set', () => {
  test('selects its guests by a unique label, which Services use as well', () => {
    const chart = inNamespace();
    for (const set of [
      new VirtualMachineReplicaSet(chart, 'set', guest),
      new VirtualMachinePool(chart, 'pool', guest),
    ]) {
      const { selector, template, virtualMachineTemplate } = set.apiObject.toJson().spec;
      const instance = template ?? virtualMachineTemplate.spec.template;
      expect(instance.metadata.labels).toEqual(selector.matchLabels);
      expect(set.podLabels).toEqual(selector.matchLabels);
    }
  });

  test('accepts a selector together with matching labels', () => {
    const chart = inNamespace();
    const selector = { matchLabels: { app: 'web' } };
    const metadata = { labels: { app: 'web' } };
    const set = new VirtualMachineReplicaSet(chart, 'set', { ...guest, selector, instanceMetadata: metadata });
    expect(set.apiObject.toJson().spec).toMatchObject({ selector, template: { metadata } });
    new VirtualMachineReplicaSet(chart, 'other', { ...guest, selector });
    expect(synthMistake(chart)).toContain('[web/other]');
  });

  test('a pool creates the disks of each of its VMs', () => {
    const pool = new VirtualMachinePool(inNamespace(), 'pool', {
      ...guest,
      disks: [Disk.blank(Size.gibibytes(1), { name: 'data' })],
      maxUnavailable: PoolMaxUnavailable.percent(20),
      autohealing: { failingFor: Duration.minutes(10) },
    });
    const { spec } = pool.apiObject.toJson();
    expect(spec).toMatchObject({ maxUnavailable: '20%', autohealing: { minFailingToStartDuration: '600s' } });
    const vm = spec.virtualMachineTemplate.spec;
    expect(vm.dataVolumeTemplates[0].metadata.name).toBe('web-pool-data');
    expect(vm.template.spec.volumes[0].dataVolume.name).toBe('web-pool-data');
  });

  test('rejects ownSecrets if the Secrets of the VMs are not declared', () => {
    const pool = (props: VirtualMachinePoolProps): string => {
      const chart = inNamespace();
      const cloudInit = CloudInit.noCloud({ runcmd: ['true'], sensitive: true });
      new VirtualMachinePool(chart, 'pool', { ...guest, cloudInit, ...props });
      return synthMistake(chart);
    };
    expect(pool({})).toBe('nothing was thrown');
    expect(pool({ ownSecrets: true, cloudInit: CloudInit.fromSecret({ name: 'made-elsewhere' }) })).toBe(
      'nothing was thrown',
    );
    expect(pool({ ownSecrets: true })).toContain(
      '[web/pool] ownSecrets (spec.nameGeneration.appendIndexToSecretRefs): each VM needs its own Secret, ' +
        '"web-pool-cloudinit-0", "web-pool-cloudinit-1", …, but only "web-pool-cloudinit" is declared\n' +
        '  declare them, or let all VMs share "web-pool-cloudinit" [pool-own-references]',
    );
  });

  test('instances and replica sets reject disks that only a VM can create', () => {
    const disks = [Disk.blank(Size.gibibytes(1))];
    for (const Kind of [VirtualMachineInstance, VirtualMachineReplicaSet]) {
      expect(mistakeOf(() => new Kind(inNamespace(), 'a', { ...guest, disks }))).toContain('[disk-owner]');
    }
  });
});

test('metadata of an instance differs from that of its VM', () => {
  const vmi = new VirtualMachineInstance(inNamespace(), 'a', {
    ...guest,
    metadata: { labels: { a: '1' } },
    instanceMetadata: { labels: { b: '2' }, annotations: { note: 'x' } },
    cloudInit: CloudInit.noCloud({ runcmd: ['true'], sensitive: true }),
  });
  vmi.instanceMetadata.addLabel('c', '3');
  const { metadata } = vmi.apiObject.toJson();
  expect(metadata.labels).toEqual({ a: '1', b: '2', c: '3' });
  expect(Object.keys(metadata.annotations)).toEqual(['note', 'virt8s.io/cloud-init-checksum']);
});

test('a VM has hotpluggable disks and an update strategy for volumes', () => {
  const vm = new VirtualMachine(inNamespace(), 'vm', {
    ...guest,
    updateVolumesStrategy: UpdateVolumesStrategy.MIGRATION,
  });
  vm.hotplug(Disk.persistentVolumeClaim({ name: 'data' }));
  vm.hotplug(Disk.blank(Size.gibibytes(1)));
  const { updateVolumesStrategy, template } = vm.apiObject.toJson().spec;
  expect(updateVolumesStrategy).toBe('Migration');
  expect(template.spec.volumes.slice(1)).toEqual([
    { name: 'disk1', persistentVolumeClaim: { claimName: 'data', hotpluggable: true } },
    { name: 'disk2', dataVolume: { name: 'web-vm-disk2', hotpluggable: true } },
  ]);
  expect(vm.disks).toHaveLength(3);
  expect(mistakeOf(() => vm.hotplug(Disk.containerDisk('os')))).toContain('[disk-pluggable]');
});

describe('presets', () => {
  const instance = (vm: VirtualMachine): Loose => vm.apiObject.toJson().spec.template.spec;

  test('LinuxServer sets its defaults', () => {
    const chart = inNamespace();
    expect(instance(new LinuxServer(chart, 'a')).domain).toEqual({
      cpu: { sockets: 2 },
      memory: { guest: '2Gi' },
      firmware: { bootloader: { efi: { secureBoot: false } } },
      devices: {
        rng: {},
        blockMultiQueue: true,
        networkInterfaceMultiqueue: true,
        interfaces: [{ name: 'default', masquerade: {} }],
      },
    });
    const other = new LinuxServer(chart, 'b', {
      cpu: Cpu.cores(1),
      firmware: Firmware.bios(),
      memory: undefined,
      devices: { rng: false },
      runStrategy: RunStrategy.MANUAL,
    });
    expect(instance(other).domain).toMatchObject({ cpu: { cores: 1 }, memory: { guest: '2Gi' } });
    expect(instance(other).domain.firmware).toEqual({ bootloader: { bios: {} } });
    expect(instance(other).domain.devices).not.toHaveProperty('rng');
    expect(other.runStrategy).toBe(RunStrategy.MANUAL);
  });

  test('instance types and preferences replace the defaults', () => {
    const vm = new LinuxServer(inNamespace(), 'a', {
      instancetype: { name: 'u1.small' },
      preference: { name: 'debian' },
    });
    expect(Object.keys(instance(vm).domain)).toEqual(['devices']);
  });

  test('Windows 11 has its installation media and defaults', () => {
    const chart = inNamespace();
    const vm = new Windows11(chart, 'pc', {
      disks: [Disk.blank(Size.gibibytes(64))],
      installer: Disk.dataVolume({ name: 'windows-iso' }, { device: DiskDevice.CDROM }),
      drivers: Disk.containerDisk('registry.example/virtio-win:1', { device: DiskDevice.CDROM }),
      timezone: 'Europe/Prague',
    });
    expect(instance(vm)).toMatchObject({
      terminationGracePeriodSeconds: 3600,
      domain: {
        cpu: { sockets: 1, cores: 4 },
        memory: { guest: '8Gi' },
        clock: { timezone: 'Europe/Prague', timer: { hyperv: { present: true } } },
        features: { smm: { enabled: true }, hyperv: { vapic: { enabled: true } } },
        firmware: { bootloader: { efi: { secureBoot: true, persistent: true } } },
        devices: {
          tpm: { persistent: true },
          inputs: [{ name: 'tablet', type: 'tablet' }],
          interfaces: [{ name: 'default', masquerade: {}, model: 'e1000e' }],
          disks: [{ disk: { bus: 'virtio' } }, { cdrom: { bus: 'sata' } }, { cdrom: { bus: 'sata' } }],
        },
      },
    });
    const own = new Windows11(chart, 'own', {
      networks: [VmNetwork.bridge({ model: NicModel.VIRTIO })],
      devices: { tpm: Tpm.EMULATED },
      hyperv: HyperV.of({ relaxed: true }),
    });
    expect(instance(own).domain).toMatchObject({
      features: { hyperv: { relaxed: { enabled: true } } },
      devices: { tpm: {}, interfaces: [{ bridge: {}, model: 'virtio' }] },
    });
    expect(synthMistake(chart)).toBe('nothing was thrown');
  });

  test('a preference replaces the defaults of Windows 11', () => {
    const vm = new Windows11(inNamespace(), 'pc', {
      instancetype: { name: 'u1.large' },
      preference: { name: 'windows.11' },
      timezone: 'Europe/Prague',
    });
    expect(Object.keys(instance(vm).domain).sort()).toEqual(['clock', 'devices']);
    expect(instance(vm).domain.clock).toEqual({ timezone: 'Europe/Prague' });
    expect(instance(vm).domain.devices).toEqual({ interfaces: [{ name: 'default', masquerade: {} }] });
  });

  test('Windows Server has no TPM and needs no storage for its state', () => {
    const chart = inNamespace();
    const vm = new WindowsServer(chart, 'dc', {
      release: WindowsRelease.SERVER_2022,
      disks: [Disk.blank(Size.gibibytes(80))],
      installer: Disk.dataVolume({ name: 'iso' }, { device: DiskDevice.CDROM }),
      timezone: 'Europe/Prague',
    });
    expect(instance(vm)).toMatchObject({
      terminationGracePeriodSeconds: 3600,
      domain: {
        cpu: { sockets: 1, cores: 2 },
        memory: { guest: '4Gi' },
        clock: { timezone: 'Europe/Prague', timer: { hyperv: { present: true } } },
        features: { smm: { enabled: true }, hyperv: { vapic: { enabled: true } } },
        devices: {
          inputs: [{ name: 'tablet', type: 'tablet' }],
          interfaces: [{ name: 'default', masquerade: {}, model: 'virtio' }],
          disks: [{ disk: { bus: 'virtio' } }, { cdrom: { bus: 'sata' } }],
        },
      },
    });
    expect(instance(vm).domain.firmware).toEqual({ bootloader: { efi: { secureBoot: true } } });
    expect(instance(vm).domain.devices.tpm).toBeUndefined();
    const newest = new WindowsServer(chart, 'newest', { devices: { tpm: Tpm.EMULATED } });
    expect(newest.release).toBe(WindowsRelease.SERVER_2025);
    expect(instance(newest).domain).toMatchObject({
      cpu: { cores: 4 },
      memory: { guest: '8Gi' },
      devices: { tpm: {} },
    });
    expect(synthMistake(chart)).toBe('nothing was thrown');
  });

  test('Windows Server rejects a client release', () => {
    const make = (): unknown => new WindowsServer(inNamespace(), 'pc', { release: WindowsRelease.WINDOWS_11 });
    expect(mistakeOf(make)).toContain('"w11" is not a release of Windows Server');
    expect(mistakeOf(make)).toContain('[windows-release]');
  });

  test('Appliance sets its defaults', () => {
    const kernel = KernelBoot.container('registry.example/kernel:1', { kernelPath: '/vmlinuz', args: 'quiet' });
    const vm = new Appliance(inNamespace(), 'router', { kernel, firmware: Firmware.bios({ useSerial: true }) });
    expect(instance(vm).domain).toMatchObject({
      memory: { guest: '256Mi' },
      firmware: {
        bootloader: { bios: { useSerial: true } },
        kernelBoot: { container: { image: 'registry.example/kernel:1', kernelPath: '/vmlinuz' }, kernelArgs: 'quiet' },
      },
      devices: { autoattachGraphicsDevice: false, rng: {} },
    });
  });
});

test('an app with mistakes writes no manifests', () => {
  const app = new App();
  const chart = new Chart(app, 'web');
  new VirtualMachine(chart, 'vm', {
    ...guest,
    disks: [Disk.containerDisk('a', { name: 'x' }), Disk.containerDisk('b', { name: 'x' })],
  });
  expect(synthMistake(chart)).toContain('disks[1].name');
});
