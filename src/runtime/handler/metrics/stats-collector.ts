import type { VirtualMachineInstance } from '../../../api';
import type { DomainStats } from '../../protocol';
import type { Value } from '../../kube/metrics';
import { MAX_STATS_CALLS, STATS_DEADLINE_MS, STATS_KEPT_MS, STATS_RETRY_MS } from '../launcher/limits';
import { addGuest } from './guest-values';
import type { GuestMetricName } from './guest-values';
import { KnownFilesystems } from './known-filesystems';

/** A running guest whose launcher can be asked. */
export interface StatsTarget {
  readonly podUid: string;
  readonly vmi: VirtualMachineInstance;
  readonly read: () => Promise<DomainStats>;
}

export interface StatsCollectorOptions {
  readonly node: string;
  readonly targets: () => readonly StatsTarget[];
  readonly now?: () => number;
  readonly deadlineMs?: number;
}

export type GuestValues = ReadonlyMap<GuestMetricName, readonly Value[]>;

/** Delay after this many failed calls in a row. */
export const retryDelay = (failures: number): number =>
  Math.min(STATS_RETRY_MS.first * 2 ** Math.min(failures - 1, 30), STATS_RETRY_MS.max);

/**
 * Asks the launchers of this node for statistics, once per scrape and guest. Launchers are not trusted: their number of
 * concurrent calls and the time for all are limited, and one that failed is left out for a while.
 */
export class StatsCollector {
  private kept?: { readonly at: number; readonly values: GuestValues };
  private running?: Promise<GuestValues>;
  private readonly asked = new Set<string>();
  private readonly failed = new Map<string, { failures: number; retryAt: number }>();
  private readonly filesystems = new KnownFilesystems();

  public constructor(private readonly options: StatsCollectorOptions) {}

  /** Returns the values of all guests that answered. */
  public current(): Promise<GuestValues> {
    const { kept } = this;
    if (kept && this.now() - kept.at < STATS_KEPT_MS) return Promise.resolve(kept.values);
    this.running ??= this.collect().finally(() => (this.running = undefined));
    return this.running;
  }

  private async collect(): Promise<GuestValues> {
    const targets = this.options.targets();
    this.forget(new Set(targets.map(({ podUid }) => podUid)));
    const now = this.now();
    const due = targets.filter(
      ({ podUid }) => !this.asked.has(podUid) && (this.failed.get(podUid)?.retryAt ?? 0) <= now,
    );
    const answers: { target: StatsTarget; stats: DomainStats }[] = [];
    const { promise: tooLate, resolve } = Promise.withResolvers<void>();
    let isOver = false;
    const timer = setTimeout(resolve, this.options.deadlineMs ?? STATS_DEADLINE_MS);
    const next = due.values();
    const work = async (): Promise<void> => {
      for (const target of next) {
        if (isOver) return;
        const stats = await this.ask(target);
        if (stats && !isOver) answers.push({ target, stats });
      }
    };
    await Promise.race([Promise.all(Array.from({ length: MAX_STATS_CALLS }, work)), tooLate]);
    isOver = true;
    clearTimeout(timer);
    const values = new Map<GuestMetricName, Value[]>();
    for (const { target, stats } of answers) {
      const filesystems = this.filesystems.admit(target.podUid, stats.filesystems);
      addGuest(values, { node: this.options.node, vmi: target.vmi, stats, filesystems });
    }
    this.kept = { at: this.now(), values };
    return values;
  }

  private async ask({ podUid, read }: StatsTarget): Promise<DomainStats | undefined> {
    this.asked.add(podUid);
    try {
      const stats = await read();
      this.failed.delete(podUid);
      return stats;
    } catch {
      const failures = (this.failed.get(podUid)?.failures ?? 0) + 1;
      this.failed.set(podUid, { failures, retryAt: this.now() + retryDelay(failures) });
      return undefined;
    } finally {
      this.asked.delete(podUid);
    }
  }

  private forget(existing: ReadonlySet<string>): void {
    for (const uid of this.failed.keys()) if (!existing.has(uid)) this.failed.delete(uid);
    this.filesystems.keepOnly(existing);
  }

  private now(): number {
    return (this.options.now ?? performance.now.bind(performance))();
  }
}
