/** What images are made of. Changing this file makes new base layers. */

/** Files of Debian packages that become the base layer of an image. */
export interface BaseRecipe {
  readonly packages: readonly string[];
  /** Programs and libraries that are loaded by name; the libraries that they are linked with are found. */
  readonly programs: readonly string[];
  /** Data, by path; a directory is taken whole, less what `dropped` matches. Links are followed into the picked set. */
  readonly data: readonly string[];
  readonly dropped: readonly RegExp[];
  /** Path -> where it leads. */
  readonly links: Readonly<Record<string, string>>;
  /** Who runs in the image, beside root. */
  readonly user: { readonly name: string; readonly id: number; readonly home: string; readonly shell: string };
}

export const SUITE = 'trixie';

/** Debian packages; their dependencies come along, but only what is picked below goes into the image. */
const PACKAGES = [
  ...['libvirt-daemon', 'libvirt-daemon-driver-qemu', 'qemu-system-x86', 'seabios', 'ovmf', 'ipxe-qemu'],
  ...[
    'swtpm',
    'swtpm-tools',
    's6',
    'busybox',
    'catatonit',
    'libc-bin',
    'base-files',
    'libstdc++6',
    'qemu-system-modules-opengl',
  ],
];

/** What Node is linked with, and what glibc loads when names are resolved. */
const NODE_LIBRARIES = [
  ...['libstdc++.so.6', 'libdl.so.2', 'libpthread.so.0', 'libm.so.6', 'libgcc_s.so.1'],
  ...['libnss_files.so.2', 'libnss_dns.so.2', 'libresolv.so.2'],
].map((name) => `/usr/lib/x86_64-linux-gnu/${name}`);

const PROGRAMS = [
  '/usr/sbin/libvirtd',
  '/usr/lib/x86_64-linux-gnu/libvirt/connection-driver/libvirt_driver_qemu.so',
  '/usr/lib/libvirt/libvirt_iohelper',
  '/usr/bin/qemu-system-x86_64',
  '/usr/bin/swtpm',
  '/usr/bin/swtpm_setup',
  '/usr/bin/swtpm_ioctl',
  // a TPM's certificate: its own CA in the Pod, which attests nothing, but libvirt insists
  '/usr/bin/swtpm_localca',
  '/usr/bin/swtpm_cert',
  '/usr/bin/certtool',
  '/usr/bin/s6-svscan',
  '/usr/bin/s6-supervise',
  '/usr/bin/s6-svc',
  '/usr/bin/s6-svscanctl',
  // virt-probe's way to the launcher's socket
  '/usr/bin/s6-ipcclient',
  '/usr/bin/busybox',
  ...NODE_LIBRARIES,
  // QEMU's modules for the video cards of the API
  '/usr/lib/x86_64-linux-gnu/qemu/hw-display-virtio-gpu.so',
  '/usr/lib/x86_64-linux-gnu/qemu/hw-display-virtio-gpu-pci.so',
  '/usr/lib/x86_64-linux-gnu/qemu/hw-display-virtio-vga.so',
  '/usr/lib/x86_64-linux-gnu/qemu/hw-usb-redirect.so',
];

const DATA = [
  '/etc/os-release',
  '/usr/lib/os-release',
  '/usr/share/libvirt/cpu_map',
  '/usr/share/libvirt/schemas',
  '/usr/share/OVMF',
  '/usr/share/seabios',
  '/usr/share/qemu',
  '/usr/lib/x86_64-linux-gnu/swtpm',
];

/** Firmware of other machines, and images that no device of ours loads. */
const DROPPED = [
  /\/usr\/share\/qemu\/(?!(bios|kvmvapic|vgabios|linuxboot|multiboot|pvh|efi-|pxe-|keymaps|firmware|OVMF|vhost-user))/,
  /\/usr\/share\/OVMF\/.*\.(strictnx|snakeoil).*/,
  /vgabios-(ati|vmware|qxl)/,
  /\/usr\/share\/seabios\/(bios-microvm|vgabios-(ati|vmware|qxl))/,
  /\/usr\/share\/libvirt\/cpu_map\/(arm|ppc64)_/,
];

/** As every Debian has it. */
const MERGED: Readonly<Record<string, string>> = {
  '/bin': 'usr/bin',
  '/sbin': 'usr/sbin',
  '/lib': 'usr/lib',
  '/lib64': 'usr/lib64',
  '/var/run': '../run',
};

/** Upstream's names -> Debian's; its folder is the configuration's default `ovmfPath`. */
const FIRMWARE: Readonly<Record<string, string>> = {
  '/usr/share/edk2/ovmf': '../OVMF',
  '/usr/share/OVMF/OVMF_CODE.fd': 'OVMF_CODE_4M.fd',
  '/usr/share/OVMF/OVMF_VARS.fd': 'OVMF_VARS_4M.fd',
  '/usr/share/OVMF/OVMF_CODE.secboot.fd': 'OVMF_CODE_4M.secboot.fd',
  '/usr/share/OVMF/OVMF_VARS.secboot.fd': 'OVMF_VARS_4M.ms.fd',
};

/** All dates in the image: 1 January 2025. */
export const SOURCE_DATE_EPOCH = 1735689600;

/** libvirt, QEMU and what they need. */
export const LAUNCHER: BaseRecipe = {
  packages: PACKAGES,
  programs: PROGRAMS,
  data: DATA,
  dropped: DROPPED,
  links: { ...FIRMWARE, ...MERGED },
  user: { name: 'qemu', id: 107, home: '/run/kubevirt-private', shell: '/bin/sh' },
};

/** What Node runs on, and nothing else: no shell, no package manager. */
export const COMPONENT: BaseRecipe = {
  packages: ['base-files', 'libc6', 'libstdc++6'],
  programs: NODE_LIBRARIES,
  data: ['/etc/os-release', '/usr/lib/os-release'],
  dropped: [],
  links: MERGED,
  user: { name: 'virt8s', id: 1001, home: '/', shell: '/sbin/nologin' },
};
