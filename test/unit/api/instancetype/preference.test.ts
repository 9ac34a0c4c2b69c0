import { VirtualMachineInstanceSpec } from '../../../../src/api';
import { expandInstance } from '../../../../src/api/instancetype';
import type { Loose } from '../fixtures';
import { cluster, preference, sizedVm } from './fixtures';

/** The template's spec with the preference, without an instance type. */
function preferred(pref: Loose, change: (spec: Loose) => void = () => {}): VirtualMachineInstanceSpec {
  const vm = sizedVm((each) => {
    delete each.spec.instancetype;
    each.spec.preference = { name: 'linux' };
    change(each.spec.template.spec);
  });
  return expandInstance(vm, cluster([preference(pref)])).spec;
}

describe('a preference fills a field that is open and leaves the VM its own', () => {
  // field of the preference, its value, where it lands, what the VM may have there instead
  test.each<[string, Loose, string, Loose, Loose]>([
    [
      'graphics',
      { devices: { preferredAutoattachGraphicsDevice: false } },
      'domain.devices.autoattachGraphicsDevice',
      false,
      true,
    ],
    [
      'balloon',
      { devices: { preferredAutoattachMemBalloon: false } },
      'domain.devices.autoattachMemBalloon',
      false,
      true,
    ],
    [
      'Pod interface',
      { devices: { preferredAutoattachPodInterface: false } },
      'domain.devices.autoattachPodInterface',
      false,
      true,
    ],
    [
      'console',
      { devices: { preferredAutoattachSerialConsole: false } },
      'domain.devices.autoattachSerialConsole',
      false,
      true,
    ],
    [
      'input',
      { devices: { preferredAutoattachInputDevice: true } },
      'domain.devices.autoattachInputDevice',
      true,
      false,
    ],
    [
      'transitional',
      { devices: { preferredUseVirtioTransitional: true } },
      'domain.devices.useVirtioTransitional',
      true,
      false,
    ],
    ['block queues', { devices: { preferredBlockMultiQueue: true } }, 'domain.devices.blockMultiQueue', true, false],
    [
      'network queues',
      { devices: { preferredNetworkInterfaceMultiQueue: true } },
      'domain.devices.networkInterfaceMultiqueue',
      true,
      false,
    ],
    ['rng', { devices: { preferredRng: {} } }, 'domain.devices.rng', {}, {}],
    [
      'TPM',
      { devices: { preferredTPM: { persistent: true } } },
      'domain.devices.tpm',
      { persistent: true },
      { enabled: false },
    ],
    ['video', { devices: { preferredVideoType: 'virtio' } }, 'domain.devices.video.type', 'virtio', 'vga'],
    [
      'panic',
      { devices: { preferredPanicDeviceModel: 'isa' } },
      'domain.devices.panicDevices',
      [{ model: 'isa' }],
      [{ model: 'hyperv' }],
    ],
    ['APIC', { features: { preferredApic: { enabled: true } } }, 'domain.features.apic', { enabled: true }, {}],
    ['KVM', { features: { preferredKvm: { hidden: true } } }, 'domain.features.kvm', { hidden: true }, {}],
    ['spinlock', { features: { preferredPvspinlock: {} } }, 'domain.features.pvspinlock', {}, { enabled: false }],
    ['SMM', { features: { preferredSmm: {} } }, 'domain.features.smm', {}, { enabled: false }],
    [
      'an enlightenment',
      { features: { preferredHyperv: { relaxed: {} } } },
      'domain.features.hyperv.relaxed',
      {},
      { enabled: false },
    ],
    ['offset', { clock: { preferredClockOffset: { timezone: 'UTC' } } }, 'domain.clock.timezone', 'UTC', 'CET'],
    [
      'timers',
      { clock: { preferredTimer: { hpet: { present: false } } } },
      'domain.clock.timer',
      { hpet: { present: false } },
      {},
    ],
    ['machine', { machine: { preferredMachineType: 'pc-q35-9.0' } }, 'domain.machine.type', 'pc-q35-9.0', 'q35'],
    ['subdomain', { preferredSubdomain: 'sub' }, 'subdomain', 'sub', 'own'],
    ['grace', { preferredTerminationGracePeriodSeconds: 0 }, 'terminationGracePeriodSeconds', 0, 30],
    ['architecture', { preferredArchitecture: 's390x' }, 'architecture', 's390x', 'amd64'],
    ['launch security', { preferredLaunchSecurity: { sev: {} } }, 'domain.launchSecurity', { sev: {} }, { snp: {} }],
  ])('%s', (_, pref, path, value, own) => {
    const keys = path.split('.');
    const read = (spec: Loose): Loose => keys.reduce((at, key) => at?.[key], spec);
    expect(read(preferred(pref))).toEqual(value);
    const write = (spec: Loose): void => {
      const last = keys.at(-1)!;
      keys.slice(0, -1).reduce((at, key) => (at[key] ??= {}), spec)[last] = own;
    };
    expect(read(preferred(pref, write))).toEqual(own);
  });
});

