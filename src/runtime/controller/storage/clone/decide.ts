/** Decides how a claim becomes a copy of another one. Pure. */
import type { Pod } from '../../pod';
import { annotations } from '../population/annotations';
import { changesOf, handOver, isDone, withPace, type Action as PopulationAction } from '../population/decide';
import { importPod } from '../population/import-pod';
import type { Shown } from '../population/progress';
import type { ImportSettings } from '../population/worker-pod';
import { podState } from '../population/pod-state';
import type { CloneFill, PersistentVolume, StorageClaim, VolumeSnapshot } from '../types';
import { isProblem, type Plan, type Problem, type Strategy } from './plan';
import { clonePrimeOf, snapshotOf } from './prime';
import { requestOf } from './size';

export interface Observed {
  /** Claim whose `dataSourceRef` names a VolumeCloneSource. */
  readonly claim: StorageClaim;
  /** Undefined while the VolumeCloneSource does not exist. */
  readonly fill?: CloneFill;
  readonly waitsForConsumer: boolean;
  /** Plan of the clone, or cause for which it does not begin; while there is no prime. */
  readonly start?: Plan | Problem;
  readonly prime?: StorageClaim;
  /** Volume of the prime. */
  readonly volume?: PersistentVolume;
  readonly pod?: Pod;
  readonly progress?: Shown;
  readonly source?: StorageClaim;
  /** Temporary snapshot of the source. */
  readonly snapshot?: VolumeSnapshot;
  readonly snapshotClass?: string;
  readonly settings: ImportSettings;
}

export type Action =
  | PopulationAction
  | { readonly do: 'createSnapshot'; readonly snapshot: VolumeSnapshot }
  | { readonly do: 'warn'; readonly reason: string; readonly message: string; readonly isFallback?: boolean }
  | { readonly do: 'recheck'; readonly afterMs: number };

/** Steps of a clone in the annotation `clonePhase`, in CDI's words. */
export const steps = {
  waiting: 'Pending',
  'csi-clone': 'CSIClone',
  snapshot: 'SnapshotClone',
  copy: 'HostClone',
  prepare: 'PrepClaim',
  rebind: 'Rebind',
} as const;

export function decide(observed: Observed): Action[] {
  const { claim, prime, pod, fill, volume } = observed;
  if (claim.metadata.deletionTimestamp || claim.spec.volumeName) return cleanUp(observed);
  if (!fill) return []; // without it, any namespace might have a claim of the prime's name
  if (prime && isDone(prime)) return [...completed(claim), ...handOver(claim, prime, volume)];
  if (!prime) return observed.waitsForConsumer || !observed.start ? [] : begin(claim, fill, observed.start);
  const strategy = prime.metadata.annotations?.[annotations.cloneType] as Strategy;
  if (strategy === 'copy') return withPod(observed, prime, steps.copy);
  if (pod || prime.metadata.annotations?.[annotations.cloneFinish] !== undefined) {
    // also while the storage clones: the Pod is the consumer that lets a volume be created
    return [...takeSnapshot(observed, prime, strategy), ...withPod(observed, prime, steps.prepare)];
  }
  if (prime.status?.phase === 'Bound') return [...completed(claim), finish(prime)];
  return [
    ...takeSnapshot(observed, prime, strategy),
    ...changesOf(claim, { ...noProblem, [annotations.clonePhase]: steps[strategy] }),
  ];
}

/** Removes what served the clone. Objects in another namespace have no owner that would remove them. */
export function cleanUp({ claim, prime, pod }: Partial<Pick<Observed, 'claim' | 'prime' | 'pod'>>): PopulationAction[] {
  const { annotations: given, deletionTimestamp } = claim?.metadata ?? {};
  const isKept = given?.[annotations.podRetained] !== undefined && !deletionTimestamp;
  return [
    ...(pod && !isKept ? [{ do: 'deletePod', pod } as const] : []),
    ...(prime && !prime.metadata.deletionTimestamp ? [{ do: 'deletePrime', claim: prime } as const] : []),
  ];
}

