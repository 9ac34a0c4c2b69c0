import type { KubeVirt } from '../../../api';
import { parseDuration } from '../../../api/duration';

/** Rules by which running guests are updated: `spec.workloadUpdateStrategy` over the defaults. */
export interface Strategy {
  readonly liveMigrate: boolean;
  readonly evict: boolean;
  /** Number of launchers that are evicted at the same time. */
  readonly batchSize: number;
  /** Time between the beginnings of two batches. */
  readonly intervalMs: number;
}

const BATCH_SIZE = 10;
const INTERVAL_MS = 60_000;

/** Returns the strategy. A value that cannot be used, which no webhook rejects, is replaced by the default. */
export function strategyOf({ spec }: KubeVirt): Strategy {
  const {
    workloadUpdateMethods,
    batchEvictionSize: size,
    batchEvictionInterval: interval,
  } = spec?.workloadUpdateStrategy ?? {};
  const methods = workloadUpdateMethods ?? [];
  const intervalMs = parseDuration(interval ?? '') ?? INTERVAL_MS;
  return {
    liveMigrate: methods.includes('LiveMigrate'),
    evict: methods.includes('Evict'),
    batchSize: Math.max(size ?? BATCH_SIZE, 0),
    intervalMs: intervalMs < 0 ? INTERVAL_MS : intervalMs,
  };
}
