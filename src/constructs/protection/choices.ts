import { Choice } from '../choice';

/** Whether a snapshot's content is deleted together with the snapshot. */
export class SnapshotDeletionPolicy extends Choice {
  /** Deletes the content with the snapshot. */
  public static readonly DELETE = SnapshotDeletionPolicy.of('Delete');
  /** Keeps the content. */
  public static readonly RETAIN = SnapshotDeletionPolicy.of('Retain');

  /**
   * Any other value that the platform supports.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): SnapshotDeletionPolicy {
    return new SnapshotDeletionPolicy(value);
  }
}

/** Treatment of a restore's target that is running. */
export class TargetReadinessPolicy extends Choice {
  /** Stops the target. */
  public static readonly STOP_TARGET = TargetReadinessPolicy.of('StopTarget');
  /** Waits 5 minutes for the target to be stopped. */
  public static readonly WAIT_GRACE_PERIOD = TargetReadinessPolicy.of('WaitGracePeriod');
  /** Fails immediately. */
  public static readonly FAIL_IMMEDIATE = TargetReadinessPolicy.of('FailImmediate');
  /** Waits without a time limit. */
  public static readonly WAIT_EVENTUALLY = TargetReadinessPolicy.of('WaitEventually');

  /**
   * Any other value that the platform supports.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): TargetReadinessPolicy {
    return new TargetReadinessPolicy(value);
  }
}

/** Names of restored claims. */
export class VolumeRestorePolicy extends Choice {
  /** New random names. */
  public static readonly RANDOMIZE_NAMES = VolumeRestorePolicy.of('RandomizeNames');
  /** Original names: the old claims are deleted first. */
  public static readonly IN_PLACE = VolumeRestorePolicy.of('InPlace');
  /** Name of the target, followed by the name of the volume. */
  public static readonly PREFIX_TARGET_NAME = VolumeRestorePolicy.of('PrefixTargetName');

  /**
   * Any other value that the platform supports.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): VolumeRestorePolicy {
    return new VolumeRestorePolicy(value);
  }
}

/** Whether restored claims are deleted together with the VM. */
export class VolumeOwnershipPolicy extends Choice {
  /** Deletes the claims with the VM. */
  public static readonly VM = VolumeOwnershipPolicy.of('Vm');
  /** Keeps the claims. */
  public static readonly NONE = VolumeOwnershipPolicy.of('None');

  /**
   * Any other value that the platform supports.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): VolumeOwnershipPolicy {
    return new VolumeOwnershipPolicy(value);
  }
}

/** Names of a clone's claims. */
export class VolumeNamePolicy extends Choice {
  /** New random names. */
  public static readonly RANDOMIZE_NAMES = VolumeNamePolicy.of('RandomizeNames');
  /** Name of the clone, followed by the name of the volume. */
  public static readonly PREFIX_TARGET_NAME = VolumeNamePolicy.of('PrefixTargetName');

  /**
   * Any other value that the platform supports.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): VolumeNamePolicy {
    return new VolumeNamePolicy(value);
  }
}

/** Delivery of a backup. */
export class BackupMode extends Choice {
  /** Written to a claim. */
  public static readonly PUSH = BackupMode.of('Push');
  /** Offered for download. The claim holds what the guest writes in the meantime. */
  public static readonly PULL = BackupMode.of('Pull');

  /**
   * Any other value that the platform supports.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): BackupMode {
    return new BackupMode(value);
  }
}

/** Priority of a migration in the queue. */
export class MigrationPriority extends Choice {
  /** Before all other migrations. */
  public static readonly SYSTEM_CRITICAL = MigrationPriority.of('system-critical');
  /** Priority of migrations that users request. */
  public static readonly USER_TRIGGERED = MigrationPriority.of('user-triggered');
  /** After migrations that users request. */
  public static readonly SYSTEM_MAINTENANCE = MigrationPriority.of('system-maintenance');

  /**
   * Any other value that the platform supports.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): MigrationPriority {
    return new MigrationPriority(value);
  }
}

/** Compression of the data that a migration sends. */
export class MigrationCompression extends Choice {
  /** No compression. */
  public static readonly NONE = MigrationCompression.of('none');
  /** Zstandard. */
  public static readonly ZSTD = MigrationCompression.of('zstd');

  /**
   * Uses a value of the platform that has no constant here.
   *
   * @param value value as written in the manifest
   */
  public static of(value: string): MigrationCompression {
    return new MigrationCompression(value);
  }
}
