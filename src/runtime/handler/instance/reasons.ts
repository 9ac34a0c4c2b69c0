/** Condition types and reasons that the handler writes on a VMI; KubeVirt's names where it has them. */

export const ConditionType = {
  Ready: 'Ready',
  Paused: 'Paused',
  AgentConnected: 'AgentConnected',
  LiveMigratable: 'LiveMigratable',
  StorageLiveMigratable: 'StorageLiveMigratable',
  Synchronized: 'Synchronized',
  SoftwareEmulation: 'SoftwareEmulation',
} as const;

/** Of Synchronized=False, and of the event beside it. The launcher adds its own (`CmdResponse.reason`). */
export const FailureReason = {
  DevicesNotUsable: 'DevicesNotUsable',
  /** The guest runs, and a device that it was started with is not what it should be. */
  DevicesDiffer: 'DevicesDiffer',
  NetworkSetupFailed: 'NetworkSetupFailed',
  NetworkNotSupported: 'NetworkNotSupported',
  /** The guest runs on a network that this handler would make otherwise. */
  NetworkDiffers: 'NetworkDiffers',
  ContainerDiskFailed: 'ContainerDiskFailed',
  LauncherNotReady: 'LauncherNotReady',
  LauncherUnreachable: 'LauncherUnreachable',
  NotifyFailed: 'NotifyFailed',
  SyncFailed: 'SyncFailed',
  /** The guest runs without what was changed in its VMI since it was started. */
  SpecNotApplied: 'SpecNotApplied',
  /** Of a VMI that has failed for good. */
  LauncherPodFailed: 'LauncherPodFailed',
  GuestCrashed: 'GuestCrashed',
  GuestLost: 'GuestLost',
} as const;

export const EventReason = {
  Started: 'Started',
  Stopped: 'Stopped',
  ShuttingDown: 'ShuttingDown',
  Killing: 'Killing',
  StopFailed: 'StopFailed',
} as const;

/** Of SoftwareEmulation=True. */
export const EmulatedReason = {
  /** The configuration asks for it. */
  Configured: 'EmulationConfigured',
  /** The Pod has KVM, but its user cannot open it. */
  KvmNotUsable: 'KvmNotUsable',
} as const;

export const PausedReason = {
  ByUser: 'PausedByUser',
  IOError: 'PausedIOError',
  ByMigration: 'PausedByMigrationMonitor',
  Other: 'Paused',
} as const;
