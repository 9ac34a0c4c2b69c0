import { setImmediate } from 'node:timers/promises';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { metricTable } from '../../../api/metrics';
import type { MetricName } from '../../../api/metrics';

/** Value of a metric with its labels. Labels without a value are left out. */
export interface Value {
  readonly labels?: Readonly<Record<string, string | undefined>>;
  readonly value: number;
}

type Values = Iterable<Value> | Promise<Iterable<Value>>;

/** Values that are printed before other work gets a turn. Measured: they take a few milliseconds. */
const CHUNK = 500;

/** Method of prom-client's registry that its types do not declare. */
interface Printer {
  getMetricsAsString(metric: { get(): object }): Promise<string>;
}

/** The metrics of one program. Their types, labels and texts come from the table of metrics. */
export class ProgramMetrics {
  private readonly registry = new Registry();
  /** Metrics in the order of their declaration, with a function for those that are computed at each scrape. */
  private readonly declared = new Map<MetricName, (() => Values) | undefined>();

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
    this.declare(name, metricTable[name].type);
    this.declared.set(name, values);
  }

  /**
   * Prints the metrics in parts, so that neither all of them are in memory together nor other work waits for all of them.
   * A metric that cannot be computed is left out.
   */
  public async *text(): AsyncGenerator<string> {
    for (const [name, values] of this.declared) {
      try {
        if (values) yield* this.parts(name, await values());
        else yield `${await this.registry.getSingleMetricAsString(name)}\n`;
      } catch (error) {
        this.onError(name, error);
      }
      await setImmediate();
    }
  }

  private async *parts(name: MetricName, values: Iterable<Value>): AsyncGenerator<string> {
    const { help, type } = metricTable[name];
    const print = async (chunk: object[]): Promise<string> => {
      // prom-client prints any object with this method; its own classes keep every value between scrapes
      const metric = { get: () => ({ name, help, type, values: chunk }) };
      return `${await (this.registry as unknown as Printer).getMetricsAsString(metric)}\n`;
    };
    let isFirst = true;
    let chunk: object[] = [];
    for (const value of values) {
      chunk.push(printable(value));
      if (chunk.length < CHUNK) continue;
      const text = await print(chunk);
      yield isFirst ? text : withoutHead(text);
      isFirst = false;
      chunk = [];
      await setImmediate();
    }
    if (isFirst) yield await print(chunk);
    else if (chunk.length > 0) yield withoutHead(await print(chunk));
  }

  private declare(name: MetricName, type: 'counter' | 'gauge' | 'histogram') {
    const declared = metricTable[name];
    if (declared.type !== type) throw new Error(`${name} is a ${declared.type}, not a ${type}`);
    this.declared.set(name, undefined);
    return { name, help: declared.help, type, labelNames: [...declared.labels], registers: [this.registry] };
  }
}

/** Removes the lines of help and type. */
const withoutHead = (text: string): string => text.slice(text.indexOf('\n', text.indexOf('\n') + 1) + 1);

const printable = ({ labels = {}, value }: Value): object => ({
  labels: Object.fromEntries(Object.entries(labels).filter(([, text]) => text !== undefined && text !== '')),
  value,
});
