// Generated from api/schema/kubevirt.io_v1.json by scripts/generate.ts; edit that file.
import type { KubeObject, ObjectMeta } from '../meta';
import type { DataVolumeSpec } from './cdi-v1beta1';
import type {
  Affinity,
  DownwardAPIVolumeFile,
  ExecAction,
  HTTPGetAction,
  LocalObjectReference,
  PersistentVolumeClaimVolumeSource as OtherPersistentVolumeClaimVolumeSource,
  PodDNSConfig,
  TCPSocketAction,
  Toleration,
  TopologySpreadConstraint,
  TypedObjectReference,
} from './core-v1';
import type { Duration, LabelSelector, Quantity, Time } from './meta-v1';

/**
 * Tables for the guest's licence, from Secrets among the volumes.
 */
export interface ACPI {
  /**
   * Volume whose Secret holds an MSDM table (Windows 8 and later).
   */
  msdmNameRef?: string;
  /**
   * Volume whose Secret holds a SLIC table (Windows 7).
   */
  slicNameRef?: string;
}

/**
 * A key or password that the guest gets. Exactly one field.
 */
export interface AccessCredential {
  /**
   * SSH keys.
   */
  sshPublicKey?: SSHPublicKeyAccessCredential;
  /**
   * Passwords.
   */
  userPassword?: UserPasswordAccessCredential;
}

/**
 * A Secret in the same namespace.
 */
export interface AccessCredentialSecretSource {
  /**
   * Its name.
   */
  secretName: string;
}

/**
 * A disk that is plugged in.
 */
export interface AddVolumeOptions {
  /**
   * How the guest sees it.
   */
  disk: Disk;
  /**
   * `All`: check everything, change nothing.
   */
  dryRun?: string[];
  /**
   * Name of disk and volume; a name inside disk is ignored.
   */
  name: string;
  /**
   * Where its data is.
   */
  volumeSource: HotplugVolumeSource;
}

/**
 * Settings for each architecture.
 */
export interface ArchConfiguration {
  /**
   * x86-64.
   */
  amd64?: ArchSpecificConfiguration;
  /**
   * ARM.
   */
  arm64?: ArchSpecificConfiguration;
  /**
   * Architecture of VMs that name none. Default: that of the control plane's nodes.
   */
  defaultArchitecture?: string;
  /**
   * Deprecated: no longer supported.
   */
  ppc64le?: ArchSpecificConfiguration;
  /**
   * IBM Z.
   */
  s390x?: ArchSpecificConfiguration;
}

/**
 * Settings for one architecture.
 */
export interface ArchSpecificConfiguration {
  /**
   * Allowed machine types; `*` stands for any text. Default: amd64 q35*, pc-q35*; arm64 virt*; s390x s390-ccw-virtio*.
   */
  emulatedMachines?: string[];
  /**
   * Machine type of VMs that name none. Default: amd64 q35, arm64 virt, s390x s390-ccw-virtio.
   */
  machineType?: string;
  /**
   * Folder of the EFI firmware. Default: amd64 /usr/share/edk2/ovmf, arm64 /usr/share/AAVMF.
   */
  ovmfPath?: string;
}

/**
 * BIOS as firmware.
 */
export interface BIOS {
  /**
   * It writes to the serial console. Default: false.
   */
  useSerial?: boolean;
}

/**
 * Block size of a disk. At most one field.
 */
export interface BlockSize {
  /**
   * Given sizes.
   */
  custom?: CustomBlockSize;
  /**
   * As the volume reports it.
   */
  matchVolume?: FeatureState;
}

/**
 * What starts the guest. At most one field.
 */
export interface Bootloader {
  /**
   * BIOS. This is the default on amd64.
   */
  bios?: BIOS;
  /**
   * EFI.
   */
  efi?: EFI;
}

/**
 * A CD-ROM drive.
 */
export interface CDRomTarget {
  /**
   * Default: sata; arm64 and s390x: scsi.
   */
  bus?: 'scsi' | 'sata' | 'usb';
  /**
   * Default: true.
   */
  readonly?: boolean;
  /**
   * Default: closed.
   */
  tray?: 'open' | 'closed';
}

/**
 * CPUs of the guest.
 */
export interface CPU {
  /**
   * Cores of each socket. Default: 1.
   */
  cores?: number;
  /**
   * Pins vCPUs to CPUs that no one else uses; makes the Pod Guaranteed.
   */
  dedicatedCpuPlacement?: boolean;
  /**
   * CPU features to add or hide.
   */
  features?: CPUFeature[];
  /**
   * One more dedicated CPU for QEMU itself.
   */
  isolateEmulatorThread?: boolean;
  /**
   * Most sockets after hotplug. Default: four times `sockets`, at most 512 vCPUs.
   */
  maxSockets?: number;
  /**
   * host-model, host-passthrough, or a name such as Haswell. Default: host-model; arm64: host-passthrough.
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
  /**
   * Sockets; may grow while the guest runs. Default: CPUs of resources, else 1.
   */
  sockets?: number;
  /**
   * Threads of each core. Default: 1.
   */
  threads?: number;
}

/**
 * A feature of the CPU.
 */
export interface CPUFeature {
  /**
   * Its name in libvirt.
   */
  name: string;
  /**
   * force, require, optional, disable or forbid. Default: require.
   */
  policy?: 'force' | 'require' | 'optional' | 'disable' | 'forbid';
}

/**
 * Arrangement of the CPUs in use.
 */
export interface CPUTopology {
  /**
   * Cores of each socket.
   */
  cores?: number;
  /**
   * Sockets.
   */
  sockets?: number;
  /**
   * Threads of each core.
   */
  threads?: number;
}

/**
 * Lifetime of one certificate.
 */
export interface CertConfig {
  /**
   * How long it is valid.
   */
  duration?: Duration;
  /**
   * How long before its end it is renewed.
   */
  renewBefore?: Duration;
}

/**
 * VMs whose changed blocks are tracked, for incremental backups; either selector suffices.
 */
export interface ChangedBlockTrackingSelectors {
  /**
   * By labels of the namespace.
   */
  namespaceLabelSelector?: LabelSelector;
  /**
   * By labels of the VM.
   */
  virtualMachineLabelSelector?: LabelSelector;
}

/**
 * Whether changed blocks are tracked.
 */
export interface ChangedBlockTrackingStatus {
  /**
   * The backup that goes on, or the last one.
   */
  backupStatus?: VirtualMachineInstanceBackupStatus | null;
  /**
   * How far it is.
   */
  state: 'PendingRestart' | 'Initializing' | 'Enabled' | 'Disabled' | 'IncrementalBackupFeatureGateDisabled';
}

/**
 * SMBIOS table of the chassis.
 */
export interface Chassis {
  /**
   * Asset tag.
   */
  asset?: string;
  /**
   * Manufacturer.
   */
  manufacturer?: string;
  /**
   * Serial number.
   */
  serial?: string;
  /**
   * SKU number.
   */
  sku?: string;
  /**
   * Version.
   */
  version?: string;
}

/**
 * A device of a claim of dynamic resource allocation.
 */
export interface ClaimRequest {
  /**
   * The claim's name in resourceClaims.
   */
  claimName?: string;
  /**
   * The request in the claim.
   */
  requestName?: string;
}

/**
 * USB devices of the client: `virt8s usbredir`.
 */
export type ClientPassthroughDevices = object;

/**
 * Clock of the guest. At most one of utc and timezone.
 */
export interface Clock {
  /**
   * Timers.
   */
  timer?: Timer;
  /**
   * Time zone: Europe/Berlin.
   */
  timezone?: string;
  /**
   * UTC. This is the default.
   */
  utc?: ClockOffsetUTC;
}

/**
 * What the guest's clock shows. At most one field.
 */
export interface ClockOffset {
  /**
   * Time zone: Europe/Berlin.
   */
  timezone?: string;
  /**
   * UTC, or an offset from it.
   */
  utc?: ClockOffsetUTC;
}

/**
 * UTC, or an offset from it.
 */
export interface ClockOffsetUTC {
  /**
   * Seconds from UTC; then the guest's own changes survive a reboot. Default: UTC, set anew at each boot.
   */
  offsetSeconds?: number;
}

/**
 * A disk of cloud-init's kind ConfigDrive.
 */
export interface CloudInitConfigDriveSource {
  /**
   * Network configuration, at most 2048 bytes.
   */
  networkData?: string;
  /**
   * The same in base64.
   */
  networkDataBase64?: string;
  /**
   * Secret with key networkdata.
   */
  networkDataSecretRef?: LocalObjectReference;
  /**
   * Secret with key userdata, of any size.
   */
  secretRef?: LocalObjectReference;
  /**
   * User data, at most 2048 bytes.
   */
  userData?: string;
  /**
   * The same in base64.
   */
  userDataBase64?: string;
}

/**
 * A disk of cloud-init's kind NoCloud.
 */
export interface CloudInitNoCloudSource {
  /**
   * Network configuration, at most 2048 bytes.
   */
  networkData?: string;
  /**
   * Network configuration in base64.
   */
  networkDataBase64?: string;
  /**
   * Secret with key networkdata.
   */
  networkDataSecretRef?: LocalObjectReference;
  /**
   * Secret with key userdata, of any size.
   */
  secretRef?: LocalObjectReference;
  /**
   * User data, at most 2048 bytes.
   */
  userData?: string;
  /**
   * The same in base64.
   */
  userDataBase64?: string;
}

/**
 * The instancetypes and preferences that come with the platform.
 */
export interface CommonInstancetypesDeployment {
  /**
   * Whether they are installed. Default: true.
   */
  enabled?: boolean | null;
}

/**
 * Where a group of components runs.
 */
export interface ComponentConfig {
  /**
   * On which nodes.
   */
  nodePlacement?: NodePlacement;
  /**
   * Pods of virt-api and of virt-controller. Default: 2, and more on large clusters.
   */
  replicas?: number;
}

/**
 * Guests with encrypted memory.
 */
export interface ConfidentialComputeConfiguration {
  /**
   * Intel TDX.
   */
  tdx?: TDXConfiguration | null;
}

/**
 * Keys go into the ConfigDrive disk.
 */
export type ConfigDriveSSHPublicKeyAccessCredentialPropagation = object;

/**
 * Files of a ConfigMap, as a disk or file system.
 */
export interface ConfigMapVolumeSource {
  /**
   * The ConfigMap, in the same namespace.
   */
  name?: string;
  /**
   * It need not exist. Default: false.
   */
  optional?: boolean;
  /**
   * Label of the disk: cidata, config-2, OEMDRV.
   */
  volumeLabel?: string;
}

/**
 * A container disk that is in use.
 */
export interface ContainerDiskInfo {
  /**
   * Deprecated: checksum of the disk.
   */
  checksum?: number;
}

/**
 * A disk in a container image, below /disk. What the guest writes is lost when it ends.
 */
export interface ContainerDiskSource {
  /**
   * Image reference.
   */
  image: string;
  /**
   * Default: Always for `latest` or no tag, else IfNotPresent.
   */
  imagePullPolicy?: 'Always' | 'Never' | 'IfNotPresent';
  /**
   * Secret with the registry's credentials.
   */
  imagePullSecret?: string;
  /**
   * File in the image. Default: the only one in /disk.
   */
  path?: string;
}

/**
 * A path in the launcher's container, for virtiofs.
 */
export interface ContainerPathVolumeSource {
  /**
   * The path; something must be mounted there.
   */
  path: string;
  /**
   * Only true is allowed. Default: true.
   */
  readOnly?: boolean;
}

/**
 * A ControllerRevision.
 */
export interface ControllerRevisionRef {
  /**
   * Its name.
   */
  name?: string;
}

/**
 * Block sizes in bytes.
 */
export interface CustomBlockSize {
  /**
   * Least size of a discard. Default: the logical size.
   */
  discardGranularity?: number;
  /**
   * Logical size: a power of two from 512 to 2097152.
   */
  logical?: number;
  /**
   * Physical size: a power of two from 512 to 2097152, at least the logical one.
   */
  physical?: number;
}

/**
 * A seccomp profile. At most one field.
 */
export interface CustomProfile {
  /**
   * A file in the kubelet's seccomp folder.
   */
  localhostProfile?: string;
  /**
   * That of the container runtime.
   */
  runtimeDefaultProfile?: boolean;
}

/**
 * Changes of the installed objects.
 */
export interface CustomizeComponents {
  /**
   * Command line flags.
   */
  flags?: Flags;
  /**
   * Patches.
   */
  patches?: CustomizeComponentsPatch[];
}

/**
 * A patch of an installed object.
 */
export interface CustomizeComponentsPatch {
  /**
   * The patch, as JSON text.
   */
  patch: string;
  /**
   * Name of the object; `*` matches all.
   */
  resourceName: string;
  /**
   * Kind of the object.
   */
  resourceType: string;
  /**
   * Kind of the patch.
   */
  type: 'json' | 'merge' | 'strategic';
}

/**
 * Further options of the interface's DHCP server.
 */
export interface DHCPOptions {
  /**
   * Boot file (option 67).
   */
  bootFileName?: string;
  /**
   * Time servers, by IPv4 address (option 42).
   */
  ntpServers?: string[];
  /**
   * Private options.
   */
  privateOptions?: DHCPPrivateOptions[];
  /**
   * Boot server (option 66).
   */
  tftpServerName?: string;
}

/**
 * A private option.
 */
export interface DHCPPrivateOptions {
  /**
   * Its number, 224 to 254.
   */
  option: number;
  /**
   * Its value.
   */
  value: string;
}

/**
 * A claim that a DataVolume fills.
 */
export interface DataVolumeSource {
  /**
   * It can be unplugged while the guest runs. Default: false.
   */
  hotpluggable?: boolean;
  /**
   * Name of DataVolume and claim, in the same namespace.
   */
  name: string;
}

/**
 * Nothing; older manifests have it.
 */
export type DataVolumeTemplateDummyStatus = object;

/**
 * A DataVolume that belongs to the VM.
 */
export interface DataVolumeTemplateSpec {
  /**
   * Version of the API.
   */
  apiVersion?: string;
  /**
   * Kind of this object.
   */
  kind?: string;
  /**
   * Name, labels and annotations of the DataVolume.
   */
  metadata?: ObjectMeta | null;
  /**
   * Spec of the DataVolume.
   */
  spec: DataVolumeSpec;
  /**
   * Ignored.
   */
  status?: DataVolumeTemplateDummyStatus | null;
}

/**
 * Discontinued: use a binding plugin.
 */
export type DeprecatedInterfaceMacvtap = object;

/**
 * Discontinued: use passtBinding.
 */
export type DeprecatedInterfacePasst = object;

/**
 * Discontinued: user mode networking.
 */
export type DeprecatedInterfaceSlirp = object;

/**
 * Settings for development and rare needs.
 */
