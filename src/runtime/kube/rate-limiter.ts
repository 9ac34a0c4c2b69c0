/** Average requests per second, and the burst (`restClient.rateLimiter.tokenBucketRateLimiter`). */
export interface RateLimit {
  readonly qps: number;
  readonly burst: number;
}

/** The part of a KubeVirt configuration that limits the requests of one program. */
export interface RestClientConfiguration {
  readonly restClient?: { readonly rateLimiter?: { readonly tokenBucketRateLimiter?: Partial<RateLimit> } };
}

/**
 * The limit that a configuration sets. Zero means the component's own value, as in KubeVirt: `own`, or no limit. If a rate
 * is configured without a burst, the burst is one second's worth of requests.
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

/** A bucket of tokens, one per request. Requests wait in order while it is empty; none is rejected. Pure. */
export class TokenBucket {
  private tokens: number;

  public constructor(
    public readonly limit: RateLimit,
    private at: number,
  ) {
    this.tokens = limit.burst;
  }

  /** Takes a token, possibly a future one; returns how many milliseconds until then. */
  public take(now: number): number {
    const { qps, burst } = this.limit;
    const at = Math.max(this.at, now);
    this.tokens = Math.min(burst, this.tokens + ((at - this.at) / 1000) * qps);
    this.at = at;
    this.tokens -= 1;
    return this.tokens >= 0 ? 0 : (-this.tokens / qps) * 1000;
  }

  /** Returns a token whose request was not sent. */
  public giveBack(): void {
    this.tokens = Math.min(this.limit.burst, this.tokens + 1);
  }
}
