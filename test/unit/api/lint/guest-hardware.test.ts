import { changedVm as vm, type Loose, validVm } from '../fixtures';
import { alone, object } from './worlds';

const at = 'spec.template.spec';
const domain = `${at}.domain`;

const cpu = (own: Loose): Loose => vm((spec) => (spec.domain.cpu = own));
const on = (architecture: string, parts: Loose): Loose =>
  vm((spec) => {
    spec.architecture = architecture;
    // sound for each architecture
    spec.domain.devices.disks = spec.domain.devices.disks.map(({ name }: Loose) => ({ name, disk: { bus: 'virtio' } }));
    const { devices, ...rest } = parts;
    Object.assign(spec.domain, rest);
    Object.assign(spec.domain.devices, devices);
  });
const feature = (...features: Loose[]): Loose => cpu({ cores: 2, features });
const hyperv = (own: Loose): Loose => vm((spec) => (spec.domain.features = { hyperv: own }));
const mask = (text: string, own: Loose = { cores: 2 }): Loose =>
  vm((spec) => {
    spec.domain.cpu = {
      ...own,
      dedicatedCpuPlacement: true,
      numa: { guestMappingPassthrough: {} },
      realtime: { mask: text },
    };
    spec.domain.memory = { guest: '1Gi', hugepages: { pageSize: '2Mi' } };
  });
const device = (own: Loose): Loose => vm((spec) => Object.assign(spec.domain.devices, own));

test.each<[string, Loose, string[]]>([
  ...[
    'host-model',
    'host-passthrough',
    'Haswell',
    'Haswell-noTSX-IBRS',
    'EPYC-Milan-v2',
    'Skylake-Server-v4',
    'z16',
  ].map((model): [string, Loose, string[]] => [`accepts the model ${model}`, cpu({ model }), []]),
  ['accepts a model that resembles none: libvirt may know it', cpu({ model: 'DiamondRapids' }), []],
  ...['Haswel', 'haswell', 'Host-Passthrough', 'host_model', 'max', 'EPYC Rome', 'Intel Xeon Gold'].map(
    (model): [string, Loose, string[]] => [
      `reports the model ${model}`,
      cpu({ model }),
      [`cpu-model ${domain}.cpu.model`],
    ],
  ),
  ['accepts features', feature({ name: 'sse4.1' }, { name: 'avx512-bf16' }, { name: 'vmx', policy: 'disable' }), []],
  ['reports the name of the kernel', feature({ name: 'sse4_1' }), [`cpu-feature-name ${domain}.cpu.features[0].name`]],
  ['reports capitals', feature({ name: 'aes' }, { name: 'VMX' }), [`cpu-feature-name ${domain}.cpu.features[1].name`]],
  ['reports the sign of QEMU', feature({ name: '+vmx' }), [`cpu-feature-name ${domain}.cpu.features[0].name`]],
  [
    'reports a feature that is listed twice',
    feature({ name: 'vmx' }, { name: 'vmx', policy: 'disable' }),
    [`cpu-feature-unique ${domain}.cpu.features[1].name`],
  ],
  ['accepts a mask of all vCPUs', mask('0-1'), []],
  ['accepts a mask with an exception', mask('0-3,^1', { sockets: 2, cores: 2 }), []],
  ['reports a mask with one vCPU more', mask('0-2'), [`realtime-mask ${domain}.cpu.realtime.mask`]],
  ['reports a mask that is not a list', mask('all'), [`realtime-mask ${domain}.cpu.realtime.mask`]],
  ['accepts 4096 attempts', hyperv({ spinlocks: { spinlocks: 4096 } }), []],
  [
    'reports 4095 attempts',
    hyperv({ spinlocks: { spinlocks: 4095 } }),
    [`hyperv-spinlocks ${domain}.features.hyperv.spinlocks.spinlocks`],
  ],
  ['accepts a vendor of 12 characters', hyperv({ vendorid: { vendorid: 'AuthenticAMD' } }), []],
  [
    'reports a vendor of 13 characters',
    hyperv({ vendorid: { vendorid: 'AuthenticAMDs' } }),
    [`hyperv-vendor ${domain}.features.hyperv.vendorid.vendorid`],
  ],
  ['accepts an enlightenment whose dependency has no value', hyperv({ synic: {} }), []],
  [
    'reports an enlightenment whose dependency is off',
    hyperv({ synic: {}, vpindex: { enabled: false } }),
    [`hyperv-dependency ${domain}.features.hyperv.synic`],
  ],
  ['accepts i6300esb on amd64', device({ watchdog: { name: 'w', i6300esb: { action: 'reset' } } }), []],
  [
    'reports an unknown action',
    device({ watchdog: { name: 'w', i6300esb: { action: 'reboot' } } }),
    [`device-choice ${domain}.devices.watchdog.i6300esb.action`],
  ],
  [
    'reports diag288 on the default architecture',
    device({ watchdog: { name: 'w', diag288: {} } }),
    [`watchdog-type ${domain}.devices.watchdog`],
  ],
  [
    'reports a tick policy of another timer',
    vm((spec) => (spec.domain.clock = { utc: {}, timer: { rtc: { tickPolicy: 'merge' } } })),
    [`device-choice ${domain}.clock.timer.rtc.tickPolicy`],
  ],
  [
    'reports two devices of one name',
    device({ sound: { name: 'a' }, inputs: [{ name: 'a', type: 'tablet' }] }),
    [`device-name-unique ${domain}.devices.sound.name`],
  ],
  [
    'reports a device with the name of a disk',
    vm(({ domain: { devices } }) => (devices.watchdog = { name: devices.disks[0].name, i6300esb: {} })),
    [`device-name-unique ${domain}.devices.watchdog.name`],
  ],
  ['accepts a serial log without serial settings', device({ logSerialConsole: true }), []],
  [
    'reports the log of a port that is absent',
    device({ logSerialConsole: true, autoattachSerialConsole: false }),
    [`serial-port ${domain}.devices.logSerialConsole`],
  ],
  [
    'reports a BIOS on a port that is absent',
    vm((spec) => {
      spec.domain.firmware = { bootloader: { bios: { useSerial: true } } };
      spec.domain.devices.autoattachSerialConsole = false;
    }),
    [`serial-port ${domain}.firmware.bootloader.bios.useSerial`],
  ],
  [
    'reports an initial ramdisk without a kernel',
    vm((spec) => (spec.domain.firmware = { kernelBoot: { container: { image: 'r.example/k:1', initrdPath: '/i' } } })),
    [`kernel-initrd ${domain}.firmware.kernelBoot.container.kernelPath`],
  ],
  [
    'reports a probe without a command',
    vm((spec) => (spec.livenessProbe = { exec: { command: [] } })),
    [`probe-command ${at}.livenessProbe.exec.command`],
  ],
])('%s', (_, made, expected) => {
  expect(alone(made)).toEqual(expected);
});