export interface DeveloperConfiguration {
  /**
   * Components can be profiled. Default: false.
   */
  clusterProfiler?: boolean;
  /**
   * vCPUs per requested CPU. Default: 10.
   */
  cpuAllocationRatio?: number;
  /**
   * Beta gates to switch off.
   */
  disabledFeatureGates?: string[];
  /**
   * How container disks are checked.
   */
  diskVerification?: DiskVerification;
  /**
   * Gates to switch on.
   */
  featureGates?: string[];
  /**
   * How much each component logs.
   */
  logVerbosity?: LogVerbosity;
  /**
   * Percent of guest memory over requested memory. Default: 100.
   */
  memoryOvercommit?: number;
  /**
   * TSC frequency in Hz that guests are promised. Default: the lowest of all nodes.
   */
  minimumClusterTSCFrequency?: number;
  /**
   * Bytes that stay free in a file system that holds a disk. Default: 131072.
   */
  minimumReservePVCBytes?: number;
  /**
   * Labels that a node must have to run guests.
   */
  nodeSelectors?: {
    [k: string]: string;
  };
  /**
   * How much smaller than asked for a claim may be, in percent. Default: 10.
   */
  pvcTolerateLessSpaceUpToPercent?: number;
  /**
   * VMs run without KVM where it does not work. Default: false.
   */
  useEmulation?: boolean;
}

/**
 * Devices of the guest.
 */
export interface Devices {
  /**
   * A graphics card and VNC. Default: true.
   */
  autoattachGraphicsDevice?: boolean;
  /**
   * A tablet for exact pointing. Default: false.
   */
  autoattachInputDevice?: boolean;
  /**
   * A memory balloon, for statistics. Default: true.
   */
  autoattachMemBalloon?: boolean;
  /**
   * The Pod network when no network is named. Default: true.
   */
  autoattachPodInterface?: boolean;
  /**
   * A serial port, for `virt8s console`. Default: true.
   */
  autoattachSerialConsole?: boolean;
  /**
   * A VSOCK device. Gate VSOCK.
   */
  autoattachVSOCK?: boolean;
  /**
   * A queue per vCPU on virtio disks.
   */
  blockMultiQueue?: boolean;
  /**
   * USB devices of the client can be redirected.
   */
  clientPassthrough?: ClientPassthroughDevices;
  /**
   * No controller for disks that are plugged later.
   */
  disableHotplug?: boolean;
  /**
   * Disks, CDs and LUNs in the order in which the guest sees them. Volumes that none names become disks.
   */
  disks?: Disk[];
  /**
   * A virtio-serial port on which the guest reads metrics of the host.
   */
  downwardMetrics?: DownwardMetrics;
  /**
   * Volumes shared as folders by virtiofs.
   */
  filesystems?: Filesystem[];
  /**
   * GPUs assigned to the guest.
   */
  gpus?: GPU[];
  /**
   * Devices of the node assigned to the guest. Gate HostDevices.
   */
  hostDevices?: HostDevice[];
  /**
   * Tablets and keyboards.
   */
  inputs?: Input[];
  /**
   * Network cards; each is joined to the network of its name.
   */
  interfaces?: Interface[];
  /**
   * Serial output goes to a container log of the Pod. Default: true.
   */
  logSerialConsole?: boolean;
  /**
   * A queue per vCPU on virtio interfaces.
   */
  networkInterfaceMultiqueue?: boolean;
  /**
   * Devices that report a crash of the guest.
   */
  panicDevices?: PanicDevice[];
  /**
   * Randomness from the host.
   */
  rng?: Rng;
  /**
   * A sound device.
   */
  sound?: SoundDevice;
  /**
   * A TPM 2.0, emulated.
   */
  tpm?: TPMDevice;
  /**
   * Virtio devices for old guests.
   */
  useVirtioTransitional?: boolean;
  /**
   * The video device. Default: depends on architecture and firmware.
   */
  video?: VideoDevice;
  /**
   * Acts when the guest stops answering.
   */
  watchdog?: Watchdog;
}

/**
 * A watchdog of s390x.
 */
export interface Diag288Watchdog {
  /**
   * What happens when it fires. Default: reset.
   */
  action?: 'poweroff' | 'reset' | 'shutdown';
}

/**
 * The guest does not report free pages.
 */
export type DisableFreePageReporting = object;

/**
 * The serial console is not logged.
 */
export type DisableSerialConsoleLog = object;

/**
 * A disk, LUN or CD-ROM drive, and the volume behind it.
 */
export interface Disk {
  /**
   * Sector sizes that the guest sees. Default: 512.
   */
  blockSize?: BlockSize;
  /**
   * Position in boot order, from 1, unique over disks and interfaces. Without any, disks boot in their order.
   */
  bootOrder?: number;
  /**
   * How the host caches. Default: none where the storage takes O_DIRECT, else writethrough.
   */
  cache?: 'none' | 'writethrough' | 'writeback';
  /**
   * A CD drive; without a volume it is empty.
   */
  cdrom?: CDRomTarget;
  /**
   * Changed blocks are tracked. Written by the platform. Default: false.
   */
  changedBlockTracking?: boolean;
  /**
   * An I/O thread of its own.
   */
  dedicatedIOThread?: boolean;
  /**
   * A plain disk. Default when no kind is named.
   */
  disk?: DiskTarget;
  /**
   * What an I/O error does. Default: stop.
   */
  errorPolicy?: 'stop' | 'ignore' | 'report' | 'enospace';
  /**
   * How QEMU does I/O. Default: native for block devices and preallocated files, else threads.
   */
  io?: 'native' | 'threads' | 'default';
  /**
   * A SCSI device whose commands reach the storage. Only of claims.
   */
  lun?: LunTarget;
  /**
   * Name of the volume that it attaches.
   */
  name: string;
  /**
   * Serial number that the guest sees: letters, digits, _.+-, at most 36.
   */
  serial?: string;
  /**
   * Several VMs may write to it.
   */
  shareable?: boolean;
  /**
   * A text that the guest finds in cloud-init's metadata beside the disk's address.
   */
  tag?: string;
}

/**
 * IO threads of the supplementalPool policy.
 */
export interface DiskIOThreads {
  /**
   * How many.
   */
  supplementalPoolThreadCount?: number;
}

/**
 * A disk.
 */
export interface DiskTarget {
  /**
   * Default: sata; arm64 and s390x: virtio.
   */
  bus?: 'virtio' | 'scsi' | 'sata' | 'usb';
  /**
   * Fixed address such as 0000:81:01.0; only with virtio.
   */
  pciAddress?: string;
  /**
   * Default: false.
   */
  readonly?: boolean;
}

/**
 * How container disks are checked.
 */
export interface DiskVerification {
  /**
   * Memory that qemu-img may use. Default: 2000Mi.
   */
  memoryLimit: Quantity;
}

/**
 * A memory dump.
 */
export interface DomainMemoryDumpInfo {
  /**
   * Claim that holds it.
   */
  claimName?: string;
  /**
   * When it ended.
   */
  endTimestamp?: Time;
  /**
   * When it began.
   */
  startTimestamp?: Time;
  /**
   * Its file.
   */
  targetFileName?: string;
}

/**
 * The machine that the guest sees.
 */
export interface DomainSpec {
  /**
   * What SMBIOS says of the case.
   */
  chassis?: Chassis;
  /**
   * The guest's clock and timers.
   */
  clock?: Clock;
  /**
   * The guest's CPU. Default: one vCPU, more when resources name more.
   */
  cpu?: CPU;
  /**
   * Disks, interfaces and everything else that is plugged in.
   */
  devices: Devices;
  /**
   * Features of the machine. Default: ACPI.
   */
  features?: Features;
  /**
   * BIOS or UEFI, and what they say.
   */
  firmware?: Firmware;
  /**
   * IO threads of the supplementalPool policy.
   */
  ioThreads?: DiskIOThreads;
  /**
   * Threads for disk I/O. shared: one; auto: by vCPUs; supplementalPool: as many as `ioThreads` says.
   */
  ioThreadsPolicy?: 'shared' | 'auto' | 'supplementalPool';
  /**
   * Memory encryption of the guest.
   */
  launchSecurity?: LaunchSecurity;
  /**
   * Machine type.
   */
  machine?: Machine;
  /**
   * The guest's memory.
   */
  memory?: Memory;
  /**
   * What a reboot inside the guest does. Default: Reboot.
   */
  rebootPolicy?: 'Reboot' | 'Terminate';
  /**
   * What Kubernetes sets aside for the Pod.
   */
  resources?: ResourceRequirements;
}

/**
 * How the allowed downtime grows during a migration.
 */
export interface DowntimeTuningOptions {
  /**
   * Least time between two steps. Default: 10.
   */
  cooldownSeconds?: number;
  /**
   * Milliseconds at first. Default: 150.
   */
  initialMs?: number;
  /**
   * Copies of the memory before the first step. Default: 3.
   */
  startAfterIteration?: number;
  /**
   * Equal steps up to maxDowntimeMs. Default: 7.
   */
  steps?: number;
}

/**
 * Fields of the Pod as files on a disk or file system.
 */
export interface DownwardAPIVolumeSource {
  /**
   * The files.
   */
  fields?: DownwardAPIVolumeFile[];
  /**
   * Label of the disk.
   */
  volumeLabel?: string;
}

/**
 * Metrics of the host on a virtio-serial port.
 */
export type DownwardMetrics = object;

/**
 * Metrics of the host on a small disk, as vhostmd writes it.
 */
export type DownwardMetricsVolumeSource = object;

/**
 * EFI as firmware.
 */
export interface EFI {
  /**
   * Keeps UEFI variables over restarts. Default: false.
   */
  persistent?: boolean;
  /**
   * Only signed loaders start; needs features.smm. Default: true.
   */
  secureBoot?: boolean;
}

/**
 * An empty disk that lives as long as the instance.
 */
export interface EmptyDiskSource {
  /**
   * Size in bytes.
   */
  capacity: Quantity;
}

/**
 * A claim that is only read; what the guest writes is lost when it ends.
 */
export interface EphemeralVolumeSource {
  /**
   * The claim.
   */
  persistentVolumeClaim?: OtherPersistentVolumeClaimVolumeSource;
}

/**
 * Takes an eviction back.
 */
export interface EvacuateCancelOptions {
  /**
   * Version of the API.
   */
  apiVersion?: string;
  /**
   * `All`: check everything, change nothing.
   */
  dryRun?: string[];
  /**
   * The node that the instance was to leave; the request fails when that is another.
   */
  evacuationNodeName: string;
  /**
   * Kind of this object.
   */
  kind?: string;
}

/**
 * Settings of migrations that may change or vanish.
 */
export interface ExperimentalMigrationOptions {
  /**
   * Compression of what is sent. Default: none.
   */
  compression?: 'none' | 'zstd';
  /**
   * How the allowed downtime grows.
   */
  downtimeTuning?: DowntimeTuningOptions;
  /**
   * When a migration counts as stalled.
   */
  stallDetector?: StallDetectorOptions;
}

/**
 * The interrupt controller.
 */
export interface FeatureAPIC {
  /**
   * Whether it is on. Default: true.
   */
  enabled?: boolean;
  /**
   * The guest is spared an exit at the end of each interrupt. Default: false.
   */
  endOfInterrupt?: boolean;
}

/**
 * What Windows gains from. A feature that is left out is as the machine type has it.
 */
export interface FeatureHyperv {
  /**
   * Faster nested guests, on Intel; needs vapic.
   */
  evmcs?: FeatureState;
  /**
   * The guest can read the frequencies of TSC and APIC.
   */
  frequencies?: FeatureState;
  /**
   * Cheaper interrupts between CPUs; needs vpindex.
   */
  ipi?: FeatureState;
  /**
   * The guest is told when the TSC's frequency changes.
   */
  reenlightenment?: FeatureState;
  /**
   * No watchdog of the guest's own for late interrupts.
   */
  relaxed?: FeatureState;
  /**
   * The guest can reset itself; needs synic.
   */
  reset?: FeatureState;
  /**
   * The guest can see how long each CPU really ran.
   */
  runtime?: FeatureState;
  /**
   * How often a lock is tried before the host is told.
   */
  spinlocks?: FeatureSpinlocks;
  /**
   * Synthetic interrupt controller; needs vpindex.
   */
  synic?: FeatureState;
  /**
   * Timers of the synthetic interrupt controller; needs synic.
   */
  synictimer?: SyNICTimer;
  /**
   * Cheaper flushes of other CPUs' TLBs; needs vpindex.
   */
  tlbflush?: TLBFlush;
  /**
   * Cheaper interrupts.
   */
  vapic?: FeatureState;
  /**
   * The hypervisor's name, as the guest sees it.
   */
  vendorid?: FeatureVendorID;
  /**
   * The guest can read the number of each CPU.
   */
  vpindex?: FeatureState;
}

/**
 * How KVM shows itself.
 */
export interface FeatureKVM {
  /**
   * It does not. Default: false.
   */
  hidden?: boolean;
}

/**
 * How often a lock is tried before the host is told.
 */
export interface FeatureSpinlocks {
  /**
   * Whether it is on. Default: true.
   */
  enabled?: boolean;
  /**
   * Tries, at least 4096. Default: 4096.
   */
  spinlocks?: number;
}

/**
 * A switch.
 */
export interface FeatureState {
  /**
   * Whether it is on. Default: true.
   */
  enabled?: boolean;
}

/**
 * The hypervisor's name, as the guest sees it.
 */
export interface FeatureVendorID {
  /**
   * Whether it is on. Default: true.
   */
  enabled?: boolean;
  /**
   * The name, at most 12 characters.
   */
  vendorid?: string;
}

/**
 * Features of the machine.
 */
export interface Features {
  /**
   * ACPI. Default: on.
   */
  acpi?: FeatureState;
  /**
   * The interrupt controller. Default: as the machine type has it.
   */
  apic?: FeatureAPIC;
  /**
   * What Windows gains from, one by one.
   */
  hyperv?: FeatureHyperv;
  /**
   * Everything of it that the host can do; such a guest cannot migrate.
   */
  hypervPassthrough?: HyperVPassthrough;
  /**
   * How KVM shows itself.
   */
  kvm?: FeatureKVM;
  /**
   * Paravirtual spinlocks.
   */
  pvspinlock?: FeatureState;
  /**
   * System management mode; secure boot needs it.
   */
  smm?: FeatureState;
}

/**
 * A folder that the guest shares.
 */
export interface Filesystem {
  /**
   * Name of the volume, and tag by which the guest mounts it.
   */
  name: string;
  /**
   * It is shared by virtiofs.
   */
  virtiofs: FilesystemVirtiofs;
}

/**
 * Sharing by virtiofs.
 */
export type FilesystemVirtiofs = object;

/**
 * What starts the guest, and what it is told about itself.
 */
export interface Firmware {
  /**
   * Tables for the guest's licence.
   */
  acpi?: ACPI;
  /**
   * Default: BIOS; arm64: UEFI.
   */
  bootloader?: Bootloader;
  /**
   * A kernel from an image instead of the disk.
   */
  kernelBoot?: KernelBoot;
  /**
   * SMBIOS serial number.
   */
  serial?: string;
  /**
   * SMBIOS UUID. Default: derived from the name.
   */
  uuid?: string;
}

/**
 * Command line flags, by name.
 */
export interface Flags {
  /**
   * Of virt-api.
   */
  api?: {
    [k: string]: string;
  };
  /**
   * Of virt-controller.
   */
  controller?: {
    [k: string]: string;
  };
  /**
   * Of virt-handler.
   */
  handler?: {
    [k: string]: string;
  };
}

/**
 * Freezes the guest's file systems for a time.
 */
export interface FreezeUnfreezeTimeout {
  /**
   * When they are thawed again unless somebody did; 0 never.
   */
  unfreezeTimeout: Duration;
}

/**
 * A GPU of the node. Either deviceName, or claimName and requestName.
 */
