import type {
  BlockSize,
  Clock,
  CPU,
  CPUFeature,
  Devices,
  Disk,
  DiskIOThreads,
  DomainSpec,
  EFI,
  FeatureAPIC,
  FeatureHyperv,
  FeatureKVM,
  FeatureState,
  GPU,
  HostDevice,
  Hugepages,
  Input,
  Interface,
  InterfaceMasquerade,
  LaunchSecurity,
  PanicDevice,
  Timer,
  TPMDevice,
  VirtualMachine,
  VirtualMachineInstanceSpec,
} from '../generated/kubevirt-v1';
import type { Quantity } from '../generated/meta-v1';
import type { KubeObject } from '../meta';

/** The version that is stored, and to which older copies are upgraded. */
export const INSTANCETYPE_VERSION = 'v1beta1';
export const INSTANCETYPE_API_VERSION = `instancetype.kubevirt.io/${INSTANCETYPE_VERSION}`;

/** Which of the two references of a VM: `spec.instancetype` or `spec.preference`. */
export type MatcherField = 'instancetype' | 'preference';
export type Matcher = NonNullable<VirtualMachine['spec'][MatcherField]>;

/** What a VM is given: its size, and what else its owner decides for all guests of the type. */
export interface InstancetypeSpec {
  cpu: {
    guest: number;
    model?: string;
    dedicatedCPUPlacement?: boolean;
    isolateEmulatorThread?: boolean;
    numa?: CPU['numa'];
    realtime?: CPU['realtime'];
    maxSockets?: number;
  };
  memory: { guest: Quantity; hugepages?: Hugepages; overcommitPercent?: number; maxGuest?: Quantity };
  nodeSelector?: Record<string, string>;
  schedulerName?: string;
  gpus?: GPU[];
  hostDevices?: HostDevice[];
  ioThreadsPolicy?: DomainSpec['ioThreadsPolicy'];
  ioThreads?: DiskIOThreads;
  launchSecurity?: LaunchSecurity;
  annotations?: Record<string, string>;
}

export interface DevicePreferences {
  preferredAutoattachGraphicsDevice?: boolean;
  preferredAutoattachMemBalloon?: boolean;
  preferredAutoattachPodInterface?: boolean;
  preferredAutoattachSerialConsole?: boolean;
  preferredAutoattachInputDevice?: boolean;
  preferredDisableHotplug?: boolean;
  preferredVirtualGPUOptions?: GPU['virtualGPUOptions'];
  preferredSoundModel?: NonNullable<Devices['sound']>['model'];
  preferredUseVirtioTransitional?: boolean;
  preferredInputBus?: Input['bus'];
  preferredInputType?: Input['type'];
  preferredDiskBus?: NonNullable<Disk['disk']>['bus'];
  preferredLunBus?: NonNullable<Disk['lun']>['bus'];
  preferredCdromBus?: NonNullable<Disk['cdrom']>['bus'];
  preferredDiskDedicatedIoThread?: boolean;
  preferredDiskCache?: Disk['cache'];
  preferredDiskIO?: Disk['io'];
  preferredDiskBlockSize?: BlockSize;
  preferredInterfaceModel?: Interface['model'];
  preferredRng?: Devices['rng'];
  preferredBlockMultiQueue?: boolean;
  preferredNetworkInterfaceMultiQueue?: boolean;
  preferredTPM?: TPMDevice;
  preferredInterfaceMasquerade?: InterfaceMasquerade;
  preferredPanicDeviceModel?: PanicDevice['model'];
  preferredVideoType?: NonNullable<Devices['video']>['type'];
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
  preferredUseBios?: boolean;
  preferredUseBiosSerial?: boolean;
  /** Deprecated for `preferredEfi`. */
  preferredUseEfi?: boolean;
  /** Deprecated for `preferredEfi`. */
  preferredUseSecureBoot?: boolean;
  preferredEfi?: EFI;
}

/** What a guest's fields are when the VM does not say. */
export interface PreferenceSpec {
  clock?: { preferredClockOffset?: Pick<Clock, 'timezone' | 'utc'>; preferredTimer?: Timer };
  cpu?: {
    preferredCPUTopology?: string;
    spreadOptions?: { across?: string; ratio?: number };
    preferredCPUFeatures?: CPUFeature[];
  };
  devices?: DevicePreferences;
  features?: FeaturePreferences;
  firmware?: FirmwarePreferences;
  machine?: { preferredMachineType?: string };
  volumes?: { preferredStorageClassName?: string };
  preferredSubdomain?: string;
  preferredTerminationGracePeriodSeconds?: number;
  requirements?: { cpu?: { guest: number }; memory?: { guest: Quantity }; architecture?: string };
  annotations?: Record<string, string>;
  preferSpreadSocketToCoreRatio?: number;
  preferredArchitecture?: VirtualMachineInstanceSpec['architecture'];
  preferredLaunchSecurity?: LaunchSecurity;
}

export interface Instancetype extends KubeObject {
  kind: 'VirtualMachineInstancetype' | 'VirtualMachineClusterInstancetype';
  spec: InstancetypeSpec;
}

export interface Preference extends KubeObject {
  kind: 'VirtualMachinePreference' | 'VirtualMachineClusterPreference';
  spec: PreferenceSpec;
}

/** What an instance type or preference was when a VM first used it. */
export interface ControllerRevision extends KubeObject {
  data?: unknown;
  revision?: number;
}
