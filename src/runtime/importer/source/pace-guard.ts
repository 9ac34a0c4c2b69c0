import { ImportError } from '../import-error';
import { LIMITS, type HttpLimits } from './limits';

/**
 * Ends a transfer that is so slow that it would occupy an importer for ever: less than 60 KiB in a minute of waiting. Time in
 * which the importer does not read is not counted.
 */
export class PaceGuard {
  private waitedMs = 0;
  private bytes = 0;

  public constructor(private readonly limits: Pick<HttpLimits, 'paceMs' | 'leastBytes'> = LIMITS) {}

  /** Counts received bytes and the time until they arrived. @throws ImportError if they were too few */
  public add(bytes: number, waitedMs: number): void {
    this.bytes += bytes;
    this.waitedMs += waitedMs;
    if (this.waitedMs < this.limits.paceMs) return;
    if (this.bytes < this.limits.leastBytes) {
      const message = `the source sent ${this.bytes} bytes in ${Math.round(this.waitedMs / 1000)} s`;
      throw new ImportError('SourceStalled', message, 'check the server and the network; the import continues later');
    }
    this.waitedMs = 0;
    this.bytes = 0;
  }
}
