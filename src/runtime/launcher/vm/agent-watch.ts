/** Keeps the guest agent's report up to date while the agent is connected. */
import type { AgentReport } from '../guest-agent/agent';
import { log } from '../log';

/** Interval of reads: addresses in the guest can change without an event. */
const POLL_MS = 30_000;
/** Interval while a connected agent may still be starting. */
const RETRY_MS = 5_000;

export class AgentWatch {
  private known: AgentReport | undefined;
  private timer: NodeJS.Timeout | undefined;
  private asking = false;
  /** Number of disconnections: a report that began before one is discarded. */
  private epoch = 0;

  constructor(
    private readonly ask: () => Promise<AgentReport>,
    /** Called after a new report, or when one was discarded and the agent may be connected again. */
    private readonly onReport: () => void,
  ) {}

  get report(): AgentReport | undefined {
    return this.known;
  }

  /** Starts reading reports, unless that has begun. */
  connected(): void {
    if (!this.known && !this.asking && !this.timer) void this.poll();
  }

  disconnected(): void {
    this.epoch++;
    this.known = undefined;
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private async poll(): Promise<void> {
    const { epoch } = this;
    this.timer = undefined;
    this.asking = true;
    const report = await this.ask().catch((error: unknown) => {
      if (!this.known) log('info', 'the guest agent does not answer yet', { error: String(error) });
      return undefined;
    });
    this.asking = false;
    if (epoch === this.epoch) {
      this.known = report ?? this.known;
      this.timer = setTimeout(() => void this.poll(), this.known ? POLL_MS : RETRY_MS);
      this.timer.unref();
    }
    if (report || epoch !== this.epoch) this.onReport();
  }
}
