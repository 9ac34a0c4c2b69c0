// Generated from api/schema/kubevirt.io_v1.json by scripts/generate.ts; edit that file.
import type { KubeObject, ObjectMeta } from '../meta';
import type { DataVolumeSpec } from './cdi-v1beta1';
import type { Affinity, DownwardAPIVolumeFile, ExecAction, HTTPGetAction, LocalObjectReference, PersistentVolumeClaimVolumeSource as OtherPersistentVolumeClaimVolumeSource, PodDNSConfig, TCPSocketAction, Toleration, TopologySpreadConstraint, TypedObjectReference } from './core-v1';
import type { Duration, LabelSelector, Quantity, Time } from './meta-v1';

export interface ACPI {
  msdmNameRef?: string;
  slicNameRef?: string;
}

export interface AccessCredential {
  sshPublicKey?: SSHPublicKeyAccessCredential;
  userPassword?: UserPasswordAccessCredential;
}

export interface AccessCredentialSecretSource {
  secretName: string;
}

export interface AddVolumeOptions {
  disk: Disk;
  /** `All`: check everything, change nothing. */
  dryRun?: string[];
  name: string;
  volumeSource: HotplugVolumeSource;
}

export interface ArchConfiguration {
  amd64?: ArchSpecificConfiguration;
  arm64?: ArchSpecificConfiguration;
  defaultArchitecture?: string;
  ppc64le?: ArchSpecificConfiguration;
  s390x?: ArchSpecificConfiguration;
}

export interface ArchSpecificConfiguration {
  emulatedMachines?: string[];
  machineType?: string;
  ovmfPath?: string;
}

export interface BIOS {
  useSerial?: boolean;
}

export interface BlockSize {
  custom?: CustomBlockSize;
  matchVolume?: FeatureState;
}

export interface Bootloader {
  bios?: BIOS;
  efi?: EFI;
}

export interface CDRomTarget {
  /** Default: sata; elsewhere than amd64: scsi. */
  bus?: 'sata' | 'scsi' | 'usb';
  /** Default: true. */
  readonly?: boolean;
  /** Default: closed. */
  tray?: 'open' | 'closed';
}

export interface CPU {
  /** Cores of each socket. Default: 1. */
  cores?: number;
  /** Pins vCPUs to CPUs that no one else uses; makes the Pod Guaranteed. */
  dedicatedCpuPlacement?: boolean;
  /** CPU features to add or hide. */
  features?: CPUFeature[];
  /** One more dedicated CPU for QEMU itself. */
  isolateEmulatorThread?: boolean;
  /** Most sockets after hotplug. Default: four times `sockets`, at most 512 vCPUs. */
  maxSockets?: number;
  /** host-model, host-passthrough, or a name such as Haswell. Default: host-model; arm64: host-passthrough. */
  model?: string;
  /** The guest sees the node's NUMA layout. */
  numa?: NUMA;
  /** Realtime scheduling of vCPUs. */
  realtime?: Realtime;
  /** Sockets; may grow while the guest runs. Default: CPUs of resources, else 1. */
  sockets?: number;
  /** Threads of each core. Default: 1. */
  threads?: number;
}

export interface CPUFeature {
  name: string;
  /** force, require, optional, disable or forbid. Default: require. */
  policy?: 'force' | 'require' | 'optional' | 'disable' | 'forbid';
}

export interface CPUTopology {
  cores?: number;
  sockets?: number;
  threads?: number;
}

export interface CertConfig {
  duration?: Duration;
  renewBefore?: Duration;
}

export interface ChangedBlockTrackingSelectors {
  namespaceLabelSelector?: LabelSelector;
  virtualMachineLabelSelector?: LabelSelector;
}

export interface ChangedBlockTrackingStatus {
  backupStatus?: VirtualMachineInstanceBackupStatus | null;
  state: string;
}

export interface Chassis {
  asset?: string;
  manufacturer?: string;
  serial?: string;
  sku?: string;
  version?: string;
}

export interface ClaimRequest {
  claimName?: string;
  requestName?: string;
}

export type ClientPassthroughDevices = Record<string, unknown>;

export interface Clock {
  timer?: Timer;
  timezone?: string;
  utc?: ClockOffsetUTC;
}

export interface ClockOffset {
  timezone?: string;
  utc?: ClockOffsetUTC;
}

export interface ClockOffsetUTC {
  offsetSeconds?: number;
}

export interface CloudInitConfigDriveSource {
  networkData?: string;
  networkDataBase64?: string;
  networkDataSecretRef?: LocalObjectReference;
  secretRef?: LocalObjectReference;
  userData?: string;
  userDataBase64?: string;
}

export interface CloudInitNoCloudSource {
  /** Network configuration, at most 2048 bytes. */
  networkData?: string;
  networkDataBase64?: string;
  /** Secret with key networkdata. */
  networkDataSecretRef?: LocalObjectReference;
  /** Secret with key userdata, of any size. */
  secretRef?: LocalObjectReference;
  /** User data, at most 2048 bytes. */
  userData?: string;
  /** The same in base64. */
  userDataBase64?: string;
}

export interface CommonInstancetypesDeployment {
  enabled?: boolean | null;
}

export interface ComponentConfig {
  nodePlacement?: NodePlacement;
  replicas?: number;
}

export interface ConfidentialComputeConfiguration {
  tdx?: TDXConfiguration | null;
}

export type ConfigDriveSSHPublicKeyAccessCredentialPropagation = Record<string, unknown>;

export interface ConfigMapVolumeSource {
  name?: string;
  optional?: boolean;
  volumeLabel?: string;
}

export interface ContainerDiskInfo {
  checksum?: number;
}

export interface ContainerDiskSource {
  /** Image reference. */
  image: string;
  /** Default: Always for `latest` or no tag, else IfNotPresent. */
  imagePullPolicy?: 'Always' | 'Never' | 'IfNotPresent';
  imagePullSecret?: string;
  /** File in the image. Default: the only one in /disk. */
  path?: string;
}

export interface ContainerPathVolumeSource {
  path: string;
  readOnly?: boolean;
}

export interface ControllerRevisionRef {
  name?: string;
}

export interface CustomBlockSize {
  discardGranularity?: number;
  logical?: number;
  physical?: number;
}

export interface CustomProfile {
  localhostProfile?: string;
  runtimeDefaultProfile?: boolean;
}

export interface CustomizeComponents {
  flags?: Flags;
  patches?: CustomizeComponentsPatch[];
}

export interface CustomizeComponentsPatch {
  patch: string;
  resourceName: string;
  resourceType: string;
  type: string;
}

export interface DHCPOptions {
  bootFileName?: string;
  ntpServers?: string[];
  privateOptions?: DHCPPrivateOptions[];
  tftpServerName?: string;
}

export interface DHCPPrivateOptions {
  option: number;
  value: string;
}

export interface DataVolumeSource {
  hotpluggable?: boolean;
  name: string;
}

export type DataVolumeTemplateDummyStatus = Record<string, unknown>;

export interface DataVolumeTemplateSpec {
  /** Version of the API. */
  apiVersion?: string;
  /** Kind of this object. */
  kind?: string;
  metadata?: ObjectMeta | null;
  spec: DataVolumeSpec;
  status?: DataVolumeTemplateDummyStatus | null;
}

export type DeprecatedInterfaceMacvtap = Record<string, unknown>;

export type DeprecatedInterfacePasst = Record<string, unknown>;

export type DeprecatedInterfaceSlirp = Record<string, unknown>;

export interface DeveloperConfiguration {
  clusterProfiler?: boolean;
  /** vCPUs per requested CPU. Default: 10. */
  cpuAllocationRatio?: number;
  /** Beta gates to switch off. */
  disabledFeatureGates?: string[];
  diskVerification?: DiskVerification;
  /** Gates to switch on. */
  featureGates?: string[];
  logVerbosity?: LogVerbosity;
  /** Percent of guest memory over requested memory. Default: 100. */
  memoryOvercommit?: number;
  minimumClusterTSCFrequency?: number;
  minimumReservePVCBytes?: number;
  nodeSelectors?: Record<string, string>;
  pvcTolerateLessSpaceUpToPercent?: number;
  /** VMs run without KVM where it does not work. Default: false. */
  useEmulation?: boolean;
}

