import { App, Chart, Size } from 'cdk8s';
import {
  ClusterPreference,
  Cpu,
  Disk,
  DiskDevice,
  Firmware,
  GuestAutoscaler,
  Sysprep,
  Tpm,
  VirtualMachine,
  Windows11,
  type Windows11Props,
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
  expect(() => windows({ installer, ...props })).toThrow(`Windows11: ${cause}`);
  expect(() => windows(props)).toThrow(`Windows11: ${cause}`);
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
