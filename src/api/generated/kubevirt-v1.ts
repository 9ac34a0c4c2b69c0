// Generated from api/schema/kubevirt.io_v1.json by scripts/generate.ts; edit that file.
import type { KubeObject, ObjectMeta } from '../meta';
import type { DataVolumeSpec } from './cdi-v1beta1';
import type { Affinity, DownwardAPIVolumeFile, ExecAction, HTTPGetAction, LocalObjectReference, PersistentVolumeClaimVolumeSource as OtherPersistentVolumeClaimVolumeSource, PodDNSConfig, TCPSocketAction, Toleration, TopologySpreadConstraint } from './core-v1';
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
  bus?: 'sata' | 'scsi' | 'usb';
  readonly?: boolean;
  tray?: 'open' | 'closed';
}

export interface CPU {
  cores?: number;
  dedicatedCpuPlacement?: boolean;
  features?: CPUFeature[];
  isolateEmulatorThread?: boolean;
  maxSockets?: number;
  model?: string;
  numa?: NUMA;
  realtime?: Realtime;
  sockets?: number;
  threads?: number;
}

export interface CPUFeature {
  name: string;
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
  networkData?: string;
  networkDataBase64?: string;
  networkDataSecretRef?: LocalObjectReference;
  secretRef?: LocalObjectReference;
  userData?: string;
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
  image: string;
  imagePullPolicy?: 'Always' | 'Never' | 'IfNotPresent';
  imagePullSecret?: string;
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
  apiVersion?: string;
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
  cpuAllocationRatio?: number;
  disabledFeatureGates?: string[];
  diskVerification?: DiskVerification;
  featureGates?: string[];
  logVerbosity?: LogVerbosity;
  memoryOvercommit?: number;
  minimumClusterTSCFrequency?: number;
  minimumReservePVCBytes?: number;
  nodeSelectors?: Record<string, string>;
  pvcTolerateLessSpaceUpToPercent?: number;
  useEmulation?: boolean;
}

export interface Devices {
  autoattachGraphicsDevice?: boolean;
  autoattachInputDevice?: boolean;
  autoattachMemBalloon?: boolean;
  autoattachPodInterface?: boolean;
  autoattachSerialConsole?: boolean;
  autoattachVSOCK?: boolean;
  blockMultiQueue?: boolean;
  clientPassthrough?: ClientPassthroughDevices;
  disableHotplug?: boolean;
  disks?: Disk[];
  downwardMetrics?: DownwardMetrics;
  filesystems?: Filesystem[];
  gpus?: GPU[];
  hostDevices?: HostDevice[];
  inputs?: Input[];
  interfaces?: Interface[];
  logSerialConsole?: boolean;
  networkInterfaceMultiqueue?: boolean;
  panicDevices?: PanicDevice[];
  rng?: Rng;
  sound?: SoundDevice;
  tpm?: TPMDevice;
  useVirtioTransitional?: boolean;
  video?: VideoDevice;
  watchdog?: Watchdog;
}

export interface Diag288Watchdog {
  action?: 'poweroff' | 'reset' | 'shutdown';
}

export type DisableFreePageReporting = Record<string, unknown>;

export type DisableSerialConsoleLog = Record<string, unknown>;

export interface Disk {
  blockSize?: BlockSize;
  bootOrder?: number;
  cache?: 'none' | 'writethrough' | 'writeback';
  cdrom?: CDRomTarget;
  changedBlockTracking?: boolean;
  dedicatedIOThread?: boolean;
  disk?: DiskTarget;
  errorPolicy?: 'stop' | 'ignore' | 'report' | 'enospace';
  io?: 'native' | 'threads' | 'default';
  lun?: LunTarget;
  name: string;
  serial?: string;
  shareable?: boolean;
  tag?: string;
}

export interface DiskIOThreads {
  supplementalPoolThreadCount?: number;
}