export interface Devices {
  /** A graphics card and VNC. Default: true. */
  autoattachGraphicsDevice?: boolean;
  /** A tablet for exact pointing. Default: false. */
  autoattachInputDevice?: boolean;
  /** A memory balloon, for statistics. Default: true. */
  autoattachMemBalloon?: boolean;
  /** The Pod network when no network is named. Default: true. */
  autoattachPodInterface?: boolean;
  /** A serial port, for `virt8s console`. Default: true. */
  autoattachSerialConsole?: boolean;
  /** A VSOCK device. Gate VSOCK. */
  autoattachVSOCK?: boolean;
  /** A queue per vCPU on virtio disks. */
  blockMultiQueue?: boolean;
  clientPassthrough?: ClientPassthroughDevices;
  /** No controller for disks that are plugged later. */
  disableHotplug?: boolean;
  /** Disks, CDs and LUNs in the order in which the guest sees them. Volumes that none names become disks. */
  disks?: Disk[];
  downwardMetrics?: DownwardMetrics;
  /** Volumes shared as folders by virtiofs. */
  filesystems?: Filesystem[];
  /** GPUs assigned to the guest. */
  gpus?: GPU[];
  /** Devices of the node assigned to the guest. Gate HostDevices. */
  hostDevices?: HostDevice[];
  /** Tablets and keyboards. */
  inputs?: Input[];
  /** Network cards; each is joined to the network of its name. */
  interfaces?: Interface[];
  /** Serial output goes to a container log of the Pod. Default: true. */
  logSerialConsole?: boolean;
  /** A queue per vCPU on virtio interfaces. */
  networkInterfaceMultiqueue?: boolean;
  panicDevices?: PanicDevice[];
  /** Randomness from the host. */
  rng?: Rng;
  sound?: SoundDevice;
  /** A TPM 2.0, emulated. */
  tpm?: TPMDevice;
  /** Virtio devices for old guests. */
  useVirtioTransitional?: boolean;
  video?: VideoDevice;
  /** Acts when the guest stops answering. */
  watchdog?: Watchdog;
}

export interface Diag288Watchdog {
  action?: 'poweroff' | 'reset' | 'shutdown';
}

export type DisableFreePageReporting = Record<string, unknown>;

export type DisableSerialConsoleLog = Record<string, unknown>;

export interface Disk {
  /** Sector sizes that the guest sees. Default: 512. */
  blockSize?: BlockSize;
  /** Position in boot order, from 1, unique over disks and interfaces. Without any, disks boot in their order. */
  bootOrder?: number;
  /** How the host caches. Default: none where the storage takes O_DIRECT, else writethrough. */
  cache?: 'none' | 'writethrough' | 'writeback';
  /** A CD drive; without a volume it is empty. */
  cdrom?: CDRomTarget;
  changedBlockTracking?: boolean;
  /** An I/O thread of its own. */
  dedicatedIOThread?: boolean;
  /** A plain disk. Default when no kind is named. */
  disk?: DiskTarget;
  /** What an I/O error does. Default: stop. */
  errorPolicy?: 'stop' | 'ignore' | 'report' | 'enospace';
  /** How QEMU does I/O. Default: native for block devices and preallocated files, else threads. */
  io?: 'native' | 'threads' | 'default';
  /** A SCSI device whose commands reach the storage. Only of claims. */
  lun?: LunTarget;
  /** Name of the volume that it attaches. */
  name: string;
  /** Serial number that the guest sees: letters, digits, _.+-, at most 36. */
  serial?: string;
  /** Several VMs may write to it. */
  shareable?: boolean;
  tag?: string;
}

export interface DiskIOThreads {
  supplementalPoolThreadCount?: number;
}

export interface DiskTarget {
  /** Default: sata; arm64 and s390x: virtio. */
  bus?: 'virtio' | 'sata' | 'scsi' | 'usb';
  /** Fixed address such as 0000:81:01.0; only with virtio. */
  pciAddress?: string;
  /** Default: false. */
  readonly?: boolean;
}

export interface DiskVerification {
  memoryLimit: Quantity;
}

export interface DomainMemoryDumpInfo {
  claimName?: string;
  endTimestamp?: Time;
  startTimestamp?: Time;
  targetFileName?: string;
}

export interface DomainSpec {
  /** What SMBIOS says of the case. */
  chassis?: Chassis;
  /** The guest's clock and timers. */
  clock?: Clock;
  /** The guest's CPU. Default: one vCPU, more when resources name more. */
  cpu?: CPU;
  /** Disks, interfaces and everything else that is plugged in. */
  devices: Devices;
  /** Features of the machine. Default: ACPI. */
  features?: Features;
  /** BIOS or UEFI, and what they say. */
  firmware?: Firmware;
  ioThreads?: DiskIOThreads;
  /** Threads for disk I/O. shared: one; auto: by vCPUs; supplementalPool: as many as `ioThreads` says. */
  ioThreadsPolicy?: 'shared' | 'auto' | 'supplementalPool';
  /** Memory encryption of the guest. */
  launchSecurity?: LaunchSecurity;
  /** Machine type. */
  machine?: Machine;
  /** The guest's memory. */
  memory?: Memory;
  /** What a reboot inside the guest does. Default: Reboot. */
  rebootPolicy?: 'Reboot' | 'Terminate';
  /** What Kubernetes sets aside for the Pod. */
  resources?: ResourceRequirements;
}

export interface DowntimeTuningOptions {
  cooldownSeconds?: number;
  initialMs?: number;
  startAfterIteration?: number;
  steps?: number;
}

export interface DownwardAPIVolumeSource {
  fields?: DownwardAPIVolumeFile[];
  volumeLabel?: string;
}

export type DownwardMetrics = Record<string, unknown>;

export type DownwardMetricsVolumeSource = Record<string, unknown>;

export interface EFI {
  /** Keeps UEFI variables over restarts. Default: false. */
  persistent?: boolean;
  /** Only signed loaders start; needs features.smm. Default: true. */
  secureBoot?: boolean;
}

export interface EmptyDiskSource {
  /** Size in bytes. */
  capacity: Quantity;
}

export interface EphemeralVolumeSource {
  persistentVolumeClaim?: OtherPersistentVolumeClaimVolumeSource;
}

export interface EvacuateCancelOptions {
  /** Version of the API. */
  apiVersion?: string;
  /** `All`: check everything, change nothing. */
  dryRun?: string[];
  evacuationNodeName: string;
  /** Kind of this object. */
  kind?: string;
}

export interface ExperimentalMigrationOptions {
  compression?: 'none' | 'zstd';
  downtimeTuning?: DowntimeTuningOptions;
  stallDetector?: StallDetectorOptions;
}

export interface FeatureAPIC {
  enabled?: boolean;
  endOfInterrupt?: boolean;
}

export interface FeatureHyperv {
  evmcs?: FeatureState;
  frequencies?: FeatureState;
  ipi?: FeatureState;
  reenlightenment?: FeatureState;
  relaxed?: FeatureState;
  reset?: FeatureState;
  runtime?: FeatureState;
  spinlocks?: FeatureSpinlocks;
  synic?: FeatureState;
  synictimer?: SyNICTimer;
  tlbflush?: TLBFlush;
  vapic?: FeatureState;
  vendorid?: FeatureVendorID;
  vpindex?: FeatureState;
}

export interface FeatureKVM {
  hidden?: boolean;
}

export interface FeatureSpinlocks {
  enabled?: boolean;
  spinlocks?: number;
}

export interface FeatureState {
  enabled?: boolean;
}

export interface FeatureVendorID {
  enabled?: boolean;
  vendorid?: string;
}

export interface Features {
  acpi?: FeatureState;
  apic?: FeatureAPIC;
  hyperv?: FeatureHyperv;
  hypervPassthrough?: HyperVPassthrough;
  kvm?: FeatureKVM;
  pvspinlock?: FeatureState;
  smm?: FeatureState;
}

export interface Filesystem {
  name: string;
  virtiofs: FilesystemVirtiofs;
}

export type FilesystemVirtiofs = Record<string, unknown>;

export interface Firmware {
  acpi?: ACPI;
  /** Default: BIOS; arm64: UEFI. */
  bootloader?: Bootloader;
  /** A kernel from an image instead of the disk. */
  kernelBoot?: KernelBoot;
  /** SMBIOS serial number. */
  serial?: string;
  /** SMBIOS UUID. Default: derived from the name. */
  uuid?: string;
}

