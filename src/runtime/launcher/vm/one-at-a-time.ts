/**
 * Runs one piece of work at a time. A request during a run gets the next run, because the present one may have read data that
 * is older than the request. So an older read never follows a newer one.
 */
export class OneAtATime {
  private running: Promise<void> | undefined;
  private next: Promise<void> | undefined;

  /** `work` must not fail. */
  constructor(private readonly work: () => Promise<void>) {}

  /** Resolves after a run that began after this call. */
  run(): Promise<void> {
    if (this.next) return this.next;
    if (!this.running) return this.begin();
    this.next = this.running.then(() => {
      this.next = undefined;
      return this.begin();
    });
    return this.next;
  }

  private begin(): Promise<void> {
    this.running = this.work().finally(() => (this.running = undefined));
    return this.running;
  }
}
