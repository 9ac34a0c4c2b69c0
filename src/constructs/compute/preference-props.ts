import type { Duration, Size } from 'cdk8s';
import { Choice } from '../choice';
import type { NicModel } from '../network/nic';
import type { ResourceProps } from '../resource';
import type { DiskBus, DiskCache, DiskIo } from '../storage/disk-choices';
import type { DiskBlockSize } from '../storage/disk-options';
import type { Clock } from './clock';
import type { CpuFeature } from './cpu';
import type { InputBus, InputType, PanicModel, SoundModel, Tpm, VideoModel } from './device-choices';
import type { MachineFeatures } from './features';
import type { VirtualGpuDisplay } from './host-devices';
import type { HyperV } from './hyperv';
import type { LaunchSecurity } from './launch-security';
import type { Architecture } from './strategies';

/** Over what vCPUs are spread. */
export class SpreadAcross extends Choice {
  /** Sockets and their cores. */
  public static readonly SOCKETS_CORES = SpreadAcross.of('SocketsCores');
  /** Sockets, their cores and the cores' threads. */
  public static readonly SOCKETS_CORES_THREADS = SpreadAcross.of('SocketsCoresThreads');
  /** Cores and their two threads. */
  public static readonly CORES_THREADS = SpreadAcross.of('CoresThreads');

  /**
   * Another one that the platform knows.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): SpreadAcross {
    return new SpreadAcross(value);
  }
}

/** What the vCPUs of an instancetype become. */
export class PreferredTopology {
  /** Sockets: they can be plugged in while the guest runs. The default. */
  public static readonly SOCKETS = new PreferredTopology('sockets');
  /** Cores of one socket. */
  public static readonly CORES = new PreferredTopology('cores');
  /** Threads of one core. */
  public static readonly THREADS = new PreferredTopology('threads');
  /** What the VM says. */
  public static readonly ANY = new PreferredTopology('any');

  /**
   * Several of them.
   *
   * @param across over what they are spread; sockets and cores by default
   * @param ratio cores of each socket, or threads of each core; 2 by default
   * @example
   * new Preference(chart, 'server', { topology: PreferredTopology.spread(SpreadAcross.SOCKETS_CORES, 4) });
   */
  public static spread(across?: SpreadAcross, ratio?: number): PreferredTopology {
    return new PreferredTopology('spread', across, ratio);
  }

  /**
   * Another one that the platform knows, such as those of older preferences: `preferCores`.
   *
   * @param value value as it is written in the manifest
   * @example
   * new Preference(chart, 'server', { topology: PreferredTopology.of('sockets') });
   */
  public static of(value: string): PreferredTopology {
    return new PreferredTopology(value);
  }

