import type { ProgramMetrics } from '../../src/runtime/kube/metrics';

/** Text that Prometheus reads. */
export async function metricsText(metrics: ProgramMetrics): Promise<string> {
  let text = '';
  for await (const part of metrics.text()) text += part;
  return text;
}

/** Names of the metrics in a text, and their types. */
export const declaredIn = (text: string): Map<string, string> =>
  new Map(Array.from(text.matchAll(/^# TYPE (\S+) (\S+)$/gm), ([, name, type]) => [name!, type!]));