export interface GPU {
  /**
   * Its claim's name in resourceClaims.
   */
  claimName?: string;
  /**
   * Resource of its device plugin: nvidia.com/GP102GL.
   */
  deviceName?: string;
  /**
   * Its name in this VM.
   */
  name: string;
  /**
   * The request in the claim.
   */
  requestName?: string;
  /**
   * A text that the guest finds in cloud-init's metadata beside the device's address.
   */
  tag?: string;
  /**
   * Options of a virtual GPU.
   */
  virtualGPUOptions?: VGPUOptions;
}

/**
 * What was last written of an installed object.
 */
export interface GenerationStatus {
  /**
   * Its API group.
   */
  group: string;
  /**
   * Its content, for objects without a generation.
   */
  hash?: string;
  /**
   * Its generation.
   */
  lastGeneration: number;
  /**
   * Its name.
   */
  name: string;
  /**
   * Its namespace.
   */
  namespace?: string;
  /**
   * Its resource.
   */
  resource: string;
}

/**
 * A network that CNI-Genie attached. Deprecated: use multus.
 */
export interface GenieNetwork {
  /**
   * Name of the CNI plugin or of the network, as in the annotation cni.
   */
  networkName: string;
}

/**
 * A command of the guest agent.
 */
export interface GuestAgentCommandInfo {
  /**
   * Whether it may be used.
   */
  enabled?: boolean;
  /**
   * Its name.
   */
  name: string;
}

/**
 * The guest agent answers.
 */
export type GuestAgentPing = object;

/**
 * High precision event timer.
 */
export interface HPETTimer {
  /**
   * false keeps it out, whatever the machine type has. Default: true.
   */
  present?: boolean;
  /**
   * What becomes of missed ticks.
   */
  tickPolicy?: 'delay' | 'catchup' | 'merge' | 'discard';
}

/**
 * A device of the node. Either deviceName, or claimName and requestName.
 */
export interface HostDevice {
  /**
   * Its claim's name in resourceClaims.
   */
  claimName?: string;
  /**
   * Resource of its device plugin.
   */
  deviceName?: string;
  /**
   * Its name in this VM.
   */
  name: string;
  /**
   * The request in the claim.
   */
  requestName?: string;
  /**
   * A text that the guest finds in cloud-init's metadata beside the device's address.
   */
  tag?: string;
}

/**
 * A disk in a file of the node. Needs the gate HostDisk.
 */
export interface HostDisk {
  /**
   * Size in bytes, when it is created.
   */
  capacity?: Quantity;
  /**
   * Absolute path on the node.
   */
  path: string;
  /**
   * All nodes have the same file there. Default: false.
   */
  shared?: boolean;
  /**
   * Whether the file is made when it is missing.
   */
  type: 'Disk' | 'DiskOrCreate';
}

/**
 * A volume that can be plugged in. Exactly one field.
 */
export interface HotplugVolumeSource {
  /**
   * A claim that a DataVolume fills.
   */
  dataVolume?: DataVolumeSource;
  /**
   * A claim.
   */
  persistentVolumeClaim?: PersistentVolumeClaimVolumeSource;
}

/**
 * The Pod that brings a volume to the node.
 */
export interface HotplugVolumeStatus {
  /**
   * Its name.
   */
  attachPodName?: string;
  /**
   * Its UID.
   */
  attachPodUID?: string;
}

/**
 * Memory in huge pages.
 */
export interface Hugepages {
  /**
   * 2Mi or 1Gi.
   */
  pageSize?: string;
}

/**
 * Everything for Windows that the host can do.
 */
export interface HyperVPassthrough {
  /**
   * Whether it is on.
   */
  enabled?: boolean;
}

/**
 * Clock that Windows reads from the hypervisor.
 */
export interface HypervTimer {
  /**
   * false keeps it out, whatever the machine type has. Default: true.
   */
  present?: boolean;
}

/**
 * The hypervisor.
 */
export interface HypervisorConfiguration {
  /**
   * Its name. Default: kvm.
   */
  name?: 'kvm' | 'hyperv-direct';
}

/**
 * A watchdog on the PCI bus.
 */
export interface I6300ESBWatchdog {
  /**
   * What happens when it fires. Default: reset.
   */
  action?: 'poweroff' | 'reset' | 'shutdown';
}

/**
 * The ramdisk in use.
 */
export interface InitrdInfo {
  /**
   * Deprecated: its checksum.
   */
  checksum?: number;
}

/**
 * A device for input.
 */
export interface Input {
  /**
   * Its bus. Default: usb.
   */
  bus?: 'usb' | 'virtio';
  /**
   * Its name.
   */
  name: string;
  /**
   * Its type; only tablet is allowed.
   */
  type: 'tablet' | 'keyboard';
}

/**
 * How VMs refer to instancetypes and preferences.
 */
export interface InstancetypeConfiguration {
  /**
   * reference keeps the VM's reference to a copy; expand puts the fields into new VMs in place of the reference; expandAll into all VMs. Default: reference.
   */
  referencePolicy?: ('reference' | 'expand' | 'expandAll') | null;
}

/**
 * The instancetype that a VM refers to.
 */
export interface InstancetypeMatcher {
  /**
   * Volume whose labels name the instancetype; the webhook replaces this by name and kind.
   */
  inferFromVolume?: string;
  /**
   * Whether the VM is refused when there are no such labels. Default: Reject.
   */
  inferFromVolumeFailurePolicy?: 'Reject' | 'Ignore';
  /**
   * VirtualMachineInstancetype or VirtualMachineClusterInstancetype. Default: VirtualMachineClusterInstancetype.
   */
  kind?: string;
  /**
   * Its name.
   */
  name?: string;
  /**
   * ControllerRevision with the copy in use. Written by the controller.
   */
  revisionName?: string;
}

/**
 * The instancetype or preference in use.
 */
export interface InstancetypeStatusRef {
  /**
   * ControllerRevision with its copy.
   */
  controllerRevisionRef?: ControllerRevisionRef;
  /**
   * Volume that it was found by.
   */
  inferFromVolume?: string;
  /**
   * What was to happen when nothing was found.
   */
  inferFromVolumeFailurePolicy?: string;
  /**
   * Its kind.
   */
  kind?: string;
  /**
   * Its name.
   */
  name?: string;
}

/**
 * An interface of the guest, and how it reaches its network. Exactly one binding.
 */
export interface Interface {
  /**
   * 1 to 16383: gives the card a fixed name in the guest.
   */
  acpiIndex?: number;
  /**
   * A plugin that the KubeVirt object registers.
   */
  binding?: PluginBinding;
  /**
   * Rank among the devices that the guest boots from, from 1.
   */
  bootOrder?: number;
  /**
   * The guest takes over the Pod's address, or is bridged to the network.
   */
  bridge?: InterfaceBridge;
  /**
   * Further options of DHCP.
   */
  dhcpOptions?: DHCPOptions;
  /**
   * Default: chosen by the platform.
   */
  macAddress?: string;
  /**
   * Discontinued, refused.
   */
  macvtap?: DeprecatedInterfaceMacvtap;
  /**
   * The guest is behind NAT; the Pod's address leads to it. Pod network only.
   */
  masquerade?: InterfaceMasquerade;
  /**
   * Default: virtio.
   */
  model?: 'virtio' | 'e1000' | 'e1000e' | 'igb' | 'ne2k_pci' | 'pcnet' | 'rtl8139';
  /**
   * Name of the network that it is joined to.
   */
  name: string;
  /**
   * Discontinued, refused: use passtBinding.
   */
  passt?: DeprecatedInterfacePasst;
  /**
   * User-mode networking by passt. Pod network only.
   */
  passtBinding?: InterfacePasstBinding;
  /**
   * Where on the guest's PCI bus: 0000:81:01.0.
   */
  pciAddress?: string;
  /**
   * Ranges of ports that lead into the guest; only with masquerade, instead of ports.
   */
  portRanges?: PortRange[];
  /**
   * The only ports that are forwarded. Default: all.
   */
  ports?: Port[];
  /**
   * Discontinued; refused unless network.permitSlirpInterface.
   */
  slirp?: DeprecatedInterfaceSlirp;
  /**
   * A virtual function of an SR-IOV card.
   */
  sriov?: InterfaceSRIOV;
  /**
   * Link up or down; absent unplugs the card. Default: up.
   */
  state?: 'up' | 'down' | 'absent';
  /**
   * A text that the guest finds in cloud-init's metadata beside the interface's address.
   */
  tag?: string;
}

/**
 * How guests with the binding migrate.
 */
export interface InterfaceBindingMigration {
  /**
   * link-refresh: the link goes down and up once the guest has moved.
   */
  method?: string;
}

/**
 * A way to connect interfaces that a plugin brings.
 */
export interface InterfaceBindingPlugin {
  /**
   * What the launcher's container needs besides.
   */
  computeResourceOverhead?: ResourceRequirementsWithoutClaims;
  /**
   * How the platform itself connects the interface. managedTap also runs DHCP. Default: the sidecar does it.
   */
  domainAttachmentType?: 'tap' | 'managedTap';
  /**
   * What the sidecar can read: device-info.
   */
  downwardAPI?: string;
  /**
   * Guests with it can migrate. Default: they cannot.
   */
  migration?: InterfaceBindingMigration;
  /**
   * NetworkAttachmentDefinition that its Pods get: NAME or NAMESPACE/NAME.
   */
  networkAttachmentDefinition?: string;
  /**
   * Image of a container that changes the domain.
   */
  sidecarImage?: string;
}

/**
 * The guest has the Pod's own addresses, behind a bridge.
 */
export type InterfaceBridge = object;

/**
 * The guest has a private address, behind NAT.
 */
export type InterfaceMasquerade = object;

/**
 * The guest's traffic goes through passt.
 */
export type InterfacePasstBinding = object;

/**
 * The guest has a virtual function of a network card.
 */
export type InterfaceSRIOV = object;

/**
 * Merging of equal pages.
 */
export interface KSMConfiguration {
  /**
   * Nodes on which it is on; empty for all.
   */
  nodeLabelSelector?: LabelSelector;
}

/**
 * Clock that Linux reads from KVM.
 */
export interface KVMTimer {
  /**
   * false keeps it out, whatever the machine type has. Default: true.
   */
  present?: boolean;
}

/**
 * A kernel that is started without a boot loader.
 */
export interface KernelBoot {
  /**
   * The image that holds it.
   */
  container?: KernelBootContainer;
  /**
   * Its command line; only with a kernel.
   */
  kernelArgs?: string;
}

/**
 * An image with kernel or ramdisk.
 */
export interface KernelBootContainer {
  /**
   * The image.
   */
  image: string;
  /**
   * When it is pulled. Default: Always for the tag latest, else IfNotPresent.
   */
  imagePullPolicy?: 'Always' | 'Never' | 'IfNotPresent';
  /**
   * Secret with the registry's credentials.
   */
  imagePullSecret?: string;
  /**
   * Path of the ramdisk in the image.
   */
  initrdPath?: string;
  /**
   * Path of the kernel in the image.
   */
  kernelPath?: string;
}

/**
 * Kernel and ramdisk in use.
 */
export interface KernelBootStatus {
  /**
   * The ramdisk.
   */
  initrdInfo?: InitrdInfo;
  /**
   * The kernel.
   */
  kernelInfo?: KernelInfo;
}

/**
 * The kernel in use.
 */
export interface KernelInfo {
  /**
   * Deprecated: its checksum.
   */
  checksum?: number;
}

/**
 * The platform: what runs, and its configuration. One per cluster.
 */
export interface KubeVirt extends KubeObject {
  /**
   * What runs, and its configuration.
   */
  spec: KubeVirtSpec;
  /**
   * What the operator saw.
   */
  status?: KubeVirtStatus;
}

/**
 * How certificates are renewed.
 */
export interface KubeVirtCertificateRotateStrategy {
  /**
   * By the platform itself.
   */
  selfSigned?: KubeVirtSelfSignConfiguration;
}

/**
 * One thing that is true or false about the platform.
 */
export interface KubeVirtCondition {
  /**
   * When it was last looked at.
   */
  lastProbeTime?: Time | null;
  /**
   * When the status last changed.
   */
  lastTransitionTime?: Time | null;
  /**
   * Why, for people.
   */
  message?: string;
  /**
   * Why, as one word.
   */
  reason?: string;
  /**
   * Whether it is true.
   */
  status: 'True' | 'False' | 'Unknown';
  /**
   * Synchronized, Created, Available, Progressing or Degraded.
   */
  type: string;
}

/**
 * Configuration of the cluster.
 */
export interface KubeVirtConfiguration {
  /**
   * Factor by which the Pod's memory overhead is multiplied, as text: "1.25".
   */
  additionalGuestMemoryOverheadRatio?: string;
  /**
   * Of virt-api.
   */
  apiConfiguration?: ReloadableComponentConfiguration;
  /**
   * For each architecture.
   */
  architectureConfiguration?: ArchConfiguration;
  /**
   * Namespaces in which Pods get a CPU limit of their vCPUs. Default: namespaces with a quota of CPU limits.
   */
  autoCPULimitNamespaceLabelSelector?: LabelSelector;
  /**
   * VMs whose changed blocks are tracked.
   */
  changedBlockTrackingLabelSelectors?: ChangedBlockTrackingSelectors | null;
  /**
   * The instancetypes and preferences that come with the platform.
   */
  commonInstancetypesDeployment?: CommonInstancetypesDeployment | null;
  /**
   * Guests with encrypted memory.
   */
  confidentialCompute?: ConfidentialComputeConfiguration | null;
  /**
   * Of virt-controller.
   */
  controllerConfiguration?: ReloadableComponentConfiguration;
  /**
   * Default CPU model. Default: host-model.
   */
  cpuModel?: string;
  /**
   * CPU requested for a VM that names none. Default: 100m.
   */
  cpuRequest?: Quantity;
  /**
   * Runtime class of launcher Pods.
   */
  defaultRuntimeClass?: string;
  /**
   * Feature gates, emulation, overcommit, verbosity.
   */
  developerConfiguration?: DeveloperConfiguration;
  /**
   * Deprecated: use architectureConfiguration.
   */
  emulatedMachines?: string[];
  /**
   * Default: None.
   */
  evictionStrategy?: 'None' | 'LiveMigrate' | 'LiveMigrateIfPossible' | 'External';
  /**
   * Of virt-handler. Its requests are limited to 50 a second and 100 at once unless this says otherwise.
   */
  handlerConfiguration?: ReloadableComponentConfiguration;
  /**
   * The hypervisor; at most one.
   */
  hypervisors?: HypervisorConfiguration[];
  /**
   * For container disks that name none. Default: by tag.
   */
  imagePullPolicy?: 'Always' | 'Never' | 'IfNotPresent';
  /**
   * How VMs refer to instancetypes and preferences.
   */
  instancetype?: InstancetypeConfiguration | null;
  /**
   * Merging of equal pages.
   */
  ksmConfiguration?: KSMConfiguration;
  /**
   * Limits of hotplug.
   */
  liveUpdateConfiguration?: LiveUpdateConfiguration;
  /**
   * Default machine type on amd64. Default: q35.
   */
  machineType?: string;
  /**
   * Mediated devices that are made.
   */
  mediatedDevicesConfiguration?: MediatedDevicesConfiguration;
  /**
   * Seconds between memory statistics. Default: 10.
   */
  memBalloonStatsPeriod?: number;
  /**
   * Limits of live migration.
   */
  migrations?: MigrationConfiguration;
  /**
   * Deprecated and without effect.
   */
  minCPUModel?: string;
  /**
   * Default interface, allowed bindings.
   */
  network?: NetworkConfiguration;
  /**
   * CPU models that no node offers: name and true. Default: models from 486 to phenom, and qemu32, qemu64, kvm32, kvm64.
   */
  obsoleteCPUModels?: {
    [k: string]: boolean;
  };
  /**
   * Deprecated: use architectureConfiguration.
   */
  ovmfPath?: string;
  /**
   * Devices of nodes that VMs may be given.
   */
  permittedHostDevices?: PermittedHostDevices;
  /**
   * SCSI persistent reservations.
   */
  persistentReservationConfiguration?: PersistentReservationConfiguration | null;
  /**
   * Whether the platform's ClusterRoles become part of admin, edit and view. Default: AggregateToDefault.
   */
  roleAggregationStrategy?: 'AggregateToDefault' | 'Manual';
  /**
   * Seccomp profile of launchers.
   */
  seccompConfiguration?: SeccompConfiguration;
  /**
   * SELinux type of launchers. Default: that of the container runtime.
   */
  selinuxLauncherType?: string;
  /**
   * What guests are told about their machine.
   */
  smbios?: SMBiosConfiguration;
  /**
   * CPU and memory of containers beside the guest.
   */
  supportContainerResources?: SupportContainerResources[];
  /**
   * Deprecated and without effect.
   */
  supportedGuestAgentVersions?: string[];
  /**
   * TLS versions and ciphers of the servers.
   */
  tlsConfiguration?: TLSConfiguration;
  /**
   * Templates of VMs.
   */
  virtTemplateDeployment?: VirtTemplateDeployment | null;
  /**
   * Guests of each node, at most. Default: 110.
   */
  virtualMachineInstancesPerNode?: number;
  /**
   * What all guests have.
   */
  virtualMachineOptions?: VirtualMachineOptions;
  /**
   * Whether changes of a VM reach its running guest. Default: LiveUpdate.
   */
  vmRolloutStrategy?: ('Stage' | 'LiveUpdate') | null;
  /**
   * Storage class for TPM and UEFI state.
   */
  vmStateStorageClass?: string;
  /**
   * Of the webhooks.
   */
  webhookConfiguration?: ReloadableComponentConfiguration;
}

