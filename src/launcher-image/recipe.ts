/** What the launcher image is made of. Changing this file makes a new base layer. */

export const SUITE = 'trixie';

/** Debian packages; their dependencies come along, but only what is picked below goes into the image. */
export const PACKAGES = [
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

/** Programs and libraries that are loaded by name; the libraries that they are linked with are found. */
export const PROGRAMS = [
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
  // what Node is linked with
  '/usr/lib/x86_64-linux-gnu/libstdc++.so.6',
  '/usr/lib/x86_64-linux-gnu/libdl.so.2',
  '/usr/lib/x86_64-linux-gnu/libpthread.so.0',
  '/usr/lib/x86_64-linux-gnu/libm.so.6',
  '/usr/lib/x86_64-linux-gnu/libgcc_s.so.1',
  '/usr/lib/x86_64-linux-gnu/libnss_files.so.2',
  '/usr/lib/x86_64-linux-gnu/libnss_dns.so.2',
  '/usr/lib/x86_64-linux-gnu/libresolv.so.2',
  // QEMU's modules for the video cards of the API
  '/usr/lib/x86_64-linux-gnu/qemu/hw-display-virtio-gpu.so',
  '/usr/lib/x86_64-linux-gnu/qemu/hw-display-virtio-gpu-pci.so',
  '/usr/lib/x86_64-linux-gnu/qemu/hw-display-virtio-vga.so',
  '/usr/lib/x86_64-linux-gnu/qemu/hw-usb-redirect.so',
];

/** Data, by path; a directory is taken whole, less what `DROPPED` matches. Links are followed into the picked set. */
export const DATA = [
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
export const DROPPED = [
  /\/usr\/share\/qemu\/(?!(bios|kvmvapic|vgabios|linuxboot|multiboot|pvh|efi-|pxe-|keymaps|firmware|OVMF|vhost-user))/,
  /\/usr\/share\/OVMF\/.*\.(strictnx|snakeoil).*/,
  /vgabios-(ati|vmware|qxl)/,
  /\/usr\/share\/seabios\/(bios-microvm|vgabios-(ati|vmware|qxl))/,
  /\/usr\/share\/libvirt\/cpu_map\/(arm|ppc64)_/,
];

/** Upstream's names -> Debian's; its folder is the configuration's default `ovmfPath`. */
export const LINKS: Record<string, string> = {
  '/usr/share/edk2/ovmf': '../OVMF',
  '/usr/share/OVMF/OVMF_CODE.fd': 'OVMF_CODE_4M.fd',
  '/usr/share/OVMF/OVMF_VARS.fd': 'OVMF_VARS_4M.fd',
  '/usr/share/OVMF/OVMF_CODE.secboot.fd': 'OVMF_CODE_4M.secboot.fd',
  '/usr/share/OVMF/OVMF_VARS.secboot.fd': 'OVMF_VARS_4M.ms.fd',
  '/bin': 'usr/bin',
  '/sbin': 'usr/sbin',
  '/lib': 'usr/lib',
  '/lib64': 'usr/lib64',
  '/var/run': '../run',
};

/** All dates in the image: 1 January 2025. */
export const SOURCE_DATE_EPOCH = 1735689600;
export const UID = 107;
