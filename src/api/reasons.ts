/**
 * Every reason that the platform writes into conditions and events of VMs, instances and nodes. Users and scripts match
 * on them, so KubeVirt's names are used where they exist. Reasons of Pods, claims and API statuses are Kubernetes' own.
 */

/** Reasons that virt-controller writes on VMs, instances and nodes. */
export const reasons = {
  successfulCreate: 'SuccessfulCreate',
  successfulDelete: 'SuccessfulDelete',
  failedCreate: 'FailedCreate',

  /** On a pool: a VM was changed. */
  successfulUpdate: 'SuccessfulUpdate',
  /** On a pool: a VM could not be changed, deleted or released. */
  failedUpdate: 'FailedUpdate',
  failedScaleOut: 'FailedScaleOut',
  failedScaleIn: 'FailedScaleIn',
  successfulPaused: 'SuccessfulPaused',
  successfulResume: 'SuccessfulResume',

  /** Condition Ready of a VM without an instance. */
  vmiNotExists: 'VMINotExists',
  vmiConditionMissing: 'VMIConditionMissing',
  /** Condition Failure of a VM: its last start did not succeed. */
  startFailed: 'StartFailed',
  vmiNotOwned: 'VirtualMachineInstanceExists',
  dataVolumesNotInstalled: 'DataVolumesNotInstalled',
  /** The API server does not let virt-controller list DataVolumes. */
  dataVolumesUnknown: 'DataVolumesUnknown',
  dataVolumeError: 'DataVolumeError',
  /** A DataVolume is filled only when a Pod uses its claim. */
  dataVolumeNeedsConsumer: 'DataVolumeWaitForFirstConsumer',
  restartRequired: 'RestartRequired',
  /** The disks of a VM that is to start are being copied or replaced. */
  snapshotInProgress: 'SnapshotInProgress',
  restoreInProgress: 'RestoreInProgress',
  /** KubeVirt's reason for every failure of a memory dump. */
  memoryDumpFailed: 'MemoryDumpError',
  memoryDumpCompleted: 'MemoryDumpCompleted',
  failedFindInstancetype: 'FailedFindInstancetype',
  failedFindPreference: 'FailedFindPreference',

  /** The claim of a volume does not exist. */
  pvcNotFound: 'FailedPvcNotFound',
  /** The DataVolume of a volume is not filled yet. */
  dataVolumePending: 'DataVolumePending',
  /** Another guest uses the claim of a hotplugged volume. */
  claimInUse: 'ClaimInUse',
  /** The Pod that makes a hotplugged volume usable on its node does not run. */
  attachmentFailed: 'AttachmentPodFailed',
  unschedulable: 'Unschedulable',
  errImagePull: 'ErrImagePull',
  imagePullBackOff: 'ImagePullBackOff',
  /** The kubelet cannot start a container: a missing Secret, a bad command. */
  containerFailed: 'FailedContainer',
  /** The Pod runs, but the virt-handler of its node does not report. */
  handlerSilent: 'HandlerNotResponding',
  /** The Pod ended before virt-handler took over the guest. */
  podFailed: 'PodFailed',
  podGone: 'PodGone',
  /** The Pod of a terminating instance does not end. */
  podOverdue: 'PodOverdue',
  nodeUnresponsive: 'NodeUnresponsive',

  /** The launcher of an instance was evicted, because its image is that of an earlier version. */
  successfulEvict: 'SuccessfulEvict',
  failedEvict: 'FailedEvict',
  /** On the KubeVirt object: outdated launchers are not replaced. */
  workloadUpdateBlocked: 'WorkloadUpdateBlocked',
} as const;

/** Types of the conditions that virt-handler writes on an instance. */
export const ConditionType = {
  Ready: 'Ready',
  Paused: 'Paused',
  AgentConnected: 'AgentConnected',
  LiveMigratable: 'LiveMigratable',
  StorageLiveMigratable: 'StorageLiveMigratable',
  Synchronized: 'Synchronized',
  SoftwareEmulation: 'SoftwareEmulation',
  AccessCredentialsSynchronized: 'AccessCredentialsSynchronized',
} as const;

