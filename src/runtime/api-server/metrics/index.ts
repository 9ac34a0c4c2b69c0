import type { Logger } from 'pino';
import { ProgramMetrics, requestMetrics } from '../../kube/metrics';
import { CONNECTION_METRICS, Connections } from './connections';

/** The metrics of virt-api. */
export class ApiMetrics {
  public readonly program: ProgramMetrics;
  public readonly requests: ReturnType<typeof requestMetrics>;
  public readonly connections = new Connections();

  public constructor(log: Pick<Logger, 'warn'>) {
    this.program = new ProgramMetrics((metric, error) =>
      log.warn({ metric, err: String(error) }, 'a metric cannot be computed'),
    );
    this.requests = requestMetrics(this.program);
    for (const subresource of Object.keys(CONNECTION_METRICS) as (keyof typeof CONNECTION_METRICS)[]) {
      this.program.computed(CONNECTION_METRICS[subresource], () => this.connections.values(subresource));
    }
  }

  /** Adds whether virt-api serves requests. */
  public observe(isReady: () => boolean): void {
    this.program.computed('kubevirt_virt_api_ready_status', () => [{ value: Number(isReady()) }]);
  }
}
