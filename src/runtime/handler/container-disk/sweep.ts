import { existsSync, realpathSync } from 'node:fs';
import type { Logger } from 'pino';
import { mountsBelow, ownMounts } from '../../host/mounts';
import type { MountInfo } from '../../host/mounts';
import type { PodVolumes } from '../paths/pod-volumes';
import { unmountContainerDisks } from './mount';

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
    const { livePods, log, intervalMs = 60_000, retryMs = 500 } = this.options;
    let next = intervalMs;
    try {
      const mounted = this.podsWithDisks(); // before the Pods: one that has a mount now was known before
      const live = livePods();
      if (!live) next = retryMs;
      for (const uid of live ? mounted.filter((each) => !live.has(each)) : []) await this.unmount(uid);
    } catch (err) {
      log.warn({ err }, 'the mounts of container disks could not be looked at; it is tried again');
    }
    if (!this.stopped) this.timer = setTimeout(() => this.start(), next);
  }

  private podsWithDisks(): string[] {
    const { podsDir } = this.options.volumes;
    if (!existsSync(podsDir)) return [];
    return podsWithDisks(ownMounts(), realpathSync(podsDir));
  }

  /** A Pod whose disks cannot be unmounted is not in the way of the others. */
  private async unmount(podUid: string): Promise<void> {
    const { volumes, log } = this.options;
    try {
      await unmountContainerDisks(podUid, volumes);
      log.info({ podUid }, 'the container disks of a Pod that is gone were unmounted');
    } catch (err) {
      log.warn({ podUid, err }, 'the container disks of a Pod that is gone are still mounted; it is tried again');
    }
  }
}

/** uids of the Pods that have something mounted in their volume for container disks. */
export function podsWithDisks(mounts: readonly MountInfo[], podsDir: string): string[] {
  const uids = mountsBelow(mounts, podsDir).flatMap(({ mountPoint }) => {
    const [uid, ...path] = mountPoint.slice(podsDir.length + 1).split('/');
    return path.length > 3 && path.slice(0, 3).join('/') === 'volumes/kubernetes.io~empty-dir/container-disks'
      ? [uid]
      : [];
  });
  return [...new Set(uids)];
}