/**
 * Lifetimes of certificates.
 */
export interface KubeVirtSelfSignConfiguration {
  /**
   * Of the authorities. Default: a week, renewed after four fifths of it.
   */
  ca?: CertConfig;
  /**
   * Deprecated: use ca.
   */
  caOverlapInterval?: Duration;
  /**
   * Deprecated: use ca.duration.
   */
  caRotateInterval?: Duration;
  /**
   * Deprecated: use server.duration.
   */
  certRotateInterval?: Duration;
  /**
   * Of the servers and clients. Default: a day, renewed after four fifths of it.
   */
  server?: CertConfig;
}

/**
 * What runs, and its configuration.
 */
export interface KubeVirtSpec {
  /**
   * How certificates are renewed.
   */
  certificateRotateStrategy?: KubeVirtCertificateRotateStrategy;
  /**
   * Defaults and switches for all VMs.
   */
  configuration?: KubeVirtConfiguration;
  /**
   * Changes of the installed objects.
   */
  customizeComponents?: CustomizeComponents;
  /**
   * When the platform's own images are pulled.
   */
  imagePullPolicy?: 'Always' | 'Never' | 'IfNotPresent';
  /**
   * Secrets for pulling the images.
   */
  imagePullSecrets?: LocalObjectReference[];
  /**
   * Registry of the images. Default: that of the operator's image.
   */
  imageRegistry?: string;
  /**
   * Tag of the images. Default: that of the operator's image.
   */
  imageTag?: string;
  /**
   * Where virt-api and virt-controller run.
   */
  infra?: ComponentConfig;
  /**
   * ServiceAccount of Prometheus. Default: prometheus-k8s.
   */
  monitorAccount?: string;
  /**
   * Namespace of Prometheus. Default: openshift-monitoring, else monitoring.
   */
  monitorNamespace?: string;
  /**
   * Label app.kubernetes.io/component of all objects. Default: kubevirt.
   */
  productComponent?: string;
  /**
   * Label app.kubernetes.io/part-of of all objects. Default: no label.
   */
  productName?: string;
  /**
   * Label app.kubernetes.io/version of all objects. Default: the platform's version.
   */
  productVersion?: string;
  /**
   * Namespace of the ServiceMonitor. Default: that of Prometheus.
   */
  serviceMonitorNamespace?: string;
  /**
   * Port on which two clusters synchronize a migration. Default: 9185.
   */
  synchronizationPort?: string;
  /**
   * What happens to guests when this object is deleted. Default: RemoveWorkloads.
   */
  uninstallStrategy?: 'RemoveWorkloads' | 'BlockUninstallIfWorkloadsExist';
  /**
   * How running guests get a new version of the platform. Default: at their next start.
   */
  workloadUpdateStrategy?: KubeVirtWorkloadUpdateStrategy;
  /**
   * Where virt-handler and guests run.
   */
  workloads?: ComponentConfig;
}

/**
 * What the operator saw.
 */
export interface KubeVirtStatus {
  /**
   * What is true or false at the moment.
   */
  conditions?: KubeVirtCondition[];
  /**
   * Architecture of VMs that name none.
   */
  defaultArchitecture?: string;
  /**
   * What was last written of the installed objects.
   */
  generations?: GenerationStatus[];
  /**
   * Settings of what runs.
   */
  observedDeploymentConfig?: string;
  /**
   * Hash of those settings.
   */
  observedDeploymentID?: string;
  /**
   * metadata.generation that was looked at.
   */
  observedGeneration?: number;
  /**
   * Registry of what runs.
   */
  observedKubeVirtRegistry?: string;
  /**
   * Version that runs.
   */
  observedKubeVirtVersion?: string;
  /**
   * Version of the operator.
   */
  operatorVersion?: string;
  /**
   * Guests whose launcher is of an older version.
   */
  outdatedVirtualMachineInstanceWorkloads?: number;
  /**
   * How far the installation is.
   */
  phase?: 'Deploying' | 'Deployed' | 'Deleting' | 'Deleted';
  /**
   * Addresses at which two clusters synchronize a migration.
   */
  synchronizationAddresses?: string[];
  /**
   * Settings that are wanted.
   */
  targetDeploymentConfig?: string;
  /**
   * Hash of those settings.
   */
  targetDeploymentID?: string;
  /**
   * Registry that is wanted.
   */
  targetKubeVirtRegistry?: string;
  /**
   * Version that is wanted.
   */
  targetKubeVirtVersion?: string;
}

/**
 * How running guests get a new version of the platform.
 */
export interface KubeVirtWorkloadUpdateStrategy {
  /**
   * Time between two batches. Default: 1m.
   */
  batchEvictionInterval?: Duration;
  /**
   * Guests that are stopped at once. Default: 10.
   */
  batchEvictionSize?: number;
  /**
   * LiveMigrate and Evict; with both, those that cannot migrate are stopped. Default: none.
   */
  workloadUpdateMethods?: ('LiveMigrate' | 'Evict')[];
}

/**
 * Encrypted memory. At most one field.
 */
export interface LaunchSecurity {
  /**
   * AMD SEV.
   */
  sev?: SEV;
  /**
   * AMD SEV-SNP.
   */
  snp?: SEVSNP;
  /**
   * Intel TDX.
   */
  tdx?: TDX;
}

/**
 * Limits of hotplug.
 */
export interface LiveUpdateConfiguration {
  /**
   * Most sockets of a VM that names none.
   */
  maxCpuSockets?: number;
  /**
   * Most memory of a VM that names none.
   */
  maxGuest?: Quantity;
  /**
   * Most sockets and memory, as multiple of what the VM starts with. Default: 4.
   */
  maxHotplugRatio?: number;
}

/**
 * How much each component logs. Default: 2 for each.
 */
export interface LogVerbosity {
  /**
   * virt-handler on single nodes, by name of the node.
   */
  nodeVerbosity?: {
    [k: string]: number;
  };
  /**
   * virt-api.
   */
  virtAPI?: number;
  /**
   * virt-controller.
   */
  virtController?: number;
  /**
   * virt-handler.
   */
  virtHandler?: number;
  /**
   * virt-launcher.
   */
  virtLauncher?: number;
  /**
   * virt-operator.
   */
  virtOperator?: number;
  /**
   * virt-synchronization-controller.
   */
  virtSynchronizationController?: number;
}

/**
 * A SCSI device that the guest commands itself.
 */
export interface LunTarget {
  /**
   * Its bus: scsi or virtio; a guest with a LUN on another does not start. Default: sata; arm64 and s390x: virtio.
   */
  bus?: 'virtio' | 'scsi' | 'sata' | 'usb';
  /**
   * Nothing may be written. Default: false.
   */
  readonly?: boolean;
  /**
   * SCSI-3 persistent reservations. Only with bus scsi.
   */
  reservation?: boolean;
}

/**
 * The machine.
 */
export interface Machine {
  /**
   * Such as q35 or pc-q35-9.0. Default: q35; arm64: virt; s390x: s390-ccw-virtio.
   */
  type?: string;
}

/**
 * Mediated devices that are made.
 */
export interface MediatedDevicesConfiguration {
  /**
   * Whether any are made and removed. Default: true.
   */
  enabled?: boolean;
  /**
   * Types for all nodes.
   */
  mediatedDeviceTypes?: string[];
  /**
   * Deprecated: use mediatedDeviceTypes.
   */
  mediatedDevicesTypes?: string[];
  /**
   * Types for certain nodes, in place of those for all.
   */
  nodeMediatedDeviceTypes?: NodeMediatedDeviceTypesConfig[];
}

/**
 * A mediated device that guests may have.
 */
export interface MediatedHostDevice {
  /**
   * Another device plugin offers it. Default: false.
   */
  externalResourceProvider?: boolean;
  /**
   * Name of its type: GRID T4-1Q.
   */
  mdevNameSelector: string;
  /**
   * Its resource: nvidia.com/GRID_T4-1Q.
   */
  resourceName: string;
}

/**
 * Memory of the guest.
 */
export interface Memory {
  /**
   * Memory that the guest sees, in bytes. Default: requests.memory, limits.memory.
   */
  guest?: Quantity;
  /**
   * Backs the guest by huge pages, which must divide its memory.
   */
  hugepages?: Hugepages;
  /**
   * Most memory after hotplug. Default: four times `guest`, from 1Gi on amd64.
   */
  maxGuest?: Quantity;
  /**
   * Memory of the Pod besides that of the guest.
   */
  reservedOverhead?: ReservedOverhead;
}

/**
 * A claim that takes a memory dump. Written by the platform.
 */
export interface MemoryDumpVolumeSource {
  /**
   * The claim, in the same namespace.
   */
  claimName: string;
  /**
   * It can be unplugged while the guest runs.
   */
  hotpluggable?: boolean;
  /**
   * Nothing may be written. Default: false.
   */
  readOnly?: boolean;
}

/**
 * Memory of the guest.
 */
export interface MemoryStatus {
  /**
   * When it booted.
   */
  guestAtBoot?: Quantity;
  /**
   * Now.
   */
  guestCurrent?: Quantity;
  /**
   * After the hotplug that goes on.
   */
  guestRequested?: Quantity;
  /**
   * Memory of the Pod besides.
   */
  memoryOverhead?: Quantity;
}

/**
 * How a VM is moved.
 */
export interface MigrateOptions {
  /**
   * Further labels that the target must have; where the VM names the same label, its value stays.
   */
  addedNodeSelector?: {
    [k: string]: string;
  };
  /**
   * Version of the API.
   */
  apiVersion?: string;
  /**
   * `All`: check everything, change nothing.
   */
  dryRun?: string[];
  /**
   * Kind of this object.
   */
  kind?: string;
}

/**
 * How guests migrate.
 */
export interface MigrationConfiguration {
  /**
   * Slows the guest until it converges. Default: false.
   */
  allowAutoConverge?: boolean;
  /**
   * Default: false.
   */
  allowPostCopy?: boolean;
  /**
   * Pause the guest, or use post-copy, once completionTimeoutPerGiB has passed. Default: as allowPostCopy.
   */
  allowWorkloadDisruption?: boolean;
  /**
   * Bytes per second; 0 is unlimited. Default: 0.
   */
  bandwidthPerMigration?: Quantity;
  /**
   * Seconds. Default: 150.
   */
  completionTimeoutPerGiB?: number;
  /**
   * Migrations are not encrypted. Default: false.
   */
  disableTLS?: boolean;
  /**
   * The target gets an SELinux level of its own. Default: false, that of the source.
   */
  matchSELinuxLevelOnMigration?: boolean;
  /**
   * Milliseconds. Default: 900.
   */
  maxDowntimeMs?: number;
  /**
   * NetworkAttachmentDefinition for migrations. Default: the Pod network.
   */
  network?: string;
  /**
   * Taint that makes guests leave a node. Default: kubevirt.io/drain.
   */
  nodeDrainTaintKey?: string;
  /**
   * Default: 5.
   */
  parallelMigrationsPerCluster?: number;
  /**
   * Default: 2.
   */
  parallelOutboundMigrationsPerNode?: number;
  /**
   * Seconds without progress. Default: 150.
   */
  progressTimeout?: number;
  /**
   * Migrate also where libvirt holds it for unsafe. Default: false.
   */
  unsafeMigrationOverride?: boolean;
  /**
   * Seconds that a migration waits for utility volumes to be gone. Default: 150.
   */
  utilityVolumesTimeout?: number;
}

/**
 * A network that Multus attaches.
 */
export interface MultusNetwork {
  /**
   * It takes the place of the Pod network. Default: false.
   */
  default?: boolean;
  /**
   * Name, or namespace/name.
   */
  networkName: string;
}

/**
 * NUMA layout of the guest.
 */
export interface NUMA {
  /**
   * That of the node's CPUs which the guest has; needs dedicated CPUs and huge pages.
   */
  guestMappingPassthrough?: NUMAGuestMappingPassthrough;
}

/**
 * The node's layout.
 */
export type NUMAGuestMappingPassthrough = object;

/**
 * A network that interfaces refer to. Exactly one source.
 */
export interface Network {
  /**
   * Deprecated: a network that CNI-Genie attaches; use multus.
   */
  genie?: GenieNetwork;
  /**
   * A NetworkAttachmentDefinition.
   */
  multus?: MultusNetwork;
  /**
   * Its name.
   */
  name: string;
  /**
   * The Pod's own network. At most one.
   */
  pod?: PodNetwork;
  /**
   * A device of a claim of dynamic resource allocation.
   */
  resourceClaim?: ClaimRequest;
}

/**
 * How interfaces may be connected.
 */
export interface NetworkConfiguration {
  /**
   * Binding plugins by name.
   */
  binding?: {
    [k: string]: InterfaceBindingPlugin;
  };
  /**
   * bridge or masquerade, for VMs that name no network. Default: bridge.
   */
  defaultNetworkInterface?: string;
  /**
   * Default: true.
   */
  permitBridgeInterfaceOnPodNetwork?: boolean;
  /**
   * Default: false.
   */
  permitSlirpInterface?: boolean;
}

