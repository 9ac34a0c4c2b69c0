import { progressText } from '../../api/progress-text';

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
    process.stderr.write(`\r${progressText(done, this.size, this.from, now - this.startedAt)}\x1b[K`);
  }

  public end(): void {
    if (this.isShown) process.stderr.write('\n');
    this.isShown = false;
  }
}
