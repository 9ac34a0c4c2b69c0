// Generated from api/schema/instancetype.kubevirt.io_v1beta1.json by scripts/generate.ts; edit that file.
import type { KubeObject } from '../meta';
import type { BlockSize, CPUFeature, ClockOffset, DiskIOThreads, EFI, FeatureAPIC, FeatureHyperv, FeatureKVM, FeatureState, GPU, HostDevice, Hugepages, InterfaceMasquerade, LaunchSecurity, NUMA, Realtime, Rng, TPMDevice, Timer, VGPUOptions } from './kubevirt-v1';
import type { Quantity } from './meta-v1';

export interface CPUInstancetype {
  dedicatedCPUPlacement?: boolean;
  guest: number;
  isolateEmulatorThread?: boolean;
  maxSockets?: number;
  model?: string;
  numa?: NUMA;
  realtime?: Realtime;
}

export interface CPUPreferenceRequirement {
  guest: number;
}

export interface CPUPreferences {
  preferredCPUFeatures?: CPUFeature[];
  preferredCPUTopology?: 'preferCores' | 'preferSockets' | 'preferThreads' | 'preferSpread' | 'preferAny' | 'cores' | 'sockets' | 'threads' | 'spread' | 'any';
  spreadOptions?: SpreadOptions;
}

export interface ClockPreferences {
  preferredClockOffset?: ClockOffset;
  preferredTimer?: Timer;
}

export interface DevicePreferences {
  preferredAutoattachGraphicsDevice?: boolean;
  preferredAutoattachInputDevice?: boolean;
  preferredAutoattachMemBalloon?: boolean;
  preferredAutoattachPodInterface?: boolean;
  preferredAutoattachSerialConsole?: boolean;
  preferredBlockMultiQueue?: boolean;
  preferredCdromBus?: 'virtio' | 'sata' | 'scsi' | 'usb';
  preferredDisableHotplug?: boolean;
  preferredDiskBlockSize?: BlockSize;
  preferredDiskBus?: 'virtio' | 'sata' | 'scsi' | 'usb';
  preferredDiskCache?: 'none' | 'writethrough' | 'writeback';
  preferredDiskDedicatedIoThread?: boolean;
  preferredDiskIO?: 'threads' | 'native';
  preferredInputBus?: 'usb' | 'virtio';
  preferredInputType?: 'tablet' | 'keyboard';
  preferredInterfaceMasquerade?: InterfaceMasquerade;
  preferredInterfaceModel?: string;
  preferredLunBus?: 'virtio' | 'sata' | 'scsi' | 'usb';
  preferredNetworkInterfaceMultiQueue?: boolean;
  preferredPanicDeviceModel?: 'hyperv' | 'isa' | 'pvpanic';
  preferredRng?: Rng;
  preferredSoundModel?: string;
  preferredTPM?: TPMDevice;
  preferredUseVirtioTransitional?: boolean;
  preferredVideoType?: string;
  preferredVirtualGPUOptions?: VGPUOptions;
}

export interface FeaturePreferences {
  preferredAcpi?: FeatureState;
  preferredApic?: FeatureAPIC;
  preferredHyperv?: FeatureHyperv;
  preferredKvm?: FeatureKVM;
  preferredPvspinlock?: FeatureState;
  preferredSmm?: FeatureState;
}

export interface FirmwarePreferences {
  preferredEfi?: EFI;
  preferredUseBios?: boolean;
  preferredUseBiosSerial?: boolean;
  preferredUseEfi?: boolean;
  preferredUseSecureBoot?: boolean;
}

export interface MachinePreferences {
  preferredMachineType?: string;
}

export interface MemoryInstancetype {
  guest: Quantity;
  hugepages?: Hugepages;
  maxGuest?: Quantity;
  overcommitPercent?: number;
}

export interface MemoryPreferenceRequirement {
  guest: Quantity;
}

export interface PreferenceRequirements {
  architecture?: string;
  cpu?: CPUPreferenceRequirement;
  memory?: MemoryPreferenceRequirement;
}

export interface SpreadOptions {
  across?: 'SocketsCoresThreads' | 'SocketsCores' | 'CoresThreads';
  ratio?: number;
}

export interface VirtualMachineClusterInstancetype extends KubeObject {
  spec: VirtualMachineInstancetypeSpec;
}

export interface VirtualMachineClusterPreference extends KubeObject {
  spec: VirtualMachinePreferenceSpec;
}

export interface VirtualMachineInstancetype extends KubeObject {
  spec: VirtualMachineInstancetypeSpec;
}

export interface VirtualMachineInstancetypeSpec {
  annotations?: Record<string, string>;
  cpu: CPUInstancetype;
  gpus?: GPU[];
  hostDevices?: HostDevice[];
  ioThreads?: DiskIOThreads;
  ioThreadsPolicy?: 'shared' | 'auto' | 'supplementalPool';
  launchSecurity?: LaunchSecurity;
  memory: MemoryInstancetype;
  nodeSelector?: Record<string, string>;
  schedulerName?: string;
}

export interface VirtualMachinePreference extends KubeObject {
  spec: VirtualMachinePreferenceSpec;
}

export interface VirtualMachinePreferenceSpec {
  annotations?: Record<string, string>;
  clock?: ClockPreferences;
  cpu?: CPUPreferences;
  devices?: DevicePreferences;
  features?: FeaturePreferences;
  firmware?: FirmwarePreferences;
  machine?: MachinePreferences;
  preferSpreadSocketToCoreRatio?: number;
  preferredArchitecture?: string;
  preferredLaunchSecurity?: LaunchSecurity;
  preferredSubdomain?: string;
  preferredTerminationGracePeriodSeconds?: number;
  requirements?: PreferenceRequirements;
  volumes?: VolumePreferences;
}

export interface VolumePreferences {
  preferredStorageClassName?: string;
}