/** Reasons of Synchronized=False by virt-handler, and of the corresponding event. */
export const FailureReason = {
  DevicesNotUsable: 'DevicesNotUsable',
  /** A device of the running guest has changed since its start. */
  DevicesDiffer: 'DevicesDiffer',
  NetworkSetupFailed: 'NetworkSetupFailed',
  NetworkNotSupported: 'NetworkNotSupported',
  /** The guest runs on a network that this handler would configure differently. */
  NetworkDiffers: 'NetworkDiffers',
  ContainerDiskFailed: 'ContainerDiskFailed',
  /** The image of a hostDisk can be neither found nor created. */
  HostDiskFailed: 'HostDiskFailed',
  LauncherNotReady: 'LauncherNotReady',
  LauncherUnreachable: 'LauncherUnreachable',
  /** The launcher's report cannot be read. */
  LauncherAnswer: 'LauncherAnswer',
  /** The launcher is of an earlier version, which does not know the operation. */
  LauncherOutdated: 'LauncherOutdated',
  NotifyFailed: 'NotifyFailed',
  SyncFailed: 'SyncFailed',
  /** The guest runs without changes that were made to its spec since its start. */
  SpecNotApplied: 'SpecNotApplied',
  /** A hotplugged volume cannot be provided to the launcher. */
  VolumeNotProvided: 'VolumeNotProvided',
  /** The instance has failed permanently. */
  LauncherPodFailed: 'LauncherPodFailed',
  GuestCrashed: 'GuestCrashed',
  GuestLost: 'GuestLost',
} as const;

/** Reasons of Ready=False. */
export const UnreadyReason = {
  GuestNotRunning: 'GuestNotRunning',
  ContainersNotReady: 'ContainersNotReady',
} as const;

/** Reasons of LiveMigratable=False and StorageLiveMigratable=False. */
export const ObstacleReason = {
  MigrationNotSupported: 'MigrationNotSupported',
  DisksNotLiveMigratable: 'DisksNotLiveMigratable',
  InterfaceNotLiveMigratable: 'InterfaceNotLiveMigratable',
  HostDeviceNotLiveMigratable: 'HostDeviceNotLiveMigratable',
  SEVNotLiveMigratable: 'SEVNotLiveMigratable',
  CPUModeNotLiveMigratable: 'CPUModeNotLiveMigratable',
} as const;

/** Reasons of Paused=True. */
export const PausedReason = {
  ByUser: 'PausedByUser',
  IOError: 'PausedIOError',
  ByMigration: 'PausedByMigrationMonitor',
  Other: 'Paused',
} as const;

/** Reason of AccessCredentialsSynchronized=False: KubeVirt would set these credentials through the guest agent. */
export const AGENT_CREDENTIALS = 'AgentCredentialsNotSupported';

/** Reasons of SoftwareEmulation=True; `KvmNotUsable` is an event of the node, too. */
export const EmulatedReason = {
  /** The configuration requires emulation. */
  Configured: 'EmulationConfigured',
  /** The Pod has KVM, but its user cannot open it. */
  KvmNotUsable: 'KvmNotUsable',
} as const;

/** Reasons of conditions and events of the KubeVirt object. */
export const OperatorReason = {
  /** Another KubeVirt object manages the platform. */
  ExistingDeployment: 'ExistingDeployment',
  /** KubeVirt's own operator owns the same objects. */
  UpstreamKubeVirt: 'UpstreamKubeVirt',
  /** The objects to install are those of another version of the operator. */
  StrategyMismatch: 'InstallStrategyMismatch',
  /** The API server does not let the operator read what it maintains. */
  ApiNotReadable: 'ApiNotReadable',
  /** An object was missing or changed. */
  Repaired: 'Repaired',
  /** An object of an earlier configuration was deleted. */
  Removed: 'Removed',
  CertificateRenewed: 'CertificateRenewed',
  /** The API server does not let the operator write the certificates. */
  CertificatesNotWritten: 'CertificatesNotWritten',
} as const;
export type OperatorReason = (typeof OperatorReason)[keyof typeof OperatorReason];

