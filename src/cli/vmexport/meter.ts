/** Progress of a download on a terminal: percentage, rate and remaining time. */
const INTERVAL_MS = 500;

export class Meter {
  private size = NaN;
  private from = 0;
  private startedAt = 0;
  private shownAt = 0;
  private isShown = false;

  /** Starts with the bytes that are done; the size is NaN if it is not known. */
  public begin(done: number, size: number): void {
    this.size = size;
    this.from = done;
    this.startedAt = Date.now();
  }

  public show(done: number): void {
    const now = Date.now();
    if (!process.stderr.isTTY || now - this.shownAt < INTERVAL_MS) return;
    this.shownAt = now;
    this.isShown = true;
    process.stderr.write(
      `\r${progressText({ done, from: this.from, size: this.size, ms: now - this.startedAt })}\x1b[K`,
    );
  }

  public end(): void {
    if (this.isShown) process.stderr.write('\n');
    this.isShown = false;
  }
}

const MIB = 1 << 20;

/** Pure. `from`: bytes that were done when the measurement began. */
export function progressText({
  done,
  from,
  size,
  ms,
}: {
  done: number;
  from: number;
  size: number;
  ms: number;
}): string {
  const rate = ms > 0 ? (done - from) / (ms / 1000) : 0;
  const mebibytes = `${(done / MIB).toFixed(1)} MiB`;
  const speed = `${(rate / MIB).toFixed(1)} MiB/s`;
  if (!(size > 0)) return `${mebibytes}  ${speed}`;
  const left = rate > 0 ? Math.ceil((size - done) / rate) : NaN;
  const remaining = Number.isFinite(left)
    ? `  ${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')} left`
    : '';
  return `${((100 * done) / size).toFixed(1).padStart(5)} %  ${mebibytes} of ${(size / MIB).toFixed(1)} MiB  ${speed}${remaining}`;
}
