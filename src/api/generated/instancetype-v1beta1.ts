// Generated from api/schema/instancetype.kubevirt.io_v1beta1.json by scripts/generate.ts; edit that file.
import type { KubeObject } from '../meta';
import type {
  BlockSize,
  CPUFeature,
  ClockOffset,
  DiskIOThreads,
  EFI,
  FeatureAPIC,
  FeatureHyperv,
  FeatureKVM,
  FeatureState,
  GPU,
  HostDevice,
  Hugepages,
  InterfaceMasquerade,
  LaunchSecurity,
  NUMA,
  Realtime,
  Rng,
  TPMDevice,
  Timer,
  VGPUOptions,
} from './kubevirt-v1';
import type { Quantity } from './meta-v1';

/**
 * CPUs of the guest.
 */
export interface CPUInstancetype {
  /**
   * Pins vCPUs to CPUs that no one else uses; makes the Pod Guaranteed.
   */
  dedicatedCPUPlacement?: boolean;
  /**
   * vCPUs. How they become sockets, cores and threads is up to the preference.
   */
  guest: number;
  /**
   * Whether QEMU gets one more dedicated CPU for its emulator thread.
   */
  isolateEmulatorThread?: boolean;
  /**
   * Most sockets after hotplug.
   */
  maxSockets?: number;
  /**
   * host-model, host-passthrough, or a name such as Haswell. Default: what the KubeVirt object says.
   */
  model?: string;
  /**
   * The guest sees the node's NUMA layout.
   */
  numa?: NUMA;
  /**
   * Realtime scheduling of vCPUs.
   */
  realtime?: Realtime;
}

/**
 * CPUs that a VM must have.
 */
export interface CPUPreferenceRequirement {
  /**
   * Least number of vCPUs.
   */
  guest: number;
}

/**
 * Preferred vCPU topology and features.
 */
export interface CPUPreferences {
  /**
   * CPU features to add or hide, where the VM does not name them.
   */
  preferredCPUFeatures?: CPUFeature[];
  /**
   * Topology of the vCPUs: sockets, cores, threads, any, or spread; the names that begin with prefer are deprecated. Default: sockets.
   */
  preferredCPUTopology?:
    | 'preferCores'
    | 'preferSockets'
    | 'preferThreads'
    | 'preferSpread'
    | 'preferAny'
    | 'cores'
    | 'sockets'
    | 'threads'
    | 'spread'
    | 'any';
  /**
   * Distribution of vCPUs for the topology spread.
   */
  spreadOptions?: SpreadOptions;
}

/**
 * Clock of the guest.
 */
export interface ClockPreferences {
  /**
   * Time zone or offset used when the VM does not set one.
   */
  preferredClockOffset?: ClockOffset;
  /**
   * Timers used when the VM does not set them.
   */
  preferredTimer?: Timer;
}

/**
 * Devices, wherever the VM leaves the field out.
 */