export interface Flags {
  api?: Record<string, string>;
  controller?: Record<string, string>;
  handler?: Record<string, string>;
}

export interface FreezeUnfreezeTimeout {
  unfreezeTimeout: Duration;
}

export interface GPU {
  claimName?: string;
  deviceName?: string;
  name: string;
  requestName?: string;
  tag?: string;
  virtualGPUOptions?: VGPUOptions;
}

export interface GenerationStatus {
  group: string;
  hash?: string;
  lastGeneration: number;
  name: string;
  namespace?: string;
  resource: string;
}

/** A network that CNI-Genie attached. Deprecated: use multus. */
export interface GenieNetwork {
  /** Name of the CNI plugin or of the network, as in the annotation cni. */
  networkName: string;
}

export interface GuestAgentCommandInfo {
  enabled?: boolean;
  name: string;
}

export type GuestAgentPing = Record<string, unknown>;

export interface HPETTimer {
  present?: boolean;
  tickPolicy?: 'delay' | 'catchup' | 'merge' | 'discard';
}

export interface HostDevice {
  claimName?: string;
  deviceName?: string;
  name: string;
  requestName?: string;
  tag?: string;
}

export interface HostDisk {
  /** Size in bytes, when it is created. */
  capacity?: Quantity;
  /** Absolute path on the node. */
  path: string;
  shared?: boolean;
  type: 'Disk' | 'DiskOrCreate';
}

export interface HotplugVolumeSource {
  dataVolume?: DataVolumeSource;
  persistentVolumeClaim?: PersistentVolumeClaimVolumeSource;
}

export interface HotplugVolumeStatus {
  attachPodName?: string;
  attachPodUID?: string;
}

export interface Hugepages {
  /** 2Mi or 1Gi. */
  pageSize?: string;
}

export interface HyperVPassthrough {
  enabled?: boolean;
}

export interface HypervTimer {
  present?: boolean;
}

export interface HypervisorConfiguration {
  name?: 'kvm' | 'hyperv-direct';
}

export interface I6300ESBWatchdog {
  action?: 'poweroff' | 'reset' | 'shutdown';
}

export interface InitrdInfo {
  checksum?: number;
}

export interface Input {
  bus?: 'usb' | 'virtio';
  name: string;
  type: 'tablet' | 'keyboard';
}

export interface InstancetypeConfiguration {
  referencePolicy?: 'reference' | 'expand' | 'expandAll' | null;
}

export interface InstancetypeMatcher {
  inferFromVolume?: string;
  inferFromVolumeFailurePolicy?: 'Reject' | 'Ignore';
  kind?: string;
  name?: string;
  revisionName?: string;
}

export interface InstancetypeStatusRef {
  controllerRevisionRef?: ControllerRevisionRef;
  inferFromVolume?: string;
  inferFromVolumeFailurePolicy?: string;
  kind?: string;
  name?: string;
}

export interface Interface {
  /** 1 to 16383: gives the card a fixed name in the guest. */
  acpiIndex?: number;
  /** A plugin that the KubeVirt object registers. */
  binding?: PluginBinding;
  bootOrder?: number;
  /** The guest takes over the Pod's address, or is bridged to the network. */
  bridge?: InterfaceBridge;
  dhcpOptions?: DHCPOptions;
  /** Default: chosen by the platform. */
  macAddress?: string;
  /** Discontinued, refused. */
  macvtap?: DeprecatedInterfaceMacvtap;
  /** The guest is behind NAT; the Pod's address leads to it. Pod network only. */
  masquerade?: InterfaceMasquerade;
  /** Default: virtio. */
  model?: 'virtio' | 'e1000' | 'e1000e' | 'igb' | 'ne2k_pci' | 'pcnet' | 'rtl8139';
  /** Name of the network that it is joined to. */
  name: string;
  /** Discontinued, refused: use passtBinding. */
  passt?: DeprecatedInterfacePasst;
  /** User-mode networking by passt. Pod network only. */
  passtBinding?: InterfacePasstBinding;
  pciAddress?: string;
  portRanges?: PortRange[];
  /** The only ports that are forwarded. Default: all. */
  ports?: Port[];
  /** Discontinued; refused unless network.permitSlirpInterface. */
  slirp?: DeprecatedInterfaceSlirp;
  /** A virtual function of an SR-IOV card. */
  sriov?: InterfaceSRIOV;
  /** Link up or down; absent unplugs the card. Default: up. */
  state?: 'up' | 'down' | 'absent';
  tag?: string;
}

export interface InterfaceBindingMigration {
  method?: string;
}

export interface InterfaceBindingPlugin {
  computeResourceOverhead?: ResourceRequirementsWithoutClaims;
  domainAttachmentType?: 'tap' | 'managedTap';
  downwardAPI?: string;
  migration?: InterfaceBindingMigration;
  networkAttachmentDefinition?: string;
  sidecarImage?: string;
}

export type InterfaceBridge = Record<string, unknown>;

export type InterfaceMasquerade = Record<string, unknown>;

export type InterfacePasstBinding = Record<string, unknown>;

export type InterfaceSRIOV = Record<string, unknown>;

export interface KSMConfiguration {
  nodeLabelSelector?: LabelSelector;
}

export interface KVMTimer {
  present?: boolean;
}

export interface KernelBoot {
  container?: KernelBootContainer;
  kernelArgs?: string;
}

export interface KernelBootContainer {
  image: string;
  imagePullPolicy?: 'Always' | 'Never' | 'IfNotPresent';
  imagePullSecret?: string;
  initrdPath?: string;
  kernelPath?: string;
}

export interface KernelBootStatus {
  initrdInfo?: InitrdInfo;
  kernelInfo?: KernelInfo;
}

export interface KernelInfo {
  checksum?: number;
}

/** The platform: what runs, and its configuration. One per cluster. */
export interface KubeVirt extends KubeObject {
  /** What is wanted. */
  spec: KubeVirtSpec;
  /** What was found; written by the cluster. */
  status?: KubeVirtStatus;
}

export interface KubeVirtCertificateRotateStrategy {
  selfSigned?: KubeVirtSelfSignConfiguration;
}

export interface KubeVirtCondition {
  /** When it was last looked at. */
  lastProbeTime?: Time | null;
  /** When the status last changed. */
  lastTransitionTime?: Time | null;
  /** Why, for people. */
  message?: string;
  /** Why, as one word. */
  reason?: string;
  /** Whether it is true. */
  status: 'True' | 'False' | 'Unknown';
  /** What it is about. */
  type: string;
}

export interface KubeVirtConfiguration {
  additionalGuestMemoryOverheadRatio?: string;
  apiConfiguration?: ReloadableComponentConfiguration;
  architectureConfiguration?: ArchConfiguration;
  autoCPULimitNamespaceLabelSelector?: LabelSelector;
  changedBlockTrackingLabelSelectors?: ChangedBlockTrackingSelectors | null;
  commonInstancetypesDeployment?: CommonInstancetypesDeployment | null;
  confidentialCompute?: ConfidentialComputeConfiguration | null;
  controllerConfiguration?: ReloadableComponentConfiguration;
  /** Default CPU model. Default: host-model. */
  cpuModel?: string;
  /** CPU requested for a VM that names none. Default: 100m. */
  cpuRequest?: Quantity;
  /** Runtime class of launcher Pods. */
  defaultRuntimeClass?: string;
  /** Feature gates, emulation, overcommit, verbosity. */
  developerConfiguration?: DeveloperConfiguration;
  emulatedMachines?: string[];
  /** Default: None. */
  evictionStrategy?: 'None' | 'LiveMigrate' | 'LiveMigrateIfPossible' | 'External';
  handlerConfiguration?: ReloadableComponentConfiguration;
  hypervisors?: HypervisorConfiguration[];
  /** For container disks that name none. Default: by tag. */
  imagePullPolicy?: 'Always' | 'Never' | 'IfNotPresent';
  instancetype?: InstancetypeConfiguration | null;
  ksmConfiguration?: KSMConfiguration;
  liveUpdateConfiguration?: LiveUpdateConfiguration;
  /** Default machine type on amd64. Default: q35. */
  machineType?: string;
  mediatedDevicesConfiguration?: MediatedDevicesConfiguration;
  /** Seconds between memory statistics. Default: 10. */
  memBalloonStatsPeriod?: number;
  /** Limits of live migration. */
  migrations?: MigrationConfiguration;
  minCPUModel?: string;
  /** Default interface, allowed bindings. */
  network?: NetworkConfiguration;
  obsoleteCPUModels?: Record<string, boolean>;
  ovmfPath?: string;
  /** Devices of nodes that VMs may be given. */
  permittedHostDevices?: PermittedHostDevices;
  persistentReservationConfiguration?: PersistentReservationConfiguration | null;
  roleAggregationStrategy?: 'AggregateToDefault' | 'Manual';
  seccompConfiguration?: SeccompConfiguration;
  selinuxLauncherType?: string;
  smbios?: SMBiosConfiguration;
  supportContainerResources?: SupportContainerResources[];
  supportedGuestAgentVersions?: string[];
  tlsConfiguration?: TLSConfiguration;
  virtTemplateDeployment?: VirtTemplateDeployment | null;
  virtualMachineInstancesPerNode?: number;
  virtualMachineOptions?: VirtualMachineOptions;
  /** Whether changes of a VM reach its running guest. Default: LiveUpdate. */
  vmRolloutStrategy?: 'Stage' | 'LiveUpdate' | null;
  /** Storage class for TPM and UEFI state. */
  vmStateStorageClass?: string;
  webhookConfiguration?: ReloadableComponentConfiguration;
}

