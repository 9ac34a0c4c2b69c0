import { existsSync, realpathSync } from 'node:fs';
import type { Logger } from 'pino';
import { mountsBelow, ownMounts } from '../../host/mounts';
import type { MountInfo } from '../../host/mounts';
import type { PodVolumes } from '../paths/pod-volumes';
import { unplugAll } from '../hotplug/plug';
import { launcherPaths } from '../paths/pod-volumes';
import { unmountContainerDisks } from './mount';

export interface MountSweepOptions {
  readonly volumes: PodVolumes;
  /** UIDs of the Pods whose guests may still use their disks; undefined until they are known. */
  readonly livePods: () => ReadonlySet<string> | undefined;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** @default 60,000 */
  readonly intervalMs?: number;
  /** Delay until the running Pods are known. @default 500 */
  readonly retryMs?: number;
}

/**
 * Unmounts disks of Pods that ended or were deleted while no handler ran, or whose disks could not be unmounted at that time.
 * The kernel lists the mounts, so none have to be remembered.
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
      log.warn({ err }, 'the mounts of container disks could not be read; retrying');
    }
    if (!this.stopped) this.timer = setTimeout(() => this.start(), next);
  }

  private podsWithDisks(): string[] {
    const { podsDir } = this.options.volumes;
    if (!existsSync(podsDir)) return [];
    return podsWithDisks(ownMounts(), realpathSync(podsDir));
  }

  /** A Pod whose disks cannot be unmounted does not block the others. */
  private async unmount(podUid: string): Promise<void> {
    const { volumes, log } = this.options;
    try {
      await unmountContainerDisks(podUid, volumes);
      await unplugAll(podUid, volumes);
      log.info({ podUid }, 'unmounted the container disks of a Pod that has ended');
    } catch (err) {
      log.warn({ podUid, err }, 'the container disks of a Pod that has ended are still mounted; retrying');
    }
  }
}

const OURS: readonly string[] = [launcherPaths.containerDisks, launcherPaths.hotplugDisks];

/** UIDs of the Pods that have mounts of disks in their volumes. */
export function podsWithDisks(mounts: readonly MountInfo[], podsDir: string): string[] {
  const uids = mountsBelow(mounts, podsDir).flatMap(({ mountPoint }) => {
    const [uid, ...path] = mountPoint.slice(podsDir.length + 1).split('/');
    const [volumes, kind, name] = path;
    return path.length > 3 && volumes === 'volumes' && kind === 'kubernetes.io~empty-dir' && OURS.includes(name)
      ? [uid]
      : [];
  });
  return [...new Set(uids)];
}
