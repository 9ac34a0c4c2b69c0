/** Request whose metrics are reported. */
export interface ObservedRequest {
  readonly method: string;
  /** Path without query. */
  readonly path: string;
  readonly isWatch: boolean;
  readonly host: string;
}

/** Receives events of a client, for metrics. */
export interface RequestObserver {
  /** The response began, or the request failed without one. */
  readonly answered: (request: ObservedRequest, code: number | undefined, seconds: number) => void;
  /** The request waited for the rate limit. */
  readonly waited: (request: ObservedRequest, seconds: number) => void;
}

/** Receives events of a work queue, for metrics. */
export interface QueueObserver {
  readonly added: () => void;
  readonly retried: () => void;
  readonly started: (waitedSeconds: number) => void;
  readonly finished: (seconds: number) => void;
}
