/** Requests a second on average, and how many at once (`restClient.rateLimiter.tokenBucketRateLimiter`). */
export interface RateLimit {
  readonly qps: number;
  readonly burst: number;
}

/** The part of a KubeVirt configuration that limits one program's requests. */
export interface RestClientConfiguration {
  readonly restClient?: { readonly rateLimiter?: { readonly tokenBucketRateLimiter?: Partial<RateLimit> } };
}

/**
 * The limit that a configuration sets. A zero is the component's own value, as in KubeVirt: `own`, or no limit. Beside a
 * rate of the configuration, a missing burst is one second's worth of requests.
 */
export function rateLimitOf(configuration: RestClientConfiguration | undefined, own: RateLimit): RateLimit;
export function rateLimitOf(configuration: RestClientConfiguration | undefined, own?: RateLimit): RateLimit | undefined;
export function rateLimitOf(
  configuration: RestClientConfiguration | undefined,
  own?: RateLimit,
): RateLimit | undefined {
  const { qps = 0, burst = 0 } = configuration?.restClient?.rateLimiter?.tokenBucketRateLimiter ?? {};
  if (qps > 0) return { qps, burst: burst > 0 ? burst : Math.max(1, Math.ceil(qps)) };
  return own && { qps: own.qps, burst: burst > 0 ? burst : own.burst };
}

/** A bucket of tokens, one per request. Requests that find it empty wait in line: nothing is refused. Pure. */
export class TokenBucket {
  private tokens: number;

  public constructor(
    public readonly limit: RateLimit,
    private at: number,
  ) {
    this.tokens = limit.burst;
  }

  /** Takes a token, maybe one of the future; answers how many milliseconds away that is. */
  public take(now: number): number {
    const { qps, burst } = this.limit;
    const at = Math.max(this.at, now);
    this.tokens = Math.min(burst, this.tokens + ((at - this.at) / 1000) * qps);
    this.at = at;
    this.tokens -= 1;
    return this.tokens >= 0 ? 0 : (-this.tokens / qps) * 1000;
  }

  /** Gives back a token whose request was not sent. */
  public giveBack(): void {
    this.tokens = Math.min(this.limit.burst, this.tokens + 1);
  }
}
