/** Reason why a cache may be outdated, and for how long. */
export interface Staleness {
  readonly forMs: number;
  readonly cause: string;
}

/** A stream that has lasted this long works even without events, because pending events arrive immediately. */
export const STEADY_MS = 1000;

/** Tracks whether a cache is kept up to date. Pure: the caller passes the time. */
export class Freshness {
  private failingSince?: number;
  private cause = '';
  private openSince?: number;
  private isReported = false;

  public constructor(private readonly staleAfterMs: number) {}

  /** A stream began. That proves nothing yet: a server may end each stream immediately. */
  public opened(now: number): void {
    this.openSince = now;
  }

  /** A list was completed, an event arrived, or a stream ended normally. */
  public worked(): void {
    this.failingSince = undefined;
    this.isReported = false;
  }

  public closed(): void {
    this.openSince = undefined;
  }

  /** Returns the staleness when it has just lasted long enough to be reported. */
  public failed(cause: string, now: number): Staleness | undefined {
    // for example closed by a proxy that closes idle streams: only the time without a stream counts
    if (this.isSteady(now)) this.worked();
    this.closed();
    this.failingSince ??= now;
    this.cause = cause;
    const staleness = this.staleness(now);
    if (!staleness || this.isReported) return undefined;
    this.isReported = true;
    return staleness;
  }

  /** Returns why the last attempt failed; undefined after a successful one. */
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