/**
 * Keys go into the NoCloud disk.
 */
export type NoCloudSSHPublicKeyAccessCredentialPropagation = object;

/**
 * Mediated devices of certain nodes.
 */
export interface NodeMediatedDeviceTypesConfig {
  /**
   * The types.
   */
  mediatedDeviceTypes?: string[];
  /**
   * Deprecated: use mediatedDeviceTypes.
   */
  mediatedDevicesTypes?: string[];
  /**
   * The nodes, by labels.
   */
  nodeSelector: {
    [k: string]: string;
  };
}

/**
 * Where Pods run.
 */
export interface NodePlacement {
  /**
   * Near to what, away from what.
   */
  affinity?: Affinity;
  /**
   * Nodes, by labels.
   */
  nodeSelector?: {
    [k: string]: string;
  };
  /**
   * Taints that are borne.
   */
  tolerations?: Toleration[];
}

/**
 * An object, and those that belong to it.
 */
export interface ObjectGraphNode {
  /**
   * Version of the API.
   */
  apiVersion?: string;
  /**
   * Objects that belong to it.
   */
  children?: ObjectGraphNode[];
  /**
   * Kind of this object.
   */
  kind?: string;
  /**
   * What it is to its parent.
   */
  labels?: {
    [k: string]: string;
  };
  /**
   * The object.
   */
  objectReference: TypedObjectReference;
  /**
   * The parent can do without it.
   */
  optional?: boolean;
}

/**
 * Which objects are shown.
 */
export interface ObjectGraphOptions {
  /**
   * Also those that the VM can do without. Default: true.
   */
  includeOptionalNodes?: boolean;
  /**
   * Only those whose labels match.
   */
  labelSelector?: LabelSelector;
}

/**
 * Programmable interval timer.
 */
export interface PITTimer {
  /**
   * false keeps it out, whatever the machine type has. Default: true.
   */
  present?: boolean;
  /**
   * What becomes of missed ticks.
   */
  tickPolicy?: 'delay' | 'catchup' | 'discard';
}

/**
 * A device that reports a crash of the guest.
 */
export interface PanicDevice {
  /**
   * Its model. Default: what fits the architecture.
   */
  model?: 'isa' | 'hyperv' | 'pvpanic';
}

/**
 * How an instance is paused.
 */
export interface PauseOptions {
  /**
   * Version of the API.
   */
  apiVersion?: string;
  /**
   * `All`: check everything, change nothing.
   */
  dryRun?: string[];
  /**
   * Kind of this object.
   */
  kind?: string;
}

/**
 * A PCI device that guests may have.
 */
export interface PciHostDevice {
  /**
   * Another device plugin offers it. Default: false.
   */
  externalResourceProvider?: boolean;
  /**
   * VENDOR:PRODUCT in hexadecimal: 10DE:1EB8.
   */
  pciVendorSelector: string;
  /**
   * Its resource: nvidia.com/TU104GL_Tesla_T4.
   */
  resourceName: string;
}

/**
 * Devices of nodes that guests may have.
 */
export interface PermittedHostDevices {
  /**
   * Mediated devices.
   */
  mediatedDevices?: MediatedHostDevice[];
  /**
   * PCI devices.
   */
  pciHostDevices?: PciHostDevice[];
  /**
   * USB devices.
   */
  usb?: USBHostDevice[];
}

/**
 * SCSI persistent reservations.
 */
export interface PersistentReservationConfiguration {
  /**
   * Whether LUNs may have them. Default: false.
   */
  enabled?: boolean | null;
}

/**
 * A claim in use.
 */
export interface PersistentVolumeClaimInfo {
  /**
   * Its access modes.
   */
  accessModes?: string[];
  /**
   * Its size.
   */
  capacity?: {
    [k: string]: Quantity;
  };
  /**
   * Its name.
   */
  claimName?: string;
  /**
   * Part of the file system that the disk cannot use: 0 to 1, as text.
   */
  filesystemOverhead?: string;
  /**
   * Its space is set aside.
   */
  preallocated?: boolean;
  /**
   * Size that was asked for.
   */
  requests?: {
    [k: string]: Quantity;
  };
  /**
   * Its volume mode.
   */
  volumeMode?: string;
}

/**
 * A claim as a volume.
 */
export interface PersistentVolumeClaimVolumeSource {
  /**
   * The claim, in the same namespace.
   */
  claimName: string;
  /**
   * It can be unplugged while the guest runs. Default: false.
   */
  hotpluggable?: boolean;
  /**
   * Nothing may be written. Default: false.
   */
  readOnly?: boolean;
}

/**
 * A binding of the KubeVirt object's network configuration.
 */
export interface PluginBinding {
  /**
   * Its name.
   */
  name: string;
}

/**
 * The Pod's own network.
 */
export interface PodNetwork {
  /**
   * The same for IPv6. Default: fd10:0:2::/120.
   */
  vmIPv6NetworkCIDR?: string;
  /**
   * Range that the guest is in behind NAT. Default: 10.0.2.0/24.
   */
  vmNetworkCIDR?: string;
}

/**
 * A port that leads into the guest.
 */
export interface Port {
  /**
   * Its name, for Services.
   */
  name?: string;
  /**
   * 1 to 65535.
   */
  port: number;
  /**
   * Default: TCP.
   */
  protocol?: 'TCP' | 'UDP';
}

/**
 * Ports that lead into the guest.
 */
export interface PortRange {
  /**
   * Last port, up to 65535.
   */
  end: number;
  /**
   * TCP or UDP.
   */
  protocol: string;
  /**
   * First port, from 1.
   */
  start: number;
}

/**
 * The preference that a VM refers to.
 */
export interface PreferenceMatcher {
  /**
   * Volume whose labels name the preference; the webhook replaces this by name and kind.
   */
  inferFromVolume?: string;
  /**
   * Whether the VM is refused when there are no such labels. Default: Reject.
   */
  inferFromVolumeFailurePolicy?: 'Reject' | 'Ignore';
  /**
   * VirtualMachinePreference or VirtualMachineClusterPreference. Default: VirtualMachineClusterPreference.
   */
  kind?: string;
  /**
   * Its name.
   */
  name?: string;
  /**
   * ControllerRevision with the copy in use. Written by the controller.
   */
  revisionName?: string;
}

/**
 * How the guest is asked whether it is well. Exactly one handler.
 */
export interface Probe {
  /**
   * A command that the guest agent runs.
   */
  exec?: ExecAction;
  /**
   * Failures in a row that count. Default: 3.
   */
  failureThreshold?: number;
  /**
   * The guest agent answers.
   */
  guestAgentPing?: GuestAgentPing;
  /**
   * An HTTP request.
   */
  httpGet?: HTTPGetAction;
  /**
   * Seconds before the first try.
   */
  initialDelaySeconds?: number;
  /**
   * Seconds between tries. Default: 10.
   */
  periodSeconds?: number;
  /**
   * Successes in a row that count. Default: 1.
   */
  successThreshold?: number;
  /**
   * A TCP connection.
   */
  tcpSocket?: TCPSocketAction;
  /**
   * Default: 1.
   */
  timeoutSeconds?: number;
}

/**
 * Keys are written by the guest agent, also later changes.
 */
export interface QemuGuestAgentSSHPublicKeyAccessCredentialPropagation {
  /**
   * Users whose authorized_keys are written.
   */
  users: string[];
}

/**
 * Passwords are set by the guest agent, also later changes.
 */
export type QemuGuestAgentUserPasswordAccessCredentialPropagation = object;

/**
 * How a component talks to the API server.
 */
export interface RESTClientConfiguration {
  /**
   * How often.
   */
  rateLimiter?: RateLimiter;
}

/**
 * Real-time clock.
 */
export interface RTCTimer {
  /**
   * false keeps it out, whatever the machine type has. Default: true.
   */
  present?: boolean;
  /**
   * What becomes of missed ticks.
   */
  tickPolicy?: 'delay' | 'catchup';
  /**
   * Which clock it follows.
   */
  track?: 'guest' | 'wall';
}

/**
 * How often the API server is asked.
 */
export interface RateLimiter {
  /**
   * By a bucket of tokens.
   */
  tokenBucketRateLimiter?: TokenBucketRateLimiter;
}

/**
 * Realtime scheduling of vCPUs; needs dedicated CPUs and huge pages.
 */
export interface Realtime {
  /**
   * The vCPUs: 0-3,^1. Default: all.
   */
  mask?: string;
}

/**
 * Settings that take effect without a restart.
 */
export interface ReloadableComponentConfiguration {
  /**
   * How it talks to the API server.
   */
  restClient?: RESTClientConfiguration;
}

/**
 * A disk that is unplugged.
 */
export interface RemoveVolumeOptions {
  /**
   * `All`: check everything, change nothing.
   */
  dryRun?: string[];
  /**
   * Name of disk and volume.
   */
  name: string;
}

/**
 * Memory of the Pod besides that of the guest.
 */
export interface ReservedOverhead {
  /**
   * What is added to the computed overhead.
   */
  addedOverhead?: Quantity;
  /**
   * Whether all memory must stay in RAM, as some devices need it.
   */
  memLock?: 'NotRequired' | 'Required';
}

/**
 * CPU and memory of the Pod.
 */
export interface ResourceRequirements {
  /**
   * Most CPU and memory.
   */
  limits?: {
    [k: string]: Quantity;
  };
  /**
   * Do not request memory for what runs beside the guest.
   */
  overcommitGuestOverhead?: boolean;
  /**
   * Least CPU and memory. Default: a tenth of each vCPU; memory with overhead.
   */
  requests?: {
    [k: string]: Quantity;
  };
}

/**
 * CPU and memory of a container.
 */
export interface ResourceRequirementsWithoutClaims {
  /**
   * What may never be exceeded.
   */
  limits?: {
    [k: string]: Quantity;
  };
  /**
   * What is set aside. Default: the limits.
   */
  requests?: {
    [k: string]: Quantity;
  };
}

/**
 * How a VM is restarted.
 */
export interface RestartOptions {
  /**
   * Version of the API.
   */
  apiVersion?: string;
  /**
   * `All`: check everything, change nothing.
   */
  dryRun?: string[];
  /**
   * Seconds that the guest has to shut down; 0 kills it. Default: terminationGracePeriodSeconds.
   */
  gracePeriodSeconds?: number;
  /**
   * Kind of this object.
   */
  kind?: string;
}

/**
 * A random number generator.
 */
export type Rng = object;

/**
 * AMD SEV.
 */
export interface SEV {
  /**
   * The guest waits for its owner's approval.
   */
  attestation?: SEVAttestation;
  /**
   * The owner's Diffie-Hellman key, in base64.
   */
  dhCert?: string;
  /**
   * What the guest may do.
   */
  policy?: SEVPolicy;
  /**
   * The session, in base64.
   */
  session?: string;
}

/**
 * The guest waits for its owner's approval.
 */
export type SEVAttestation = object;

/**
 * What an owner approves of.
 */
export interface SEVMeasurementInfo {
  /**
   * Major version of the host's API.
   */
  apiMajor?: number;
  /**
   * Minor version of the host's API.
   */
  apiMinor?: number;
  /**
   * Version of the API.
   */
  apiVersion?: string;
  /**
   * Build of the host's firmware.
   */
  buildID?: number;
  /**
   * Kind of this object.
   */
  kind?: string;
  /**
   * SHA-256 of the guest's firmware.
   */
  loaderSHA?: string;
  /**
   * Measurement of the launch, in base64.
   */
  measurement?: string;
  /**
   * Policy of the guest, as bits.
   */
  policy?: number;
}

/**
 * What an owner needs for a session.
 */
export interface SEVPlatformInfo {
  /**
   * Version of the API.
   */
  apiVersion?: string;
  /**
   * The host's certificates, in base64.
   */
  certChain?: string;
  /**
   * Kind of this object.
   */
  kind?: string;
  /**
   * The host's Diffie-Hellman key, in base64.
   */
  pdh?: string;
}

/**
 * What the guest may do. Debugging is always off.
 */
export interface SEVPolicy {
  /**
   * Also registers are encrypted (SEV-ES). Default: false.
   */
  encryptedState?: boolean;
}

/**
 * AMD SEV-SNP.
 */
export type SEVSNP = object;

/**
 * A secret for the waiting guest.
 */
export interface SEVSecretOptions {
  /**
   * Its header, in base64.
   */
  header?: string;
  /**
   * The encrypted secret, in base64.
   */
  secret?: string;
}

/**
 * A session for the waiting guest.
 */
export interface SEVSessionOptions {
  /**
   * The owner's Diffie-Hellman key, in base64.
   */
  dhCert?: string;
  /**
   * The session, in base64.
   */
  session?: string;
}

/**
 * What guests are told about their machine.
 */
export interface SMBiosConfiguration {
  /**
   * Family. Default: KubeVirt.
   */
  family?: string;
  /**
   * Manufacturer. Default: KubeVirt.
   */
  manufacturer?: string;
  /**
   * Product. Default: None.
   */
  product?: string;
  /**
   * SKU number.
   */
  sku?: string;
  /**
   * Version.
   */
  version?: string;
}

/**
 * SSH keys for the guest.
 */
export interface SSHPublicKeyAccessCredential {
  /**
   * How they get there.
   */
  propagationMethod: SSHPublicKeyAccessCredentialPropagationMethod;
  /**
   * Where they are.
   */
  source: SSHPublicKeyAccessCredentialSource;
}

/**
 * How SSH keys get into the guest. Exactly one field.
 */
export interface SSHPublicKeyAccessCredentialPropagationMethod {
  /**
   * On the ConfigDrive disk, at the first boot.
   */
  configDrive?: ConfigDriveSSHPublicKeyAccessCredentialPropagation;
  /**
   * On the NoCloud disk, at the first boot.
   */
  noCloud?: NoCloudSSHPublicKeyAccessCredentialPropagation;
  /**
   * By the guest agent, whenever they change.
   */
  qemuGuestAgent?: QemuGuestAgentSSHPublicKeyAccessCredentialPropagation;
}

/**
 * Where SSH keys are.
 */
export interface SSHPublicKeyAccessCredentialSource {
  /**
   * Secret; each value is one or more keys.
   */
  secret?: AccessCredentialSecretSource;
}

/**
 * Seccomp profiles.
 */
export interface SeccompConfiguration {
  /**
   * Of launchers. Default: none.
   */
  virtualMachineInstanceProfile?: VirtualMachineInstanceProfile;
}

/**
 * Files of a Secret, as a disk or file system.
 */
export interface SecretVolumeSource {
  /**
   * It need not exist. Default: false.
   */
  optional?: boolean;
  /**
   * The Secret, in the same namespace.
   */
  secretName?: string;
  /**
   * Label of the disk: cidata, config-2, OEMDRV.
   */
  volumeLabel?: string;
}

/**
 * Token and certificate of a ServiceAccount, as a disk or file system.
 */
export interface ServiceAccountVolumeSource {
  /**
   * The ServiceAccount, in the same namespace.
   */
  serviceAccountName?: string;
}

/**
 * A sound device.
 */
export interface SoundDevice {
  /**
   * Its model. Default: ich9.
   */
  model?: 'ich9' | 'ac97';
  /**
   * Its name.
   */
  name: string;
}

/**
 * When a migration counts as stalled, and what then. Alpha.
 */
