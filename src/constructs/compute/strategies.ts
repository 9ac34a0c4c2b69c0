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

  /** Another one that the platform knows. */
  public static of(value: string): RunStrategy {
    return new RunStrategy(value);
  }
}

/** In which state a guest starts. */
export class StartStrategy extends Choice {
  /** Its CPUs wait for `virt8s unpause`. */
  public static readonly PAUSED = StartStrategy.of('Paused');

  /** Another one that the platform knows. */
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

  /** Another one that the platform knows. */
  public static of(value: string): EvictionStrategy {
    return new EvictionStrategy(value);
  }
}
