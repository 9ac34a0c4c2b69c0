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
   * Whether each vCPU is pinned to a CPU reserved for this guest. The Pod gets QoS class Guaranteed.
   */
  dedicatedCPUPlacement?: boolean;
  /**
   * Number of vCPUs. The preference decides how they are divided into sockets, cores and threads.
   */
  guest: number;
  /**
   * Whether QEMU's emulator thread gets an additional dedicated CPU.
   */
  isolateEmulatorThread?: boolean;
  /**
   * Maximum number of sockets after hotplug.
   */
  maxSockets?: number;
  /**
   * CPU model: host-model, host-passthrough, or a name such as Haswell. Default: the value in the KubeVirt object.
   */
  model?: string;
  /**
   * NUMA layout of the guest.
   */
  numa?: NUMA;
  /**
   * Realtime scheduling of vCPUs.
   */
  realtime?: Realtime;
}

/**
 * Requirement on the number of vCPUs.
 */
export interface CPUPreferenceRequirement {
  /**
   * Minimum number of vCPUs.
   */
  guest: number;
}

/**
 * Preferred vCPU topology and features.
 */
export interface CPUPreferences {
  /**
   * CPU features to add or hide, unless the VM sets them.
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
 * Device settings used when the VM does not set them.
 */
export interface DevicePreferences {
  /**
   * Whether a graphics card is attached (autoattachGraphicsDevice).
   */
  preferredAutoattachGraphicsDevice?: boolean;
  /**
   * Whether a tablet is attached (autoattachInputDevice).
   */
  preferredAutoattachInputDevice?: boolean;
  /**
   * Whether a memory balloon is attached (autoattachMemBalloon).
   */
  preferredAutoattachMemBalloon?: boolean;
  /**
   * Whether the Pod network is attached (autoattachPodInterface).
   */
  preferredAutoattachPodInterface?: boolean;
  /**
   * Whether a serial port is attached (autoattachSerialConsole).
   */
  preferredAutoattachSerialConsole?: boolean;
  /**
   * Whether virtio disks have one queue per vCPU (blockMultiQueue).
   */
  preferredBlockMultiQueue?: boolean;
  /**
   * Preferred bus of CD-ROM drives.
   */
  preferredCdromBus?: 'virtio' | 'scsi' | 'sata' | 'usb';
  /**
   * Whether the controller for hotplugged disks is omitted (disableHotplug).
   */
  preferredDisableHotplug?: boolean;
  /**
   * Preferred block size of disks.
   */
  preferredDiskBlockSize?: BlockSize;
  /**
   * Preferred bus of disks.
   */
  preferredDiskBus?: 'virtio' | 'scsi' | 'sata' | 'usb';
  /**
   * Preferred cache mode of disks.
   */
  preferredDiskCache?: 'none' | 'writethrough' | 'writeback';
  /**
   * Whether each virtio disk gets a dedicated I/O thread.
   */
  preferredDiskDedicatedIoThread?: boolean;
  /**
   * Preferred I/O mode of disks.
   */
  preferredDiskIO?: 'threads' | 'native';
  /**
   * Preferred bus of input devices.
   */
  preferredInputBus?: 'usb' | 'virtio';
  /**
   * Preferred type of input devices.
   */
  preferredInputType?: 'tablet' | 'keyboard';
  /**
   * Masquerade binding for interfaces of the Pod network that have no binding.
   */
  preferredInterfaceMasquerade?: InterfaceMasquerade;
  /**
   * Preferred model of interfaces: virtio, e1000, e1000e, igb, ne2k_pci, pcnet or rtl8139.
   */
  preferredInterfaceModel?: string;
  /**
   * Preferred bus of LUNs.
   */
  preferredLunBus?: 'virtio' | 'scsi' | 'sata' | 'usb';
  /**
   * Whether virtio interfaces have one queue per vCPU (networkInterfaceMultiqueue).
   */
  preferredNetworkInterfaceMultiQueue?: boolean;
  /**
   * Preferred model of panic devices.
   */
  preferredPanicDeviceModel?: 'hyperv' | 'isa' | 'pvpanic';
  /**
   * Random number generator.
   */
  preferredRng?: Rng;
  /**
   * Preferred model of sound devices: ich9 or ac97.
   */
  preferredSoundModel?: string;
  /**
   * TPM device.
   */
  preferredTPM?: TPMDevice;
  /**
   * Whether virtio devices use the transitional model (useVirtioTransitional).
   */
  preferredUseVirtioTransitional?: boolean;
  /**
   * Preferred type of the video device: virtio, vga, bochs, cirrus or ramfb.
   */
  preferredVideoType?: string;
  /**
   * Preferred options of virtual GPUs.
   */
  preferredVirtualGPUOptions?: VGPUOptions;
}

/**
 * Machine features used when the VM does not set them.
 */
export interface FeaturePreferences {
  /**
   * State of ACPI.
   */
  preferredAcpi?: FeatureState;
  /**
   * State of the APIC.
   */
  preferredApic?: FeatureAPIC;
  /**
   * Preferred Hyper-V features, which improve Windows guests.
   */
  preferredHyperv?: FeatureHyperv;
  /**
   * Visibility of KVM to the guest.
   */
  preferredKvm?: FeatureKVM;
  /**
   * State of paravirtual spinlocks.
   */
  preferredPvspinlock?: FeatureState;
  /**
   * State of system management mode.
   */
  preferredSmm?: FeatureState;
}

/**
 * Firmware used when the VM does not set it.
 */
export interface FirmwarePreferences {
  /**
   * EFI firmware and its options.
   */
  preferredEfi?: EFI;
  /**
   * Whether BIOS is preferred as firmware.
   */
  preferredUseBios?: boolean;
  /**
   * Whether the BIOS writes to the serial console. Requires preferredUseBios.
   */
  preferredUseBiosSerial?: boolean;
  /**
   * Deprecated: use preferredEfi. Whether EFI is preferred as firmware.
   */
  preferredUseEfi?: boolean;
  /**
   * Deprecated: use preferredEfi. Whether secure boot is preferred. Requires preferredUseEfi and preferredSmm.
   */
  preferredUseSecureBoot?: boolean;
}

/**
 * Machine settings used when the VM does not set them.
 */
export interface MachinePreferences {
  /**
   * Machine type, such as q35, pc-q35-9.2, virt or s390-ccw-virtio.
   */
  preferredMachineType?: string;
}

/**
 * Memory of the guest.
 */
export interface MemoryInstancetype {
  /**
   * Guest memory.
   */
  guest: Quantity;
  /**
   * Huge pages that back the guest's memory.
   */
  hugepages?: Hugepages;
  /**
   * Maximum memory after hotplug.
   */
  maxGuest?: Quantity;
  /**
   * Percentage by which the Pod's memory request is reduced. Not allowed with hugepages. Default: 0.
   */
  overcommitPercent?: number;
}

/**
 * Requirement on the guest's memory.
 */
export interface MemoryPreferenceRequirement {
  /**
   * Minimum memory of the guest.
   */
  guest: Quantity;
}

/**
 * Requirements that a VM must meet to be accepted.
 */
export interface PreferenceRequirements {
  /**
   * Required CPU architecture.
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
   * Levels over which vCPUs are distributed. Default: SocketsCores.
   */
  across?: 'SocketsCoresThreads' | 'SocketsCores' | 'CoresThreads';
  /**
   * Number of cores per socket (SocketsCoresThreads, SocketsCores), or of threads per core (CoresThreads: only 2). Default: 2.
   */
  ratio?: number;
}

/**
 * Size for VMs of all namespaces.
 */
export interface VirtualMachineClusterInstancetype extends KubeObject {
  /**
   * Size of the VM.
   */
  spec: VirtualMachineInstancetypeSpec;
}

/**
 * Defaults for VMs of all namespaces.
 */
export interface VirtualMachineClusterPreference extends KubeObject {
  /**
   * Defaults for the VM.
   */
  spec: VirtualMachinePreferenceSpec;
}

/**
 * Size of a VM: CPUs, memory and related settings. A VM that uses an instance type must not set the same fields.
 */
export interface VirtualMachineInstancetype extends KubeObject {
  /**
   * Size of the VM.
   */
  spec: VirtualMachineInstancetypeSpec;
}

/**
 * Size of the VM.
 */
export interface VirtualMachineInstancetypeSpec {
  /**
   * Annotations of the instance.
   */
  annotations?: {
    [k: string]: string;
  };
  /**
   * CPUs of the guest.
   */
  cpu: CPUInstancetype;
  /**
   * GPUs assigned to the guest.
   */
  gpus?: GPU[];
  /**
   * Devices of the node assigned to the guest.
   */
  hostDevices?: HostDevice[];
  /**
   * I/O threads for policy supplementalPool.
   */
  ioThreads?: DiskIOThreads;
  /**
   * Policy for sharing I/O threads between disks.
   */
  ioThreadsPolicy?: 'shared' | 'auto' | 'supplementalPool';
  /**
   * Deprecated: use preferredLaunchSecurity of a preference. Memory encryption of the guest.
   */
  launchSecurity?: LaunchSecurity;
  /**
   * Memory of the guest.
   */
  memory: MemoryInstancetype;
  /**
   * Labels that a node must have.
   */
  nodeSelector?: {
    [k: string]: string;
  };
  /**
   * Scheduler of the Pod. Default: the cluster's scheduler.
   */
  schedulerName?: string;
}

/**
 * Defaults for the fields that a VM does not set.
 */
export interface VirtualMachinePreference extends KubeObject {
  /**
   * Defaults for the VM.
   */
  spec: VirtualMachinePreferenceSpec;
}

/**
 * Defaults for the VM.
 */
export interface VirtualMachinePreferenceSpec {
  /**
   * Annotations of the instance, unless the VM sets them.
   */
  annotations?: {
    [k: string]: string;
  };
  /**
   * Clock of the guest.
   */
  clock?: ClockPreferences;
  /**
   * Topology and features of the vCPUs.
   */
  cpu?: CPUPreferences;
  /**
   * Device settings.
   */
  devices?: DevicePreferences;
  /**
   * Features of the machine.
   */
  features?: FeaturePreferences;
  /**
   * Firmware of the guest.
   */
  firmware?: FirmwarePreferences;
  /**
   * Machine settings.
   */
  machine?: MachinePreferences;
  /**
   * Deprecated: use cpu.spreadOptions.ratio. Number of cores per socket. Default: 2.
   */
  preferSpreadSocketToCoreRatio?: number;
  /**
   * CPU architecture: amd64, arm64 or s390x.
   */
  preferredArchitecture?: string;
  /**
   * Memory encryption of the guest.
   */
  preferredLaunchSecurity?: LaunchSecurity;
  /**
   * Subdomain of the instance.
   */
  preferredSubdomain?: string;
  /**
   * Seconds for the guest to shut down before it is killed.
   */
  preferredTerminationGracePeriodSeconds?: number;
  /**
   * Requirements that a VM must meet.
   */
  requirements?: PreferenceRequirements;
  /**
   * Volume settings.
   */
  volumes?: VolumePreferences;
}

/**
 * Volume settings used when the VM does not set them.
 */
export interface VolumePreferences {
  /**
   * StorageClass for dataVolumeTemplates.
   */
  preferredStorageClassName?: string;
}