export interface StallDetectorOptions {
  /**
   * Factor of the time that a migration may take before a switch is forced. Default: 2.
   */
  completionTimeoutFactor?: Quantity;
  /**
   * Weight of the newest sample of the bandwidth, above 0 up to 1. Default: 0.4.
   */
  ewmaAlpha?: Quantity;
  /**
   * Factor by which patience shrinks at each step. Default: 0.5.
   */
  patienceWindowDecayFactor?: Quantity;
  /**
   * How much longer than maxDowntimeMs the guest may stand still rather than the migration fail. Default: 1.5.
   */
  precopyPossibleFactor?: Quantity;
  /**
   * Wait until little is left before a switch is forced. Default: true.
   */
  searchLocalMinima?: boolean;
  /**
   * Percent by which what is left must shrink to count as progress. Default: 4.
   */
  stallMargin?: number;
  /**
   * Seconds that are looked at. Default: 40.
   */
  stallProgressTimeout?: number;
  /**
   * Seconds that a forced switch may take. Default: 60.
   */
  switchoverTimeout?: number;
}

/**
 * How a VM is started.
 */
export interface StartOptions {
  /**
   * Version of the API.
   */
  apiVersion?: string;
  /**
   * `All`: check everything, change nothing.
   */
  dryRun?: string[];
  /**
   * Kind of this object.
   */
  kind?: string;
  /**
   * The guest waits to be unpaused. Default: false.
   */
  paused?: boolean;
}

/**
 * How a VM is stopped.
 */
export interface StopOptions {
  /**
   * Version of the API.
   */
  apiVersion?: string;
  /**
   * `All`: check everything, change nothing.
   */
  dryRun?: string[];
  /**
   * Seconds that the guest has to shut down; 0 kills it. Default: terminationGracePeriodSeconds.
   */
  gracePeriod?: number;
  /**
   * Kind of this object.
   */
  kind?: string;
}

/**
 * A volume that moves to another claim.
 */
export interface StorageMigratedVolumeInfo {
  /**
   * The new claim.
   */
  destinationPVCInfo?: PersistentVolumeClaimInfo;
  /**
   * The old claim.
   */
  sourcePVCInfo?: PersistentVolumeClaimInfo;
  /**
   * The volume.
   */
  volumeName: string;
}

/**
 * CPU and memory of one sort of containers.
 */
export interface SupportContainerResources {
  /**
   * CPU and memory.
   */
  resources: ResourceRequirementsWithoutClaims;
  /**
   * Which containers.
   */
  type: 'container-disk' | 'hotplug-disk' | 'virtiofs' | 'sidecar' | 'vmexport' | 'guest-console-log';
}

/**
 * Timers of the synthetic interrupt controller.
 */
export interface SyNICTimer {
  /**
   * They interrupt directly.
   */
  direct?: FeatureState;
  /**
   * Whether it is on. Default: true.
   */
  enabled?: boolean;
}

/**
 * Answers for the setup of Windows, on a CD-ROM. Exactly one field.
 */
export interface SysprepSource {
  /**
   * ConfigMap with autounattend.xml or unattend.xml.
   */
  configMap?: LocalObjectReference;
  /**
   * Secret with autounattend.xml or unattend.xml.
   */
  secret?: LocalObjectReference;
}

/**
 * Intel TDX.
 */
export type TDX = object;

/**
 * How guests attest themselves.
 */
export interface TDXAttestationConfiguration {
  /**
   * Guests only run where the quote service is.
   */
  enforced?: boolean;
  /**
   * Socket of the quote service.
   */
  qgsSocketPath?: string;
}

/**
 * Intel TDX.
 */
export interface TDXConfiguration {
  /**
   * How guests attest themselves.
   */
  attestation?: TDXAttestationConfiguration;
}

/**
 * Flushes of other CPUs' TLBs.
 */
export interface TLBFlush {
  /**
   * Nested guests ask the host directly.
   */
  direct?: FeatureState;
  /**
   * Whether it is on. Default: true.
   */
  enabled?: boolean;
  /**
   * Parts of the TLB can be flushed.
   */
  extended?: FeatureState;
}

/**
 * TLS versions and ciphers of the servers.
 */
export interface TLSConfiguration {
  /**
   * Ciphers of TLS 1.2 and before, by OpenSSL's names.
   */
  ciphers?: string[];
  /**
   * Least version. Default: VersionTLS12.
   */
  minTLSVersion?: 'VersionTLS10' | 'VersionTLS11' | 'VersionTLS12' | 'VersionTLS13';
}

/**
 * A TPM, emulated by swtpm.
 */
export interface TPMDevice {
  /**
   * false keeps it out, also when a preference has one. Default: true.
   */
  enabled?: boolean;
  /**
   * Keeps its state over restarts.
   */
  persistent?: boolean;
}

/**
 * Timers of the guest.
 */
export interface Timer {
  /**
   * High precision event timer.
   */
  hpet?: HPETTimer;
  /**
   * Clock of the hypervisor, for Windows.
   */
  hyperv?: HypervTimer;
  /**
   * Clock of KVM, for Linux.
   */
  kvm?: KVMTimer;
  /**
   * Programmable interval timer.
   */
  pit?: PITTimer;
  /**
   * Real-time clock.
   */
  rtc?: RTCTimer;
}

/**
 * Requests to the API server.
 */
export interface TokenBucketRateLimiter {
  /**
   * At once, at most; 0 is the component's own.
   */
  burst: number;
  /**
   * A second, on average; 0 is the component's own.
   */
  qps: number;
}

/**
 * What the scheduler has to heed.
 */
export interface TopologyHints {
  /**
   * TSC frequency in Hz that the guest was promised.
   */
  tscFrequency?: number;
}

/**
 * USB devices that guests may have.
 */
export interface USBHostDevice {
  /**
   * Another device plugin offers them. Default: false.
   */
  externalResourceProvider?: boolean;
  /**
   * Their resource: kubevirt.io/storage.
   */
  resourceName: string;
  /**
   * The devices; all of them together are one.
   */
  selectors?: USBSelector[];
}

/**
 * A USB device.
 */
export interface USBSelector {
  /**
   * Product, in hexadecimal: 5678.
   */
  product: string;
  /**
   * Vendor, in hexadecimal: 1234.
   */
  vendor: string;
}

/**
 * How an instance is unpaused.
 */
export interface UnpauseOptions {
  /**
   * Version of the API.
   */
  apiVersion?: string;
  /**
   * `All`: check everything, change nothing.
   */
  dryRun?: string[];
  /**
   * Kind of this object.
   */
  kind?: string;
}

/**
 * Passwords for the guest.
 */
export interface UserPasswordAccessCredential {
  /**
   * How they get there.
   */
  propagationMethod: UserPasswordAccessCredentialPropagationMethod;
  /**
   * Where they are.
   */
  source: UserPasswordAccessCredentialSource;
}

/**
 * How passwords get into the guest.
 */
export interface UserPasswordAccessCredentialPropagationMethod {
  /**
   * By the guest agent, whenever they change.
   */
  qemuGuestAgent?: QemuGuestAgentUserPasswordAccessCredentialPropagation;
}

/**
 * Where passwords are.
 */
export interface UserPasswordAccessCredentialSource {
  /**
   * Secret; key is the user, value the password.
   */
  secret?: AccessCredentialSecretSource;
}

/**
 * A claim that the platform uses for itself; the guest does not see it.
 */
export interface UtilityVolume {
  /**
   * The claim, in the same namespace.
   */
  claimName: string;
  /**
   * Its name, different from all volumes.
   */
  name: string;
  /**
   * Nothing may be written. Default: false.
   */
  readOnly?: boolean;
  /**
   * What it is for.
   */
  type?: 'MemoryDump' | 'Backup';
}

/**
 * Display of a virtual GPU.
 */
export interface VGPUDisplayOptions {
  /**
   * Whether it has one. Default: true.
   */
  enabled?: boolean;
  /**
   * A picture before the guest's driver runs. Default: on.
   */
  ramFB?: FeatureState;
}

/**
 * Options of a virtual GPU.
 */
export interface VGPUOptions {
  /**
   * Its display.
   */
  display?: VGPUDisplayOptions;
}

/**
 * Settings of one migration, as put together from the KubeVirt object and a policy.
 */
export interface VMIMConfigurationOptions {
  /**
   * Slow the guest's CPUs down when it writes memory faster than it can be sent.
   */
  allowAutoConverge?: boolean;
  /**
   * Let the guest run on at the target while memory is still being fetched.
   */
  allowPostCopy?: boolean;
  /**
   * Pause the guest, or use post-copy, once time is up.
   */
  allowWorkloadDisruption?: boolean;
  /**
   * Bytes per second; 0 is no limit.
   */
  bandwidthPerMigration?: Quantity;
  /**
   * Seconds for each GiB.
   */
  completionTimeoutPerGiB?: number;
  /**
   * The migration is not encrypted.
   */
  disableTLS?: boolean;
  /**
   * Settings that may change or vanish.
   */
  experimental?: ExperimentalMigrationOptions;
  /**
   * The target gets an SELinux level of its own.
   */
  matchSELinuxLevelOnMigration?: boolean;
  /**
   * Milliseconds for which the guest may stand still at the end.
   */
  maxDowntimeMs?: number;
  /**
   * NetworkAttachmentDefinition for migrations.
   */
  network?: string;
  /**
   * Taint that makes guests leave a node.
   */
  nodeDrainTaintKey?: string;
  /**
   * Migrations at once in the cluster.
   */
  parallelMigrationsPerCluster?: number;
  /**
   * Migrations at once away from one node.
   */
  parallelOutboundMigrationsPerNode?: number;
  /**
   * Seconds without progress before it is aborted.
   */
  progressTimeout?: number;
  /**
   * Migrate also where libvirt holds it for unsafe.
   */
  unsafeMigrationOverride?: boolean;
  /**
   * Seconds that it waits for utility volumes to be gone.
   */
  utilityVolumesTimeout?: number;
}

/**
 * The video device.
 */
export interface VideoDevice {
  /**
   * Its type. Default: amd64 vga with BIOS and bochs with EFI, elsewhere virtio.
   */
  type?: 'virtio' | 'vga' | 'bochs' | 'ramfb' | 'cirrus';
}

/**
 * Templates of VMs.
 */
export interface VirtTemplateDeployment {
  /**
   * Whether what serves them is installed. Default: true, with the gate Template.
   */
  enabled?: boolean | null;
}

/**
 * A virtual machine that is kept: what it is made of, and when it runs.
 */
export interface VirtualMachine extends KubeObject {
  /**
   * What the VM is made of, and when it runs.
   */
  spec: VirtualMachineSpec;
  /**
   * What was found of a VM.
   */
  status?: VirtualMachineStatus;
}

/**
 * One thing that is true or false about a VM.
 */
export interface VirtualMachineCondition {
  /**
   * When it was last looked at.
   */
  lastProbeTime?: Time | null;
  /**
   * When the status last changed.
   */
  lastTransitionTime?: Time | null;
  /**
   * Why, for people.
   */
  message?: string;
  /**
   * Why, as one word.
   */
  reason?: string;
  /**
   * Whether it is true.
   */
  status: 'True' | 'False' | 'Unknown';
  /**
   * Failure, Ready, Paused, RestartRequired or ManualRecoveryRequired; also those of the running instance.
   */
  type: string;
}

/**
 * One running guest. Its status is written with it: there is no status subresource.
 */
export interface VirtualMachineInstance extends KubeObject {
  /**
   * A guest: its machine, disks, networks, and where it runs.
   */
  spec: VirtualMachineInstanceSpec;
  /**
   * What was found of a guest.
   */
  status?: VirtualMachineInstanceStatus;
}

/**
 * A backup of the instance.
 */
export interface VirtualMachineInstanceBackupStatus {
  /**
   * What there is to say, for people.
   */
  backupMsg?: string;
  /**
   * The VirtualMachineBackup.
   */
  backupName?: string;
  /**
   * Checkpoint that it made.
   */
  checkpointName?: string;
  /**
   * It has ended.
   */
  completed?: boolean;
  /**
   * When it ended.
   */
  endTimestamp?: Time;
  /**
   * It failed.
   */
  failed?: boolean;
  /**
   * Whether file systems were frozen: succeeded, failed or skipped.
   */
  quiesceStatus?: string;
  /**
   * When it began.
   */
  startTimestamp?: Time;
  /**
   * The volumes in it.
   */
  volumes?: VirtualMachineInstanceBackupVolumeInfo[];
}

/**
 * A volume in a backup.
 */
export interface VirtualMachineInstanceBackupVolumeInfo {
  /**
   * The volume's name in the instance.
   */
  volumeName: string;
}

/**
 * One thing that is true or false about an instance.
 */
export interface VirtualMachineInstanceCondition {
  /**
   * When it was last looked at.
   */
  lastProbeTime?: Time | null;
  /**
   * When the status last changed.
   */
  lastTransitionTime?: Time | null;
  /**
   * Why, for people.
   */
  message?: string;
  /**
   * Why, as one word.
   */
  reason?: string;
  /**
   * Whether it is true.
   */
  status: 'True' | 'False' | 'Unknown';
  /**
   * Provisioning, Ready, Synchronized, Paused, AgentConnected, AccessCredentialsSynchronized, AgentVersionNotSupported, LiveMigratable, StorageLiveMigratable, HotVCPUChange, HotMemoryChange, VolumesChange, DataVolumesReady, MigrationRequired, EvictionRequested, DecentralizedLiveMigrationFailure or SoftwareEmulation.
   */
  type: string;
}

/**
 * A file system in the guest.
 */
export interface VirtualMachineInstanceFileSystem {
  /**
   * The disks that it is on.
   */
  disk?: VirtualMachineInstanceFileSystemDisk[];
  /**
   * Its device in the guest.
   */
  diskName: string;
  /**
   * Its type.
   */
  fileSystemType: string;
  /**
   * Where it is mounted.
   */
  mountPoint: string;
  /**
   * Its size.
   */
  totalBytes: number;
  /**
   * What is in use.
   */
  usedBytes: number;
}

/**
 * A disk under a file system.
 */
export interface VirtualMachineInstanceFileSystemDisk {
  /**
   * Its bus.
   */
  busType: string;
  /**
   * Its serial number.
   */
  serial?: string;
}

/**
 * File systems in the guest.
 */
export interface VirtualMachineInstanceFileSystemInfo {
  /**
   * The file systems.
   */
  disks: VirtualMachineInstanceFileSystem[];
}

/**
 * File systems in the guest.
 */
export interface VirtualMachineInstanceFileSystemList {
  /**
   * Version of the API.
   */
  apiVersion?: string;
  /**
   * The file systems.
   */
  items: VirtualMachineInstanceFileSystem[];
  /**
   * Kind of this object.
   */
  kind?: string;
  /**
   * Empty.
   */
  metadata?: object;
}

/**
 * What the guest agent reports.
 */
export interface VirtualMachineInstanceGuestAgentInfo {
  /**
   * Version of the API.
   */
  apiVersion?: string;
  /**
   * frozen while file systems are frozen on request.
   */
  fsFreezeStatus?: string;
  /**
   * File systems.
   */
  fsInfo?: VirtualMachineInstanceFileSystemInfo;
  /**
   * Version of the agent.
   */
  guestAgentVersion?: string;
  /**
   * Host name of the guest.
   */
  hostname?: string;
  /**
   * Kind of this object.
   */
  kind?: string;
  /**
   * Operating system.
   */
  os?: VirtualMachineInstanceGuestOSInfo;
  /**
   * Commands of the agent.
   */
  supportedCommands?: GuestAgentCommandInfo[];
  /**
   * Time zone of the guest.
   */
  timezone?: string;
  /**
   * Users who are logged in.
   */
  userList?: VirtualMachineInstanceGuestOSUser[];
}