  private constructor(
    /** As it is written in the manifest. */
    public readonly value: string,
    /** Over what vCPUs are spread, when they are. */
    public readonly across?: SpreadAcross,
    /** Cores of each socket, or threads of each core. */
    public readonly ratio?: number,
  ) {}
}

/** Firmware of VMs that name none. */
export interface PreferredFirmware {
  /**
   * `false`: BIOS.
   * @default - the platform's
   */
  readonly efi?: boolean;
  /**
   * Whether only signed boot loaders start. Only with `efi`; switches on System Management Mode, which it needs.
   * @default true
   */
  readonly secureBoot?: boolean;
  /**
   * Keeps the variables of UEFI over restarts. Only with `efi`.
   * @default false
   */
  readonly persistent?: boolean;
  /**
   * The BIOS writes to the serial console. Only without `efi`.
   * @default false
   */
  readonly useSerial?: boolean;
}

/** Devices, wherever a VM says nothing of them. */
export interface PreferredDevices {
  /**
   * How disks are wired.
   * @default - the platform's
   */
  readonly diskBus?: DiskBus;
  /**
   * How CDs are wired.
   * @default - the platform's
   */
  readonly cdromBus?: DiskBus;
  /**
   * How LUNs are wired.
   * @default - the platform's
   */
  readonly lunBus?: DiskBus;
  /**
   * How the host caches disks.
   * @default - the platform's
   */
  readonly diskCache?: DiskCache;
  /**
   * How the host reads and writes disks.
   * @default - the platform's
   */
  readonly diskIo?: DiskIo;
  /**
   * Sector sizes of disks.
   * @default - the platform's
   */
  readonly diskBlockSize?: DiskBlockSize;
  /**
   * An I/O thread of its own for each virtio disk.
   * @default false
   */
  readonly diskDedicatedIoThread?: boolean;
  /**
   * Model of network cards.
   * @default - virtio
   */
  readonly interfaceModel?: NicModel;
  /**
   * Interfaces without a binding are behind NAT, where their network is the Pod's.
   * @default false
   */
  readonly interfaceMasquerade?: boolean;
  /**
   * How input devices are wired.
   * @default - usb
   */
  readonly inputBus?: InputBus;
  /**
   * Type of input devices.
   * @default - tablet
   */
  readonly inputType?: InputType;
  /**
   * Model of panic devices.
   * @default - what fits the architecture
   */
  readonly panicModel?: PanicModel;
  /**
   * Model of sound cards.
   * @default - ich9
   */
  readonly soundModel?: SoundModel;
  /**
   * The video device.
   * @default - depends on architecture and firmware
   */
  readonly video?: VideoModel;
  /**
   * A TPM.
   * @default - none
   */
  readonly tpm?: Tpm;
  /**
   * Randomness from the host.
   * @default false
   */
  readonly rng?: boolean;
  /**
   * Display of virtual GPUs.
   * @default - the hypervisor's choice
   */
  readonly virtualGpu?: VirtualGpuDisplay;
  /**
   * A graphics card and VNC.
   * @default true
   */
  readonly graphics?: boolean;
  /**
   * A tablet.
   * @default false
   */
  readonly inputDevice?: boolean;
  /**
   * A memory balloon.
   * @default true
   */
  readonly memBalloon?: boolean;
  /**
   * The Pod network when no network is named.
   * @default true
   */
  readonly podInterface?: boolean;
  /**
   * A serial port.
   * @default true
   */
  readonly serialConsole?: boolean;
  /**
   * A queue for each vCPU on virtio disks.
   * @default false
   */
  readonly blockMultiQueue?: boolean;
  /**
   * A queue for each vCPU on virtio interfaces.
   * @default false
   */
  readonly networkMultiQueue?: boolean;
  /**
   * No controller for disks that are plugged later.
   * @default false
   */
  readonly disableHotplug?: boolean;
  /**
   * Virtio devices for guests that know only version 0.9.
   * @default false
   */
  readonly virtioTransitional?: boolean;
}

/** What a VM must have; else it is refused. */
export interface PreferenceRequirements {
  /**
   * Least number of vCPUs.
   * @default - any
   */
  readonly cpus?: number;
  /**
   * Least memory of the guest.
   * @default - any
   */
  readonly memory?: Size;
  /**
   * Its instruction set.
   * @default - any
   */
  readonly architecture?: Architecture;
}

/** What VMs get where they say nothing. */
export interface PreferenceProps extends ResourceProps {
  /**
   * What the vCPUs of an instancetype become.
   * @default PreferredTopology.SOCKETS
   */
  readonly topology?: PreferredTopology;
  /**
   * Cores of each socket of spread vCPUs. Deprecated by KubeVirt: say it in `topology`.
   * @default 2
   */
  readonly socketToCoreRatio?: number;
  /**
   * Features of the CPU to add or hide.
   * @default - none
   */
  readonly cpuFeatures?: CpuFeature[];
  /**
   * The clock and its timers.
   * @default - the platform's
   */
  readonly clock?: Clock;
  /**
   * Devices.
   * @default - the platform's
   */
  readonly devices?: PreferredDevices;
  /**
   * Features of the machine.
   * @default - the platform's
   */
  readonly features?: MachineFeatures;
  /**
   * What guests find of Hyper-V. No passthrough.
   * @default - nothing
   */
  readonly hyperv?: HyperV;
  /**
   * Firmware.
   * @default - the platform's
   */
  readonly firmware?: PreferredFirmware;
  /**
   * Machine type.
   * @default - the platform's
   */
  readonly machineType?: string;
  /**
   * Instruction set.
   * @default - the platform's
   */
  readonly architecture?: Architecture;
  /**
   * Encrypts guests' memory.
   * @default - not encrypted
   */
  readonly launchSecurity?: LaunchSecurity;
  /**
   * Name of a headless Service.
   * @default - none
   */
  readonly subdomain?: string;
  /**
   * How long guests may take to shut down.
   * @default - the platform's
   */
  readonly terminationGracePeriod?: Duration;
  /**
   * StorageClass of disks that are made with the VM.
   * @default - the cluster's
   */
  readonly storageClass?: string;
  /**
   * What a VM must have; else it is refused.
   * @default - nothing
   */
  readonly requirements?: PreferenceRequirements;
  /**
   * Annotations of each instance that does not have them.
   * @default - none
   */
  readonly annotations?: { readonly [annotation: string]: string };
}