export interface KubeVirtSelfSignConfiguration {
  ca?: CertConfig;
  caOverlapInterval?: Duration;
  caRotateInterval?: Duration;
  certRotateInterval?: Duration;
  server?: CertConfig;
}

export interface KubeVirtSpec {
  certificateRotateStrategy?: KubeVirtCertificateRotateStrategy;
  /** Defaults and switches for all VMs. */
  configuration?: KubeVirtConfiguration;
  customizeComponents?: CustomizeComponents;
  imagePullPolicy?: 'Always' | 'Never' | 'IfNotPresent';
  imagePullSecrets?: LocalObjectReference[];
  imageRegistry?: string;
  imageTag?: string;
  infra?: ComponentConfig;
  monitorAccount?: string;
  monitorNamespace?: string;
  productComponent?: string;
  productName?: string;
  productVersion?: string;
  serviceMonitorNamespace?: string;
  synchronizationPort?: string;
  uninstallStrategy?: 'RemoveWorkloads' | 'BlockUninstallIfWorkloadsExist';
  workloadUpdateStrategy?: KubeVirtWorkloadUpdateStrategy;
  workloads?: ComponentConfig;
}

export interface KubeVirtStatus {
  /** What is true or false at the moment. */
  conditions?: KubeVirtCondition[];
  defaultArchitecture?: string;
  generations?: GenerationStatus[];
  observedDeploymentConfig?: string;
  observedDeploymentID?: string;
  observedGeneration?: number;
  observedKubeVirtRegistry?: string;
  observedKubeVirtVersion?: string;
  operatorVersion?: string;
  outdatedVirtualMachineInstanceWorkloads?: number;
  phase?: 'Deploying' | 'Deployed' | 'Deleting' | 'Deleted';
  synchronizationAddresses?: string[];
  targetDeploymentConfig?: string;
  targetDeploymentID?: string;
  targetKubeVirtRegistry?: string;
  targetKubeVirtVersion?: string;
}

export interface KubeVirtWorkloadUpdateStrategy {
  batchEvictionInterval?: Duration;
  batchEvictionSize?: number;
  workloadUpdateMethods?: ('LiveMigrate' | 'Evict')[];
}

export interface LaunchSecurity {
  sev?: SEV;
  snp?: SEVSNP;
  tdx?: TDX;
}

export interface LiveUpdateConfiguration {
  /** Most sockets of a VM that names none. */
  maxCpuSockets?: number;
  /** Most memory of a VM that names none. */
  maxGuest?: Quantity;
  /** Most sockets and memory, as multiple of what the VM starts with. Default: 4. */
  maxHotplugRatio?: number;
}

export interface LogVerbosity {
  nodeVerbosity?: Record<string, number>;
  virtAPI?: number;
  virtController?: number;
  virtHandler?: number;
  virtLauncher?: number;
  virtOperator?: number;
  virtSynchronizationController?: number;
}

export interface LunTarget {
  bus?: 'scsi' | 'virtio' | 'sata';
  readonly?: boolean;
  /** SCSI-3 persistent reservations. Only with bus scsi. */
  reservation?: boolean;
}

export interface Machine {
  /** Such as q35 or pc-q35-9.0. Default: q35; arm64: virt; s390x: s390-ccw-virtio. */
  type?: string;
}

export interface MediatedDevicesConfiguration {
  enabled?: boolean;
  mediatedDeviceTypes?: string[];
  mediatedDevicesTypes?: string[];
  nodeMediatedDeviceTypes?: NodeMediatedDeviceTypesConfig[];
}

export interface MediatedHostDevice {
  externalResourceProvider?: boolean;
  mdevNameSelector: string;
  resourceName: string;
}

export interface Memory {
  /** Memory that the guest sees, in bytes. Default: requests.memory, limits.memory. */
  guest?: Quantity;
  /** Backs the guest by huge pages, which must divide its memory. */
  hugepages?: Hugepages;
  /** Most memory after hotplug. Default: four times `guest`, from 1Gi on amd64. */
  maxGuest?: Quantity;
  reservedOverhead?: ReservedOverhead;
}

export interface MemoryDumpVolumeSource {
  claimName: string;
  hotpluggable?: boolean;
  readOnly?: boolean;
}

export interface MemoryStatus {
  guestAtBoot?: Quantity;
  guestCurrent?: Quantity;
  guestRequested?: Quantity;
  memoryOverhead?: Quantity;
}

export interface MigrateOptions {
  addedNodeSelector?: Record<string, string>;
  /** Version of the API. */
  apiVersion?: string;
  /** `All`: check everything, change nothing. */
  dryRun?: string[];
  /** Kind of this object. */
  kind?: string;
}

export interface MigrationConfiguration {
  /** Slows the guest until it converges. Default: false. */
  allowAutoConverge?: boolean;
  /** Default: false. */
  allowPostCopy?: boolean;
  allowWorkloadDisruption?: boolean;
  /** Bytes per second; 0 is unlimited. Default: 0. */
  bandwidthPerMigration?: Quantity;
  /** Seconds. Default: 150. */
  completionTimeoutPerGiB?: number;
  disableTLS?: boolean;
  matchSELinuxLevelOnMigration?: boolean;
  /** Milliseconds. Default: 900. */
  maxDowntimeMs?: number;
  network?: string;
  nodeDrainTaintKey?: string;
  /** Default: 5. */
  parallelMigrationsPerCluster?: number;
  /** Default: 2. */
  parallelOutboundMigrationsPerNode?: number;
  /** Seconds without progress. Default: 150. */
  progressTimeout?: number;
  unsafeMigrationOverride?: boolean;
  utilityVolumesTimeout?: number;
}

export interface MultusNetwork {
  default?: boolean;
  /** Name, or namespace/name. */
  networkName: string;
}

export interface NUMA {
  guestMappingPassthrough?: NUMAGuestMappingPassthrough;
}

export type NUMAGuestMappingPassthrough = Record<string, unknown>;

export interface Network {
  /** Deprecated: a network that CNI-Genie attaches; use multus. */
  genie?: GenieNetwork;
  /** A NetworkAttachmentDefinition. */
  multus?: MultusNetwork;
  name: string;
  /** The Pod's own network. At most one. */
  pod?: PodNetwork;
  resourceClaim?: ClaimRequest;
}

export interface NetworkConfiguration {
  /** Binding plugins by name. */
  binding?: Record<string, InterfaceBindingPlugin>;
  /** bridge or masquerade, for VMs that name no network. Default: bridge. */
  defaultNetworkInterface?: string;
  /** Default: true. */
  permitBridgeInterfaceOnPodNetwork?: boolean;
  /** Default: false. */
  permitSlirpInterface?: boolean;
}

