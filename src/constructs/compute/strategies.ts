import { Choice } from '../choice';

/** When a VM runs, and whether it is started again. */
export class RunStrategy extends Choice {
  /** Runs; is started again however it ended. */
  public static readonly ALWAYS = RunStrategy.of('Always');
  /** Runs; is started again only when it failed. */
  public static readonly RERUN_ON_FAILURE = RunStrategy.of('RerunOnFailure');
  /** Runs once. */
  public static readonly ONCE = RunStrategy.of('Once');
  /** Starts and stops by command only. */
  public static readonly MANUAL = RunStrategy.of('Manual');
  /** Does not run. */
  public static readonly HALTED = RunStrategy.of('Halted');

  /**
   * Another one that the platform knows.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): RunStrategy {
    return new RunStrategy(value);
  }
}

/** In which state a guest starts. */
export class StartStrategy extends Choice {
  /** Its CPUs wait for `virt8s unpause`. */
  public static readonly PAUSED = StartStrategy.of('Paused');

  /**
   * Another one that the platform knows.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): StartStrategy {
    return new StartStrategy(value);
  }
}

/** What becomes of a guest when its node is drained. */
export class EvictionStrategy extends Choice {
  /** It is shut down. */
  public static readonly NONE = EvictionStrategy.of('None');
  /** It moves; where it cannot, the drain waits. */
  public static readonly LIVE_MIGRATE = EvictionStrategy.of('LiveMigrate');
  /** It moves; where it cannot, it is shut down. */
  public static readonly LIVE_MIGRATE_IF_POSSIBLE = EvictionStrategy.of('LiveMigrateIfPossible');
  /** Another controller decides. */
  public static readonly EXTERNAL = EvictionStrategy.of('External');

  /**
   * Another one that the platform knows.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): EvictionStrategy {
    return new EvictionStrategy(value);
  }
}

/** What a reboot inside the guest does. */
export class RebootPolicy extends Choice {
  /** The guest starts again, in the same process, with the devices that it had. */
  public static readonly REBOOT = RebootPolicy.of('Reboot');
  /** The guest ends; its run strategy decides whether it is started again, then with what has changed meanwhile. */
  public static readonly TERMINATE = RebootPolicy.of('Terminate');

  /**
   * Another one that the platform knows.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): RebootPolicy {
    return new RebootPolicy(value);
  }
}

/** What a change of volumes means for a running guest. */
export class UpdateVolumesStrategy extends Choice {
  /** At its next start the guest has the new volumes. */
  public static readonly REPLACEMENT = UpdateVolumesStrategy.of('Replacement');
  /** What is on the old volumes moves to the new ones while the guest runs. */
  public static readonly MIGRATION = UpdateVolumesStrategy.of('Migration');

  /**
   * Another one that the platform knows.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): UpdateVolumesStrategy {
    return new UpdateVolumesStrategy(value);
  }
}

/** Instruction set of a guest. */
export class Architecture extends Choice {
  /** x86-64. */
  public static readonly AMD64 = Architecture.of('amd64');
  /** 64-bit ARM. */
  public static readonly ARM64 = Architecture.of('arm64');
  /** IBM Z. */
  public static readonly S390X = Architecture.of('s390x');

  /**
   * Another one that the platform knows.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): Architecture {
    return new Architecture(value);
  }
}
