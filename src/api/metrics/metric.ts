/** Program that reports a metric. `all`: each program of the platform. */
export type Reporter = 'virt-api' | 'virt-controller' | 'virt-handler' | 'virt-operator' | 'all';

/** A metric that a program reports to Prometheus. Names, types and labels are KubeVirt's. */
export interface Metric {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: readonly string[];
  readonly program: Reporter;
  /** Upper bounds of a histogram's buckets. */
  readonly buckets?: readonly number[];
  /** Reason why the metric has no data yet; its name is reserved, because rules of users refer to it. */
  readonly withoutData?: string;
}

/** Labels of metrics about one guest, from the node that runs it. */
export const GUEST = ['node', 'namespace', 'name'] as const;

/** Bounds that grow by a factor. */
export const exponential = (first: number, factor: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => Number((first * factor ** i).toPrecision(6)));
