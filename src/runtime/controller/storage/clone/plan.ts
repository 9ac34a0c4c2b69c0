/** Decides whether a clone can begin, and how the data is copied. Pure. */
import type { CloneSource } from '../../../../api/cdi/clone-source';
import type { cdi } from '../../../../api';
import { quantityValue } from '../../../../api/quantity';
import type { StorageClaim, StorageClass, VolumeSnapshot } from '../types';
import { capacityOf, isBlock, requestOf, smallestRequest, type OverheadOf } from './size';

export type Strategy = NonNullable<cdi.StorageProfileStatus['cloneStrategy']>;

/** Cause for which a clone does not begin. */
export interface Problem {
  readonly reason: string;
  readonly message: string;
  /** Time after which it is checked again, if no event reports the change. */
  readonly retryMs?: number;
}

export interface Plan {
  readonly strategy: Strategy;
  /** Cause for which the preferred strategy is not used. */
  readonly fallback?: { readonly reason: string; readonly message: string };
  /** Size of the claim that is filled, in bytes. */
  readonly bytes: number;
  /** Node of the claim that is filled, if it is known. */
  readonly node?: string;
  /** Whether a Pod completes what the storage cloned. */
  readonly needsPod: boolean;
}

export interface Snapshots {
  /** Drivers by the names of their VolumeSnapshotClasses; empty if the cluster has none. */
  readonly drivers: Readonly<Record<string, string>>;
  /** Class for snapshots of the target's driver. */
  readonly className?: string;
}

export interface PlanInput {
  readonly claim: StorageClaim;
  readonly from: CloneSource;
  /** Path of an image in the source, which is copied instead of its disk. */
  readonly image?: string;
  readonly source?: StorageClaim;
  /** Whether no population is writing the source. */
  readonly isFilled: boolean;
  readonly snapshot?: VolumeSnapshot;
  /** Pods that may write the source. */
  readonly writers: readonly string[];
  readonly storageClass?: StorageClass;
  /** Driver of the source's volume. */
  readonly driver?: string;
  /** Node of the source's volume, if only one node reaches it. */
  readonly node?: string;
  readonly wanted: Strategy;
  readonly snapshots: Snapshots;
  readonly selectedNode?: string;
  readonly overheadOf: OverheadOf;
}

const IN_USE_RECHECK_MS = 3_000;
const SNAPSHOT_RECHECK_MS = 2_000;

export function plan(input: PlanInput): Plan | Problem {
  return input.from.kind === 'VolumeSnapshot' ? fromSnapshot(input) : fromClaim(input);
}

export const isProblem = (given: Plan | Problem): given is Problem => 'message' in given;

const shown = ({ namespace, name }: CloneSource): string => `${namespace}/${name}`;

function fromClaim(input: PlanInput): Plan | Problem {
  const { claim, from, image, source, isFilled, writers, overheadOf } = input;
  if (!source || source.metadata.deletionTimestamp) {
    const message = `the source PVC ${shown(from)} does not exist; create it, and the clone starts`;
    return { reason: 'CloneWithoutSource', message };
  }
  if (source.status?.phase !== 'Bound' || !isFilled) {
    const message = `the source PVC ${shown(from)} is not filled yet; the clone starts when it is bound and complete`;
    return { reason: 'CloneSourceNotReady', message };
  }
  // the size of an image is known only to the Pod that reads it
  const small = image === undefined ? tooSmall(source, claim, overheadOf) : undefined;
  if (small) return small;
  if (writers.length > 0) {
    const message = `Pod ${writers[0]} uses PersistentVolumeClaim ${from.name}; stop it, and the clone starts`;
    return { reason: 'CloneSourceInUse', message, retryMs: IN_USE_RECHECK_MS };
  }
  const { strategy, fallback } = choose(input, source);
  const bytes = strategy === 'copy' ? requestOf(claim) : Math.max(requestOf(claim), capacityOf(source));
  return {
    strategy,
    ...(fallback && { fallback }),
    bytes,
    ...placed(input, strategy, requestOf(claim) > requestOf(source)),
  };
}

