import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pod } from '../../core-v1';
import { quantityOf } from '../../quantity';

/** Limits of the volumes of a Pod on the node's disk. */

export interface LimitedVolume {
  readonly name: string;
  /** Bytes. */
  readonly limit: number;
  /** Limit as in the Pod, for messages. */
  readonly text: string;
}

/** Volumes on disk with a size limit. The kernel enforces the limit of a volume in memory. */
export function limitedVolumes({ spec }: Pod): LimitedVolume[] {
  return (spec.volumes ?? []).flatMap(({ name, emptyDir }) => {
    const limit = quantityOf(emptyDir?.sizeLimit);
    return emptyDir && !emptyDir.medium && limit > 0 ? [{ name, limit, text: String(emptyDir.sizeLimit) }] : [];
  });
}

/** Directories deeper than this, and entries after this number, do not count. */
const MAX_DEPTH = 256;
const MAX_ENTRIES = 200_000;

/** Whether the files below a directory occupy more than `limit` bytes. Does not follow links. */
export async function exceeds(directory: string, limit: number): Promise<boolean> {
  let used = 0;
  let entries = 0;
  const known = new Set<number>();
  const visit = async (path: string, depth: number): Promise<boolean> => {
    for (const entry of await readdir(path, { withFileTypes: true }).catch(() => [])) {
      if (++entries > MAX_ENTRIES) return false;
      const place = join(path, entry.name);
      // the container may remove it meanwhile
      const stats = await lstat(place).catch(() => undefined);
      if (!stats || (stats.nlink > 1 && !stats.isDirectory() && known.has(stats.ino))) continue;
      if (stats.nlink > 1) known.add(stats.ino);
      used += stats.blocks * 512;
      if (used > limit) return true;
      if (stats.isDirectory() && depth < MAX_DEPTH && (await visit(place, depth + 1))) return true;
    }
    return false;
  };
  return visit(directory, 0);
}