describe('a preference for disks', () => {
  const devices = {
    preferredDiskBus: 'virtio',
    preferredLunBus: 'scsi',
    preferredCdromBus: 'sata',
    preferredDiskBlockSize: { matchVolume: {} },
    preferredDiskCache: 'none',
    preferredDiskIO: 'native',
    preferredDiskDedicatedIoThread: true,
  };
  const all = { blockSize: { matchVolume: {} }, cache: 'none', io: 'native' };
  test.each<[string, Loose, Loose]>([
    ['makes one that is nothing a plain disk', {}, { disk: { bus: 'virtio' }, ...all, dedicatedIOThread: true }],
    ['gives no thread to another bus', { disk: { bus: 'sata' } }, { disk: { bus: 'sata' }, ...all }],
    [
      'leaves what the VM says',
      { disk: {}, cache: 'writeback', io: 'threads', dedicatedIOThread: false, blockSize: { custom: {} } },
      {
        disk: { bus: 'virtio' },
        cache: 'writeback',
        io: 'threads',
        dedicatedIOThread: false,
        blockSize: { custom: {} },
      },
    ],
    ['is only the bus for a CD-ROM', { cdrom: {} }, { cdrom: { bus: 'sata' } }],
    ['is only the bus for a LUN', { lun: {} }, { lun: { bus: 'scsi' } }],
  ])('%s', (_, disk, want) => {
    const spec = preferred({ devices }, (s) => (s.domain.devices.disks = [{ name: 'd', ...disk }]));
    expect(spec.domain.devices?.disks).toEqual([{ name: 'd', ...want }]);
  });
});

describe('a preference for interfaces', () => {
  const devices = { preferredInterfaceModel: 'e1000', preferredInterfaceMasquerade: {} };
  test.each<[string, Loose, Loose, Loose]>([
    ['sets model and binding', {}, { pod: {} }, { model: 'e1000', masquerade: {} }],
    ['leaves a binding', { bridge: {} }, { pod: {} }, { model: 'e1000', bridge: {} }],
    ...['slirp', 'sriov', 'macvtap', 'passt', 'passtBinding'].map((own): [string, Loose, Loose, Loose] => [
      `leaves ${own}`,
      { [own]: {} },
      { pod: {} },
      { model: 'e1000', [own]: {} },
    ]),
    ['leaves a plugin', { binding: { name: 'x' } }, { pod: {} }, { model: 'e1000', binding: { name: 'x' } }],
    [
      'masquerades on the Pod network alone',
      { model: 'virtio' },
      { multus: { networkName: 'n' } },
      { model: 'virtio' },
    ],
  ])('%s', (_, card, network, want) => {
    const spec = preferred({ devices }, (s) => {
      s.networks = [{ name: 'n', ...network }];
      s.domain.devices.interfaces = [{ name: 'n', ...card }];
    });
    expect(spec.domain.devices?.interfaces).toEqual([{ name: 'n', ...want }]);
  });
});

test('inputs and sound cards get missing values, but are not created', () => {
  const devices = { preferredInputBus: 'virtio', preferredInputType: 'keyboard', preferredSoundModel: 'ac97' };
  const spec = preferred({ devices }, (s) => {
    s.domain.devices.inputs = [{ name: 'a' }, { name: 'b', bus: 'usb', type: 'tablet' }];
    s.domain.devices.sound = { name: 's' };
  });
  expect(spec.domain.devices?.inputs).toEqual([
    { name: 'a', bus: 'virtio', type: 'keyboard' },
    { name: 'b', bus: 'usb', type: 'tablet' },
  ]);
  expect(spec.domain.devices?.sound).toEqual({ name: 's', model: 'ac97' });
  expect(preferred({ devices }).domain.devices).toEqual({});
});