export type NoCloudSSHPublicKeyAccessCredentialPropagation = Record<string, unknown>;

export interface NodeMediatedDeviceTypesConfig {
  mediatedDeviceTypes?: string[];
  mediatedDevicesTypes?: string[];
  nodeSelector: Record<string, string>;
}

export interface NodePlacement {
  affinity?: Affinity;
  nodeSelector?: Record<string, string>;
  tolerations?: Toleration[];
}

export interface ObjectGraphNode {
  /** Version of the API. */
  apiVersion?: string;
  children?: ObjectGraphNode[];
  /** Kind of this object. */
  kind?: string;
  labels?: Record<string, string>;
  objectReference: TypedObjectReference;
  optional?: boolean;
}

export interface ObjectGraphOptions {
  includeOptionalNodes?: boolean;
  labelSelector?: LabelSelector;
}

export interface PITTimer {
  present?: boolean;
  tickPolicy?: 'delay' | 'catchup' | 'discard';
}

export interface PanicDevice {
  model?: 'isa' | 'hyperv' | 'pvpanic';
}

export interface PauseOptions {
  /** Version of the API. */
  apiVersion?: string;
  /** `All`: check everything, change nothing. */
  dryRun?: string[];
  /** Kind of this object. */
  kind?: string;
}

export interface PciHostDevice {
  externalResourceProvider?: boolean;
  pciVendorSelector: string;
  resourceName: string;
}

export interface PermittedHostDevices {
  mediatedDevices?: MediatedHostDevice[];
  pciHostDevices?: PciHostDevice[];
  usb?: USBHostDevice[];
}

export interface PersistentReservationConfiguration {
  enabled?: boolean | null;
}

export interface PersistentVolumeClaimInfo {
  accessModes?: string[];
  capacity?: Record<string, Quantity>;
  claimName?: string;
  filesystemOverhead?: string;
  preallocated?: boolean;
  requests?: Record<string, Quantity>;
  volumeMode?: string;
}

export interface PersistentVolumeClaimVolumeSource {
  claimName: string;
  hotpluggable?: boolean;
  readOnly?: boolean;
}

export interface PluginBinding {
  name: string;
}

export interface PodNetwork {
  /** The same for IPv6. Default: fd10:0:2::/120. */
  vmIPv6NetworkCIDR?: string;
  /** Range that the guest is in behind NAT. Default: 10.0.2.0/24. */
  vmNetworkCIDR?: string;
}

export interface Port {
  name?: string;
  /** 1 to 65535. */
  port: number;
  /** Default: TCP. */
  protocol?: 'TCP' | 'UDP';
}

export interface PortRange {
  end: number;
  protocol: string;
  start: number;
}

export interface PreferenceMatcher {
  inferFromVolume?: string;
  inferFromVolumeFailurePolicy?: 'Reject' | 'Ignore';
  kind?: string;
  name?: string;
  revisionName?: string;
}

export interface Probe {
  /** A command that the guest agent runs. */
  exec?: ExecAction;
  /** Failures in a row that count. Default: 3. */
  failureThreshold?: number;
  /** The guest agent answers. */
  guestAgentPing?: GuestAgentPing;
  httpGet?: HTTPGetAction;
  /** Seconds before the first try. */
  initialDelaySeconds?: number;
  /** Seconds between tries. Default: 10. */
  periodSeconds?: number;
  /** Successes in a row that count. Default: 1. */
  successThreshold?: number;
  tcpSocket?: TCPSocketAction;
  /** Default: 1. */
  timeoutSeconds?: number;
}

export interface QemuGuestAgentSSHPublicKeyAccessCredentialPropagation {
  users: string[];
}

export type QemuGuestAgentUserPasswordAccessCredentialPropagation = Record<string, unknown>;

export interface RESTClientConfiguration {
  rateLimiter?: RateLimiter;
}

export interface RTCTimer {
  present?: boolean;
  tickPolicy?: 'delay' | 'catchup';
  track?: 'guest' | 'wall';
}

export interface RateLimiter {
  tokenBucketRateLimiter?: TokenBucketRateLimiter;
}

export interface Realtime {
  mask?: string;
}

export interface ReloadableComponentConfiguration {
  restClient?: RESTClientConfiguration;
}

export interface RemoveVolumeOptions {
  /** `All`: check everything, change nothing. */
  dryRun?: string[];
  name: string;
}

export interface ReservedOverhead {
  addedOverhead?: Quantity;
  memLock?: 'NotRequired' | 'Required';
}

export interface ResourceRequirements {
  /** Most CPU and memory. */
  limits?: Record<string, Quantity>;
  /** Do not request memory for what runs beside the guest. */
  overcommitGuestOverhead?: boolean;
  /** Least CPU and memory. Default: a tenth of each vCPU; memory with overhead. */
  requests?: Record<string, Quantity>;
}

export interface ResourceRequirementsWithoutClaims {
  limits?: Record<string, Quantity>;
  requests?: Record<string, Quantity>;
}

export interface RestartOptions {
  /** Version of the API. */
  apiVersion?: string;
  /** `All`: check everything, change nothing. */
  dryRun?: string[];
  gracePeriodSeconds?: number;
  /** Kind of this object. */
  kind?: string;
}

export type Rng = Record<string, unknown>;

export interface SEV {
  attestation?: SEVAttestation;
  dhCert?: string;
  policy?: SEVPolicy;
  session?: string;
}

export type SEVAttestation = Record<string, unknown>;

export interface SEVMeasurementInfo {
  apiMajor?: number;
  apiMinor?: number;
  /** Version of the API. */
  apiVersion?: string;
  buildID?: number;
  /** Kind of this object. */
  kind?: string;
  loaderSHA?: string;
  measurement?: string;
  policy?: number;
}

export interface SEVPlatformInfo {
  /** Version of the API. */
  apiVersion?: string;
  certChain?: string;
  /** Kind of this object. */
  kind?: string;
  pdh?: string;
}

export interface SEVPolicy {
  encryptedState?: boolean;
}

export type SEVSNP = Record<string, unknown>;

export interface SEVSecretOptions {
  header?: string;
  secret?: string;
}

export interface SEVSessionOptions {
  dhCert?: string;
  session?: string;
}

export interface SMBiosConfiguration {
  family?: string;
  manufacturer?: string;
  product?: string;
  sku?: string;
  version?: string;
}

export interface SSHPublicKeyAccessCredential {
  propagationMethod: SSHPublicKeyAccessCredentialPropagationMethod;
  source: SSHPublicKeyAccessCredentialSource;
}

export interface SSHPublicKeyAccessCredentialPropagationMethod {
  configDrive?: ConfigDriveSSHPublicKeyAccessCredentialPropagation;
  noCloud?: NoCloudSSHPublicKeyAccessCredentialPropagation;
  qemuGuestAgent?: QemuGuestAgentSSHPublicKeyAccessCredentialPropagation;
}

export interface SSHPublicKeyAccessCredentialSource {
  secret?: AccessCredentialSecretSource;
}

export interface SeccompConfiguration {
  virtualMachineInstanceProfile?: VirtualMachineInstanceProfile;
}

export interface SecretVolumeSource {
  optional?: boolean;
  secretName?: string;
  volumeLabel?: string;
}

export interface ServiceAccountVolumeSource {
  serviceAccountName?: string;
}

export interface SoundDevice {
  model?: 'ich9' | 'ac97';
  name: string;
}

export interface StallDetectorOptions {
  completionTimeoutFactor?: Quantity;
  ewmaAlpha?: Quantity;
  patienceWindowDecayFactor?: Quantity;
  precopyPossibleFactor?: Quantity;
  searchLocalMinima?: boolean;
  stallMargin?: number;
  stallProgressTimeout?: number;
  switchoverTimeout?: number;
}

export interface StartOptions {
  /** Version of the API. */
  apiVersion?: string;
  /** `All`: check everything, change nothing. */
  dryRun?: string[];
  /** Kind of this object. */
  kind?: string;
  paused?: boolean;
}

export interface StopOptions {
  /** Version of the API. */
  apiVersion?: string;
  /** `All`: check everything, change nothing. */
  dryRun?: string[];
  gracePeriod?: number;
  /** Kind of this object. */
  kind?: string;
}

