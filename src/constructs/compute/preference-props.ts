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

/** Levels of the CPU topology over which vCPUs are spread. */
export class SpreadAcross extends Choice {
  /** Sockets and cores. */
  public static readonly SOCKETS_CORES = SpreadAcross.of('SocketsCores');
  /** Sockets, cores and threads. */
  public static readonly SOCKETS_CORES_THREADS = SpreadAcross.of('SocketsCoresThreads');
  /** Cores and threads. */
  public static readonly CORES_THREADS = SpreadAcross.of('CoresThreads');

  /**
   * Uses a value of the platform that has no constant here.
   *
   * @param value value as written in the manifest
   */
  public static of(value: string): SpreadAcross {
    return new SpreadAcross(value);
  }
}

/** CPU topology that the vCPUs of an instance type form. */
export class PreferredTopology {
  /** Each vCPU is a socket. Sockets can be plugged in while the guest runs. The default. */
  public static readonly SOCKETS = new PreferredTopology('sockets');
  /** Each vCPU is a core of a single socket. */
  public static readonly CORES = new PreferredTopology('cores');
  /** Each vCPU is a thread of a single core. */
  public static readonly THREADS = new PreferredTopology('threads');
  /** Topology that is set in the VM. */
  public static readonly ANY = new PreferredTopology('any');

  /**
   * Spreads the vCPUs over several levels of the topology.
   *
   * @param across levels of the topology; sockets and cores by default
   * @param ratio number of cores of each socket, or of threads of each core; 2 by default
   * @example
   * new Preference(chart, 'server', { topology: PreferredTopology.spread(SpreadAcross.SOCKETS_CORES, 4) });
   */
  public static spread(across?: SpreadAcross, ratio?: number): PreferredTopology {
    return new PreferredTopology('spread', across, ratio);
  }

  /**
   * Uses a value of the platform that has no constant here, such as those of older preferences: `preferCores`.
   *
   * @param value value as written in the manifest
   * @example
   * new Preference(chart, 'server', { topology: PreferredTopology.of('sockets') });
   */
  public static of(value: string): PreferredTopology {
    return new PreferredTopology(value);
  }

  private constructor(
    /** Value as written in the manifest. */
    public readonly value: string,
    /** Levels of the topology over which vCPUs are spread. Undefined without `spread`. */
    public readonly across?: SpreadAcross,
    /** Number of cores of each socket, or of threads of each core. */
    public readonly ratio?: number,
  ) {}
}

/** Firmware for VMs that set none. */
export interface PreferredFirmware {
  /**
   * Whether guests boot with UEFI; false selects BIOS.
   * @default - the platform's default
   */
  readonly efi?: boolean;
  /**
   * Whether only signed boot loaders start. Requires `efi`. Enables System Management Mode, which secure boot requires.
   * @default true
   */
  readonly secureBoot?: boolean;
  /**
   * Whether the variables of the firmware survive restarts. Requires `efi`.
   * @default false
   */
  readonly persistent?: boolean;
  /**
   * Whether the BIOS writes to the serial console. Not allowed with `efi`.
   * @default false
   */
  readonly useSerial?: boolean;
}

