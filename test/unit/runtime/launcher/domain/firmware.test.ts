import type { DomainSpec, Volume } from '../../../../../src/api';
import type { Fixture } from './fixture';
import { part } from './part';

const os = (fixture: Fixture): string => part('os', fixture)!;
const uefi = (secureBoot: boolean | undefined, change: Fixture = {}): Fixture => ({
  ...change,
  domain: { firmware: { bootloader: { efi: { secureBoot } } }, ...change.domain },
});
const kernelBoot = (of: NonNullable<DomainSpec['firmware']>['kernelBoot']): Fixture => ({
  domain: { firmware: { kernelBoot: of } },
});
const container = (kernelPath?: string, initrdPath?: string) => ({ image: 'a', kernelPath, initrdPath });

const NVRAM = '/var/run/kubevirt-private/libvirt/qemu/nvram/vm_VARS.fd';
const DIRECTORY = '/usr/share/edk2/ovmf';
const pflash = (secure: string, code: string, vars: string): string =>
  `<loader readonly='yes' secure='${secure}' type='pflash'>${DIRECTORY}/${code}</loader>` +
  `<nvram template='${DIRECTORY}/${vars}'>${NVRAM}</nvram>`;
const rom = (code: string): string => `<loader readonly='yes' secure='no' type='rom'>${DIRECTORY}/${code}</loader>`;
const gate = (name: string) => ({ developerConfiguration: { featureGates: [name] } });

test.each<[string, Fixture, string]>([
  ['amd64 is q35', {}, "<type arch='x86_64' machine='q35'>hvm</type><smbios mode='sysinfo'/>"],
  ['arm64 is virt', { architecture: 'arm64' }, "<type arch='aarch64' machine='virt'>hvm</type><smbios"],
  [
    's390x has no SMBIOS',
    { architecture: 's390x' },
    "<os><type arch='s390x' machine='s390-ccw-virtio'>hvm</type></os>",
  ],
  ['or the one that the VM sets', { domain: { machine: { type: 'pc-q35-8.2' } } }, "machine='pc-q35-8.2'"],
  ['secure boot unless it is off', uefi(undefined), pflash('yes', 'OVMF_CODE.secboot.fd', 'OVMF_VARS.secboot.fd')],
  ['UEFI without it', uefi(false), pflash('no', 'OVMF_CODE.secboot.fd', 'OVMF_VARS.fd')],
  [
    'on arm64',
    uefi(false, { architecture: 'arm64' }),
    "type='pflash'>/usr/share/AAVMF/AAVMF_CODE.fd</loader><nvram template='/usr/share/AAVMF/AAVMF_VARS.fd'>",
  ],
  [
    'for encrypted memory',
    uefi(false, { domain: { launchSecurity: { sev: {} } } }),
    pflash('no', 'OVMF_CODE.cc.fd', 'OVMF_VARS.fd'),
  ],
  ['measured by SNP', uefi(false, { domain: { launchSecurity: { snp: {} } } }), rom('OVMF.amdsev.fd')],
  ['measured by TDX', uefi(false, { domain: { launchSecurity: { tdx: {} } } }), rom('OVMF.inteltdx.fd')],
  ['with keys in it', uefi(true, { domain: { launchSecurity: { tdx: {} } } }), rom('OVMF.inteltdx.secboot.fd')],
  ['from a configured directory', uefi(false, { configuration: { ovmfPath: '/a' } }), '/a/OVMF_CODE.secboot.fd'],
  [
    'chosen by libvirt',
    uefi(true, { configuration: gate('FirmwareAutoSelection') }),
    "<os firmware='efi'><type arch='x86_64' machine='q35'>hvm</type><firmware>" +
      "<feature enabled='yes' name='secure-boot'/><feature enabled='yes' name='enrolled-keys'/></firmware>" +
      `<nvram format='raw'>${NVRAM}</nvram>`,
  ],
  [
    'but not without secure boot',
    uefi(false, { configuration: gate('FirmwareAutoSelection') }),
    pflash('no', 'OVMF_CODE.secboot.fd', 'OVMF_VARS.fd'),
  ],
  [
    'BIOS on the console',
    { domain: { firmware: { bootloader: { bios: { useSerial: true } } } } },
    "<bios useserial='yes'/>",
  ],
  [
    'a kernel of an image',
    kernelBoot({ container: container('/boot/vmlinuz', '/boot/initrd'), kernelArgs: 'quiet' }),
    '<kernel>/var/run/kubevirt/container-disks/kernel-boot/vmlinuz</kernel>' +
      '<initrd>/var/run/kubevirt/container-disks/kernel-boot/initrd</initrd><cmdline>quiet</cmdline>',
  ],
  ['arguments alone', kernelBoot({ kernelArgs: 'quiet' }), 'hvm</type><cmdline>quiet</cmdline>'],
])('machine and firmware: %s', (_, fixture, want) => {
  expect(os(fixture)).toContain(want);
});

test('libvirt keeps the variables of an arm64 guest whose firmware it chose', () => {
  expect(os(uefi(true, { architecture: 'arm64', configuration: gate('FirmwareAutoSelection') }))).not.toContain(
    'nvram',
  );
});

const volumes: Volume[] = [
  { name: 'tables', secret: { secretName: 's' } },
  { name: 'empty', emptyDisk: { capacity: '1' } },
];
const acpi = (of: { slicNameRef?: string; msdmNameRef?: string }): Fixture => ({
  volumes,
  domain: { firmware: { acpi: of } },
});

test('ACPI tables come from Secrets', () => {
  const at = '/var/run/kubevirt-private/secret/tables';
  expect(os(acpi({ slicNameRef: 'tables', msdmNameRef: 'tables' }))).toContain(
    `<acpi><table type='slic'>${at}/slic.bin</table><table type='msdm'>${at}/msdm.bin</table></acpi>`,
  );
});

test.each<[string, Fixture, RegExp]>([
  ['no table', acpi({}), /^spec.domain.firmware.acpi: names no table; set slicNameRef/],
  ['a table without volume', acpi({ slicNameRef: 'lost' }), /slicNameRef: there is no volume "lost"/],
  ['a table that is not a Secret', acpi({ msdmNameRef: 'empty' }), /msdmNameRef: volume "empty" is not a Secret/],
  ['UEFI on a node without its image', uefi(false, { node: { uefi: {} } }), /no image for UEFI; use bootloader.bios/],
  [
    'secure boot on an architecture without it',
    uefi(true, { architecture: 'arm64' }),
    /no image for secure boot; set efi.secure/,
  ],
  [
    'secure boot of encrypted memory',
    uefi(true, { domain: { launchSecurity: { snp: {} } } }),
    /no image for secure boot on SNP/,
  ],
  ['secure boot of SEV', uefi(true, { domain: { launchSecurity: { sev: {} } } }), /no image for secure boot on SEV/],
  [
    'SEV on a node with the image but without its variables',
    uefi(false, { node: { uefi: { sevCode: '/a' } }, domain: { launchSecurity: { sev: {} } } }),
    /no image for UEFI on SEV/,
  ],
])('%s is rejected', (_, fixture, message) => {
  expect(() => os(fixture)).toThrow(message);
});