export interface StorageMigratedVolumeInfo {
  destinationPVCInfo?: PersistentVolumeClaimInfo;
  sourcePVCInfo?: PersistentVolumeClaimInfo;
  volumeName: string;
}

export interface SupportContainerResources {
  resources: ResourceRequirementsWithoutClaims;
  type: string;
}

export interface SyNICTimer {
  direct?: FeatureState;
  enabled?: boolean;
}

export interface SysprepSource {
  configMap?: LocalObjectReference;
  secret?: LocalObjectReference;
}

export type TDX = Record<string, unknown>;

export interface TDXAttestationConfiguration {
  enforced?: boolean;
  qgsSocketPath?: string;
}

export interface TDXConfiguration {
  attestation?: TDXAttestationConfiguration;
}

export interface TLBFlush {
  direct?: FeatureState;
  enabled?: boolean;
  extended?: FeatureState;
}

export interface TLSConfiguration {
  ciphers?: string[];
  minTLSVersion?: 'VersionTLS10' | 'VersionTLS11' | 'VersionTLS12' | 'VersionTLS13';
}

export interface TPMDevice {
  enabled?: boolean;
  /** Keeps its state over restarts. */
  persistent?: boolean;
}

export interface Timer {
  hpet?: HPETTimer;
  hyperv?: HypervTimer;
  kvm?: KVMTimer;
  pit?: PITTimer;
  rtc?: RTCTimer;
}

export interface TokenBucketRateLimiter {
  burst: number;
  qps: number;
}

export interface TopologyHints {
  tscFrequency?: number;
}

export interface USBHostDevice {
  externalResourceProvider?: boolean;
  resourceName: string;
  selectors?: USBSelector[];
}

export interface USBSelector {
  product: string;
  vendor: string;
}

export interface UnpauseOptions {
  /** Version of the API. */
  apiVersion?: string;
  /** `All`: check everything, change nothing. */
  dryRun?: string[];
  /** Kind of this object. */
  kind?: string;
}

export interface UserPasswordAccessCredential {
  propagationMethod: UserPasswordAccessCredentialPropagationMethod;
  source: UserPasswordAccessCredentialSource;
}

export interface UserPasswordAccessCredentialPropagationMethod {
  qemuGuestAgent?: QemuGuestAgentUserPasswordAccessCredentialPropagation;
}

export interface UserPasswordAccessCredentialSource {
  secret?: AccessCredentialSecretSource;
}

export interface UtilityVolume {
  claimName: string;
  name: string;
  readOnly?: boolean;
  type?: 'MemoryDump' | 'Backup';
}

export interface VGPUDisplayOptions {
  enabled?: boolean;
  ramFB?: FeatureState;
}

export interface VGPUOptions {
  display?: VGPUDisplayOptions;
}

export interface VMIMConfigurationOptions {
  allowAutoConverge?: boolean;
  allowPostCopy?: boolean;
  allowWorkloadDisruption?: boolean;
  bandwidthPerMigration?: Quantity;
  completionTimeoutPerGiB?: number;
  disableTLS?: boolean;
  experimental?: ExperimentalMigrationOptions;
  matchSELinuxLevelOnMigration?: boolean;
  maxDowntimeMs?: number;
  network?: string;
  nodeDrainTaintKey?: string;
  parallelMigrationsPerCluster?: number;
  parallelOutboundMigrationsPerNode?: number;
  progressTimeout?: number;
  unsafeMigrationOverride?: boolean;
  utilityVolumesTimeout?: number;
}

export interface VideoDevice {
  type?: 'virtio' | 'vga' | 'bochs' | 'ramfb' | 'cirrus';
}

export interface VirtTemplateDeployment {
  enabled?: boolean | null;
}

/** A virtual machine that is kept: what it is made of, and when it runs. */
export interface VirtualMachine extends KubeObject {
  /** What is wanted. */
  spec: VirtualMachineSpec;
  /** What was found; written by the cluster. */
  status?: VirtualMachineStatus;
}

export interface VirtualMachineCondition {
  /** When it was last looked at. */
  lastProbeTime?: Time | null;
  /** When the status last changed. */
  lastTransitionTime?: Time | null;
  /** Why, for people. */
  message?: string;
  /** Why, as one word. */
  reason?: string;
  /** Whether it is true. */
  status: 'True' | 'False' | 'Unknown';
  /** What it is about. */
  type: string;
}

/** One running guest. Its status is written with it: there is no status subresource. */
export interface VirtualMachineInstance extends KubeObject {
  /** What is wanted. */
  spec: VirtualMachineInstanceSpec;
  /** What was found; written by the cluster. */
  status?: VirtualMachineInstanceStatus;
}

export interface VirtualMachineInstanceBackupStatus {
  backupMsg?: string;
  backupName?: string;
  checkpointName?: string;
  completed?: boolean;
  endTimestamp?: Time;
  failed?: boolean;
  quiesceStatus?: string;
  startTimestamp?: Time;
  volumes?: VirtualMachineInstanceBackupVolumeInfo[];
}

export interface VirtualMachineInstanceBackupVolumeInfo {
  volumeName: string;
}

export interface VirtualMachineInstanceCondition {
  /** When it was last looked at. */
  lastProbeTime?: Time | null;
  /** When the status last changed. */
  lastTransitionTime?: Time | null;
  /** Why, for people. */
  message?: string;
  /** Why, as one word. */
  reason?: string;
  /** Whether it is true. */
  status: 'True' | 'False' | 'Unknown';
  /** What it is about. */
  type: string;
}

export interface VirtualMachineInstanceFileSystem {
  disk?: VirtualMachineInstanceFileSystemDisk[];
  diskName: string;
  fileSystemType: string;
  mountPoint: string;
  totalBytes: number;
  usedBytes: number;
}

export interface VirtualMachineInstanceFileSystemDisk {
  busType: string;
  serial?: string;
}

export interface VirtualMachineInstanceFileSystemInfo {
  disks: VirtualMachineInstanceFileSystem[];
}

export interface VirtualMachineInstanceFileSystemList {
  /** Version of the API. */
  apiVersion?: string;
  items: VirtualMachineInstanceFileSystem[];
  /** Kind of this object. */
  kind?: string;
  metadata?: Record<string, unknown>;
}

export interface VirtualMachineInstanceGuestAgentInfo {
  /** Version of the API. */
  apiVersion?: string;
  fsFreezeStatus?: string;
  fsInfo?: VirtualMachineInstanceFileSystemInfo;
  guestAgentVersion?: string;
  hostname?: string;
  /** Kind of this object. */
  kind?: string;
  os?: VirtualMachineInstanceGuestOSInfo;
  supportedCommands?: GuestAgentCommandInfo[];
  timezone?: string;
  userList?: VirtualMachineInstanceGuestOSUser[];
}

export interface VirtualMachineInstanceGuestOSInfo {
  id?: string;
  kernelRelease?: string;
  kernelVersion?: string;
  machine?: string;
  name?: string;
  prettyName?: string;
  version?: string;
  versionId?: string;
}

export interface VirtualMachineInstanceGuestOSUser {
  domain?: string;
  loginTime?: number;
  userName: string;
}

export interface VirtualMachineInstanceGuestOSUserList {
  /** Version of the API. */
  apiVersion?: string;
  items: VirtualMachineInstanceGuestOSUser[];
  /** Kind of this object. */
  kind?: string;
  metadata?: Record<string, unknown>;
}

export interface VirtualMachineInstanceMigration extends KubeObject {
  /** What is wanted. */
  spec: VirtualMachineInstanceMigrationSpec;
  /** What was found; written by the cluster. */
  status?: VirtualMachineInstanceMigrationStatus;
}

export interface VirtualMachineInstanceMigrationCondition {
  /** When it was last looked at. */
  lastProbeTime?: Time | null;
  /** When the status last changed. */
  lastTransitionTime?: Time | null;
  /** Why, for people. */
  message?: string;
  /** Why, as one word. */
  reason?: string;
  /** Whether it is true. */
  status: 'True' | 'False' | 'Unknown';
  /** What it is about. */
  type: string;
}

export interface VirtualMachineInstanceMigrationPhaseTransitionTimestamp {
  phase?: 'Pending' | 'Scheduling' | 'Scheduled' | 'PreparingTarget' | 'TargetReady' | 'Running' | 'Succeeded' | 'Failed' | 'WaitingForSync' | 'Synchronizing';
  phaseTransitionTimestamp?: Time;
}

