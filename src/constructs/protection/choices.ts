import { Choice } from '../choice';

/** Whether what a snapshot holds goes with it. */
export class SnapshotDeletionPolicy extends Choice {
  /** It goes with the snapshot. */
  public static readonly DELETE = SnapshotDeletionPolicy.of('Delete');
  /** It stays. */
  public static readonly RETAIN = SnapshotDeletionPolicy.of('Retain');

  /**
   * Another one that the platform knows.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): SnapshotDeletionPolicy {
    return new SnapshotDeletionPolicy(value);
  }
}

/** What a restore does while its target runs. */
export class TargetReadinessPolicy extends Choice {
  /** Stops it. */
  public static readonly STOP_TARGET = TargetReadinessPolicy.of('StopTarget');
  /** Waits 5 minutes for somebody to stop it. */
  public static readonly WAIT_GRACE_PERIOD = TargetReadinessPolicy.of('WaitGracePeriod');
  /** Fails at once. */
  public static readonly FAIL_IMMEDIATE = TargetReadinessPolicy.of('FailImmediate');
  /** Waits for ever. */
  public static readonly WAIT_EVENTUALLY = TargetReadinessPolicy.of('WaitEventually');

  /**
   * Another one that the platform knows.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): TargetReadinessPolicy {
    return new TargetReadinessPolicy(value);
  }
}

/** How restored claims are called. */
export class VolumeRestorePolicy extends Choice {
  /** By new random names. */
  public static readonly RANDOMIZE_NAMES = VolumeRestorePolicy.of('RandomizeNames');
  /** As before: the old claims are deleted first. */
  public static readonly IN_PLACE = VolumeRestorePolicy.of('InPlace');
  /** By the names of the target and of the volume. */
  public static readonly PREFIX_TARGET_NAME = VolumeRestorePolicy.of('PrefixTargetName');

  /**
   * Another one that the platform knows.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): VolumeRestorePolicy {
    return new VolumeRestorePolicy(value);
  }
}

/** Whether restored claims go with the VM. */
export class VolumeOwnershipPolicy extends Choice {
  /** They go with it. */
  public static readonly VM = VolumeOwnershipPolicy.of('Vm');
  /** They stay. */
  public static readonly NONE = VolumeOwnershipPolicy.of('None');

  /**
   * Another one that the platform knows.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): VolumeOwnershipPolicy {
    return new VolumeOwnershipPolicy(value);
  }
}

/** How the claims of a clone are called. */
export class VolumeNamePolicy extends Choice {
  /** By new random names. */
  public static readonly RANDOMIZE_NAMES = VolumeNamePolicy.of('RandomizeNames');
  /** By the names of the clone and of the volume. */
  public static readonly PREFIX_TARGET_NAME = VolumeNamePolicy.of('PrefixTargetName');

  /**
   * Another one that the platform knows.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): VolumeNamePolicy {
    return new VolumeNamePolicy(value);
  }
}

/** Where a backup goes. */
export class BackupMode extends Choice {
  /** Into a claim. */
  public static readonly PUSH = BackupMode.of('Push');
  /** It is served for download; the claim holds what the guest writes meanwhile. */
  public static readonly PULL = BackupMode.of('Pull');

  /**
   * Another one that the platform knows.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): BackupMode {
    return new BackupMode(value);
  }
}

/** Rank of a migration in the queue. */
export class MigrationPriority extends Choice {
  /** Before all others. */
  public static readonly SYSTEM_CRITICAL = MigrationPriority.of('system-critical');
  /** As those that users ask for. */
  public static readonly USER_TRIGGERED = MigrationPriority.of('user-triggered');
  /** Behind those. */
  public static readonly SYSTEM_MAINTENANCE = MigrationPriority.of('system-maintenance');

  /**
   * Another one that the platform knows.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): MigrationPriority {
    return new MigrationPriority(value);
  }
}

/** Compression of what a migration sends. */
export class MigrationCompression extends Choice {
  /** Data is sent as it is. */
  public static readonly NONE = MigrationCompression.of('none');
  /** Data is compressed by Zstandard. */
  public static readonly ZSTD = MigrationCompression.of('zstd');

  /** Another one that the platform knows. */
  public static of(value: string): MigrationCompression {
    return new MigrationCompression(value);
  }
}