/** Problem of a target that cannot hold the disk of the source. */
export function tooSmall(
  source: StorageClaim,
  claim: Pick<StorageClaim, 'spec'>,
  overheadOf: OverheadOf,
): Problem | undefined {
  const [least, asked] = [smallestRequest(source, claim, overheadOf), requestOf(claim)];
  if (asked >= least) return undefined;
  const message =
    `the target requests ${asked} bytes, and the disk of PVC ${source.metadata.namespace}/${source.metadata.name} needs ` +
    `${least}; request at least ${least} bytes`;
  return { reason: 'CloneValidationFailed', message };
}

function choose(input: PlanInput, source: StorageClaim): Pick<Plan, 'strategy' | 'fallback'> {
  const { wanted, claim, image, driver, storageClass, snapshots } = input;
  if (wanted === 'copy' || image !== undefined) return { strategy: 'copy' };
  const copy = (reason: string, message: string): Pick<Plan, 'strategy' | 'fallback'> => ({
    strategy: 'copy',
    fallback: { reason, message: `${message}; the data is copied by a Pod instead of the storage (${wanted})` },
  });
  const provisioner = storageClass?.provisioner;
  if (driver === undefined || driver !== provisioner) {
    return copy(
      'IncompatibleProvisioners',
      `The provisioners of source (${driver ?? 'none'}) and target (${provisioner ?? 'none'}) differ`,
    );
  }
  if (isBlock(source) !== isBlock(claim)) {
    return copy('IncompatibleVolumeModes', 'The volume modes of source and target are incompatible');
  }
  if (requestOf(claim) > capacityOf(source) && !storageClass?.allowVolumeExpansion) {
    return copy('NoVolumeExpansion', 'No volume expansion is possible');
  }
  if (wanted === 'snapshot' && snapshots.className === undefined) {
    return copy('NoVolumeSnapshotClass', 'No compatible VolumeSnapshotClass was found');
  }
  return { strategy: wanted };
}

function fromSnapshot(input: PlanInput): Plan | Problem {
  const { claim, from, snapshot, storageClass, snapshots } = input;
  if (!snapshot || snapshot.metadata.deletionTimestamp) {
    const message = `the source VolumeSnapshot ${shown(from)} does not exist; create it, and the clone starts`;
    return { reason: 'CloneWithoutSource', message, retryMs: SNAPSHOT_RECHECK_MS };
  }
  if (!snapshot.status?.readyToUse) {
    const cause = snapshot.status?.error?.message;
    const message = `the source VolumeSnapshot ${shown(from)} is not ready${cause ? `: ${cause}` : ''}`;
    return { reason: 'CloneSourceNotReady', message, retryMs: SNAPSHOT_RECHECK_MS };
  }
  const driver = snapshots.drivers[snapshot.spec?.volumeSnapshotClassName ?? ''];
  if (driver !== undefined && driver !== storageClass?.provisioner) {
    const message = `only a StorageClass of ${driver} can restore VolumeSnapshot ${shown(from)}; set storageClassName to one`;
    return { reason: 'NoProvisionerMatch', message };
  }
  const least = Number(quantityValue(snapshot.status.restoreSize ?? '0'));
  const asked = requestOf(claim);
  if (asked < least) {
    const message = `the target requests ${asked} bytes, and VolumeSnapshot ${shown(from)} needs ${least}; request at least ${least} bytes`;
    return { reason: 'CloneValidationFailed', message };
  }
  return { strategy: 'snapshot', bytes: asked, ...placed(input, 'snapshot', asked > least) };
}

/** Node of the filled claim, and whether a Pod has to choose it or to enlarge the disk. */
function placed(
  { storageClass, selectedNode, node = selectedNode }: PlanInput,
  strategy: Strategy,
  isLarger: boolean,
): Pick<Plan, 'node' | 'needsPod'> {
  const chosen = selectedNode ?? node;
  const isLate = storageClass?.volumeBindingMode === 'WaitForFirstConsumer';
  return {
    ...(chosen !== undefined && isLate && strategy !== 'copy' && { node: chosen }),
    needsPod: strategy !== 'copy' && (isLarger || (isLate && chosen === undefined)),
  };
}
