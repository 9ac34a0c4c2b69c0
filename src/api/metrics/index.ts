/** The metrics of the platform: programs, documentation, rules and tests read this table. */
import { guestMetrics } from './guests';
import type { Metric } from './metric';
import { objectMetrics } from './objects';
import { programMetrics } from './programs';

export type { Metric, Reporter } from './metric';
export { guestMetrics } from './guests';
export { objectMetrics } from './objects';
export { programMetrics } from './programs';

export const metrics = { ...guestMetrics, ...objectMetrics, ...programMetrics };
export type MetricName = keyof typeof metrics;

/** Table of the metrics by name. */
export const metricTable: Readonly<Record<MetricName, Metric>> = metrics;

/** A value of a metric. */
export interface Sample {
  readonly name: MetricName;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}
