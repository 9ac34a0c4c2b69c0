import { setImmediate } from 'node:timers/promises';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Metric as PromMetric } from 'prom-client';
import { metricTable } from '../../../api/metrics';
import type { MetricName } from '../../../api/metrics';

/** Value of a metric with its labels. Labels without a value are left out. */
export interface Value {
  readonly labels?: Readonly<Record<string, string | undefined>>;
  readonly value: number;
}

type Values = Iterable<Value> | Promise<Iterable<Value>>;

/** The metrics of one program. Their types, labels and texts come from the table of metrics. */
export class ProgramMetrics {
  private readonly registry = new Registry();
  private readonly names: MetricName[] = [];

  public constructor(private readonly onError: (name: string, error: unknown) => void = () => undefined) {}

  public counter(name: MetricName): Counter {
    return new Counter(this.declare(name, 'counter'));
  }

  public gauge(name: MetricName): Gauge {
    return new Gauge(this.declare(name, 'gauge'));
  }

  public histogram(name: MetricName): Histogram {
    const { buckets } = metricTable[name];
    return new Histogram({ ...this.declare(name, 'histogram'), ...(buckets && { buckets: [...buckets] }) });
  }

  /** Adds a metric whose values are computed at each scrape, so that none are kept for objects that no longer exist. */
  public computed(name: MetricName, values: () => Values): void {
    const { help, type } = this.declare(name, metricTable[name].type);
    const get = async (): Promise<object> => ({ name, help, type, values: valuesOf(await values()) });
    // prom-client prints any object with this method; its own classes keep every value between scrapes
    this.registry.registerMetric({ name, help, get } as unknown as PromMetric);
  }

  /**
   * Prints the metrics one by one, so that neither all of them are in memory at once nor other work waits for all of them.
   * A metric that cannot be computed is left out.
   */
  public async *text(): AsyncGenerator<string> {
    for (const name of this.names) {
      try {
        yield `${await this.registry.getSingleMetricAsString(name)}\n`;
      } catch (error) {
        this.onError(name, error);
      }
      await setImmediate();
    }
  }

  private declare(name: MetricName, type: 'counter' | 'gauge' | 'histogram') {
    const declared = metricTable[name];
    if (declared.type !== type) throw new Error(`${name} is a ${declared.type}, not a ${type}`);
    this.names.push(name);
    return { name, help: declared.help, type, labelNames: [...declared.labels], registers: [this.registry] };
  }
}

function valuesOf(values: Iterable<Value>): object[] {
  return Array.from(values, ({ labels = {}, value }) => ({
    labels: Object.fromEntries(Object.entries(labels).filter(([, text]) => text !== undefined && text !== '')),
    value,
  }));
}
