import type { ApiObjectMetadata, Duration, Size } from 'cdk8s';
import type { CloudInit } from '../cloud-init/cloud-init';
import type { VmNetwork } from '../network/vm-network';
import type { INamedObject, ResourceProps } from '../resource';
import type { Disk } from '../storage/disk';
import type { Sysprep } from '../sysprep/sysprep';
import type { AccessCredential } from './access-credential';
import type { Clock } from './clock';
import type { Cpu } from './cpu';
import type { DeviceOptions } from './devices';
import type { VmDnsOptions } from './dns';
import type { MachineFeatures } from './features';
import type { Firmware } from './firmware';
import type { HyperV } from './hyperv';
import type { IoThreads } from './io-threads';
import type { LaunchSecurity } from './launch-security';
import type { MemoryOptions } from './memory';
import type { VmProbe } from './probe';
import type { VmResourceClaim } from './resource-claim';
import type { SchedulingOptions } from './scheduling';
import type { Architecture, EvictionStrategy, RebootPolicy, StartStrategy } from './strategies';
import type { UtilityVolume } from './utility-volume';

/** What the guest reads of its case by SMBIOS. */
export interface Chassis {
  /**
   * Manufacturer.
   * @default - the platform's
   */
  readonly manufacturer?: string;
  /**
   * Version.
   * @default - the platform's
   */
  readonly version?: string;
  /**
   * Serial number.
   * @default - the platform's
   */
  readonly serial?: string;
  /**
   * Asset tag.
   * @default - the platform's
   */
  readonly asset?: string;
  /**
   * SKU number.
   * @default - the platform's
   */
  readonly sku?: string;
}

/** What everything takes that holds a guest: VMs, instances, replica sets and pools. */
export interface GuestProps extends ResourceProps {
  /**
   * CPU that the guest sees.
   * @default - what the instancetype, `limits` or `requests` say; else the platform's, which is one vCPU
   */
  readonly cpu?: Cpu;
  /**
   * Memory that the guest sees.
   * @default - what the instancetype, `requests` or `limits` say; one of them is needed
   */
  readonly memory?: Size;
  /**
   * What the memory has beyond its size: huge pages, how far it may grow.
   * @default - none
   */
  readonly memoryOptions?: MemoryOptions;
  /**
   * CPU and memory that Kubernetes sets aside, as quantities: `{ cpu: '500m' }`.
   * @default - a tenth of each vCPU, and the memory with its overhead
   */
  readonly requests?: { readonly [resource: string]: string };
  /**
   * CPU and memory that the VM may never exceed, as quantities.
   * @default - none
   */
  readonly limits?: { readonly [resource: string]: string };
  /**
   * No memory is requested for what runs beside the guest.
   * @default false
   */
  readonly overcommitGuestOverhead?: boolean;
  /**
   * Disks, in the order in which the guest sees them.
   * @default - none
   */
  readonly disks?: Disk[];
  /**
   * What is configured in the guest at its first boot.
   * @default - nothing
   */
  readonly cloudInit?: CloudInit;
  /**
   * Answers for the setup of Windows.
   * @default - none
   */
  readonly sysprep?: Sysprep;
  /**
   * Networks that the guest is attached to. An empty list means none, `[VmNetwork.platform()]` what the platform
   * attaches by itself.
   * @default - the Pod network behind NAT: [VmNetwork.masquerade()]
   */
  readonly networks?: VmNetwork[];
  /**
   * How the guest boots.
   * @default - BIOS; UEFI on arm64
   */
  readonly firmware?: Firmware;
  /**
   * Machine type, such as `pc-q35-9.0`.
   * @default - the platform's for the architecture: q35 on amd64
   */
  readonly machineType?: string;
  /**
   * Instruction set.
   * @default - the platform's, amd64
   */
  readonly architecture?: Architecture;
  /**
   * What the guest reads of its case.
   * @default - the platform's
   */
  readonly chassis?: Chassis;
  /**
   * The clock and its timers.
   * @default - UTC
   */
  readonly clock?: Clock;
  /**
   * Features of the machine.
   * @default - ACPI; SMM with secure boot
   */
  readonly features?: MachineFeatures;
  /**
   * What the guest finds of Hyper-V: `HyperV.windows()`.
   * @default - nothing
   */
  readonly hyperv?: HyperV;
  /**
   * Encrypts the guest's memory.
   * @default - not encrypted
   */
  readonly launchSecurity?: LaunchSecurity;
  /**
   * Threads of QEMU that serve disks.
   * @default - none but those that a disk asks for
   */
  readonly ioThreads?: IoThreads;
  /**
   * What is plugged in besides disks and networks: TPM, GPUs, watchdog, …
   * @default - graphics, serial console and memory balloon
   */
  readonly devices?: DeviceOptions;
  /**
   * Claims of dynamic resource allocation, besides those of `devices`.
   * @default - those of the devices
   */
  readonly resourceClaims?: VmResourceClaim[];
  /**
   * Claims for the launcher's own use.
   * @default - none
   */
  readonly utilityVolumes?: UtilityVolume[];
  /**
   * Where the guest may and should run.
   * @default - anywhere
   */
  readonly scheduling?: SchedulingOptions;
  /**
   * Whether Services lead to the guest.
   * @default - as soon as it runs
   */
  readonly readiness?: VmProbe;
  /**
   * Whether the guest is beyond help: then it is killed, and its run strategy decides. Not with a paused start.
   * @default - never
   */
  readonly liveness?: VmProbe;
  /**
   * Keys and passwords of Secrets, and how they reach the guest.
   * @default - passwords of the users of `cloudInit`, and of the administrator of `sysprep`
   */
  readonly accessCredentials?: AccessCredential[];
  /**
   * Service account of the Pod.
   * @default - the namespace's
   */
  readonly serviceAccount?: INamedObject;
  /**
   * Host name of the guest, a DNS label.
   * @default - name of the instance
   */
  readonly hostname?: string;
  /**
   * Name of a headless Service; with it the guest has the DNS name `HOSTNAME.SUBDOMAIN`.
   * @default - none
   */
  readonly subdomain?: string;
  /**
   * Name servers and search domains.
   * @default - the cluster's
   */
  readonly dns?: VmDnsOptions;
  /**
   * In which state the guest starts.
   * @default - running
   */
  readonly startStrategy?: StartStrategy;
  /**
   * What becomes of the guest when its node is drained.
   * @default - the platform's
   */
  readonly evictionStrategy?: EvictionStrategy;
  /**
   * How long the guest may take to shut down before it is killed.
   * @default Duration.seconds(30)
   */
  readonly terminationGracePeriod?: Duration;
  /**
   * What a reboot inside the guest does.
   * @default RebootPolicy.REBOOT
   */
  readonly rebootPolicy?: RebootPolicy;
  /**
   * Labels and annotations of the running instance and its Pod.
   * @default - none
   */
  readonly instanceMetadata?: ApiObjectMetadata;
  /**
   * Fields of the instance's spec as the API writes them, for what no property reaches; merged over everything else.
   * @default - none
   */
  readonly instanceSpec?: { readonly [field: string]: unknown };
}
