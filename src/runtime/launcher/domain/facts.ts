/** What the domain depends on besides the VMI. Gathered by the caller; rendering stays pure. */
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

/** UEFI images by what they can do, as paths; one that is not there is left out. */
export interface UefiImages {
  code?: string;
  vars?: string;
  secureBootCode?: string;
  secureBootVars?: string;
  /** For memory that AMD SEV or SEV-ES encrypts. */
  sevCode?: string;
  sevVars?: string;
  /** Stateless: what it knows is measured with it. */
  snpCode?: string;
  tdxCode?: string;
  tdxSecureBootCode?: string;
}

/** A CPU of the node, and the CPUs that share its core (itself too). */
export interface NodeCpu {
  id: number;
  siblings: readonly number[];
}

export interface NodeCell {
  id: number;
  cpus: readonly NodeCpu[];
  /** Distance to each cell, itself too; 10 is local. */
  distances?: readonly { id: number; value: number }[];
}

/** NUMA cells of the node, with their CPUs. */
export interface NodeTopology {
  cells: readonly NodeCell[];
}

/**
 * How a launcher without KVM has its CPUs emulated. Left out, a domain of type `qemu` differs from one of type `kvm`
 * in nothing but its type, as upstream's does.
 */
export interface CpuEmulation {
  /** Translated code that QEMU may keep, MiB; a guest that can grow gets `growing`. */
  translationCache: { fixed: number; growing: number };
}

export interface DomainFacts extends DeviceFacts {
  /** libvirt name: `<namespace>_<name>`. */
  domainName: string;
  /** The uid in the domain's metadata. */
  uid?: string;
  /** `kvm` only when the node's probe ran a vCPU; a device node alone says nothing. */
  hypervisor: 'kvm' | 'qemu' | 'hyperv';
  /** Of the machine that the guest sees. */
  architecture: Architecture;
  /** The guest's architecture is another than the node's. */
  isForeignArchitecture?: boolean;
  /** QEMU's program, where libvirt shall not choose. */
  emulator?: string;
  emulation?: CpuEmulation;
  /** CPUs that the Pod may use, ascending. Read for dedicated CPUs. */
  cpuSet: readonly number[];
  /** Read for dedicated CPUs. */
  topology?: NodeTopology;
  uefi: UefiImages;
  /** libvirt chooses the image for secure boot from its descriptors. */
  chooseUefiByFeature?: boolean;
  /** Where NVRAM is: /var/run/kubevirt-private/libvirt/qemu/nvram. */
  nvramDir: string;
  smbios: Smbios;
  /** Kernel and initrd of `firmware.kernelBoot.container`, as files. */
  kernelBoot?: { kernel?: string; initrd?: string };
  /** Where Secrets with ACPI tables are mounted. */
  secretDir: string;
  /** Ignition's file, when the VMI has an annotation with one. */
  ignitionFile?: string;
  /** Where SeaBIOS writes what it does, at high log verbosity. */
  firmwareLog?: string;
  /** A file descriptor of /dev/iommu was handed to the launcher. */
  hasIommufd?: boolean;
  /** Host devices are placed beside the vCPUs of their NUMA cell. */
  alignPciWithNuma?: boolean;
  /** Empty PCIe root ports are kept for devices that come later. They cost an emulated guest 5 % of its boot. */
  spareRootPorts?: boolean;
}
