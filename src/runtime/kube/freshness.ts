/** Why a cache may be behind, and for how long. */
export interface Staleness {
  readonly forMs: number;
  readonly cause: string;
}

/** A stream that has lasted so long works, although it brought nothing: what it had to bring comes at once. */
export const STEADY_MS = 1000;

/** Whether a cache is kept up to date. Pure: times come in. */
export class Freshness {
  private failingSince?: number;
  private cause = '';
  private openSince?: number;
  private isReported = false;

  public constructor(private readonly staleAfterMs: number) {}

  /** A stream began. It proves nothing yet: a server may end each stream at once. */
  public opened(now: number): void {
    this.openSince = now;
  }

  /** A list was completed, an event came, or a stream ended as it should. */
  public worked(): void {
    this.failingSince = undefined;
    this.isReported = false;
  }

  public closed(): void {
    this.openSince = undefined;
  }

  /** Answers the staleness when it has just become long enough to be reported. */
  public failed(cause: string, now: number): Staleness | undefined {
    // cut by a proxy that allows no idle stream, say: what counts is how long there was no stream
    if (this.isSteady(now)) this.worked();
    this.closed();
    this.failingSince ??= now;
    this.cause = cause;
    const staleness = this.staleness(now);
    if (!staleness || this.isReported) return undefined;
    this.isReported = true;
    return staleness;
  }

  /** Why the last attempt failed; undefined once one has worked again. */
  public get failure(): string | undefined {
    return this.failingSince === undefined ? undefined : this.cause;
  }

  /** Set once nothing has worked for the whole time. */
  public staleness(now: number): Staleness | undefined {
    if (this.failingSince === undefined || this.isSteady(now)) return undefined;
    const forMs = now - this.failingSince;
    return forMs >= this.staleAfterMs ? { forMs, cause: this.cause } : undefined;
  }

  private isSteady(now: number): boolean {
    return this.openSince !== undefined && now - this.openSince >= STEADY_MS;
  }
}
