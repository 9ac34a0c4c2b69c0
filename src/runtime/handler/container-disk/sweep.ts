import { existsSync, readFileSync, realpathSync } from 'node:fs';
import type { Logger } from 'pino';
import type { PodVolumes } from '../paths/pod-volumes';
import { unmountContainerDisks } from './mount';
import { parseMountInfo, podsWithDisks } from './mount-info';

export interface MountSweepOptions {
  readonly volumes: PodVolumes;
  /** uids of the Pods whose guests may still use their disks; undefined while that is not known. */
  readonly livePods: () => ReadonlySet<string> | undefined;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** @default 60,000 */
  readonly intervalMs?: number;
  /** Pause while it is not known which Pods live. @default 500 */
  readonly retryMs?: number;
}

/**
 * Undoes the mounts of Pods that ended or were deleted while no handler ran, or whose disks could not be unmounted at the
 * time. What is mounted is read from the kernel, so nothing has to be remembered.
 */
export class MountSweep {
  private timer?: NodeJS.Timeout;
  private stopped = false;
  private working?: Promise<void>;

  public constructor(private readonly options: MountSweepOptions) {}

  public start(): void {
    this.working = this.pass();
  }

  public async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.working;
  }

  private async pass(): Promise<void> {
    const { volumes, livePods, log, intervalMs = 60_000, retryMs = 500 } = this.options;
    let next = intervalMs;
    try {
      // mounts first: a Pod that got one was known before
      const mounts = parseMountInfo(readFileSync('/proc/self/mountinfo', 'utf8'));
      const mounted = existsSync(volumes.podsDir) ? podsWithDisks(mounts, realpathSync(volumes.podsDir)) : [];
      const live = livePods();
      if (!live) next = retryMs;
      for (const uid of live ? mounted.filter((each) => !live.has(each)) : []) {
        log.info({ podUid: uid }, 'unmounting the container disks of a Pod that is gone');
        await unmountContainerDisks(uid, volumes);
      }
    } catch (err) {
      log.warn({ err }, 'container disks of a Pod that is gone are still mounted; it is tried again');
    }
    if (!this.stopped) this.timer = setTimeout(() => this.start(), next);
  }
}