export interface VirtualMachineInstanceMigrationSource {
  connectURL: string;
  migrationID: string;
}

export interface VirtualMachineInstanceMigrationSourceState {
  domainName?: string;
  domainNamespace?: string;
  migrationUID?: string;
  node?: string;
  nodeSelectors?: Record<string, string>;
  persistentStatePVCName?: string;
  pod?: string;
  selinuxContext?: string;
  syncAddress?: string;
  virtualMachineInstanceUID?: string;
}

export interface VirtualMachineInstanceMigrationSpec {
  addedNodeSelector?: Record<string, string>;
  priority?: 'system-critical' | 'user-triggered' | 'system-maintenance';
  receive?: VirtualMachineInstanceMigrationTarget;
  sendTo?: VirtualMachineInstanceMigrationSource;
  vmiName?: string;
}

export interface VirtualMachineInstanceMigrationState {
  abortRequested?: boolean;
  abortStatus?: string;
  completed?: boolean;
  endTimestamp?: Time | null;
  failed?: boolean;
  failureReason?: string;
  migrationConfiguration?: VMIMConfigurationOptions;
  migrationNetworkType?: string;
  migrationPolicyName?: string;
  migrationUid?: string;
  mode?: string;
  sourceNode?: string;
  sourcePersistentStatePVCName?: string;
  sourcePod?: string;
  sourceState?: VirtualMachineInstanceMigrationSourceState;
  startTimestamp?: Time | null;
  targetAttachmentPodUID?: string;
  targetCPUSet?: number[];
  targetDirectMigrationNodePorts?: Record<string, number>;
  targetMemoryOverhead?: Quantity;
  targetNode?: string;
  targetNodeAddress?: string;
  targetNodeDomainDetected?: boolean;
  targetNodeDomainReadyTimestamp?: Time;
  targetNodeTopology?: string;
  targetPersistentStatePVCName?: string;
  targetPod?: string;
  targetState?: VirtualMachineInstanceMigrationTargetState;
}

export interface VirtualMachineInstanceMigrationStatus {
  /** What is true or false at the moment. */
  conditions?: VirtualMachineInstanceMigrationCondition[];
  migrationState?: VirtualMachineInstanceMigrationState;
  phase?: 'Pending' | 'Scheduling' | 'Scheduled' | 'PreparingTarget' | 'TargetReady' | 'Running' | 'Succeeded' | 'Failed' | 'WaitingForSync' | 'Synchronizing';
  phaseTransitionTimestamps?: VirtualMachineInstanceMigrationPhaseTransitionTimestamp[];
  synchronizationAddresses?: string[];
}

export interface VirtualMachineInstanceMigrationTarget {
  migrationID: string;
}

export interface VirtualMachineInstanceMigrationTargetState {
  attachmentPodUID?: string;
  cpuSet?: number[];
  directMigrationNodePorts?: Record<string, number>;
  domainDetected?: boolean;
  domainName?: string;
  domainNamespace?: string;
  domainReadyTimestamp?: Time;
  migrationUID?: string;
  node?: string;
  nodeAddress?: string;
  nodeTopology?: string;
  persistentStatePVCName?: string;
  pod?: string;
  selinuxContext?: string;
  syncAddress?: string;
  virtualMachineInstanceUID?: string;
}

export interface VirtualMachineInstanceNetworkInterface {
  infoSource?: string;
  interfaceName?: string;
  ipAddress?: string;
  ipAddresses?: string[];
  linkState?: string;
  mac?: string;
  name?: string;
  podInterfaceName?: string;
  queueCount?: number;
}

export interface VirtualMachineInstancePhaseTransitionTimestamp {
  phase?: 'Pending' | 'Scheduling' | 'Scheduled' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown' | 'WaitingForSync';
  phaseTransitionTimestamp?: Time;
}

export interface VirtualMachineInstancePreset extends KubeObject {
  /** What is wanted. */
  spec?: VirtualMachineInstancePresetSpec;
}

export interface VirtualMachineInstancePresetSpec {
  domain?: DomainSpec;
  selector: LabelSelector;
}

export interface VirtualMachineInstanceProfile {
  customProfile?: CustomProfile;
}

export interface VirtualMachineInstanceReplicaSet extends KubeObject {
  /** What is wanted. */
  spec: VirtualMachineInstanceReplicaSetSpec;
  /** What was found; written by the cluster. */
  status?: VirtualMachineInstanceReplicaSetStatus;
}

export interface VirtualMachineInstanceReplicaSetCondition {
  /** When it was last looked at. */
  lastProbeTime?: Time | null;
  /** When the status last changed. */
  lastTransitionTime?: Time | null;
  /** Why, for people. */
  message?: string;
  /** Why, as one word. */
  reason?: string;
  /** Whether it is true. */
  status: 'True' | 'False' | 'Unknown';
  /** What it is about. */
  type: string;
}

export interface VirtualMachineInstanceReplicaSetSpec {
  paused?: boolean;
  replicas?: number;
  selector: LabelSelector;
  template: VirtualMachineInstanceTemplateSpec;
}

export interface VirtualMachineInstanceReplicaSetStatus {
  /** What is true or false at the moment. */
  conditions?: VirtualMachineInstanceReplicaSetCondition[];
  labelSelector?: string;
  readyReplicas?: number;
  replicas?: number;
}

export interface VirtualMachineInstanceResourceClaim {
  name: string;
  resourceClaimName?: string;
  resourceClaimTemplateName?: string;
}

export interface VirtualMachineInstanceSpec {
  /** Keys and passwords from Secrets, and how they reach the guest. */
  accessCredentials?: AccessCredential[];
  /** Where the Pod may and should run. As in a Pod. */
  affinity?: Affinity;
  /** CPU architecture of the guest. Default: the platform's, amd64. */
  architecture?: 'amd64' | 'arm64' | 's390x';
  /** Name servers and search domains, given to the guest by DHCP. As in a Pod. */
  dnsConfig?: PodDNSConfig;
  /** Where name servers come from. As in a Pod. Default: ClusterFirst. */
  dnsPolicy?: 'ClusterFirst' | 'ClusterFirstWithHostNet' | 'Default' | 'None';
  /** The machine that the guest sees. */
  domain: DomainSpec;
  /** What a drain of the node does to the guest. Default: the platform's, None. */
  evictionStrategy?: 'None' | 'LiveMigrate' | 'LiveMigrateIfPossible' | 'External';
  /** Host name of the guest, a DNS label. Default: name of the instance. */
  hostname?: string;
  /** When it fails, the guest is killed. Not with startStrategy Paused. */
  livenessProbe?: Probe;
  /** Networks to attach to; each is joined to the interface of its name. Default: the Pod network. */
  networks?: Network[];
  /** Labels that the node must have. */
  nodeSelector?: Record<string, string>;
  /** Priority of the Pod. */
  priorityClassName?: string;
  /** While it fails, Services do not lead to the guest. */
  readinessProbe?: Probe;
  /** Devices that the cluster allocates dynamically. */
  resourceClaims?: VirtualMachineInstanceResourceClaim[];
  /** Which scheduler places the Pod. */
  schedulerName?: string;
  /** Service account of the Pod. */
  serviceAccountName?: string;
  /** Paused: the guest's CPUs wait for unpause. Default: it runs. */
  startStrategy?: 'Paused';
  /** With `hostname`: the DNS name below a headless Service of this name. */
  subdomain?: string;
  /** Seconds to shut down before the guest is killed. Default: 30. */
  terminationGracePeriodSeconds?: number;
  /** Taints that the Pod may ignore. */
  tolerations?: Toleration[];
  /** How Pods spread over zones and nodes. As in a Pod. */
  topologySpreadConstraints?: TopologySpreadConstraint[];
  /** Claims for the launcher's own use, unseen by the guest. */
  utilityVolumes?: UtilityVolume[];
  /** What disks and shared folders hold; each is joined to the disk of its name. */
  volumes?: Volume[];
}

