import type { Server } from 'node:http';
import type { Logger } from 'pino';
import { guestMetrics } from '../../../api/metrics';
import { version } from '../../../../package.json';
import { metricsServer, ProgramMetrics, queueMetrics, requestMetrics } from '../../kube/metrics';
import type { GuestMetricName } from './guest-values';
import { Panics } from './panics';
import { StatsCollector } from './stats-collector';
import type { StatsTarget } from './stats-collector';

const PANICS = 'kubevirt_vmi_guest_os_panic_total';

/** Guests of this node, and whether all of them are known. */
export interface GuestSource {
  readonly synced: boolean;
  readonly statsTargets: readonly StatsTarget[];
}

/** The metrics of virt-handler. */
export class HandlerMetrics {
  public readonly panics = new Panics();
  public readonly program: ProgramMetrics;
  public readonly requests: ReturnType<typeof requestMetrics>;
  public readonly makeQueue: ReturnType<typeof queueMetrics>;

  public constructor(
    private readonly node: string,
    log: Pick<Logger, 'warn'>,
  ) {
    this.program = new ProgramMetrics((metric, error) =>
      log.warn({ metric, err: String(error) }, 'a metric cannot be computed'),
    );
    this.requests = requestMetrics(this.program);
    this.makeQueue = queueMetrics(this.program);
  }

  /** Adds the metrics of the guests. */
  public observe(guests: GuestSource): void {
    const { program } = this;
    program.computed('kubevirt_info', () => [
      { labels: { goversion: `node ${process.version}`, kubeversion: `v${version}` }, value: 1 },
    ]);
    program.computed('kubevirt_virt_handler_ready_status', () => [{ value: Number(guests.synced) }]);
    program.computed(PANICS, () => this.panics.values());
    const collector = new StatsCollector({ node: this.node, targets: () => guests.statsTargets });
    for (const [name, { withoutData }] of Object.entries(guestMetrics) as [
      GuestMetricName,
      { withoutData?: string },
    ][]) {
      if (name === PANICS || withoutData) continue;
      program.computed(name, async () => (await collector.current()).get(name) ?? []);
    }
  }

  /** Serves the metrics over HTTP. */
  public listen(port: number, host: string): Server {
    return metricsServer(this.program).listen(port, host);
  }
}