const pages = (pageSize: string, architecture?: string): Loose =>
  vm((spec) => {
    spec.domain.memory = { guest: '16Gi', hugepages: { pageSize } };
    if (architecture) spec.architecture = architecture;
  });
const machine = (type: string): Loose => vm((spec) => (spec.domain.machine = { type }));
const probing = (probe: Loose): Loose =>
  vm((spec) => {
    spec.readinessProbe = probe;
    // without a list, all ports are open
    delete spec.domain.devices.interfaces[0].ports;
  });
const header = (name: string): Loose => probing({ httpGet: { port: 80, httpHeaders: [{ name, value: '1' }] } });
const plugged = (hotpluggable: boolean): Loose =>
  vm((spec) => {
    spec.domain.devices.disableHotplug = true;
    spec.domain.devices.disks.push({ name: 'data', disk: { bus: 'scsi' } });
    spec.volumes.push({ name: 'data', persistentVolumeClaim: { claimName: 'data', hotpluggable } });
  });

test.each<[string, Loose, string[]]>([
  ['accepts pages of 2 MiB', pages('2Mi'), []],
  ['accepts pages of 1024 MiB', pages('1024Mi', 'amd64'), []],
  ['accepts pages that some architecture has', pages('64Ki'), []],
  ['reports pages of 4 MiB', pages('4Mi'), [`hugepages-architecture ${domain}.memory.hugepages.pageSize`]],
  [
    'reports pages of arm64 on amd64',
    pages('64Ki', 'amd64'),
    [`hugepages-architecture ${domain}.memory.hugepages.pageSize`],
  ],
  ...['q35', 'pc-q35-9.0', 'pc-q35-rhel9.4.0', 'pc-q35-noble', 'pc-q35-noble-v2'].map(
    (type): [string, Loose, string[]] => [`accepts the machine type ${type}`, machine(type), []],
  ),
  ...['q35-9.0', 'pc-q35-9', 'pc-q35-rhel9', 'pc-q35-rhel9.4'].map((type): [string, Loose, string[]] => [
    `reports the machine type ${type}`,
    machine(type),
    [`machine-version ${domain}.machine.type`],
  ]),
  ['accepts port 65535', probing({ tcpSocket: { port: 65535 } }), []],
  ['reports port 0', probing({ tcpSocket: { port: 0 } }), [`probe-port ${at}.readinessProbe.tcpSocket.port`]],
  ['reports port 65536', probing({ tcpSocket: { port: 65536 } }), [`probe-port ${at}.readinessProbe.tcpSocket.port`]],
  ['accepts a header', header('X-Probe'), []],
  ['reports a header', header('X Probe'), [`probe-header ${at}.readinessProbe.httpGet.httpHeaders[0].name`]],
  ['accepts an ordinary disk where nothing is plugged', plugged(false), []],
  [
    'reports a disk that cannot be plugged',
    plugged(true),
    [`hotplug-disabled ${at}.volumes[3].persistentVolumeClaim.hotpluggable`],
  ],
])('%s', (_, made, expected) => {
  expect(alone(made)).toEqual(expected);
});

