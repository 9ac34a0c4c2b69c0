/** Contents of the images. A change of this file creates new base layers. */

import type { Architecture } from './arch';

/** Files of Debian packages that become the base layer of an image. */
export interface BaseRecipe {
  readonly architecture: Architecture;
  readonly packages: readonly string[];
  /** Programs and dynamically loaded libraries; the libraries that they link are added automatically. */
  readonly programs: readonly string[];
  /** Paths of data. Directories are copied completely, except for matches of `dropped`. Targets of links are copied too. */
  readonly data: readonly string[];
  readonly dropped: readonly RegExp[];
  /** Symbolic links: path to target. */
  readonly links: Readonly<Record<string, string>>;
  /** Files with another name than in their package: path to the path in the package. */
  readonly copies?: Readonly<Record<string, string>>;
  /** Users of the image besides root. */
  readonly user: { readonly name: string; readonly id: number; readonly home: string; readonly shell: string };
}

/** Debian release whose packages the images contain. */
export const SUITE = 'trixie';

/**
 * Version of libvirt in that release. The protocol is generated from its source, and a build of the launcher image fails
 * when the packages contain another one.
 */
export const LIBVIRT_VERSION = '11.3.0';

/** Libraries of Node.js, its loader, and the libraries with which glibc resolves names. */
const nodeLibraries = ({ loader, triplet }: Architecture): string[] => [
  loader,
  ...[
    ...['libstdc++.so.6', 'libdl.so.2', 'libpthread.so.0', 'libm.so.6', 'libgcc_s.so.1'],
    ...['libnss_files.so.2', 'libnss_dns.so.2', 'libresolv.so.2'],
  ].map((name) => `/usr/lib/${triplet}/${name}`),
];

/** Debian packages. They are unpacked with their dependencies; the image contains only the files listed below. */
const packages = ({ qemu, firmware }: Architecture): string[] => [
  ...['libvirt-daemon', 'libvirt-daemon-driver-qemu', qemu.package, ...firmware, 'swtpm', 'swtpm-tools', 's6'],
  ...['busybox', 'catatonit', 'libc-bin', 'base-files', 'libstdc++6'],
];

const programs = (architecture: Architecture): string[] => [
  '/usr/sbin/libvirtd',
  `/usr/lib/${architecture.triplet}/libvirt/connection-driver/libvirt_driver_qemu.so`,
  '/usr/lib/libvirt/libvirt_iohelper',
  architecture.qemu.program,
  '/usr/bin/swtpm',
  '/usr/bin/swtpm_setup',
  '/usr/bin/swtpm_ioctl',
  // certificate of a TPM: libvirt requires one; its CA in the Pod attests nothing
  '/usr/bin/swtpm_localca',
  '/usr/bin/swtpm_cert',
  '/usr/bin/certtool',
  '/usr/bin/s6-svscan',
  '/usr/bin/s6-supervise',
  '/usr/bin/s6-svc',
  '/usr/bin/s6-svscanctl',
  // virt-probe connects to the launcher's socket with it
  '/usr/bin/s6-ipcclient',
  '/usr/bin/busybox',
  ...nodeLibraries(architecture),
  // QEMU's modules for the video cards of the API
  ...['hw-display-virtio-gpu', 'hw-display-virtio-gpu-pci', 'hw-display-virtio-vga', 'hw-usb-redirect'].map(
    (name) => `/usr/lib/${architecture.triplet}/qemu/${name}.so`,
  ),
];

const DATA = ['/etc/os-release', '/usr/lib/os-release', '/usr/share/libvirt/cpu_map', '/usr/share/libvirt/schemas'];

/** Data of QEMU and its firmware. */
const FIRMWARE_DATA: Readonly<Record<Architecture['name'], readonly string[]>> = {
  amd64: ['/usr/share/OVMF', '/usr/share/seabios', '/usr/share/qemu'],
  arm64: ['/usr/share/AAVMF', '/usr/share/qemu'],
};

/** Firmware of other machines and of devices that we do not use. */
const DROPPED: Readonly<Record<Architecture['name'], readonly RegExp[]>> = {
  amd64: [
    /\/usr\/share\/qemu\/(?!(bios|kvmvapic|vgabios|linuxboot|multiboot|pvh|efi-|pxe-|keymaps|firmware|OVMF|vhost-user))/,
    /\/usr\/share\/OVMF\/.*\.(strictnx|snakeoil).*/,
    /vgabios-(ati|vmware|qxl)/,
    /\/usr\/share\/seabios\/(bios-microvm|vgabios-(ati|vmware|qxl))/,
    /\/usr\/share\/libvirt\/cpu_map\/(arm|ppc64)_/,
  ],
  arm64: [
    /\/usr\/share\/qemu\/(?!(efi-|pxe-|keymaps|firmware|vhost-user))/,
    /\/usr\/share\/AAVMF\/(AAVMF32_|.*\.(strictnx|snakeoil))/,
    /\/usr\/share\/libvirt\/cpu_map\/(x86|ppc64)_/,
  ],
};

/** Contents of every Debian system. */
const merged = ({ name }: Architecture): Readonly<Record<string, string>> => ({
  '/bin': 'usr/bin',
  '/sbin': 'usr/sbin',
  '/lib': 'usr/lib',
  ...(name === 'amd64' ? { '/lib64': 'usr/lib64' } : {}),
  '/var/run': '../run',
});

/** Links from upstream's file names to Debian's, in the configuration's default `ovmfPath`. */
const FIRMWARE_LINKS: Readonly<Record<Architecture['name'], Readonly<Record<string, string>>>> = {
  amd64: {
    '/usr/share/edk2/ovmf': '../OVMF',
    '/usr/share/OVMF/OVMF_CODE.fd': 'OVMF_CODE_4M.fd',
    '/usr/share/OVMF/OVMF_VARS.fd': 'OVMF_VARS_4M.fd',
    '/usr/share/OVMF/OVMF_CODE.secboot.fd': 'OVMF_CODE_4M.secboot.fd',
    '/usr/share/OVMF/OVMF_VARS.secboot.fd': 'OVMF_VARS_4M.ms.fd',
  },
  // Debian has upstream's names
  arm64: {},
};

/** Date of all files in the image: 1 January 2025. */
export const SOURCE_DATE_EPOCH = 1735689600;

/** libvirt, QEMU and their dependencies. */
export const launcherRecipe = (architecture: Architecture): BaseRecipe => ({
  architecture,
  packages: packages(architecture),
  programs: programs(architecture),
  data: [...DATA, ...FIRMWARE_DATA[architecture.name], `/usr/lib/${architecture.triplet}/swtpm`],
  dropped: DROPPED[architecture.name],
  links: { ...FIRMWARE_LINKS[architecture.name], ...merged(architecture) },
  // keeps a container disk running; static, because the image of the disk may contain no library
  copies: { '/usr/bin/container-disk': '/usr/bin/catatonit' },
  user: { name: 'qemu', id: 107, home: '/run/kubevirt-private', shell: '/bin/sh' },
});

/** Libraries of Node.js only: no shell, no package manager. */
export const componentRecipe = (architecture: Architecture): BaseRecipe => ({
  architecture,
  packages: ['base-files', 'libc6', 'libstdc++6'],
  programs: nodeLibraries(architecture),
  data: ['/etc/os-release', '/usr/lib/os-release'],
  dropped: [],
  links: merged(architecture),
  user: { name: 'virt8s', id: 1001, home: '/', shell: '/sbin/nologin' },
});
