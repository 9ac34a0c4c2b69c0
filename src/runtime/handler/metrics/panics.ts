import type { Value } from '../../kube/metrics';

/** Guests whose panics are remembered. A guest that is started again counts on. */
const MOST = 1_000;

/** Counts the panics of guests. */
export class Panics {
  private readonly counts = new Map<string, { namespace: string; name: string; count: number }>();

  public add(namespace = '', name = ''): void {
    const key = `${namespace}/${name}`;
    const count = (this.counts.get(key)?.count ?? 0) + 1;
    // the last ones are at the end, so that the first one is the oldest
    this.counts.delete(key);
    this.counts.set(key, { namespace, name, count });
    const [oldest] = this.counts.keys();
    if (this.counts.size > MOST && oldest !== undefined) this.counts.delete(oldest);
  }

  /** libvirt reports neither the type of a panic nor its code with the state of a domain. */
  public values(): Value[] {
    return Array.from(this.counts.values(), ({ namespace, name, count }) => ({
      labels: { namespace, name, type: 'unknown', bugcheck_code: 'unknown' },
      value: count,
    }));
  }
}
