import type { KubeClient } from '../kube';

export interface ServerVersionOptions {
  readonly client: Pick<KubeClient, 'request'>;
  /** Called when the version becomes known or changes. */
  readonly onChange: () => void;
  readonly onError: (error: unknown) => void;
  /** Interval between reads: a cluster is upgraded while its controllers run. @default 300,000 */
  readonly intervalMs?: number;
  /** Delay after the first failure; each further failure doubles it, up to the interval. @default 1,000 */
  readonly retryMs?: number;
}

/** Version of the API server, kept current until `stop`. */
export class ServerVersion {
  private known?: string;
  private timer?: NodeJS.Timeout;
  private stopped = false;
  private failures = 0;

  public constructor(private readonly options: ServerVersionOptions) {}

  /** Version, such as `v1.36.1`; undefined until the first successful read. */
  public get gitVersion(): string | undefined {
    return this.known;
  }

  /** Resolves after the first attempt, whether it succeeded or not. */
  public async start(): Promise<void> {
    const { client, onChange, onError, intervalMs = 300_000, retryMs = 1_000 } = this.options;
    let next = intervalMs;
    try {
      const { gitVersion } = await client.request<{ gitVersion?: string }>('GET', '/version');
      this.failures = 0;
      if (gitVersion !== this.known) {
        this.known = gitVersion;
        onChange();
      }
    } catch (error) {
      // keep the known version: a server that does not answer was not downgraded
      next = Math.min(retryMs * 2 ** this.failures++, intervalMs);
      onError(error);
    }
    if (!this.stopped) this.timer = setTimeout(() => void this.start(), next).unref();
  }

  public stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }
}