test.each<[string, Loose, Loose, Loose]>([
  ['BIOS', { preferredUseBios: true, preferredUseBiosSerial: true }, undefined, { bios: { useSerial: true } }],
  ['EFI', { preferredEfi: { secureBoot: false } }, undefined, { efi: { secureBoot: false } }],
  ['EFI beats its older fields', { preferredEfi: {}, preferredUseSecureBoot: true }, undefined, { efi: {} }],
  [
    'EFI by its older fields',
    { preferredUseEfi: true, preferredUseSecureBoot: true },
    undefined,
    { efi: { secureBoot: true } },
  ],
  ['BIOS beats EFI', { preferredUseBios: true, preferredEfi: {} }, undefined, { bios: {} }],
  [
    'the VM beats both',
    { preferredUseBios: true, preferredUseSecureBoot: false },
    { efi: {} },
    { efi: { secureBoot: false } },
  ],
  ['secure boot needs EFI', { preferredUseSecureBoot: true }, undefined, {}],
  ['serial needs BIOS', { preferredUseBiosSerial: true }, undefined, {}],
])('firmware: %s', (_, firmware, own, want) => {
  const spec = preferred({ firmware }, (s) => own && (s.domain.firmware = { bootloader: own }));
  expect(spec.domain.firmware?.bootloader).toEqual(want);
});

test('ACPI and hot-plug of PCI are always as preferred', () => {
  const pref = { features: { preferredAcpi: { enabled: false } }, devices: { preferredDisableHotplug: true } };
  const spec = preferred(pref, (s) => (s.domain.features = { acpi: { enabled: true } }));
  expect(spec.domain.features?.acpi).toEqual({ enabled: false });
  expect(spec.domain.devices?.disableHotplug).toBe(true);
  const off = preferred(
    { devices: { preferredDisableHotplug: false } },
    (s) => (s.domain.devices.disableHotplug = true),
  );
  expect(off.domain.devices?.disableHotplug).toBeUndefined();
});

test('ACPI and hot-plug of PCI stay as they are when nothing is preferred', () => {
  const spec = preferred({ features: { preferredKvm: {} }, devices: { preferredDiskBus: 'virtio' } }, (s) => {
    s.domain.features = { acpi: { enabled: false } };
    s.domain.devices.disableHotplug = true;
  });
  expect(spec.domain.features?.acpi).toEqual({ enabled: false });
  expect(spec.domain.devices?.disableHotplug).toBe(true);
});

test('a clock that the VM sets keeps its offset, of either kind', () => {
  const offset = (preferredClockOffset: Loose, own: Loose): Loose =>
    preferred({ clock: { preferredClockOffset } }, (s) => (s.domain.clock = own)).domain.clock;
  expect(offset({ timezone: 'CET' }, { utc: {} })).toEqual({ utc: {} });
  expect(offset({ utc: {} }, { timezone: 'CET' })).toEqual({ timezone: 'CET' });
});

test('CPU features are added to those that the VM names', () => {
  const cpu = {
    preferredCPUFeatures: [
      { name: 'vmx', policy: 'require' },
      { name: 'avx', policy: 'disable' },
    ],
  };
  const spec = preferred({ cpu }, (s) => (s.domain.cpu = { features: [{ name: 'vmx', policy: 'disable' }] }));
  expect(spec.domain.cpu?.features).toEqual([
    { name: 'vmx', policy: 'disable' },
    { name: 'avx', policy: 'disable' },
  ]);
  expect(preferred({ cpu }).domain.cpu?.features).toHaveLength(2);
});

test("annotations are added to the VM's", () => {
  const vm = sizedVm((each) => {
    each.spec.preference = { name: 'linux' };
    each.spec.template.metadata = { annotations: { own: '1' } };
  });
  const { annotations } = expandInstance(vm, cluster([preference({ annotations: { own: '2', more: '3' } })]));
  expect(annotations).toEqual({ own: '1', more: '3' });
});
