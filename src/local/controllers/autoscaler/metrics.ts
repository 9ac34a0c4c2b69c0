import { isNotFound, type KubeClient } from '../../../runtime/kube';
import { messageOf } from '../controller';
import type { PodUsage } from './replicas';

interface PodMetrics {
  metadata: { name: string };
  timestamp: string;
  window?: string;
  containers?: { name: string; usage?: Record<string, string> }[];
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Milliseconds of a Go duration such as `15.2s` or `1m0s`. */
export const durationMs = (text = ''): number =>
  [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * UNIT_MS[unit!]!,
    0,
  );

/** Reads the usage of Pods, or returns why that is impossible. */
export async function podUsage(
  client: KubeClient,
  namespace: string,
  labelSelector: string,
): Promise<PodUsage[] | { readonly failure: string }> {
  const path = `/apis/metrics.k8s.io/v1beta1/namespaces/${encodeURIComponent(namespace)}/pods`;
  try {
    const { items = [] } = await client.request<{ items?: PodMetrics[] }>('GET', path, undefined, {
      query: { labelSelector },
    });
    if (!items.length) return { failure: 'no metrics returned from resource metrics API' };
    return items.map(({ metadata, timestamp, window, containers = [] }) => ({
      name: metadata.name,
      timestamp,
      windowMs: durationMs(window),
      containers: containers.map(({ name, usage = {} }) => ({ name, usage })),
    }));
  } catch (error) {
    const missing = 'the server could not find the requested resource (get pods.metrics.k8s.io)';
    const cause = isNotFound(error) ? missing : messageOf(error);
    return { failure: `unable to fetch metrics from resource metrics API: ${cause}` };
  }
}
