import { Choice } from '../choice';

/** Policy that decides when a VM runs and whether it is restarted. */
export class RunStrategy extends Choice {
  /** Runs, and is restarted whenever the guest ends. */
  public static readonly ALWAYS = RunStrategy.of('Always');
  /** Runs, and is restarted only if the guest failed. */
  public static readonly RERUN_ON_FAILURE = RunStrategy.of('RerunOnFailure');
  /** Runs once, and is not restarted. */
  public static readonly ONCE = RunStrategy.of('Once');
  /** Starts and stops only by command, such as `virt8s start`. */
  public static readonly MANUAL = RunStrategy.of('Manual');
  /** Does not run. */
  public static readonly HALTED = RunStrategy.of('Halted');

  /**
   * Uses a value of the platform that has no constant here.
   *
   * @param value value as written in the manifest
   */
  public static of(value: string): RunStrategy {
    return new RunStrategy(value);
  }
}

/** State in which a guest starts. */
export class StartStrategy extends Choice {
  /** The guest starts paused and waits for `virt8s unpause`. */
  public static readonly PAUSED = StartStrategy.of('Paused');

  /**
   * Uses a value of the platform that has no constant here.
   *
   * @param value value as written in the manifest
   */
  public static of(value: string): StartStrategy {
    return new StartStrategy(value);
  }
}

/** Action when the node of a guest is drained. */
export class EvictionStrategy extends Choice {
  /** Shuts the guest down. */
  public static readonly NONE = EvictionStrategy.of('None');
  /** Migrates the guest. If it cannot migrate, the drain waits. */
  public static readonly LIVE_MIGRATE = EvictionStrategy.of('LiveMigrate');
  /** Migrates the guest. If it cannot migrate, it is shut down. */
  public static readonly LIVE_MIGRATE_IF_POSSIBLE = EvictionStrategy.of('LiveMigrateIfPossible');
  /** Leaves the decision to another controller. */
  public static readonly EXTERNAL = EvictionStrategy.of('External');

  /**
   * Uses a value of the platform that has no constant here.
   *
   * @param value value as written in the manifest
   */
  public static of(value: string): EvictionStrategy {
    return new EvictionStrategy(value);
  }
}

/** Effect of a reboot inside the guest. */
export class RebootPolicy extends Choice {
  /** Restarts the guest in the same process, with the same devices. */
  public static readonly REBOOT = RebootPolicy.of('Reboot');
  /** Ends the guest. The run strategy decides whether it is restarted; a restart applies pending changes of the VM. */
  public static readonly TERMINATE = RebootPolicy.of('Terminate');

  /**
   * Uses a value of the platform that has no constant here.
   *
   * @param value value as written in the manifest
   */
  public static of(value: string): RebootPolicy {
    return new RebootPolicy(value);
  }
}

/** Effect of a change of volumes on a running guest. */
export class UpdateVolumesStrategy extends Choice {
  /** The guest uses the new volumes from its next start on. */
  public static readonly REPLACEMENT = UpdateVolumesStrategy.of('Replacement');
  /** Data is copied from the old volumes to the new ones while the guest runs. */
  public static readonly MIGRATION = UpdateVolumesStrategy.of('Migration');

  /**
   * Uses a value of the platform that has no constant here.
   *
   * @param value value as written in the manifest
   */
  public static of(value: string): UpdateVolumesStrategy {
    return new UpdateVolumesStrategy(value);
  }
}

/** Instruction set (CPU architecture) of a guest. */
export class Architecture extends Choice {
  /** x86-64. */
  public static readonly AMD64 = Architecture.of('amd64');
  /** 64-bit ARM. */
  public static readonly ARM64 = Architecture.of('arm64');
  /** IBM Z. */
  public static readonly S390X = Architecture.of('s390x');

  /**
   * Uses a value of the platform that has no constant here.
   *
   * @param value value as written in the manifest
   */
  public static of(value: string): Architecture {
    return new Architecture(value);
  }
}