export interface DiskTarget {
  bus?: 'virtio' | 'sata' | 'scsi' | 'usb';
  pciAddress?: string;
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
  chassis?: Chassis;
  clock?: Clock;
  cpu?: CPU;
  devices: Devices;
  features?: Features;
  firmware?: Firmware;
  ioThreads?: DiskIOThreads;
  ioThreadsPolicy?: 'shared' | 'auto' | 'supplementalPool';
  launchSecurity?: LaunchSecurity;
  machine?: Machine;
  memory?: Memory;
  rebootPolicy?: 'Reboot' | 'Terminate';
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
  persistent?: boolean;
  secureBoot?: boolean;
}

export interface EmptyDiskSource {
  capacity: Quantity;
}

export interface EphemeralVolumeSource {
  persistentVolumeClaim?: OtherPersistentVolumeClaimVolumeSource;
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
  bootloader?: Bootloader;
  kernelBoot?: KernelBoot;
  serial?: string;
  uuid?: string;
}

export interface Flags {
  api?: Record<string, string>;
  controller?: Record<string, string>;
  handler?: Record<string, string>;
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
  capacity?: Quantity;
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
  acpiIndex?: number;
  binding?: PluginBinding;
  bootOrder?: number;
  bridge?: InterfaceBridge;
  dhcpOptions?: DHCPOptions;
  macAddress?: string;
  macvtap?: DeprecatedInterfaceMacvtap;
  masquerade?: InterfaceMasquerade;
  model?: 'virtio' | 'e1000' | 'e1000e' | 'igb' | 'ne2k_pci' | 'pcnet' | 'rtl8139';
  name: string;
  passt?: DeprecatedInterfacePasst;
  passtBinding?: InterfacePasstBinding;
  pciAddress?: string;
  portRanges?: PortRange[];
  ports?: Port[];
  slirp?: DeprecatedInterfaceSlirp;
  sriov?: InterfaceSRIOV;
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

export interface KubeVirt extends KubeObject {
  spec: KubeVirtSpec;
  status?: KubeVirtStatus;
}

export interface KubeVirtCertificateRotateStrategy {
  selfSigned?: KubeVirtSelfSignConfiguration;
}

export interface KubeVirtCondition {
  lastProbeTime?: Time | null;
  lastTransitionTime?: Time | null;
  message?: string;
  reason?: string;
  status: 'True' | 'False' | 'Unknown';
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
  cpuModel?: string;
  cpuRequest?: Quantity;
  defaultRuntimeClass?: string;
  developerConfiguration?: DeveloperConfiguration;
  emulatedMachines?: string[];
  evictionStrategy?: 'None' | 'LiveMigrate' | 'LiveMigrateIfPossible' | 'External';
  handlerConfiguration?: ReloadableComponentConfiguration;
  hypervisors?: HypervisorConfiguration[];
  imagePullPolicy?: 'Always' | 'Never' | 'IfNotPresent';
  instancetype?: InstancetypeConfiguration | null;
  ksmConfiguration?: KSMConfiguration;
  liveUpdateConfiguration?: LiveUpdateConfiguration;
  machineType?: string;
  mediatedDevicesConfiguration?: MediatedDevicesConfiguration;
  memBalloonStatsPeriod?: number;
  migrations?: MigrationConfiguration;
  minCPUModel?: string;
  network?: NetworkConfiguration;
  obsoleteCPUModels?: Record<string, boolean>;
  ovmfPath?: string;
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
  vmRolloutStrategy?: 'Stage' | 'LiveUpdate' | null;
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
  maxCpuSockets?: number;
  maxGuest?: Quantity;
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
  reservation?: boolean;
}

export interface Machine {
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
  guest?: Quantity;
  hugepages?: Hugepages;
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

export interface MigrationConfiguration {
  allowAutoConverge?: boolean;
  allowPostCopy?: boolean;
  allowWorkloadDisruption?: boolean;
  bandwidthPerMigration?: Quantity;
  completionTimeoutPerGiB?: number;
  disableTLS?: boolean;
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

export interface MultusNetwork {
  default?: boolean;
  networkName: string;
}

export interface NUMA {
  guestMappingPassthrough?: NUMAGuestMappingPassthrough;
}

export type NUMAGuestMappingPassthrough = Record<string, unknown>;

export interface Network {
  multus?: MultusNetwork;
  name: string;
  pod?: PodNetwork;
  resourceClaim?: ClaimRequest;
}

export interface NetworkConfiguration {
  binding?: Record<string, InterfaceBindingPlugin>;
  defaultNetworkInterface?: string;
  permitBridgeInterfaceOnPodNetwork?: boolean;
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

export interface PITTimer {
  present?: boolean;
  tickPolicy?: 'delay' | 'catchup' | 'discard';
}

export interface PanicDevice {
  model?: 'isa' | 'hyperv' | 'pvpanic';
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
  vmIPv6NetworkCIDR?: string;
  vmNetworkCIDR?: string;
}

export interface Port {
  name?: string;
  port: number;
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
  exec?: ExecAction;
  failureThreshold?: number;
  guestAgentPing?: GuestAgentPing;
  httpGet?: HTTPGetAction;
  initialDelaySeconds?: number;
  periodSeconds?: number;
  successThreshold?: number;
  tcpSocket?: TCPSocketAction;
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
  dryRun?: string[];
  name: string;
}

export interface ReservedOverhead {
  addedOverhead?: Quantity;
  memLock?: 'NotRequired' | 'Required';
}

export interface ResourceRequirements {
  limits?: Record<string, Quantity>;
  overcommitGuestOverhead?: boolean;
  requests?: Record<string, Quantity>;
}

export interface ResourceRequirementsWithoutClaims {
  limits?: Record<string, Quantity>;
  requests?: Record<string, Quantity>;
}

export type Rng = Record<string, unknown>;

export interface SEV {
  attestation?: SEVAttestation;
  dhCert?: string;
  policy?: SEVPolicy;
  session?: string;
}

export type SEVAttestation = Record<string, unknown>;

export interface SEVPolicy {
  encryptedState?: boolean;
}

export type SEVSNP = Record<string, unknown>;

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

export interface VirtualMachine extends KubeObject {
  spec: VirtualMachineSpec;
  status?: VirtualMachineStatus;
}

export interface VirtualMachineCondition {
  lastProbeTime?: Time | null;
  lastTransitionTime?: Time | null;
  message?: string;
  reason?: string;
  status: 'True' | 'False' | 'Unknown';
  type: string;
}

export interface VirtualMachineInstance extends KubeObject {
  spec: VirtualMachineInstanceSpec;
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
  lastProbeTime?: Time | null;
  lastTransitionTime?: Time | null;
  message?: string;
  reason?: string;
  status: 'True' | 'False' | 'Unknown';
  type: string;
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

export interface VirtualMachineInstanceProfile {
  customProfile?: CustomProfile;
}

export interface VirtualMachineInstanceResourceClaim {
  name: string;
  resourceClaimName?: string;
  resourceClaimTemplateName?: string;
}

export interface VirtualMachineInstanceSpec {
  accessCredentials?: AccessCredential[];
  affinity?: Affinity;
  architecture?: 'amd64' | 'arm64' | 's390x';
  dnsConfig?: PodDNSConfig;
  dnsPolicy?: 'ClusterFirst' | 'ClusterFirstWithHostNet' | 'Default' | 'None';
  domain: DomainSpec;
  evictionStrategy?: 'None' | 'LiveMigrate' | 'LiveMigrateIfPossible' | 'External';
  hostname?: string;
  livenessProbe?: Probe;
  networks?: Network[];
  nodeSelector?: Record<string, string>;
  priorityClassName?: string;
  readinessProbe?: Probe;
  resourceClaims?: VirtualMachineInstanceResourceClaim[];
  schedulerName?: string;
  serviceAccountName?: string;
  startStrategy?: 'Paused';
  subdomain?: string;
  terminationGracePeriodSeconds?: number;
  tolerations?: Toleration[];
  topologySpreadConstraints?: TopologySpreadConstraint[];
  utilityVolumes?: UtilityVolume[];
  volumes?: Volume[];
}

export interface VirtualMachineInstanceStatus {
  VSOCKCID?: number;
  activePods?: Record<string, string>;
  changedBlockTracking?: ChangedBlockTrackingStatus | null;
  conditions?: VirtualMachineInstanceCondition[];
  currentCPUTopology?: CPUTopology;
  evacuationNodeName?: string;
  fsFreezeStatus?: string;
  guestOSInfo?: VirtualMachineInstanceGuestOSInfo;
  interfaces?: VirtualMachineInstanceNetworkInterface[];
  kernelBootStatus?: KernelBootStatus;
  launcherContainerImageVersion?: string;
  machine?: Machine;
  memory?: MemoryStatus;
  migratedVolumes?: StorageMigratedVolumeInfo[];
  migrationMethod?: 'BlockMigration' | 'LiveMigration';
  migrationState?: VirtualMachineInstanceMigrationState;
  migrationTransport?: 'Unix';
  nodeName?: string;
  phase?: 'Pending' | 'Scheduling' | 'Scheduled' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown' | 'WaitingForSync';
  phaseTransitionTimestamps?: VirtualMachineInstancePhaseTransitionTimestamp[];
  qosClass?: 'Guaranteed' | 'Burstable' | 'BestEffort';
  reason?: string;
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
  dataVolumeTemplates?: (DataVolumeTemplateSpec | null)[];
  instancetype?: InstancetypeMatcher;
  preference?: PreferenceMatcher;
  runStrategy?: 'Always' | 'RerunOnFailure' | 'Manual' | 'Halted' | 'Once' | 'WaitAsReceiver';
  running?: boolean;
  template: VirtualMachineInstanceTemplateSpec;
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
  conditions?: VirtualMachineCondition[];
  created?: boolean;
  desiredGeneration?: number;
  instancetypeRef?: InstancetypeStatusRef | null;
  memoryDumpRequest?: VirtualMachineMemoryDumpRequest | null;
  observedGeneration?: number;
  preferenceRef?: InstancetypeStatusRef | null;
  printableStatus?: 'Stopped' | 'Provisioning' | 'Starting' | 'Running' | 'Paused' | 'Stopping' | 'Terminating' | 'CrashLoopBackOff' | 'Migrating' | 'Unknown' | 'ErrorUnschedulable' | 'ErrImagePull' | 'ImagePullBackOff' | 'ErrorPvcNotFound' | 'DataVolumeError' | 'WaitingForVolumeBinding' | 'WaitingForReceiver';
  ready?: boolean;
  restoreInProgress?: string;
  runStrategy?: 'Always' | 'RerunOnFailure' | 'Manual' | 'Halted' | 'Once' | 'WaitAsReceiver';
  snapshotInProgress?: string;
  startFailure?: VirtualMachineStartFailure | null;
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
  cloudInitConfigDrive?: CloudInitConfigDriveSource;
  cloudInitNoCloud?: CloudInitNoCloudSource;
  configMap?: ConfigMapVolumeSource;
  containerDisk?: ContainerDiskSource;
  containerPath?: ContainerPathVolumeSource;
  dataVolume?: DataVolumeSource;
  downwardAPI?: DownwardAPIVolumeSource;
  downwardMetrics?: DownwardMetricsVolumeSource;
  emptyDisk?: EmptyDiskSource;
  ephemeral?: EphemeralVolumeSource;
  hostDisk?: HostDisk;
  memoryDump?: MemoryDumpVolumeSource;
  name: string;
  persistentVolumeClaim?: PersistentVolumeClaimVolumeSource;
  secret?: SecretVolumeSource;
  serviceAccount?: ServiceAccountVolumeSource;
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
  i6300esb?: I6300ESBWatchdog;
  name: string;
}
