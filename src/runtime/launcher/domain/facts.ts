/** What the domain depends on besides the VMI. Gathered by the caller; rendering stays pure. */

/** A disk whose file exists and whose format is known. */
export interface DiskSource {
  /** The volume, and so the disk, that it serves. */
  name: string;
  type: 'file' | 'block';
  path: string;
  format: 'raw' | 'qcow2';
  /** Below an overlay of ours; never probed by QEMU. */
  backing?: { path: string; format: 'raw' | 'qcow2' };
  readonly: boolean;
  /** QEMU's cache mode when the VMI does not choose one. */
  cache?: 'none' | 'writethrough' | 'writeback' | 'unsafe';
  /** Block size of the storage, for `blockSize.matchVolume`. */
  blockSize?: { logical: number; physical: number };
  discard: boolean;
}

/** A NIC of the guest after phase 1. */
export interface InterfaceSource {
  /** `spec.domain.devices.interfaces[].name` */
  name: string;
  tap: string;
  mac: string;
  mtu?: number;
}

export interface Smbios {
  manufacturer?: string;
  product?: string;
  version?: string;
  sku?: string;
  family?: string;
}

/** Firmware images of the launcher image. */
export interface OvmfPaths {
  code: string;
  vars: string;
  secureBootCode: string;
  secureBootVars: string;
}

export interface DomainFacts {
  /** libvirt name: `<namespace>_<name>`. */
  domainName: string;
  /** May KVM be used? Only when the node's probe ran a vCPU; a device node alone says nothing. */
  kvm: boolean;
  ovmf: OvmfPaths;
  /** Where this VMI's sockets and logs are: /var/run/kubevirt-private/<uid>. */
  runtimeDir: string;
  /** Where NVRAM is: /var/run/kubevirt-private/libvirt/qemu/nvram. */
  nvramDir: string;
  disks: readonly DiskSource[];
  interfaces: readonly InterfaceSource[];
  smbios: Smbios;
  /** Kernel and initrd of `firmware.kernelBoot.container`, as files. */
  kernelBoot?: { kernel?: string; initrd?: string };
  /** Seconds between balloon statistics; 0 asks for none. */
  balloonStatsPeriod: number;
  freePageReporting: boolean;
  bochsForEfi: boolean;
  /** Cluster default of `devices.logSerialConsole`. */
  logSerialConsole: boolean;
}
