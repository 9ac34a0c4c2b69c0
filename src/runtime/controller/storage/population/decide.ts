/** Decides how a claim gets its content. Pure. */
import { keys } from '../../../../api/keys';
import type { Pod } from '../../pod';
import type { Problem } from '../clone/plan';
import type { ImportFill, PersistentVolume, StorageClaim, StorageClass, UploadFill } from '../types';
import { annotations } from './annotations';
import { importPod } from './import-pod';
import type { ImportSettings } from './worker-pod';
import { podState } from './pod-state';
import { primeOf } from './prime';
import type { Shown } from './progress';

export interface Observed {
  /** Claim that a populator of this platform fills. */
  readonly claim: StorageClaim;
  /** Undefined while its source object does not exist. */
  readonly fill?: ImportFill | UploadFill;
  /** Undefined while the claim's class does not exist. */
  readonly storageClass?: StorageClass;
  readonly prime?: StorageClaim;
  /** Volume of the prime. */
  readonly volume?: PersistentVolume;
  readonly pod?: Pod;
  /** Progress that the importer reports. */
  readonly progress?: Shown;
  readonly settings: ImportSettings;
}

export type Action =
  | { readonly do: 'createPrime'; readonly claim: StorageClaim }
  | { readonly do: 'createPod'; readonly pod: Pod }
  | { readonly do: 'deletePod'; readonly pod: Pod }
  | { readonly do: 'handOver'; readonly volume: PersistentVolume; readonly to: StorageClaim }
  | { readonly do: 'deletePrime'; readonly claim: StorageClaim }
  | {
      readonly do: 'annotate';
      readonly claim: StorageClaim;
      readonly annotations: Readonly<Record<string, string | null>>;
    };

export function decide(observed: Observed): Action[] {
  const { claim, prime, pod, fill, volume, settings } = observed;
  if (claim.metadata.deletionTimestamp) return []; // the garbage collector deletes prime and Pod
  if (claim.spec.volumeName) {
    const isKept = claim.metadata.annotations?.[annotations.podRetained] !== undefined;
    return [
      ...(pod && !isKept ? [{ do: 'deletePod', pod } as const] : []),
      ...(prime ? [{ do: 'deletePrime', claim: prime } as const] : []),
    ];
  }
  if (prime && isDone(prime)) return handOver(claim, prime, volume);
  if (!fill || (!prime && waitsForConsumer(observed))) return [];
  if (!prime) return [{ do: 'createPrime', claim: primeOf(claim) }];
  if (!pod) return [{ do: 'createPod', pod: importPod({ claim, work: prime, fill, settings }) }];
  return [...report(observed, pod), ...next(prime, pod)];
}

/** Whether the prime contains everything. Its annotation outlives the Pod. */
export const isDone = ({ metadata }: StorageClaim): boolean =>
  metadata.annotations?.[annotations.podPhase] === 'Succeeded';

/** Whether the class needs a Pod of the user first, which decides the node of the volume. */
export function waitsForConsumer({ claim, storageClass }: Pick<Observed, 'claim' | 'storageClass'>): boolean {
  const given = claim.metadata.annotations ?? {};
  return (
    storageClass?.volumeBindingMode === 'WaitForFirstConsumer' &&
    !given[annotations.selectedNode] &&
    given[keys.bindImmediate] === undefined
  );
}

export function handOver(
  claim: StorageClaim,
  prime: StorageClaim,
  volume: PersistentVolume | undefined,
): Extract<Action, { do: 'handOver' }>[] {
  const owner = volume?.spec?.claimRef;
  if (!volume || owner?.uid === claim.metadata.uid) return []; // the volume binder does the rest
  return owner?.uid === prime.metadata.uid ? [{ do: 'handOver', volume, to: claim }] : [];
}

function next(prime: StorageClaim, pod: Pod): Action[] {
  switch (pod.status?.phase) {
    case 'Succeeded':
      return [{ do: 'annotate', claim: prime, annotations: { [annotations.podPhase]: 'Succeeded' } }];
    // evicted, or its node was lost: only a new Pod can continue
    case 'Failed':
      return pod.metadata.deletionTimestamp ? [] : [{ do: 'deletePod', pod }];
    default:
      return [];
  }
}

/** Annotations of the user's claim, if they change. */
export function report({ claim, progress, fill }: Pick<Observed, 'claim' | 'progress' | 'fill'>, pod: Pod): Action[] {
  const isUpload = fill?.kind === 'upload';
  const { phase, isRunning, reason, message, restarts } = podState(pod);
  const wanted: Record<string, string> = {
    [annotations.podPhase]: phase,
    [isUpload ? annotations.uploadPod : annotations.importPod]: pod.metadata.name ?? '',
    ...(isUpload && { [annotations.podReady]: String(isListening(pod)) }),
    [annotations.running]: String(isRunning),
    [annotations.runningReason]: reason,
    [annotations.runningMessage]: withPace(message, isRunning ? progress : undefined),
    [annotations.restarts]: String(restarts),
    ...(phase === 'Succeeded'
      ? { [annotations.progress]: '100.0%' }
      : progress
        ? { [annotations.progress]: progress.percent }
        : {}),
  };
  return changesOf(claim, wanted);
}

/** Message of a Pod that runs, with the rate and remaining time of its transfer. */
export const withPace = (message: string, progress: Shown | undefined): string =>
  [progress?.pace, message].filter(Boolean).join('; ');

/** Whether the upload server of the Pod answers. */
const isListening = ({ status }: Pod): boolean =>
  status?.phase === 'Running' && (status.containerStatuses?.[0]?.ready ?? false);

/** Reports that the API server refuses the prime or the Pod. */
export const refusedActions = (claim: StorageClaim, { reason, message }: Problem) =>
  changesOf(claim, {
    [annotations.running]: 'false',
    [annotations.runningReason]: reason,
    [annotations.runningMessage]: message,
  });

/** Writes the annotations that differ. */
export function changesOf(
  claim: StorageClaim,
  wanted: Readonly<Record<string, string>>,
): Extract<Action, { do: 'annotate' }>[] {
  const current = claim.metadata.annotations ?? {};
  const changed = Object.entries(wanted).filter(([key, value]) => current[key] !== value);
  return changed.length ? [{ do: 'annotate', claim, annotations: Object.fromEntries(changed) }] : [];
}