/** Reasons in the status of a hotplugged volume that has no problem. */
export const VolumeReason = {
  Bound: 'PVCNotReady',
  AttachedToNode: 'SuccessfulCreate',
  MountedToPod: 'VolumeMountedToPod',
  Ready: 'VolumeReady',
  Detaching: 'VolumeDetaching',
  UnMountedFromPod: 'VolumeUnMountedFromPod',
  /** The failure is a problem of the request, not of the guest. */
  DumpFailed: 'MemoryDumpFailed',
} as const;

/** Reasons of events that virt-handler writes on instances and on its node. */
export const EventReason = {
  Started: 'Started',
  Stopped: 'Stopped',
  ShuttingDown: 'ShuttingDown',
  Killing: 'Killing',
  StopFailed: 'StopFailed',
  /** A list in the guest's report exceeded the limit. */
  GuestReportTruncated: 'GuestReportTruncated',
  KvmUsable: 'KvmUsable',
} as const;

/**
 * Reasons for which the launcher rejects a command or reports a problem of its guest. virt-handler writes them as
 * Synchronized=False, including unknown reasons of a newer launcher.
 */
export const LauncherReason = {
  SyncFailed: 'SyncFailed',
  UnsupportedSpec: 'UnsupportedSpec',
  UnsupportedMachine: 'UnsupportedMachine',
  UnsupportedCpu: 'UnsupportedCpu',
  OutOfMemory: 'OutOfMemory',
  KvmUnusable: 'KvmUnusable',
  DiskMissing: 'DiskMissing',
  DiskUnusable: 'DiskUnusable',
  DiskFull: 'DiskFull',
  /** Another process holds the lock of the disk. */
  DiskInUse: 'DiskInUse',
  /** The guest does not release a disk. */
  DetachFailed: 'DetachFailed',
  /** The claim of a disk has grown, and the running guest cannot get the new size. */
  DiskResizeFailed: 'DiskResizeFailed',
  /** A disk does not know the checkpoint of an incremental backup. */
  CheckpointLost: 'CheckpointLost',
  NetworkMissing: 'NetworkMissing',
  /** The image has no such kernel or initrd. */
  KernelMissing: 'KernelMissing',
  LibvirtUnavailable: 'LibvirtUnavailable',
  LibvirtUnresponsive: 'LibvirtUnresponsive',
  GuestStateUnknown: 'GuestStateUnknown',
  GuestEnded: 'GuestEnded',
  Stopping: 'Stopping',
  /** No guest runs in the Pod. */
  NoDomain: 'NoDomain',
  AgentNotConnected: 'AgentNotConnected',
  /** The command names no instance, or the instance of another Pod. */
  NoVmi: 'NoVmi',
  WrongVmi: 'WrongVmi',
} as const;

type ValueOf<T> = T[keyof T];
export type ControllerReason = ValueOf<typeof reasons>;
export type LauncherReason = ValueOf<typeof LauncherReason>;
export type ObstacleReason = ValueOf<typeof ObstacleReason>;
export type FailureReason = ValueOf<typeof FailureReason>;

/** Reason that the platform writes. */
export type Reason =
  | ControllerReason
  | FailureReason
  | LauncherReason
  | ObstacleReason
  | ValueOf<typeof UnreadyReason>
  | ValueOf<typeof PausedReason>
  | ValueOf<typeof EmulatedReason>
  | ValueOf<typeof EventReason>;

/** Every reason, by table. */
export const reasonTables = {
  reasons,
  FailureReason,
  UnreadyReason,
  ObstacleReason,
  PausedReason,
  EmulatedReason,
  EventReason,
  VolumeReason,
  LauncherReason,
  OperatorReason,
} as const;