export interface VirtualMachineInstanceStatus {
  /** Address of the guest for VSOCK, from 3. */
  VSOCKCID?: number;
  /** Launcher Pods by uid, with the node of each. */
  activePods?: Record<string, string>;
  changedBlockTracking?: ChangedBlockTrackingStatus | null;
  /** What is true or false at the moment. */
  conditions?: VirtualMachineInstanceCondition[];
  /** Topology that the guest runs with; the spec may have moved on. */
  currentCPUTopology?: CPUTopology;
  /** Node that the guest should leave. */
  evacuationNodeName?: string;
  fsFreezeStatus?: string;
  guestOSInfo?: VirtualMachineInstanceGuestOSInfo;
  /** What the guest's interfaces look like now. */
  interfaces?: VirtualMachineInstanceNetworkInterface[];
  kernelBootStatus?: KernelBootStatus;
  launcherContainerImageVersion?: string;
  machine?: Machine;
  /** Guest memory at boot, now, and as last asked for. */
  memory?: MemoryStatus;
  migratedVolumes?: StorageMigratedVolumeInfo[];
  migrationMethod?: 'BlockMigration' | 'LiveMigration';
  /** The last migration, or the one that goes on. */
  migrationState?: VirtualMachineInstanceMigrationState;
  migrationTransport?: string;
  /** Node that the guest runs on. */
  nodeName?: string;
  /** Where the guest is in its life. */
  phase?: 'Pending' | 'Scheduling' | 'Scheduled' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown' | 'WaitingForSync';
  /** When each phase was reached. */
  phaseTransitionTimestamps?: VirtualMachineInstancePhaseTransitionTimestamp[];
  qosClass?: 'Guaranteed' | 'Burstable' | 'BestEffort';
  reason?: string;
  /** User id that QEMU runs as. 107, or 0 with gate Root. */
  runtimeUser?: number;
  selinuxContext?: string;
  topologyHints?: TopologyHints;
  virtualMachineRevisionName?: string;
  volumeStatus?: VolumeStatus[];
}

export interface VirtualMachineInstanceTemplateSpec {
  metadata?: ObjectMeta | null;
  spec?: VirtualMachineInstanceSpec;
}

export interface VirtualMachineMemoryDumpRequest {
  claimName: string;
  endTimestamp?: Time;
  fileName?: string;
  message?: string;
  phase: string;
  remove?: boolean;
  startTimestamp?: Time;
}

export interface VirtualMachineOptions {
  disableFreePageReporting?: DisableFreePageReporting;
  disableSerialConsoleLog?: DisableSerialConsoleLog;
}

export interface VirtualMachineSpec {
  /** Disks that are made with the VM and deleted with it; each must be named by a volume. */
  dataVolumeTemplates?: (DataVolumeTemplateSpec | null)[];
  /** Sizing by reference. It must not set a field that the template sets too. */
  instancetype?: InstancetypeMatcher;
  /** Device and firmware defaults by reference. Fields of the template win. */
  preference?: PreferenceMatcher;
  /** When the VM runs. Always: is started again however it ended; RerunOnFailure: only when it failed; Once; Manual: by command; Halted: not. */
  runStrategy?: 'Always' | 'RerunOnFailure' | 'Manual' | 'Halted' | 'Once' | 'WaitAsReceiver';
  /** Deprecated for `runStrategy`: true is Always, false is Halted. */
  running?: boolean;
  /** The instance that is created when the VM starts. */
  template: VirtualMachineInstanceTemplateSpec;
  /** What a change of volumes means for a running guest. Default: Replacement, at the next start. */
  updateVolumesStrategy?: 'Replacement' | 'Migration';
}

export interface VirtualMachineStartFailure {
  consecutiveFailCount?: number;
  lastFailedVMIUID?: string;
  retryAfterTimestamp?: Time;
}

export interface VirtualMachineStateChangeRequest {
  action: 'Start' | 'Stop';
  data?: Record<string, string>;
  uid?: string;
}

export interface VirtualMachineStatus {
  changedBlockTracking?: ChangedBlockTrackingStatus | null;
  /** What is true or false at the moment. */
  conditions?: VirtualMachineCondition[];
  /** The instance exists. */
  created?: boolean;
  desiredGeneration?: number;
  instancetypeRef?: InstancetypeStatusRef | null;
  memoryDumpRequest?: VirtualMachineMemoryDumpRequest | null;
  observedGeneration?: number;
  preferenceRef?: InstancetypeStatusRef | null;
  /** One word for people: what `kubectl get vm` shows. */
  printableStatus?: 'Stopped' | 'Provisioning' | 'Starting' | 'Running' | 'Paused' | 'Stopping' | 'Terminating' | 'CrashLoopBackOff' | 'Migrating' | 'Unknown' | 'ErrorUnschedulable' | 'ErrImagePull' | 'ImagePullBackOff' | 'ErrorPvcNotFound' | 'DataVolumeError' | 'WaitingForVolumeBinding' | 'WaitingForReceiver';
  /** The guest runs and is ready. */
  ready?: boolean;
  /** Name of the restore that keeps the VM from starting. */
  restoreInProgress?: string;
  runStrategy?: 'Always' | 'RerunOnFailure' | 'Manual' | 'Halted' | 'Once' | 'WaitAsReceiver';
  /** Name of the snapshot that locks the spec. */
  snapshotInProgress?: string;
  /** How often the start failed in a row, and when it is tried again. */
  startFailure?: VirtualMachineStartFailure | null;
  /** Commands that wait to be carried out. */
  stateChangeRequests?: VirtualMachineStateChangeRequest[];
  volumeRequests?: VirtualMachineVolumeRequest[];
  volumeSnapshotStatuses?: VolumeSnapshotStatus[];
  volumeUpdateState?: VolumeUpdateState;
}

export interface VirtualMachineVolumeRequest {
  addVolumeOptions?: AddVolumeOptions;
  removeVolumeOptions?: RemoveVolumeOptions;
}

export interface Volume {
  /** Configuration for cloud-init's ConfigDrive source. */
  cloudInitConfigDrive?: CloudInitConfigDriveSource;
  /** Configuration for cloud-init's NoCloud source. */
  cloudInitNoCloud?: CloudInitNoCloudSource;
  /** A small disk with the files of a ConfigMap. */
  configMap?: ConfigMapVolumeSource;
  /** A disk inside a container image. Writes last until the guest stops. */
  containerDisk?: ContainerDiskSource;
  containerPath?: ContainerPathVolumeSource;
  /** A DataVolume; the guest waits until it is filled. */
  dataVolume?: DataVolumeSource;
  /** A small disk with fields of the instance. */
  downwardAPI?: DownwardAPIVolumeSource;
  downwardMetrics?: DownwardMetricsVolumeSource;
  /** An empty disk that lasts until the guest stops. */
  emptyDisk?: EmptyDiskSource;
  /** A claim that is only read; writes last until the guest stops. */
  ephemeral?: EphemeralVolumeSource;
  /** A file on the node. Gate HostDisk. */
  hostDisk?: HostDisk;
  memoryDump?: MemoryDumpVolumeSource;
  /** DNS label, unique in the VM. */
  name: string;
  /** A claim: file disk.img on it, or the block device itself. */
  persistentVolumeClaim?: PersistentVolumeClaimVolumeSource;
  /** A small disk with the files of a Secret. */
  secret?: SecretVolumeSource;
  /** A small disk with the service account's token. At most one. */
  serviceAccount?: ServiceAccountVolumeSource;
  /** Answer file for Windows' setup. */
  sysprep?: SysprepSource;
}

export interface VolumeMigrationState {
  migratedVolumes?: StorageMigratedVolumeInfo[];
}

export interface VolumeSnapshotStatus {
  enabled: boolean;
  name: string;
  reason?: string;
}

export interface VolumeStatus {
  containerDiskVolume?: ContainerDiskInfo;
  hotplugVolume?: HotplugVolumeStatus;
  memoryDumpVolume?: DomainMemoryDumpInfo;
  message?: string;
  name: string;
  persistentVolumeClaimInfo?: PersistentVolumeClaimInfo;
  phase?: string;
  reason?: string;
  size?: number;
  target: string;
}

export interface VolumeUpdateState {
  volumeMigrationState?: VolumeMigrationState;
}

export interface Watchdog {
  diag288?: Diag288Watchdog;
  /** Intel's, on amd64. Default action: reset. */
  i6300esb?: I6300ESBWatchdog;
  name: string;
}
