/** Facts that the domain depends on besides the VMI. The caller gathers them; rendering stays pure. */
import type { Architecture } from '../../../api';
import type { DeviceFacts } from './device-facts';

export type {
  BackingSource,
  DeviceFacts,
  DiskLocation,
  DiskSource,
  HostDeviceSource,
  InterfaceSource,
} from './device-facts';

export interface Smbios {
  manufacturer?: string;
  product?: string;
  version?: string;
  sku?: string;
  family?: string;
}

/** Paths of UEFI images by capability; a missing image is undefined. */
export interface UefiImages {
  code?: string;
  vars?: string;
  secureBootCode?: string;
  secureBootVars?: string;
  /** Facts for memory that AMD SEV or SEV-ES encrypts. */
  sevCode?: string;
  sevVars?: string;
  /** Stateless: its content is part of the measurement. */
  snpCode?: string;
  tdxCode?: string;
  tdxSecureBootCode?: string;
}

/** A CPU of the node, and the CPUs that share its core (including itself). */
export interface NodeCpu {
  id: number;
  siblings: readonly number[];
}

export interface NodeCell {
  id: number;
  cpus: readonly NodeCpu[];
  /** Distance to each cell, including itself; 10 is local. */
  distances?: readonly { id: number; value: number }[];
}

/** NUMA cells of the node, with their CPUs. */
export interface NodeTopology {
  cells: readonly NodeCell[];
}

/**
 * CPU emulation in a launcher without KVM. If undefined, a domain of type `qemu` differs from one of type `kvm` only in its
 * type, like upstream's.
 */
export interface CpuEmulation {
  /** Limit of QEMU's cache of translated code, MiB; a guest that can grow gets `growing`. */
  translationCache: { fixed: number; growing: number };
}

export interface DomainFacts extends DeviceFacts {
  /** libvirt name: `<namespace>_<name>`. */
  domainName: string;
  /** UID in the domain's metadata. */
  uid?: string;
  /** `kvm` only if the node's probe ran a vCPU: a device node does not show that KVM works. */
  hypervisor: 'kvm' | 'qemu' | 'hyperv';
  /** Architecture of the guest's machine. */
  architecture: Architecture;
  /** Whether the guest's architecture differs from the node's. */
  isForeignArchitecture?: boolean;
  /** QEMU's program, if libvirt must not choose it. */
  emulator?: string;
  emulation?: CpuEmulation;
  /** CPUs that the Pod may use, ascending. Read for dedicated CPUs. */
  cpuSet: readonly number[];
  /** Read for dedicated CPUs. */
  topology?: NodeTopology;
  uefi: UefiImages;
  /** Whether libvirt chooses the image for secure boot from its descriptors. */
  chooseUefiByFeature?: boolean;
  /** Directory of NVRAM: /var/run/kubevirt-private/libvirt/qemu/nvram. */
  nvramDir: string;
  smbios: Smbios;
  /** Kernel and initrd of `firmware.kernelBoot.container`, as files. */
  kernelBoot?: { kernel?: string; initrd?: string };
  /** Directory with the mounts of Secrets with ACPI tables. */
  secretDir: string;
  /** Ignition file, if the VMI has an annotation with one. */
  ignitionFile?: string;
  /** Log of SeaBIOS, at high log verbosity. */
  firmwareLog?: string;
  /** Whether a file descriptor of /dev/iommu was passed to the launcher. */
  hasIommufd?: boolean;
  /** Whether host devices are placed beside the vCPUs of their NUMA cell. */
  alignPciWithNuma?: boolean;
  /**
   * Whether empty PCIe root ports are kept for hotplugged devices. KubeVirt's number of them costs an emulated guest 5 % of
   * its boot time, so that it gets a few.
   */
  spareRootPorts?: boolean | 'few';
}
