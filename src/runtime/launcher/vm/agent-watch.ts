/** Keeps what the guest agent reports up to date while the agent is connected. */
import type { AgentReport } from '../guest-agent/agent';
import { log } from '../log';

/** Addresses in the guest can change without an event. */
const POLL_MS = 30_000;
/** An agent that is connected may still be starting. */
const RETRY_MS = 5_000;

export class AgentWatch {
  private known: AgentReport | undefined;
  private timer: NodeJS.Timeout | undefined;
  private asking = false;
  /** Counts disconnections: a report of before one is worth nothing. */
  private epoch = 0;

  constructor(
    private readonly ask: () => Promise<AgentReport>,
    /** There is a new report, or one was lost to a disconnection and the agent may be connected again. */
    private readonly onReport: () => void,
  ) {}

  get report(): AgentReport | undefined {
    return this.known;
  }

  /** Asks the agent from now on, if nobody does yet. */
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