export interface DevicePreferences {
  /**
   * Value of autoattachGraphicsDevice.
   */
  preferredAutoattachGraphicsDevice?: boolean;
  /**
   * Value of autoattachInputDevice.
   */
  preferredAutoattachInputDevice?: boolean;
  /**
   * Value of autoattachMemBalloon.
   */
  preferredAutoattachMemBalloon?: boolean;
  /**
   * Value of autoattachPodInterface.
   */
  preferredAutoattachPodInterface?: boolean;
  /**
   * Value of autoattachSerialConsole.
   */
  preferredAutoattachSerialConsole?: boolean;
  /**
   * Value of blockMultiQueue.
   */
  preferredBlockMultiQueue?: boolean;
  /**
   * Bus of CD-ROM drives.
   */
  preferredCdromBus?: 'virtio' | 'scsi' | 'sata' | 'usb';
  /**
   * Value of disableHotplug.
   */
  preferredDisableHotplug?: boolean;
  /**
   * Block size of disks.
   */
  preferredDiskBlockSize?: BlockSize;
  /**
   * Bus of disks.
   */
  preferredDiskBus?: 'virtio' | 'scsi' | 'sata' | 'usb';
  /**
   * Cache mode of disks.
   */
  preferredDiskCache?: 'none' | 'writethrough' | 'writeback';
  /**
   * An IO thread of its own for each virtio disk.
   */
  preferredDiskDedicatedIoThread?: boolean;
  /**
   * IO mode of disks.
   */
  preferredDiskIO?: 'threads' | 'native';
  /**
   * Bus of input devices.
   */
  preferredInputBus?: 'usb' | 'virtio';
  /**
   * Type of input devices.
   */
  preferredInputType?: 'tablet' | 'keyboard';
  /**
   * Interfaces without a binding get masquerade, when their network is the Pod's.
   */
  preferredInterfaceMasquerade?: InterfaceMasquerade;
  /**
   * Model of interfaces: virtio, e1000, e1000e, igb, ne2k_pci, pcnet or rtl8139.
   */
  preferredInterfaceModel?: string;
  /**
   * Bus of LUNs.
   */
  preferredLunBus?: 'virtio' | 'scsi' | 'sata' | 'usb';
  /**
   * Value of networkInterfaceMultiqueue.
   */
  preferredNetworkInterfaceMultiQueue?: boolean;
  /**
   * Model of panic devices.
   */
  preferredPanicDeviceModel?: 'hyperv' | 'isa' | 'pvpanic';
  /**
   * A random number generator.
   */
  preferredRng?: Rng;
  /**
   * Model of sound devices: ich9 or ac97.
   */
  preferredSoundModel?: string;
  /**
   * A TPM.
   */
  preferredTPM?: TPMDevice;
  /**
   * Value of useVirtioTransitional.
   */
  preferredUseVirtioTransitional?: boolean;
  /**
   * Type of the video device: virtio, vga, bochs, cirrus or ramfb.
   */
  preferredVideoType?: string;
  /**
   * Options of virtual GPUs.
   */
  preferredVirtualGPUOptions?: VGPUOptions;
}

/**
 * Features of the machine, where the VM does not name them.
 */
export interface FeaturePreferences {
  /**
   * ACPI.
   */
  preferredAcpi?: FeatureState;
  /**
   * APIC.
   */
  preferredApic?: FeatureAPIC;
  /**
   * Preferred Hyper-V features, which improve Windows guests.
   */
  preferredHyperv?: FeatureHyperv;
  /**
   * Whether KVM is hidden.
   */
  preferredKvm?: FeatureKVM;
  /**
   * Paravirtual spinlocks.
   */
  preferredPvspinlock?: FeatureState;
  /**
   * System management mode.
   */
  preferredSmm?: FeatureState;
}

/**
 * Firmware used when the VM does not set it.
 */
export interface FirmwarePreferences {
  /**
   * EFI, with its options.
   */
  preferredEfi?: EFI;
  /**
   * BIOS.
   */
  preferredUseBios?: boolean;
  /**
   * BIOS writes to the serial console; needs preferredUseBios.
   */
  preferredUseBiosSerial?: boolean;
  /**
   * Deprecated: use preferredEfi. EFI.
   */
  preferredUseEfi?: boolean;
  /**
   * Deprecated: use preferredEfi. Secure boot; needs preferredUseEfi and preferredSmm.
   */
  preferredUseSecureBoot?: boolean;
}

/**
 * Machine settings used when the VM does not set them.
 */
export interface MachinePreferences {
  /**
   * Machine type: q35, pc-q35-9.2, virt, s390-ccw-virtio.
   */
  preferredMachineType?: string;
}

/**
 * Memory of the guest.
 */
export interface MemoryInstancetype {
  /**
   * Memory that the guest sees.
   */
  guest: Quantity;
  /**
   * Memory in huge pages.
   */
  hugepages?: Hugepages;
  /**
   * Memory after hotplug, at most.
   */
  maxGuest?: Quantity;
  /**
   * The Pod asks for this much less memory, in percent. Not together with hugepages. Default: 0.
   */
  overcommitPercent?: number;
}

/**
 * Memory that a VM must have.
 */
export interface MemoryPreferenceRequirement {
  /**
   * Least memory of the guest.
   */
  guest: Quantity;
}

/**
 * Requirements that a VM must meet to be accepted.
 */
export interface PreferenceRequirements {
  /**
   * Required architecture.
   */
  architecture?: string;
  /**
   * Required CPUs.
   */
  cpu?: CPUPreferenceRequirement;
  /**
   * Required memory.
   */
  memory?: MemoryPreferenceRequirement;
}