/**
 * Operating system of the guest.
 */
export interface VirtualMachineInstanceGuestOSInfo {
  /**
   * Its short name: debian.
   */
  id?: string;
  /**
   * Release of the kernel.
   */
  kernelRelease?: string;
  /**
   * Version of the kernel.
   */
  kernelVersion?: string;
  /**
   * Architecture: x86_64.
   */
  machine?: string;
  /**
   * Its name.
   */
  name?: string;
  /**
   * Name and version.
   */
  prettyName?: string;
  /**
   * Its version, for people.
   */
  version?: string;
  /**
   * Its version, as a number.
   */
  versionId?: string;
}

/**
 * A user who is logged in.
 */
export interface VirtualMachineInstanceGuestOSUser {
  /**
   * Domain, on Windows.
   */
  domain?: string;
  /**
   * Seconds since 1970 of the first login.
   */
  loginTime?: number;
  /**
   * Name.
   */
  userName: string;
}

/**
 * Users who are logged in.
 */
export interface VirtualMachineInstanceGuestOSUserList {
  /**
   * Version of the API.
   */
  apiVersion?: string;
  /**
   * The users.
   */
  items: VirtualMachineInstanceGuestOSUser[];
  /**
   * Kind of this object.
   */
  kind?: string;
  /**
   * Empty.
   */
  metadata?: object;
}

/**
 * Moves a running instance to another node. Deleting it cancels the move.
 */
export interface VirtualMachineInstanceMigration extends KubeObject {
  /**
   * What moves, and where to. Immutable but for priority.
   */
  spec: VirtualMachineInstanceMigrationSpec;
  /**
   * How far it is.
   */
  status?: VirtualMachineInstanceMigrationStatus;
}

/**
 * One thing that is true or false about a migration.
 */
export interface VirtualMachineInstanceMigrationCondition {
  /**
   * When it was last looked at.
   */
  lastProbeTime?: Time | null;
  /**
   * When the status last changed.
   */
  lastTransitionTime?: Time | null;
  /**
   * Why, for people.
   */
  message?: string;
  /**
   * Why, as one word.
   */
  reason?: string;
  /**
   * Whether it is true.
   */
  status: 'True' | 'False' | 'Unknown';
  /**
   * migrationAbortRequested, migrationRejectedByResourceQuota, migrationBlockedByUtilityVolumes, migrationBlockedByBackup or decentralizedMigrationBlocked.
   */
  type: string;
}

/**
 * When a migration came into a phase.
 */
export interface VirtualMachineInstanceMigrationPhaseTransitionTimestamp {
  /**
   * The phase.
   */
  phase?:
    | 'Pending'
    | 'Scheduling'
    | 'Scheduled'
    | 'PreparingTarget'
    | 'TargetReady'
    | 'Running'
    | 'Succeeded'
    | 'Failed'
    | 'WaitingForSync'
    | 'Synchronizing';
  /**
   * The time.
   */
  phaseTransitionTimestamp?: Time;
}

/**
 * This is the source's side of a move to another namespace or cluster.
 */
export interface VirtualMachineInstanceMigrationSource {
  /**
   * Where the target's synchronization controller is.
   */
  connectURL: string;
  /**
   * Name that both sides have for the move.
   */
  migrationID: string;
}

/**
 * What the source knows of a migration.
 */
export interface VirtualMachineInstanceMigrationSourceState {
  /**
   * Name of the domain.
   */
  domainName?: string;
  /**
   * Namespace in the domain's name.
   */
  domainNamespace?: string;
  /**
   * UID of the migration.
   */
  migrationUID?: string;
  /**
   * The node.
   */
  node?: string;
  /**
   * Labels that the target's node must have.
   */
  nodeSelectors?: {
    [k: string]: string;
  };
  /**
   * Claim with TPM and EFI state.
   */
  persistentStatePVCName?: string;
  /**
   * The launcher's Pod.
   */
  pod?: string;
  /**
   * SELinux context of the Pod.
   */
  selinuxContext?: string;
  /**
   * HOST:PORT at which the sides talk.
   */
  syncAddress?: string;
  /**
   * UID of the instance.
   */
  virtualMachineInstanceUID?: string;
}

/**
 * What moves, and where to. Immutable but for priority.
 */
export interface VirtualMachineInstanceMigrationSpec {
  /**
   * Further labels that the target must have; where the instance names the same label, its value stays.
   */
  addedNodeSelector?: {
    [k: string]: string;
  };
  /**
   * Rank in the queue, highest first; without it behind all others. Only the platform may set it.
   */
  priority?: 'system-critical' | 'user-triggered' | 'system-maintenance';
  /**
   * This is the target's side of a move from another namespace or cluster.
   */
  receive?: VirtualMachineInstanceMigrationTarget;
  /**
   * This is the source's side of a move to another namespace or cluster.
   */
  sendTo?: VirtualMachineInstanceMigrationSource;
  /**
   * The instance, in the same namespace.
   */
  vmiName?: string;
}

/**
 * A migration of the instance: one that goes on, or the last one.
 */
export interface VirtualMachineInstanceMigrationState {
  /**
   * It is to be cancelled.
   */
  abortRequested?: boolean;
  /**
   * How far cancelling is.
   */
  abortStatus?: 'Succeeded' | 'Failed' | 'Aborting';
  /**
   * It has ended.
   */
  completed?: boolean;
  /**
   * When it ended.
   */
  endTimestamp?: Time | null;
  /**
   * It failed.
   */
  failed?: boolean;
  /**
   * Why it failed.
   */
  failureReason?: string;
  /**
   * Its settings.
   */
  migrationConfiguration?: VMIMConfigurationOptions;
  /**
   * Network that it goes through.
   */
  migrationNetworkType?: 'Pod' | 'Migration';
  /**
   * Policy that its settings come from.
   */
  migrationPolicyName?: string;
  /**
   * UID of the migration.
   */
  migrationUid?: string;
  /**
   * How the memory is sent.
   */
  mode?: 'PreCopy' | 'PostCopy' | 'Paused';
  /**
   * Node that it leaves.
   */
  sourceNode?: string;
  /**
   * Claim with TPM and EFI state at the source.
   */
  sourcePersistentStatePVCName?: string;
  /**
   * Pod that it leaves.
   */
  sourcePod?: string;
  /**
   * What the source knows.
   */
  sourceState?: VirtualMachineInstanceMigrationSourceState;
  /**
   * When it began.
   */
  startTimestamp?: Time | null;
  /**
   * UID of the Pod that brings hotplugged volumes to the target.
   */
  targetAttachmentPodUID?: string;
  /**
   * Dedicated CPUs at the target.
   */
  targetCPUSet?: number[];
  /**
   * Ports that the target listens on.
   */
  targetDirectMigrationNodePorts?: {
    [k: string]: number;
  };
  /**
   * Memory of the target's Pod besides the guest's.
   */
  targetMemoryOverhead?: Quantity;
  /**
   * Node that it goes to.
   */
  targetNode?: string;
  /**
   * Address of that node.
   */
  targetNodeAddress?: string;
  /**
   * The domain was seen at the target.
   */
  targetNodeDomainDetected?: boolean;
  /**
   * When it ran at the target.
   */
  targetNodeDomainReadyTimestamp?: Time;
  /**
   * NUMA layout at the target, as JSON.
   */
  targetNodeTopology?: string;
  /**
   * Claim with TPM and EFI state at the target.
   */
  targetPersistentStatePVCName?: string;
  /**
   * Pod that it goes to.
   */
  targetPod?: string;
  /**
   * What the target knows.
   */
  targetState?: VirtualMachineInstanceMigrationTargetState;
}

/**
 * How far it is.
 */
export interface VirtualMachineInstanceMigrationStatus {
  /**
   * What is true or false at the moment.
   */
  conditions?: VirtualMachineInstanceMigrationCondition[];
  /**
   * The migration itself.
   */
  migrationState?: VirtualMachineInstanceMigrationState;
  /**
   * How far it is, in one word.
   */
  phase?:
    | 'Pending'
    | 'Scheduling'
    | 'Scheduled'
    | 'PreparingTarget'
    | 'TargetReady'
    | 'Running'
    | 'Succeeded'
    | 'Failed'
    | 'WaitingForSync'
    | 'Synchronizing';
  /**
   * When it came into each phase.
   */
  phaseTransitionTimestamps?: VirtualMachineInstanceMigrationPhaseTransitionTimestamp[];
  /**
   * HOST:PORT at which the sides talk.
   */
  synchronizationAddresses?: string[];
}

/**
 * This is the target's side of a move from another namespace or cluster.
 */
export interface VirtualMachineInstanceMigrationTarget {
  /**
   * Name that both sides have for the move.
   */
  migrationID: string;
}

/**
 * What the target knows of a migration.
 */
export interface VirtualMachineInstanceMigrationTargetState {
  /**
   * UID of the Pod that brings hotplugged volumes.
   */
  attachmentPodUID?: string;
  /**
   * Dedicated CPUs.
   */
  cpuSet?: number[];
  /**
   * Ports that it listens on.
   */
  directMigrationNodePorts?: {
    [k: string]: number;
  };
  /**
   * The domain was seen.
   */
  domainDetected?: boolean;
  /**
   * Name of the domain.
   */
  domainName?: string;
  /**
   * Namespace in the domain's name.
   */
  domainNamespace?: string;
  /**
   * When it ran.
   */
  domainReadyTimestamp?: Time;
  /**
   * UID of the migration.
   */
  migrationUID?: string;
  /**
   * The node.
   */
  node?: string;
  /**
   * Its address.
   */
  nodeAddress?: string;
  /**
   * Its NUMA layout, as JSON.
   */
  nodeTopology?: string;
  /**
   * Claim with TPM and EFI state.
   */
  persistentStatePVCName?: string;
  /**
   * The launcher's Pod.
   */
  pod?: string;
  /**
   * SELinux context of the Pod.
   */
  selinuxContext?: string;
  /**
   * HOST:PORT at which the sides talk.
   */
  syncAddress?: string;
  /**
   * UID of the instance.
   */
  virtualMachineInstanceUID?: string;
}

/**
 * An interface of the running guest.
 */
export interface VirtualMachineInstanceNetworkInterface {
  /**
   * Who knows of it: domain, guest-agent, multus-status; several with commas.
   */
  infoSource?: string;
  /**
   * Its name in the guest.
   */
  interfaceName?: string;
  /**
   * Its first address.
   */
  ipAddress?: string;
  /**
   * All its addresses.
   */
  ipAddresses?: string[];
  /**
   * up or down.
   */
  linkState?: string;
  /**
   * Its MAC address.
   */
  mac?: string;
  /**
   * Name of its network.
   */
  name?: string;
  /**
   * Name of the interface in the Pod.
   */
  podInterfaceName?: string;
  /**
   * Its queues.
   */
  queueCount?: number;
}

/**
 * When an instance came into a phase.
 */
export interface VirtualMachineInstancePhaseTransitionTimestamp {
  /**
   * The phase.
   */
  phase?: 'Pending' | 'Scheduling' | 'Scheduled' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown' | 'WaitingForSync';
  /**
   * The time.
   */
  phaseTransitionTimestamp?: Time;
}

/**
 * Deprecated: use instancetypes and preferences. Fields that matching instances get at their creation.
 */
export interface VirtualMachineInstancePreset extends KubeObject {
  /**
   * What is set, and for whom.
   */
  spec?: VirtualMachineInstancePresetSpec;
}

/**
 * What is set, and for whom.
 */
export interface VirtualMachineInstancePresetSpec {
  /**
   * Fields that are set where the instance has none; where it has another value, nothing of the preset is applied.
   */
  domain?: DomainSpec;
  /**
   * The instances, by labels.
   */
  selector: LabelSelector;
}

/**
 * Seccomp profile of launchers.
 */
export interface VirtualMachineInstanceProfile {
  /**
   * A profile of your own.
   */
  customProfile?: CustomProfile;
}

/**
 * Keeps a number of equal instances running, without VMs.
 */
export interface VirtualMachineInstanceReplicaSet extends KubeObject {
  /**
   * How many instances, and of which kind.
   */
  spec: VirtualMachineInstanceReplicaSetSpec;
  /**
   * What the controller saw.
   */
  status?: VirtualMachineInstanceReplicaSetStatus;
}

/**
 * One thing that is true or false about the set.
 */
export interface VirtualMachineInstanceReplicaSetCondition {
  /**
   * When it was last looked at.
   */
  lastProbeTime?: Time | null;
  /**
   * When the status last changed.
   */
  lastTransitionTime?: Time | null;
  /**
   * Why, for people.
   */
  message?: string;
  /**
   * Why, as one word.
   */
  reason?: string;
  /**
   * Whether it is true.
   */
  status: 'True' | 'False' | 'Unknown';
  /**
   * ReplicaFailure or ReplicaPaused.
   */
  type: string;
}

/**
 * How many instances, and of which kind.
 */
export interface VirtualMachineInstanceReplicaSetSpec {
  /**
   * The controller leaves the set alone. Default: false.
   */
  paused?: boolean;
  /**
   * Instances that it has. Default: 1.
   */
  replicas?: number;
  /**
   * Its instances, by labels. Must match the template's labels.
   */
  selector: LabelSelector;
  /**
   * What each instance is made of.
   */
  template: VirtualMachineInstanceTemplateSpec;
}

/**
 * What the controller saw.
 */
export type VirtualMachineInstanceReplicaSetStatus = {
  /**
   * What is true or false at the moment.
   */
  conditions?: VirtualMachineInstanceReplicaSetCondition[];
  /**
   * The selector as text, for the scale subresource.
   */
  labelSelector?: string;
  /**
   * Instances that are ready.
   */
  readyReplicas?: number;
  /**
   * Instances that exist.
   */
  replicas?: number;
} | null;

/**
 * A claim of dynamic resource allocation. Exactly one of resourceClaimName and resourceClaimTemplateName.
 */
export interface VirtualMachineInstanceResourceClaim {
  /**
   * Its name in this VM.
   */
  name: string;
  /**
   * A ResourceClaim in the same namespace.
   */
  resourceClaimName?: string;
  /**
   * A ResourceClaimTemplate in the same namespace; each Pod gets a claim of its own.
   */
  resourceClaimTemplateName?: string;
}

/**
 * A guest: its machine, disks, networks, and where it runs.
 */