const noProblem = { [annotations.running]: 'true', [annotations.runningReason]: '', [annotations.runningMessage]: '' };

function begin(claim: StorageClaim, { from }: CloneFill, start: Plan | Problem): Action[] {
  if (isProblem(start)) return problemActions(claim, start);
  const { strategy, fallback } = start;
  return [
    // before the claim, so that the reason is not lost if this process ends
    ...changesOf(claim, {
      ...noProblem,
      [annotations.clonePhase]: steps[strategy],
      [annotations.cloneType]: strategy,
      ...(fallback && { [annotations.cloneFallback]: fallback.message }),
    }),
    ...(fallback ? [{ do: 'warn', ...fallback, isFallback: true } as const] : []),
    { do: 'createPrime', claim: clonePrimeOf(claim, from, start) },
  ];
}

/** Reports why a clone does not begin. */
export function problemActions(claim: StorageClaim, { reason, message, retryMs }: Problem): Action[] {
  const changes = changesOf(claim, {
    [annotations.clonePhase]: steps.waiting,
    [annotations.running]: 'false',
    [annotations.runningReason]: reason,
    [annotations.runningMessage]: message,
  });
  return [
    ...changes,
    ...(changes.length ? [{ do: 'warn', reason, message } as const] : []),
    ...(retryMs ? [{ do: 'recheck', afterMs: retryMs } as const] : []),
  ];
}

function takeSnapshot({ fill, snapshot, snapshotClass }: Observed, prime: StorageClaim, strategy: Strategy): Action[] {
  const isOurs = strategy === 'snapshot' && fill?.from.kind === 'PersistentVolumeClaim';
  if (!isOurs || snapshot || !snapshotClass || prime.status?.phase === 'Bound') return [];
  return [{ do: 'createSnapshot', snapshot: snapshotOf(prime, fill.from, snapshotClass) }];
}

/** A Pod that copies the source, or completes what the storage cloned. */
function withPod(observed: Observed, prime: StorageClaim, step: string): Action[] {
  const { claim, fill, pod, source, settings, progress } = observed;
  if (!pod) {
    const work = source && {
      kind: 'clone' as const,
      isPreallocated: fill!.isPreallocated,
      priorityClassName: fill!.priorityClassName,
      ...(step === steps.copy ? { copyOf: source, image: fill!.image } : { grownFrom: requestOf(source) }),
    };
    // a snapshot may outlive its claim: the disk is then enlarged from the size of the prime
    const filled = work ?? { kind: 'clone' as const, isPreallocated: false, grownFrom: requestOf(prime) };
    return [{ do: 'createPod', pod: importPod({ claim, work: prime, fill: filled, settings }) }];
  }
  const state = podState(pod);
  const percent = state.phase === 'Succeeded' ? '100.0%' : progress?.percent;
  return [
    ...changesOf(claim, {
      [annotations.clonePhase]: step,
      [annotations.running]: String(state.isRunning),
      [annotations.runningReason]: state.reason,
      [annotations.runningMessage]: withPace(state.message, state.isRunning ? progress : undefined),
      [annotations.restarts]: String(state.restarts),
      ...(percent && { [annotations.progress]: percent }),
    }),
    ...after(prime, pod),
  ];
}

function after(prime: StorageClaim, pod: Pod): Action[] {
  if (pod.status?.phase === 'Succeeded') return [finish(prime)];
  return pod.status?.phase === 'Failed' && !pod.metadata.deletionTimestamp ? [{ do: 'deletePod', pod }] : [];
}

const finish = (prime: StorageClaim): Action => ({
  do: 'annotate',
  claim: prime,
  annotations: { [annotations.podPhase]: 'Succeeded' },
});

/** Reports that only the volume has to be handed over. */
const completed = (claim: StorageClaim): Action[] =>
  changesOf(claim, {
    [annotations.podPhase]: 'Succeeded',
    [annotations.clonePhase]: steps.rebind,
    [annotations.running]: 'false',
    [annotations.runningReason]: 'Completed',
    [annotations.runningMessage]: 'Clone Complete',
    [annotations.progress]: '100.0%',
  });
