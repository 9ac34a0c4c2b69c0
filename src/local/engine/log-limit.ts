import { copyFileSync, readdirSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';

/** Size at which a log is rotated. With the older part, it takes at most about twice as much. */
export const maxLogBytes = 16 << 20;
const intervalMs = 5_000;

/**
 * Rotates the logs of a folder that are over the limit: copies each to `.1` and empties it. Programs keep their open
 * files, which they opened for appending; lines that are written between the two steps are lost.
 */
export function limitLogs(folder: string, maxBytes = maxLogBytes): void {
  for (const name of readdirSync(folder)) {
    if (!name.endsWith('.log')) continue;
    const file = join(folder, name);
    try {
      if (statSync(file).size <= maxBytes) continue;
      try {
        copyFileSync(file, `${file}.1`);
      } finally {
        // a full disk loses the older part, and then has room again
        truncateSync(file);
      }
    } catch {
      // the log was removed, or the disk is full
    }
  }
}

/** Limits the logs of a folder until the returned function is called. */
export function keepLogsLimited(folder: string): () => void {
  const timer = setInterval(() => {
    try {
      limitLogs(folder);
    } catch {
      // `down` removed the folder
    }
  }, intervalMs).unref();
  return () => clearInterval(timer);
}
