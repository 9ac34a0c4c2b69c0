import { gated, Loose, refused, vmRefused } from '../fixtures';

type Case = [string, (spec: Loose) => void, string[]];

const hyperv = 'spec.domain.features.hyperv';
/** Clients know enlightenments under a path that is written twice. */
const enlightenment = `${hyperv}.domain.features.hyperv`;

describe('machine and firmware', () => {
  test.each<Case>([
    ['a versioned machine', (s) => (s.domain.machine = { type: 'pc-q35-9.2' }), []],
    [
      'a machine of another architecture',
      (s) => (s.domain.machine = { type: 'virt' }),
      ['Invalid spec.domain.machine.type'],
    ],
    ['an unknown architecture', (s) => (s.architecture = 'ppc64le'), ['Invalid spec.architecture']],
    [
      'BIOS and EFI',
      (s) => (s.domain.firmware = { bootloader: { bios: {}, efi: { secureBoot: false } } }),
      ['Invalid spec.domain.firmware.bootloader'],
    ],
    ['secure boot without SMM', (s) => (s.domain.firmware = { bootloader: { efi: {} } }), ['Invalid spec.domain']],
    ['no ACPI table', (s) => (s.domain.firmware = { acpi: {} }), ['Invalid spec.acpi']],
    [
      'an ACPI table of no volume',
      (s) => (s.domain.firmware = { acpi: { slicNameRef: 'x' } }),
      ['Invalid spec.acpi.slicNameRef'],
    ],
    [
      'an ACPI table in no Secret',
      (s) => (s.domain.firmware = { acpi: { msdmNameRef: 'root' } }),
      ['Invalid spec.acpi.msdmNameRef'],
    ],
    [
      'kernel arguments without a kernel',
      (s) => (s.domain.firmware = { kernelBoot: { kernelArgs: 'quiet' } }),
      ['Invalid spec.domain.firmware.kernelBoot.kernelArgs'],
    ],
    [
      'a kernel from nowhere',
      (s) => (s.domain.firmware = { kernelBoot: { container: {} } }),
      [
        'Required spec.domain.firmware.kernelBoot.container.image',
        'Required spec.domain.firmware.kernelBoot.container',
      ],
    ],
    [
      'a kernel on a relative path',
      (s) => (s.domain.firmware = { kernelBoot: { container: { image: 'x', kernelPath: 'boot/vmlinuz' } } }),
      ['Invalid spec.domain.firmware.kernelBoot.container.kernelPath'],
    ],
    ['a UUID that is not valid', (s) => (s.domain.firmware = { uuid: 'x' }), []],
    ['a reboot policy', (s) => (s.domain.rebootPolicy = 'Terminate'), []],
  ])('%s', (_, change, want) => expect(refused(change)).toEqual(want));

  test('a VM may name an architecture that has no guests yet', () =>
    expect(vmRefused((s) => (s.template.spec.architecture = 'ppc64le'))).toEqual([]));
});

describe('enlightenments', () => {
  test.each<Case>([
    ['what they need is switched on', (s) => (s.domain.features = { hyperv: { synictimer: {} } }), []],
    [
      'what they need is switched off',
      (s) => (s.domain.features = { hyperv: { ipi: {}, vpindex: { enabled: false } } }),
      [`Invalid ${enlightenment}.ipi`],
    ],
    ['with passthrough', (s) => (s.domain.features = { hyperv: {}, hypervPassthrough: {} }), [`Invalid ${hyperv}`]],
    [
      'evmcs that lost its base',
      (s) => (s.domain.features = { hyperv: { evmcs: {}, vapic: { enabled: false } } }),
      [`Invalid ${enlightenment}.evmcs`, 'Required spec.domain.cpu.features'],
    ],
  ])('%s', (_, change, want) => expect(refused(change)).toEqual(want));
});

describe('launch security', () => {
  const efi = { bootloader: { efi: { secureBoot: false } } };
  const secured =
    (launchSecurity: Loose, more: Loose = { firmware: efi }) =>
    (s: Loose) =>
      Object.assign(s.domain, { launchSecurity, ...more });
  const at = 'spec.launchSecurity';
  test.each<Case>([
    ['SEV with UEFI', secured({ sev: {} }), []],
    ['no kind', secured({}), [`Forbidden ${at}`]],
    ['two kinds', secured({ sev: {}, snp: {} }), [`Forbidden ${at}`]],
    ['TDX behind its gate', secured({ tdx: {} }), [`Invalid ${at}`]],
    ['SEV with BIOS', secured({ sev: {} }, {}), [`Invalid ${at}`]],
    [
      'SEV with secure boot',
      secured({ sev: {} }, { firmware: { bootloader: { efi: {} } }, features: { smm: {} } }),
      [`Invalid ${at}`],
    ],
    ['attestation of a guest that runs at once', secured({ sev: { attestation: {} } }), [`Invalid ${at}`]],
  ])('%s', (_, change, want) => expect(refused(change)).toEqual(want));

  test('TDX does not require SMM', () => {
    const change = secured({ tdx: {} }, { firmware: efi, features: { smm: {} } });
    expect(refused(change, gated('WorkloadEncryptionTDX'))).toEqual([`Invalid ${at}`]);
  });

  test('arm64 has none', () =>
    expect(refused((s) => Object.assign(s, { architecture: 'arm64' }) && secured({ sev: {} })(s))).toEqual([
      'Invalid spec.architecture',
    ]));
});

describe('architectures', () => {
  const on =
    (architecture: string, devices: Loose, domain: Loose = {}) =>
    (s: Loose) => {
      s.architecture = architecture;
      Object.assign(s.domain.devices, devices);
      Object.assign(s.domain, domain);
    };
  const watchdog = (kind: string) => ({ watchdog: { name: 'w', [kind]: {} } });
  test.each<Case>([
    ['amd64 with its watchdog', on('amd64', watchdog('i6300esb')), []],
    ['amd64 with that of s390x', on('amd64', watchdog('diag288')), ['NotSupported spec.domain.devices.watchdog']],
    ['s390x with its watchdog', on('s390x', watchdog('diag288')), []],
    ['arm64 with a watchdog', on('arm64', watchdog('i6300esb')), ['NotSupported spec.domain.devices.watchdog']],
    ['arm64 with sound', on('arm64', { sound: { name: 's' } }), ['NotSupported spec.domain.devices.sound']],
    [
      'amd64 with an unknown screen',
      on('amd64', { video: { type: 'qxl' } }),
      ['NotSupported spec.domain.devices.video.type'],
    ],
    ['s390x with VGA', on('s390x', { video: { type: 'vga' } }), ['NotSupported spec.domain.devices.video.type']],
    [
      'arm64 with BIOS',
      on('arm64', {}, { firmware: { bootloader: { bios: {} } } }),
      ['NotSupported spec.domain.firmware.bootloader.bios'],
    ],
    ['arm64 with a CPU model', on('arm64', {}, { cpu: { model: 'Haswell' } }), ['NotSupported spec.domain.cpu.model']],
    [
      'arm64 with SATA',
      on('arm64', { disks: [{ name: 'root', disk: { bus: 'sata' } }, { name: 'scratch' }, { name: 'init' }] }),
      ['NotSupported spec.domain.devices.disks[0].disk.bus'],
    ],
    [
      's390x with a panic device',
      on('s390x', { panicDevices: [{ model: 'isa' }] }),
      ['Invalid spec.domain.devices.panicDevices'],
    ],
  ])('%s', (_, change, want) => expect(refused(change)).toEqual(want));
});