const efi = (secureBoot?: boolean): Loose => ({ bootloader: { efi: secureBoot === undefined ? {} : { secureBoot } } });
const smm = { smm: { enabled: true } };

test.each<[string, Loose, string[]]>([
  ['accepts UEFI on arm64', on('arm64', { firmware: efi(false) }), []],
  [
    'reports secure boot on arm64 once',
    on('arm64', { firmware: efi(true), features: smm }),
    [`arm64-secure-boot ${domain}.firmware.bootloader.efi.secureBoot`],
  ],
  [
    'reports the default of UEFI on arm64',
    on('arm64', { firmware: efi(), features: smm }),
    [`arm64-secure-boot ${domain}.firmware.bootloader.efi.secureBoot`],
  ],
  [
    'reports System Management Mode on arm64',
    on('arm64', { firmware: efi(false), features: smm }),
    [`architecture-lacks ${domain}.features.smm`],
  ],
  [
    'reports BIOS on arm64',
    on('arm64', { firmware: { bootloader: { bios: {} } } }),
    [`arm64-bios ${domain}.firmware.bootloader.bios`],
  ],
  ['reports a model on arm64', on('arm64', { cpu: { model: 'Haswell' } }), [`arm64-cpu-model ${domain}.cpu.model`]],
  [
    'reports a watchdog on arm64',
    on('arm64', { devices: { watchdog: { name: 'w', i6300esb: {} } } }),
    [`arm64-watchdog ${domain}.devices.watchdog`],
  ],
  ['accepts pvpanic on arm64', on('arm64', { devices: { panicDevices: [{ model: 'pvpanic' }] } }), []],
  [
    'reports an ISA panic device on arm64',
    on('arm64', { devices: { panicDevices: [{ model: 'isa' }] } }),
    [`architecture-lacks ${domain}.devices.panicDevices[0].model`],
  ],
  [
    'reports Hyper-V on arm64',
    on('arm64', { features: { hyperv: { relaxed: {} } } }),
    [`architecture-lacks ${domain}.features.hyperv`],
  ],
  [
    'accepts a Hyper-V clock that is off on arm64',
    on('arm64', { clock: { utc: {}, timer: { hyperv: { present: false } } } }),
    [],
  ],
  [
    'reports a KVM clock on arm64',
    on('arm64', { clock: { utc: {}, timer: { kvm: {} } } }),
    [`architecture-lacks ${domain}.clock.timer.kvm`],
  ],
  [
    'accepts what s390x has',
    on('s390x', {
      cpu: { model: 'z16' },
      devices: { watchdog: { name: 'w', diag288: {} }, inputs: [{ name: 'i', type: 'tablet', bus: 'virtio' }] },
    }),
    [],
  ],
  [
    'reports UEFI on s390x',
    on('s390x', { firmware: efi(false) }),
    [`architecture-lacks ${domain}.firmware.bootloader.efi`],
  ],
  [
    'reports a model of amd64 on s390x',
    on('s390x', { cpu: { model: 'Haswell' } }),
    [`cpu-model-architecture ${domain}.cpu.model`],
  ],
  [
    'reports devices that s390x lacks',
    on('s390x', {
      features: { acpi: { enabled: true } },
      devices: { tpm: {}, sound: { name: 's' }, inputs: [{ name: 'i', type: 'tablet', bus: 'usb' }] },
    }),
    [
      `architecture-lacks ${domain}.features.acpi`,
      `architecture-lacks ${domain}.devices.sound`,
      `architecture-lacks ${domain}.devices.tpm`,
      `architecture-lacks ${domain}.devices.inputs[0].bus`,
    ],
  ],
  [
    'reports a SATA disk on s390x',
    vm((spec) => {
      spec.architecture = 's390x';
      spec.domain.devices.disks[0] = { name: spec.domain.devices.disks[0].name, disk: { bus: 'sata' } };
    }),
    [`architecture-lacks ${domain}.devices.disks[0].disk.bus`],
  ],
  ['reports an unknown architecture', on('x86_64', {}), [`architecture ${at}.architecture`]],
])('%s', (_, made, expected) => {
  expect(alone(made)).toEqual(expected);
});

test('reports what an instance of its own lacks', () => {
  const made: Loose = validVm();
  const spec = made.spec.template.spec;
  Object.assign(spec, { architecture: 'arm64' });
  spec.domain.devices.disks = spec.domain.devices.disks.map(({ name }: Loose) => ({ name, disk: { bus: 'virtio' } }));
  Object.assign(spec.domain, { firmware: efi(true), features: smm });
  expect(alone(object('kubevirt.io/v1', 'VirtualMachineInstance', 'own', spec))).toEqual([
    'arm64-secure-boot spec.domain.firmware.bootloader.efi.secureBoot',
  ]);
});
