import { App, Chart, Size } from 'cdk8s';
import {
  ClusterPreference,
  Cpu,
  Disk,
  DiskBus,
  DiskDevice,
  Firmware,
  GuestAutoscaler,
  Sysprep,
  Tpm,
  VirtualMachine,
  Windows11,
  type Windows11Props,
  WindowsAdmin,
  WindowsRelease,
  WindowsServer,
} from '../../../../src';

const chart = (): Chart => new Chart(new App(), 'test');
const installer = Disk.dataVolume({ name: 'iso' }, { device: DiskDevice.CDROM });
const large = Disk.blank(Size.gibibytes(64));
const windows = (props: Windows11Props): Windows11 => new Windows11(chart(), 'vm', { disks: [large], ...props });

test.each<[string, Windows11Props]>([
  ['the defaults', { installer }],
  ['a disk of 52 GiB', { installer, disks: [Disk.blank(Size.gibibytes(52))] }],
  ['4 GiB of memory and two vCPUs', { installer, memory: Size.gibibytes(4), cpu: Cpu.cores(2) }],
  ['a TPM without state', { installer, devices: { tpm: Tpm.EMULATED } }],
  ['a model without a size', { installer, cpu: Cpu.ofModel('host-model') }],
  [
    'an installed Windows on a small machine',
    { disks: [Disk.dataVolume({ name: 'win' })], memory: Size.gibibytes(2), firmware: Firmware.bios() },
  ],
  [
    'an answer file that may turn the checks off',
    { installer, memory: Size.gibibytes(2), sysprep: Sysprep.fromSecret({ name: 'answers' }) },
  ],
])('Windows 11 accepts %s', (_, props) => {
  expect(() => windows(props)).not.toThrow();
});

test.each<[string, Windows11Props, string]>([
  ['a disk of 51 GiB', { disks: [Disk.blank(Size.gibibytes(51))] }, 'disks[0]: the first disk has 51 GiB'],
  ['less than 4 GiB of memory', { memory: Size.mebibytes(4095) }, 'memory: the guest has 4095 MiB of memory'],
  ['one vCPU', { cpu: Cpu.cores(1) }, 'cpu: the guest has one vCPU'],
  ['BIOS', { firmware: Firmware.bios() }, 'firmware: the guest boots with BIOS'],
  ['no TPM', { devices: { tpm: Tpm.NONE } }, 'devices.tpm: the guest has no TPM'],
])('the setup of Windows 11 rejects %s', (_, props, cause) => {
  expect(() => windows({ installer, ...props })).toThrow(`test/vm: ${cause}`);
  expect(() => windows(props)).toThrow(`test/vm: ${cause}`);
});

const answers = (release: WindowsRelease): Sysprep =>
  Sysprep.firstBoot({ release, admin: WindowsAdmin.builtIn({ passwordFrom: { name: 'passwords' } }) });
const installed = [Disk.dataVolume({ name: 'win' })];

test('Windows 11 rejects more than two sockets, and the answers of another system', () => {
  expect(() => windows({ cpu: Cpu.sockets(2) })).not.toThrow();
  expect(() => windows({ cpu: Cpu.sockets(3) })).toThrow('cpu: Windows 11 uses at most 2 sockets');
  expect(() => windows({ disks: installed, sysprep: answers(WindowsRelease.WINDOWS_11) })).not.toThrow();
  const sysprep = answers(WindowsRelease.SERVER_2022);
  expect(() => windows({ disks: installed, sysprep })).toThrow('[windows-release]');
});

test('Windows Server rejects the answers of another release', () => {
  const server = (props: object): WindowsServer =>
    new WindowsServer(chart(), 'vm', { disks: installed, sysprep: answers(WindowsRelease.SERVER_2022), ...props });
  expect(() => server({})).not.toThrow();
  expect(() => server({ release: WindowsRelease.SERVER_2022 })).not.toThrow();
  expect(() => server({ release: WindowsRelease.SERVER_2019 })).toThrow('[windows-release]');
});

test('Windows rejects an installation medium that is not a CD drive', () => {
  expect(() => windows({ installer: Disk.dataVolume({ name: 'iso' }, { bus: DiskBus.USB }) })).not.toThrow();
  expect(() => windows({ installer: Disk.dataVolume({ name: 'iso' }) })).toThrow(
    'installer: the installation medium is not a CD drive',
  );
});

test('Windows rejects a machine without ACPI', () => {
  const features = { acpi: false };
  expect(() => windows({ features })).toThrow('[windows-requirements]');
  expect(() => new WindowsServer(chart(), 'vm', { disks: [large], features })).toThrow('features.acpi');
});

test.each([
  [{ secureBoot: true }, 'firmware.secureBoot: is ignored without UEFI'],
  [{ efi: false, persistent: true }, 'firmware.persistent: is ignored without UEFI'],
  [{ efi: true, useSerial: true }, 'firmware.useSerial: is for BIOS'],
])('a preference rejects firmware %j', (firmware, cause) => {
  expect(() => new ClusterPreference(chart(), 'p', { firmware })).toThrow(cause);
});

test('a preference accepts UEFI with its settings', () => {
  const firmware = { efi: true, secureBoot: false, persistent: true };
  expect(() => new ClusterPreference(chart(), 'p', { firmware })).not.toThrow();
});

test('selectNode rejects another value of the same label', () => {
  const { scheduling } = new VirtualMachine(chart(), 'vm', { memory: Size.gibibytes(1), disks: [large] });
  scheduling.selectNode('zone', 'a');
  scheduling.selectNode('zone', 'a');
  scheduling.selectNode('rack', 'b');
  expect(() => scheduling.selectNode('zone', 'b')).toThrow('already requires nodes with zone=a');
});

test('an autoscaler rejects a VM', () => {
  const target = new VirtualMachine(chart(), 'vm', { memory: Size.gibibytes(1), disks: [large] });
  expect(() => new GuestAutoscaler(chart(), 'load', { target, max: 2, cpuUsage: 0.5 })).toThrow('[object-kind]');
});
