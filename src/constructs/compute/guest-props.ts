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

/** Chassis data that the guest reads from SMBIOS. */
export interface Chassis {
  /**
   * Manufacturer.
   * @default - the platform's default
   */
  readonly manufacturer?: string;
  /**
   * Version.
   * @default - the platform's default
   */
  readonly version?: string;
  /**
   * Serial number.
   * @default - the platform's default
   */
  readonly serial?: string;
  /**
   * Asset tag.
   * @default - the platform's default
   */
  readonly asset?: string;
  /**
   * SKU number.
   * @default - the platform's default
   */
  readonly sku?: string;
}

/** Properties shared by VMs, instances, replica sets and pools. */
export interface GuestProps extends ResourceProps {
  /**
   * CPU that the guest sees.
   * @default - size from the instance type, `limits` or `requests`; otherwise the platform's default of one vCPU
   */
  readonly cpu?: Cpu;
  /**
   * Memory that the guest sees.
   * @default - size from the instance type, `requests` or `limits`, one of which is then required
   */
  readonly memory?: Size;
  /**
   * Options of the memory beyond its size, such as huge pages and the limit for hotplug.
   * @default - none
   */
  readonly memoryOptions?: MemoryOptions;
  /**
   * CPU and memory that Kubernetes reserves, as quantities: `{ cpu: '500m' }`.
   * @default - a tenth of a CPU for each vCPU, and the memory of the guest plus its overhead
   */
  readonly requests?: { readonly [resource: string]: string };
  /**
   * Maximum CPU and memory of the VM, as quantities.
   * @default - none
   */
  readonly limits?: { readonly [resource: string]: string };
  /**
   * Whether the memory overhead of the processes beside the guest is left out of the memory request.
   * @default false
   */
  readonly overcommitGuestOverhead?: boolean;
  /**
   * Disks, in the order in which the guest sees them.
   * @default - none
   */
  readonly disks?: Disk[];
  /**
   * Configuration that cloud-init applies at the first boot.
   * @default - none
   */
  readonly cloudInit?: CloudInit;
  /**
   * Answer file for Windows Setup.
   * @default - none
   */
  readonly sysprep?: Sysprep;
  /**
   * Networks that the guest is attached to. An empty list attaches none; `[VmNetwork.platform()]` leaves the choice to
   * the platform.
   * @default - the Pod network behind NAT: `[VmNetwork.masquerade()]`
   */
  readonly networks?: VmNetwork[];
  /**
   * Firmware that boots the guest.
   * @default - BIOS; UEFI on arm64
   */
  readonly firmware?: Firmware;
  /**
   * Machine type, such as `pc-q35-9.0`.
   * @default - the platform's default for the architecture: q35 on amd64
   */
  readonly machineType?: string;
  /**
   * Instruction set (CPU architecture).
   * @default - the platform's default, amd64
   */
  readonly architecture?: Architecture;
  /**
   * Chassis data that the guest reads from SMBIOS.
   * @default - the platform's default
   */
  readonly chassis?: Chassis;
  /**
   * Clock and its timers.
   * @default - UTC
   */
  readonly clock?: Clock;
  /**
   * Features of the machine.
   * @default - ACPI; SMM with secure boot
   */
  readonly features?: MachineFeatures;
  /**
   * Hyper-V enlightenments, which make Windows faster: `HyperV.windows()`.
   * @default - none
   */
  readonly hyperv?: HyperV;
  /**
   * Encryption of the guest's memory.
   * @default - not encrypted
   */
  readonly launchSecurity?: LaunchSecurity;
  /**
   * QEMU threads that handle disk I/O.
   * @default - only those of disks with `dedicatedIoThread`
   */
  readonly ioThreads?: IoThreads;
  /**
   * Devices besides disks and networks: TPM, GPUs, watchdog, …
   * @default - graphics card, serial console and memory balloon
   */
  readonly devices?: DeviceOptions;
  /**
   * Claims of dynamic resource allocation (DRA) in addition to those of `devices`.
   * @default - only those of `devices`
   */
  readonly resourceClaims?: VmResourceClaim[];
  /**
   * PersistentVolumeClaims for the launcher's own use.
   * @default - none
   */
  readonly utilityVolumes?: UtilityVolume[];
  /**
   * Rules for the nodes on which the guest runs.
   * @default - any node
   */
  readonly scheduling?: SchedulingOptions;
  /**
   * Readiness probe. Services send traffic to the guest only while it succeeds.
   * @default - the guest is ready as soon as it runs
   */
  readonly readiness?: VmProbe;
  /**
   * Liveness probe. If it fails, the guest is killed, and the run strategy decides whether the guest is restarted. Not
   * allowed if the guest starts paused.
   * @default - none
   */
  readonly liveness?: VmProbe;
  /**
   * SSH keys and passwords that the guest receives from Secrets.
   * @default - passwords of the users in `cloudInit` and of the administrator in `sysprep`
   */
  readonly accessCredentials?: AccessCredential[];
  /**
   * Service account of the Pod.
   * @default - the default service account of the namespace
   */
  readonly serviceAccount?: INamedObject;
  /**
   * Host name of the guest, a DNS label.
   * @default - name of the instance
   */
  readonly hostname?: string;
  /**
   * Name of a headless Service. The guest then has the DNS name `HOSTNAME.SUBDOMAIN`.
   * @default - none
   */
  readonly subdomain?: string;
  /**
   * Name servers and search domains.
   * @default - name servers of the cluster
   */
  readonly dns?: VmDnsOptions;
  /**
   * State in which the guest starts.
   * @default - running
   */
  readonly startStrategy?: StartStrategy;
  /**
   * Action when the node of the guest is drained.
   * @default - the platform's default
   */
  readonly evictionStrategy?: EvictionStrategy;
  /**
   * Time that the guest has to shut down before it is killed.
   * @default Duration.seconds(30)
   */
  readonly terminationGracePeriod?: Duration;
  /**
   * Effect of a reboot inside the guest.
   * @default RebootPolicy.REBOOT
   */
  readonly rebootPolicy?: RebootPolicy;
  /**
   * Labels and annotations of the running instance and its Pod.
   * @default - none
   */
  readonly instanceMetadata?: ApiObjectMetadata;
  /**
   * Fields of the instance's spec as the API writes them, for fields that no property covers. They are merged over the
   * rendered spec: objects merge, lists and scalars replace.
   * @default - none
   */
  readonly instanceSpec?: { readonly [field: string]: unknown };
}
