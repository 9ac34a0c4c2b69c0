import type { LauncherReason } from '../../../api/reasons';

/** A disk that cannot be attached: its name, the cause and the remedy. It becomes a condition and an event. */
export class DiskError extends Error {
  override readonly name = 'DiskError';

  constructor(
    readonly volume: string,
    readonly problem: string,
    readonly remedy: string,
    /** Reason of the condition. */
    readonly reason: Extract<LauncherReason, `Disk${string}`> = 'DiskUnusable',
  ) {
    super(`disk "${volume}": ${problem}; ${remedy}`);
  }
}
