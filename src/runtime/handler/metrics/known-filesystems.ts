import type { FilesystemStats } from '../../protocol';
import { MAX_FILESYSTEMS } from '../launcher/limits';
import { firstOfEach } from './guest-values';

const keyOf = ({ diskName, mountPoint, fileSystemType }: FilesystemStats): string =>
  JSON.stringify([diskName, mountPoint, fileSystemType]);

/**
 * Limits the file systems of a guest to the first ones that it reported: each new name is another time series, and a guest
 * can mount its disks under any number of names.
 */
export class KnownFilesystems {
  private readonly byPod = new Map<string, Set<string>>();

  public constructor(private readonly most: number = MAX_FILESYSTEMS) {}

  /** Returns those that may be reported. */
  public admit(podUid: string, reported: readonly FilesystemStats[]): FilesystemStats[] {
    const known = this.byPod.get(podUid) ?? new Set();
    this.byPod.set(podUid, known);
    return firstOfEach(reported, keyOf).filter((filesystem) => {
      const key = keyOf(filesystem);
      if (known.size < this.most) known.add(key);
      return known.has(key);
    });
  }

  /** Forgets the Pods that no longer exist. */
  public keepOnly(podUids: ReadonlySet<string>): void {
    for (const uid of this.byPod.keys()) if (!podUids.has(uid)) this.byPod.delete(uid);
  }
}
