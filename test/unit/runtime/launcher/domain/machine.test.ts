/** Small things of the machine: SMBIOS, reboots, panic devices, launch security, QEMU's own arguments, IOMMUFD. */
import type { Fixture } from './fixture';
import { part } from './part';

const VENDOR =
  "<entry name='manufacturer'>KubeVirt</entry><entry name='family'>KubeVirt</entry>" +
  "<entry name='product'>None</entry><entry name='sku'/><entry name='version'/>";

test.each<[string, Fixture, string]>([
  ['who made it', {}, `<system>${VENDOR}</system>`],
  [
    'its numbers',
    { domain: { firmware: { uuid: 'u', serial: 's' } } },
    `<system><entry name='uuid'>u</entry><entry name='serial'>s</entry>${VENDOR}</system>`,
  ],
  [
    'a vendor of the cluster',
    { configuration: { smbios: { manufacturer: 'Us', sku: '1' } } },
    "<entry name='manufacturer'>Us</entry><entry name='family'>KubeVirt</entry><entry name='product'>None</entry><entry name='sku'>1</entry>",
  ],
  [
    'its case',
    { domain: { chassis: { serial: '7' } } },
    "<chassis><entry name='manufacturer'/><entry name='version'/><entry name='serial'>7</entry><entry name='asset'/><entry name='sku'/></chassis>",
  ],
])('SMBIOS contains %s', (_, fixture, want) => {
  expect(part('sysinfo', fixture)).toContain(want);
});

test.each<[string, 'Reboot' | 'Terminate' | undefined, string | undefined]>([
  ['as libvirt has it', undefined, undefined],
  ['into the guest again', 'Reboot', '<on_reboot>restart</on_reboot>'],
  ['to its end', 'Terminate', '<on_reboot>destroy</on_reboot>'],
])('a reboot leads %s', (_, rebootPolicy, want) => {
  expect(part('on_reboot', { domain: { rebootPolicy } })).toBe(want);
});

test('panic devices have a model, or the machine its own', () => {
  const devices = { panicDevices: [{ model: 'hyperv' as const }, {}] };
  expect(part('devices', { devices })).toContain("<panic model='hyperv'/><panic/>");
});

test.each<[string, Fixture, string | undefined]>([
  [
    'SEV',
    { domain: { launchSecurity: { sev: {} } } },
    "<launchSecurity type='sev'><policy>0x1</policy></launchSecurity>",
  ],
  [
    'SEV-ES with a session of its owner',
    { domain: { launchSecurity: { sev: { policy: { encryptedState: true }, dhCert: 'QQ==', session: 'Qg==' } } } },
    "<launchSecurity type='sev'><dhCert>QQ==</dhCert><session>Qg==</session><policy>0x5</policy></launchSecurity>",
  ],
  [
    'SEV-SNP',
    { domain: { launchSecurity: { snp: {} } } },
    "<launchSecurity type='sev-snp'><policy>0x30000</policy></launchSecurity>",
  ],
  [
    'TDX, quoted by a service of the node',
    { domain: { launchSecurity: { tdx: {} } }, annotations: { 'kubevirt.io/qgs-socket-path': '/q' } },
    "<launchSecurity type='tdx'><quoteGenerationService path='/q'/></launchSecurity>",
  ],
  [
    'nothing on s390x, where devices alone differ',
    { domain: { launchSecurity: {} }, architecture: 's390x' },
    undefined,
  ],
  ['nothing on arm64', { domain: { launchSecurity: {} }, architecture: 'arm64' }, undefined],
])('memory is protected by %s', (_, fixture, want) => {
  expect(part('launchSecurity', fixture)).toBe(want);
});

const args = (...values: string[]): string =>
  `<qemu:commandline>${values.map((value) => `<qemu:arg value='${value}'/>`).join('')}</qemu:commandline>`;
const DATA = '/var/run/kubevirt-ephemeral-disks/ignition-data/default/vm/data.ign';
const debug = { developerConfiguration: { logVerbosity: { virtLauncher: 6 } } };

test.each<[string, Fixture, string | undefined]>([
  ['nothing', {}, undefined],
  [
    'of Ignition',
    { annotations: { 'kubevirt.io/ignitiondata': '{"ignition":{}}' } },
    args('-fw_cfg', `name=opt/com.coreos/config,file=${DATA}`),
  ],
  ['nothing of what is not Ignition', { annotations: { 'kubevirt.io/ignitiondata': '{}' } }, undefined],
  [
    'the log of the firmware, at high verbosity',
    { configuration: debug },
    args(
      '-chardev',
      'file,id=firmwarelog,path=/var/run/kubevirt-private/QEMUSeaBiosDebugPipe',
      '-device',
      'isa-debugcon,iobase=0x402,chardev=firmwarelog',
    ),
  ],
  ['nothing of that on arm64', { configuration: debug, architecture: 'arm64' }, undefined],
])('QEMU gets %s', (_, fixture, want) => {
  expect(part('qemu:commandline', fixture)).toBe(want);
});

test('host devices use /dev/iommu if the node has it', () => {
  expect(part('iommufd', { node: { hasIommufd: true } })).toBe("<iommufd enabled='yes' fdgroup='iommu'/>");
  expect(part('iommufd', {})).toBeUndefined();
});

test("a guest of another architecture runs on that architecture's QEMU", () => {
  const configuration = { developerConfiguration: { featureGates: ['CrossArchitectureVirtualization'] } };
  const foreign: Fixture = { architecture: 'arm64', node: { architecture: 'amd64' }, configuration };
  expect(part('devices', foreign)).toContain('<emulator>/usr/bin/qemu-system-aarch64</emulator>');
  expect(part('os', foreign)).toContain("arch='aarch64'");
  expect(part('os', { ...foreign, configuration: {} })).toContain("arch='x86_64'");
});
