import type { KubeVirt, VirtualMachineInstance } from '../../../api';
import { keys } from '../../../api/keys';
import { keyOf } from '../../kube';
import { hasEnded, isFinal } from '../instance/observed';
import { hasOtherImage } from '../instance/rendering';
import { blockedByMigration, NO_BATCH } from './messages';
import { isDeployed, isInFlight, isMigratable, isOutdated, REFUSED_RETRY_MS } from './observed';
import type { Launched, Observed } from './observed';
import { strategyOf } from './strategy';
import type { Strategy } from './strategy';

export type Action =
  /** Adds or removes the label of outdated instances. */
  | { do: 'label'; vmi: VirtualMachineInstance; isOutdated: boolean }
  /** Writes the number of outdated instances into the status of the KubeVirt object. */
  | { do: 'count'; kubeVirt: KubeVirt; count: number }
  /** Reports why outdated instances stay as they are. */
  | { do: 'warn'; kubeVirt: KubeVirt; message: string }
  /** Begins a batch: evicts candidates in this order until `room` evictions were accepted. */
  | { do: 'evict'; candidates: readonly Launched[]; room: number }
  | { do: 'recheck'; afterMs: number };

/** Evictions of a batch that may be rejected before the batch ends: each is a request. */
export const MOST_REFUSALS = 50;
/** Interval at which waiting instances are looked at again: their budgets and grace periods change without an event. */
const RECHECK_MS = 30_000;

/** Actions for all instances. Nothing is counted or evicted while the platform itself is being updated. */
export function decide(seen: Observed): Action[] {
  const { kubeVirt } = seen;
  return [...labels(seen), ...(kubeVirt && isDeployed(kubeVirt) ? updates(seen, kubeVirt) : [])];
}

function labels({ instances, launcherImage }: Observed): Action[] {
  return instances.flatMap(({ vmi, pod }): Action[] => {
    if (!pod || isFinal(vmi) || vmi.metadata.deletionTimestamp) return [];
    const isLabelled = vmi.metadata.labels?.[keys.outdatedLauncher] !== undefined;
    const isOther = hasOtherImage(pod, launcherImage);
    return isLabelled === isOther ? [] : [{ do: 'label', vmi, isOutdated: isOther }];
  });
}

function updates(seen: Observed, kubeVirt: KubeVirt): Action[] {
  const outdated = seen.instances.filter((instance) => isOutdated(instance, seen));
  const count: Action[] =
    kubeVirt.status?.outdatedVirtualMachineInstanceWorkloads === outdated.length
      ? []
      : [{ do: 'count', kubeVirt, count: outdated.length }];
  const strategy = strategyOf(kubeVirt);
  if (outdated.length === 0 || !(strategy.liveMigrate || strategy.evict)) return count;
  const evicted = strategy.evict ? outdated.filter((each) => !(strategy.liveMigrate && isMigratable(each))) : [];
  const message = blockage(outdated, evicted, strategy);
  return [
    ...count,
    ...(message === undefined ? [] : [{ do: 'warn' as const, kubeVirt, message }]),
    ...(strategy.evict ? evictions(seen, evicted, strategy) : []),
  ];
}

function blockage(outdated: readonly Launched[], evicted: readonly Launched[], { evict, batchSize }: Strategy) {
  if (evict && evicted.length > 0 && batchSize === 0) return NO_BATCH;
  return evicted.length < outdated.length ? blockedByMigration(evict) : undefined;
}

function evictions(seen: Observed, outdated: readonly Launched[], { batchSize, intervalMs }: Strategy): Action[] {
  const room = batchSize - seen.instances.filter((instance) => isInFlight(instance, seen)).length;
  const candidates = candidatesOf(seen, outdated);
  const wait = waitMs(seen, intervalMs);
  const recheck: Action = { do: 'recheck', afterMs: wait > 0 ? Math.min(wait, RECHECK_MS) : RECHECK_MS };
  if (room <= 0 || wait > 0 || candidates.length === 0) return [recheck];
  return [{ do: 'evict', candidates: candidates.slice(0, room + MOST_REFUSALS), room }, recheck];
}

/** Instances that can be evicted now. Those whose eviction was rejected are last, so that they do not block the others. */
function candidatesOf(seen: Observed, outdated: readonly Launched[]): Launched[] {
  const refusedAt = ({ vmi }: Launched): number => seen.refusals.get(vmi.metadata.uid ?? '') ?? -Infinity;
  const isCandidate = (each: Launched): boolean =>
    !each.pod.metadata.deletionTimestamp &&
    !hasEnded(each.pod) &&
    !isInFlight(each, seen) &&
    seen.now - refusedAt(each) >= REFUSED_RETRY_MS;
  return outdated
    .filter(isCandidate)
    .map((each) => ({ each, at: refusedAt(each), key: keyOf(each.vmi) }))
    .sort((a, b) => (a.at === b.at ? (a.key < b.key ? -1 : 1) : a.at - b.at))
    .map(({ each }) => each);
}

/**
 * Time until the next batch. The clock of an earlier leader may have been ahead, so a batch that began in the future delays
 * the next one, but not by more than one further interval.
 */
function waitMs({ lastBatch, now }: Observed, intervalMs: number): number {
  if (lastBatch === undefined || lastBatch - now > intervalMs) return 0;
  return lastBatch + intervalMs - now;
}