/** Device settings for VMs that do not set them. */
export interface PreferredDevices {
  /**
   * Bus of disks.
   * @default - the platform's default
   */
  readonly diskBus?: DiskBus;
  /**
   * Bus of CD drives.
   * @default - the platform's default
   */
  readonly cdromBus?: DiskBus;
  /**
   * Bus of LUNs.
   * @default - the platform's default
   */
  readonly lunBus?: DiskBus;
  /**
   * Cache mode of disks on the host.
   * @default - the platform's default
   */
  readonly diskCache?: DiskCache;
  /**
   * I/O mode of disks on the host.
   * @default - the platform's default
   */
  readonly diskIo?: DiskIo;
  /**
   * Sector sizes of disks.
   * @default - the platform's default
   */
  readonly diskBlockSize?: DiskBlockSize;
  /**
   * Whether each virtio disk has its own I/O thread.
   * @default false
   */
  readonly diskDedicatedIoThread?: boolean;
  /**
   * Model of network cards.
   * @default - virtio
   */
  readonly interfaceModel?: NicModel;
  /**
   * Whether interfaces to the Pod network that set no binding use NAT (masquerade).
   * @default false
   */
  readonly interfaceMasquerade?: boolean;
  /**
   * Bus of input devices.
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
   * @default - depends on the architecture
   */
  readonly panicModel?: PanicModel;
  /**
   * Model of sound cards.
   * @default - ich9
   */
  readonly soundModel?: SoundModel;
  /**
   * Video device.
   * @default - depends on architecture and firmware
   */
  readonly video?: VideoModel;
  /**
   * TPM.
   * @default - none
   */
  readonly tpm?: Tpm;
  /**
   * Whether guests have a random number generator that is fed by the host.
   * @default false
   */
  readonly rng?: boolean;
  /**
   * Display options of virtual GPUs.
   * @default - the hypervisor's choice
   */
  readonly virtualGpu?: VirtualGpuDisplay;
  /**
   * Whether guests have a graphics card and can be reached by VNC.
   * @default true
   */
  readonly graphics?: boolean;
  /**
   * Whether guests have a tablet.
   * @default false
   */
  readonly inputDevice?: boolean;
  /**
   * Whether guests have a memory balloon.
   * @default true
   */
  readonly memBalloon?: boolean;
  /**
   * Whether guests without networks are attached to the Pod network.
   * @default true
   */
  readonly podInterface?: boolean;
  /**
   * Whether guests have a serial port.
   * @default true
   */
  readonly serialConsole?: boolean;
  /**
   * Whether virtio disks have a queue for each vCPU.
   * @default false
   */
  readonly blockMultiQueue?: boolean;
  /**
   * Whether virtio interfaces have a queue for each vCPU.
   * @default false
   */
  readonly networkMultiQueue?: boolean;
  /**
   * Whether the controller for disks that are plugged in later is left out.
   * @default false
   */
  readonly disableHotplug?: boolean;
  /**
   * Whether virtio devices support guests that know only virtio 0.9.
   * @default false
   */
  readonly virtioTransitional?: boolean;
}

/** Minimum requirements for a VM. The platform rejects VMs that do not meet them. */
export interface PreferenceRequirements {
  /**
   * Minimum number of vCPUs.
   * @default - any
   */
  readonly cpus?: number;
  /**
   * Minimum memory of the guest.
   * @default - any
   */
  readonly memory?: Size;
  /**
   * Required instruction set (CPU architecture) of the VM.
   * @default - any
   */
  readonly architecture?: Architecture;
}

/** Properties of a preference: defaults for VMs that do not set a value. */
export interface PreferenceProps extends ResourceProps {
  /**
   * CPU topology that the vCPUs of an instance type form.
   * @default PreferredTopology.SOCKETS
   */
  readonly topology?: PreferredTopology;
  /**
   * Number of cores of each socket if vCPUs are spread. Deprecated by KubeVirt: set it in `topology` instead.
   * @default 2
   */
  readonly socketToCoreRatio?: number;
  /**
   * Features of the CPU to add or hide.
   * @default - none
   */
  readonly cpuFeatures?: CpuFeature[];
  /**
   * Clock and its timers.
   * @default - the platform's default
   */
  readonly clock?: Clock;
  /**
   * Device settings.
   * @default - the platform's default
   */
  readonly devices?: PreferredDevices;
  /**
   * Features of the machine.
   * @default - the platform's default
   */
  readonly features?: MachineFeatures;
  /**
   * Hyper-V enlightenments. `HyperV.passthrough()` is not allowed.
   * @default - none
   */
  readonly hyperv?: HyperV;
  /**
   * Firmware.
   * @default - the platform's default
   */
  readonly firmware?: PreferredFirmware;
  /**
   * Machine type.
   * @default - the platform's default
   */
  readonly machineType?: string;
  /**
   * Instruction set (CPU architecture).
   * @default - the platform's default
   */
  readonly architecture?: Architecture;
  /**
   * Encryption of the guests' memory.
   * @default - not encrypted
   */
  readonly launchSecurity?: LaunchSecurity;
  /**
   * Name of a headless Service.
   * @default - none
   */
  readonly subdomain?: string;
  /**
   * Time that guests have to shut down before they are killed.
   * @default - the platform's default
   */
  readonly terminationGracePeriod?: Duration;
  /**
   * StorageClass of disks that are created together with a VM.
   * @default - the default StorageClass of the cluster
   */
  readonly storageClass?: string;
  /**
   * Minimum requirements for a VM. The platform rejects VMs that do not meet them.
   * @default - none
   */
  readonly requirements?: PreferenceRequirements;
  /**
   * Annotations that each instance receives unless it sets them itself.
   * @default - none
   */
  readonly annotations?: { readonly [annotation: string]: string };
}