export interface VirtualMachineInstanceSpec {
  /**
   * Keys and passwords from Secrets, and how they reach the guest.
   */
  accessCredentials?: AccessCredential[];
  /**
   * Where the Pod may and should run. As in a Pod.
   */
  affinity?: Affinity;
  /**
   * CPU architecture of the guest. Default: the platform's, amd64.
   */
  architecture?: 'amd64' | 'arm64' | 's390x';
  /**
   * Name servers and search domains, given to the guest by DHCP. As in a Pod.
   */
  dnsConfig?: PodDNSConfig;
  /**
   * Where name servers come from. As in a Pod. Default: ClusterFirst.
   */
  dnsPolicy?: 'ClusterFirst' | 'ClusterFirstWithHostNet' | 'Default' | 'None';
  /**
   * The machine that the guest sees.
   */
  domain: DomainSpec;
  /**
   * What a drain of the node does to the guest. Default: the platform's, None.
   */
  evictionStrategy?: 'None' | 'LiveMigrate' | 'LiveMigrateIfPossible' | 'External';
  /**
   * Host name of the guest, a DNS label. Default: name of the instance.
   */
  hostname?: string;
  /**
   * When it fails, the guest is killed. Not with startStrategy Paused.
   */
  livenessProbe?: Probe;
  /**
   * Networks to attach to; each is joined to the interface of its name. Default: the Pod network.
   */
  networks?: Network[];
  /**
   * Labels that the node must have.
   */
  nodeSelector?: {
    [k: string]: string;
  };
  /**
   * Priority of the Pod.
   */
  priorityClassName?: string;
  /**
   * While it fails, Services do not lead to the guest.
   */
  readinessProbe?: Probe;
  /**
   * Devices that the cluster allocates dynamically.
   */
  resourceClaims?: VirtualMachineInstanceResourceClaim[];
  /**
   * Which scheduler places the Pod.
   */
  schedulerName?: string;
  /**
   * Service account of the Pod.
   */
  serviceAccountName?: string;
  /**
   * Paused: the guest's CPUs wait for unpause. Default: it runs.
   */
  startStrategy?: 'Paused';
  /**
   * With `hostname`: the DNS name below a headless Service of this name.
   */
  subdomain?: string;
  /**
   * Seconds to shut down before the guest is killed. Default: 30.
   */
  terminationGracePeriodSeconds?: number;
  /**
   * Taints that the Pod may ignore.
   */
  tolerations?: Toleration[];
  /**
   * How Pods spread over zones and nodes. As in a Pod.
   */
  topologySpreadConstraints?: TopologySpreadConstraint[];
  /**
   * Claims for the launcher's own use, unseen by the guest.
   */
  utilityVolumes?: UtilityVolume[];
  /**
   * What disks and shared folders hold; each is joined to the disk of its name.
   */
  volumes?: Volume[];
}

/**
 * What was found of a guest.
 */
export interface VirtualMachineInstanceStatus {
  /**
   * Address of the guest for VSOCK, from 3.
   */
  VSOCKCID?: number;
  /**
   * Launcher Pods by uid, with the node of each.
   */
  activePods?: {
    [k: string]: string;
  };
  /**
   * Whether changed blocks are tracked.
   */
  changedBlockTracking?: ChangedBlockTrackingStatus | null;
  /**
   * What is true or false at the moment.
   */
  conditions?: VirtualMachineInstanceCondition[];
  /**
   * Topology that the guest runs with; the spec may have moved on.
   */
  currentCPUTopology?: CPUTopology;
  /**
   * Node that the guest should leave.
   */
  evacuationNodeName?: string;
  /**
   * frozen while file systems are frozen on request.
   */
  fsFreezeStatus?: string;
  /**
   * Its operating system.
   */
  guestOSInfo?: VirtualMachineInstanceGuestOSInfo;
  /**
   * What the guest's interfaces look like now.
   */
  interfaces?: VirtualMachineInstanceNetworkInterface[];
  /**
   * Kernel and ramdisk in use.
   */
  kernelBootStatus?: KernelBootStatus;
  /**
   * Image of its launcher.
   */
  launcherContainerImageVersion?: string;
  /**
   * Machine type in use.
   */
  machine?: Machine;
  /**
   * Guest memory at boot, now, and as last asked for.
   */
  memory?: MemoryStatus;
  /**
   * Volumes that move to other claims.
   */
  migratedVolumes?: StorageMigratedVolumeInfo[];
  /**
   * Whether its disks must be copied when it migrates.
   */
  migrationMethod?: 'BlockMigration' | 'LiveMigration';
  /**
   * The last migration, or the one that goes on.
   */
  migrationState?: VirtualMachineInstanceMigrationState;
  /**
   * How handlers talk when it migrates: Unix.
   */
  migrationTransport?: string;
  /**
   * Node that the guest runs on.
   */
  nodeName?: string;
  /**
   * Where the guest is in its life.
   */
  phase?: 'Pending' | 'Scheduling' | 'Scheduled' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown' | 'WaitingForSync';
  /**
   * When each phase was reached.
   */
  phaseTransitionTimestamps?: VirtualMachineInstancePhaseTransitionTimestamp[];
  /**
   * Quality of service of its Pod.
   */
  qosClass?: 'Guaranteed' | 'Burstable' | 'BestEffort';
  /**
   * Why it is in its phase, as one word.
   */
  reason?: string;
  /**
   * User id that QEMU runs as. 107, or 0 with gate Root.
   */
  runtimeUser?: number;
  /**
   * SELinux context of its Pod.
   */
  selinuxContext?: string;
  /**
   * What the scheduler had to heed.
   */
  topologyHints?: TopologyHints;
  /**
   * ControllerRevision of the VM that it was started from.
   */
  virtualMachineRevisionName?: string;
  /**
   * Its volumes.
   */
  volumeStatus?: VolumeStatus[];
}

/**
 * An instance without a name.
 */
export interface VirtualMachineInstanceTemplateSpec {
  /**
   * Labels and annotations of the instance.
   */
  metadata?: ObjectMeta | null;
  /**
   * Spec of the instance.
   */
  spec?: VirtualMachineInstanceSpec;
}

/**
 * A memory dump of the VM.
 */
export interface VirtualMachineMemoryDumpRequest {
  /**
   * Claim that takes it.
   */
  claimName: string;
  /**
   * When it ended.
   */
  endTimestamp?: Time;
  /**
   * Its file.
   */
  fileName?: string;
  /**
   * Why it failed, for people.
   */
  message?: string;
  /**
   * How far it is.
   */
  phase: 'Associating' | 'InProgress' | 'Unmounting' | 'Completed' | 'Dissociating' | 'Failed';
  /**
   * The claim is to be let go.
   */
  remove?: boolean;
  /**
   * When it began.
   */
  startTimestamp?: Time;
}

/**
 * What all guests have.
 */
export interface VirtualMachineOptions {
  /**
   * No guest reports free pages.
   */
  disableFreePageReporting?: DisableFreePageReporting;
  /**
   * No serial console is logged, unless a VM asks for it.
   */
  disableSerialConsoleLog?: DisableSerialConsoleLog;
}

/**
 * What the VM is made of, and when it runs.
 */
export interface VirtualMachineSpec {
  /**
   * Disks that are made with the VM and deleted with it; each must be named by a volume.
   */
  dataVolumeTemplates?: (DataVolumeTemplateSpec | null)[];
  /**
   * Sizing by reference. It must not set a field that the template sets too.
   */
  instancetype?: InstancetypeMatcher;
  /**
   * Device and firmware defaults by reference. Fields of the template win.
   */
  preference?: PreferenceMatcher;
  /**
   * When the VM runs. Always: is started again however it ended; RerunOnFailure: only when it failed; Once; Manual: by command; Halted: not.
   */
  runStrategy?: 'Always' | 'RerunOnFailure' | 'Manual' | 'Halted' | 'Once' | 'WaitAsReceiver';
  /**
   * Deprecated for `runStrategy`: true is Always, false is Halted.
   */
  running?: boolean;
  /**
   * The instance that is created when the VM starts.
   */
  template: VirtualMachineInstanceTemplateSpec;
  /**
   * What a change of volumes means for a running guest. Default: Replacement, at the next start.
   */
  updateVolumesStrategy?: 'Replacement' | 'Migration';
}

/**
 * Starts that failed in a row.
 */
export interface VirtualMachineStartFailure {
  /**
   * How many.
   */
  consecutiveFailCount?: number;
  /**
   * UID of the last instance.
   */
  lastFailedVMIUID?: string;
  /**
   * When the next start is tried.
   */
  retryAfterTimestamp?: Time;
}

/**
 * A start or stop that somebody asked for.
 */
export interface VirtualMachineStateChangeRequest {
  /**
   * What is asked for.
   */
  action: 'Start' | 'Stop';
  /**
   * Details: `paused: "true"`.
   */
  data?: {
    [k: string]: string;
  };
  /**
   * UID of the instance that it is meant for.
   */
  uid?: string;
}

/**
 * What was found of a VM.
 */
export interface VirtualMachineStatus {
  /**
   * Whether changed blocks are tracked.
   */
  changedBlockTracking?: ChangedBlockTrackingStatus | null;
  /**
   * What is true or false at the moment.
   */
  conditions?: VirtualMachineCondition[];
  /**
   * The instance exists.
   */
  created?: boolean;
  /**
   * Generation that the instance should be of.
   */
  desiredGeneration?: number;
  /**
   * The instancetype in use.
   */
  instancetypeRef?: InstancetypeStatusRef | null;
  /**
   * A memory dump.
   */
  memoryDumpRequest?: VirtualMachineMemoryDumpRequest | null;
  /**
   * Generation that the instance was started from.
   */
  observedGeneration?: number;
  /**
   * The preference in use.
   */
  preferenceRef?: InstancetypeStatusRef | null;
  /**
   * One word for people: what `kubectl get vm` shows.
   */
  printableStatus?:
    | 'Stopped'
    | 'Provisioning'
    | 'Starting'
    | 'Running'
    | 'Paused'
    | 'Stopping'
    | 'Terminating'
    | 'CrashLoopBackOff'
    | 'Migrating'
    | 'Unknown'
    | 'ErrorUnschedulable'
    | 'ErrImagePull'
    | 'ImagePullBackOff'
    | 'ErrorPvcNotFound'
    | 'DataVolumeError'
    | 'WaitingForVolumeBinding'
    | 'WaitingForReceiver';
  /**
   * The guest runs and is ready.
   */
  ready?: boolean;
  /**
   * Name of the restore that keeps the VM from starting.
   */
  restoreInProgress?: string;
  /**
   * Run strategy that the controller last acted on.
   */
  runStrategy?: 'Always' | 'RerunOnFailure' | 'Manual' | 'Halted' | 'Once' | 'WaitAsReceiver';
  /**
   * Name of the snapshot that locks the spec.
   */
  snapshotInProgress?: string;
  /**
   * How often the start failed in a row, and when it is tried again.
   */
  startFailure?: VirtualMachineStartFailure | null;
  /**
   * Commands that wait to be carried out.
   */
  stateChangeRequests?: VirtualMachineStateChangeRequest[];
  /**
   * Disks that are being plugged in or out.
   */
  volumeRequests?: VirtualMachineVolumeRequest[];
  /**
   * Which volumes can be snapshotted.
   */
  volumeSnapshotStatuses?: VolumeSnapshotStatus[];
  /**
   * Volumes that are being replaced.
   */
  volumeUpdateState?: VolumeUpdateState;
}

/**
 * A disk that is plugged in or out. Exactly one field.
 */
export interface VirtualMachineVolumeRequest {
  /**
   * It is plugged in.
   */
  addVolumeOptions?: AddVolumeOptions;
  /**
   * It is unplugged.
   */
  removeVolumeOptions?: RemoveVolumeOptions;
}

/**
 * Where the data of a disk or file system is. Exactly one source.
 */
export interface Volume {
  /**
   * Configuration for cloud-init's ConfigDrive source.
   */
  cloudInitConfigDrive?: CloudInitConfigDriveSource;
  /**
   * Configuration for cloud-init's NoCloud source.
   */
  cloudInitNoCloud?: CloudInitNoCloudSource;
  /**
   * A small disk with the files of a ConfigMap.
   */
  configMap?: ConfigMapVolumeSource;
  /**
   * A disk inside a container image. Writes last until the guest stops.
   */
  containerDisk?: ContainerDiskSource;
  /**
   * A path in the launcher's container, for virtiofs.
   */
  containerPath?: ContainerPathVolumeSource;
  /**
   * A DataVolume; the guest waits until it is filled.
   */
  dataVolume?: DataVolumeSource;
  /**
   * A small disk with fields of the instance.
   */
  downwardAPI?: DownwardAPIVolumeSource;
  /**
   * Metrics of the host on a small disk.
   */
  downwardMetrics?: DownwardMetricsVolumeSource;
  /**
   * An empty disk that lasts until the guest stops.
   */
  emptyDisk?: EmptyDiskSource;
  /**
   * A claim that is only read; writes last until the guest stops.
   */
  ephemeral?: EphemeralVolumeSource;
  /**
   * A file on the node. Gate HostDisk.
   */
  hostDisk?: HostDisk;
  /**
   * A claim that takes a memory dump. Written by the platform.
   */
  memoryDump?: MemoryDumpVolumeSource;
  /**
   * DNS label, unique in the VM.
   */
  name: string;
  /**
   * A claim: file disk.img on it, or the block device itself.
   */
  persistentVolumeClaim?: PersistentVolumeClaimVolumeSource;
  /**
   * A small disk with the files of a Secret.
   */
  secret?: SecretVolumeSource;
  /**
   * A small disk with the service account's token. At most one.
   */
  serviceAccount?: ServiceAccountVolumeSource;
  /**
   * Answer file for Windows' setup.
   */
  sysprep?: SysprepSource;
}

/**
 * Volumes that move to other claims.
 */
export interface VolumeMigrationState {
  /**
   * The volumes.
   */
  migratedVolumes?: StorageMigratedVolumeInfo[];
}

/**
 * Whether a volume can be snapshotted.
 */
export interface VolumeSnapshotStatus {
  /**
   * It can.
   */
  enabled: boolean;
  /**
   * The volume.
   */
  name: string;
  /**
   * Why it cannot.
   */
  reason?: string;
}

/**
 * A volume of a running guest.
 */
export interface VolumeStatus {
  /**
   * It is a container disk.
   */
  containerDiskVolume?: ContainerDiskInfo;
  /**
   * It was plugged in.
   */
  hotplugVolume?: HotplugVolumeStatus;
  /**
   * It takes a memory dump.
   */
  memoryDumpVolume?: DomainMemoryDumpInfo;
  /**
   * What there is to say, for people.
   */
  message?: string;
  /**
   * The volume.
   */
  name: string;
  /**
   * Its claim.
   */
  persistentVolumeClaimInfo?: PersistentVolumeClaimInfo;
  /**
   * How far plugging is, in one word.
   */
  phase?:
    | 'Pending'
    | 'Bound'
    | 'AttachedToNode'
    | 'MountedToPod'
    | 'Ready'
    | 'Detaching'
    | 'UnMountedFromPod'
    | 'MemoryDumpCompleted'
    | 'MemoryDumpInProgress'
    | 'MemoryDumpFailed';
  /**
   * Why, as one word.
   */
  reason?: string;
  /**
   * Its size in bytes.
   */
  size?: number;
  /**
   * Its device in the guest: vda.
   */
  target: string;
}

/**
 * Volumes that are being replaced.
 */
export interface VolumeUpdateState {
  /**
   * Volumes that move to other claims.
   */
  volumeMigrationState?: VolumeMigrationState;
}

/**
 * A watchdog. Exactly one model.
 */
export interface Watchdog {
  /**
   * diag288, on s390x.
   */
  diag288?: Diag288Watchdog;
  /**
   * Intel's, on amd64. Default action: reset.
   */
  i6300esb?: I6300ESBWatchdog;
  /**
   * Its name.
   */
  name: string;
}
