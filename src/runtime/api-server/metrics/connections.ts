import type { MetricName } from '../../../api/metrics';
import type { Value } from '../../kube/metrics';

/** Metric of each subresource that is a stream. */
export const CONNECTION_METRICS = {
  console: 'kubevirt_console_active_connections',
  vnc: 'kubevirt_vnc_active_connections',
  portforward: 'kubevirt_portforward_active_tunnels',
} as const satisfies Readonly<Record<string, MetricName>>;

interface Open {
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

/** Counts the open streams of each guest. A guest without streams takes no memory. */
export class Connections {
  private readonly counts = new Map<string, { readonly open: Open; count: number }>();

  /** Counts a stream; returns the function that ends it. */
  public add(open: Open): () => void {
    const key = [open.subresource, open.namespace, open.name].join('/');
    const known = this.counts.get(key) ?? { open, count: 0 };
    known.count++;
    this.counts.set(key, known);
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      if (--known.count === 0) this.counts.delete(key);
    };
  }

  public values(subresource: keyof typeof CONNECTION_METRICS): Value[] {
    return [...this.counts.values()].flatMap(({ open, count }) =>
      open.subresource === subresource ? [{ labels: { namespace: open.namespace, vmi: open.name }, value: count }] : [],
    );
  }
}