/**
 * Distribution of vCPUs over sockets, cores and threads.
 */
export interface SpreadOptions {
  /**
   * Over which of sockets, cores and threads. Default: SocketsCores.
   */
  across?: 'SocketsCoresThreads' | 'SocketsCores' | 'CoresThreads';
  /**
   * Cores for each socket (SocketsCores, SocketsCoresThreads), or threads for each core (CoresThreads: only 2). Default: 2.
   */
  ratio?: number;
}

/**
 * A size that VMs of all namespaces can have.
 */
export interface VirtualMachineClusterInstancetype extends KubeObject {
  /**
   * The size.
   */
  spec: VirtualMachineInstancetypeSpec;
}

/**
 * Defaults that VMs of all namespaces can have.
 */
export interface VirtualMachineClusterPreference extends KubeObject {
  /**
   * The defaults.
   */
  spec: VirtualMachinePreferenceSpec;
}

/**
 * A size: CPUs, memory and what belongs to them. A VM that refers to it must not set the same fields.
 */
export interface VirtualMachineInstancetype extends KubeObject {
  /**
   * The size.
   */
  spec: VirtualMachineInstancetypeSpec;
}

/**
 * The size.
 */
export interface VirtualMachineInstancetypeSpec {
  /**
   * Annotations of the instance.
   */
  annotations?: {
    [k: string]: string;
  };
  /**
   * CPUs.
   */
  cpu: CPUInstancetype;
  /**
   * GPUs.
   */
  gpus?: GPU[];
  /**
   * Devices of the node.
   */
  hostDevices?: HostDevice[];
  /**
   * IO threads of the supplementalPool policy.
   */
  ioThreads?: DiskIOThreads;
  /**
   * Policy for sharing IO threads between disks.
   */
  ioThreadsPolicy?: 'shared' | 'auto' | 'supplementalPool';
  /**
   * Deprecated: use preferredLaunchSecurity of a preference. Encrypted memory.
   */
  launchSecurity?: LaunchSecurity;
  /**
   * Memory.
   */
  memory: MemoryInstancetype;
  /**
   * Nodes, by labels.
   */
  nodeSelector?: {
    [k: string]: string;
  };
  /**
   * Scheduler of the Pod. Default: the cluster's.
   */
  schedulerName?: string;
}

/**
 * Defaults: what a VM gets where it leaves a field out.
 */
export interface VirtualMachinePreference extends KubeObject {
  /**
   * The defaults.
   */
  spec: VirtualMachinePreferenceSpec;
}

/**
 * The defaults.
 */
export interface VirtualMachinePreferenceSpec {
  /**
   * Annotations of the instance, where it does not have them.
   */
  annotations?: {
    [k: string]: string;
  };
  /**
   * Clock.
   */
  clock?: ClockPreferences;
  /**
   * Arrangement of the vCPUs.
   */
  cpu?: CPUPreferences;
  /**
   * Devices.
   */
  devices?: DevicePreferences;
  /**
   * Features of the machine.
   */
  features?: FeaturePreferences;
  /**
   * Firmware.
   */
  firmware?: FirmwarePreferences;
  /**
   * Machine.
   */
  machine?: MachinePreferences;
  /**
   * Deprecated: use cpu.spreadOptions.ratio. Cores for each socket. Default: 2.
   */
  preferSpreadSocketToCoreRatio?: number;
  /**
   * Architecture: amd64, arm64 or s390x.
   */
  preferredArchitecture?: string;
  /**
   * Encrypted memory.
   */
  preferredLaunchSecurity?: LaunchSecurity;
  /**
   * Subdomain of the instance.
   */
  preferredSubdomain?: string;
  /**
   * Seconds that the guest has to shut down.
   */
  preferredTerminationGracePeriodSeconds?: number;
  /**
   * Requirements that a VM must meet.
   */
  requirements?: PreferenceRequirements;
  /**
   * Volumes.
   */
  volumes?: VolumePreferences;
}

/**
 * Volumes, where the VM does not say.
 */
export interface VolumePreferences {
  /**
   * StorageClass of dataVolumeTemplates.
   */
  preferredStorageClassName?: string;
}
