/** Decides what snapshots and their contents need, with the rules of CSI's external snapshotter. Pure. */
import type { PersistentVolume, PersistentVolumeClaim } from '../../core-v1';
import { inUse, isUnfilled, PROVISIONED_BY, PROVISIONER, USER_CHECK_MS } from '../decide';
import { SNAPSHOT_GROUP, type VolumeSnapshot, type VolumeSnapshotClass, type VolumeSnapshotContent } from './types';

export const AS_SOURCE = 'snapshot.storage.kubernetes.io/volumesnapshot-as-source-protection';
export const BOUND = 'snapshot.storage.kubernetes.io/volumesnapshot-bound-protection';
export const CONTENT_BOUND = 'snapshot.storage.kubernetes.io/volumesnapshotcontent-bound-protection';
const DEFAULT_CLASS = 'snapshot.storage.kubernetes.io/is-default-class';

export interface Observed {
  readonly snapshot: VolumeSnapshot;
  /** Content that the snapshot has or names. */
  readonly content?: VolumeSnapshotContent;
  readonly classes: readonly VolumeSnapshotClass[];
  /** Claim that the snapshot names. */
  readonly claim?: PersistentVolumeClaim;
  readonly volume?: PersistentVolume;
  /** Claim that needs the data of a deleted snapshot. */
  readonly restoring?: string;
}

export type Action =
  | { readonly do: 'nothing' }
  | { readonly do: 'setFinalizers'; readonly finalizers: readonly string[] }
  | { readonly do: 'createContent'; readonly content: VolumeSnapshotContent }
  | { readonly do: 'deleteContent'; readonly content: VolumeSnapshotContent }
  /** Delays the deletion. */
  | { readonly do: 'wait'; readonly message: string }
  | { readonly do: 'setStatus'; readonly status: NonNullable<VolumeSnapshot['status']> }
  | { readonly do: 'fail'; readonly message: string };

const nothing = { do: 'nothing' } as const;

/** Name of the content that is created for a snapshot. */
export const contentName = ({ metadata }: VolumeSnapshot): string => `snapcontent-${metadata.uid}`;

export function decideSnapshot(observed: Observed): Action {
  const { snapshot, content } = observed;
  const { metadata, spec, status } = snapshot;
  const finalizers = metadata.finalizers ?? [];
  if (metadata.deletionTimestamp) {
    if (!finalizers.some(isProtection)) return nothing;
    if (content && observed.restoring !== undefined) return { do: 'wait', message: pending(observed.restoring) };
    if (content && isFor(content, snapshot) && content.spec.deletionPolicy === 'Delete') {
      return content.metadata.deletionTimestamp ? nothing : { do: 'deleteContent', content };
    }
    return { do: 'setFinalizers', finalizers: finalizers.filter((finalizer) => !isProtection(finalizer)) };
  }
  if (content && isOurs(content)) return bound(snapshot, content, finalizers);
  if (spec.source.volumeSnapshotContentName !== undefined) {
    return content ? nothing : fail(`VolumeSnapshotContent "${spec.source.volumeSnapshotContentName}" does not exist`);
  }
  if (status?.boundVolumeSnapshotContentName) {
    return fail(`VolumeSnapshotContent "${status.boundVolumeSnapshotContentName}" is missing; the snapshot is lost`);
  }
  return begin(observed, finalizers);
}

function bound(snapshot: VolumeSnapshot, content: VolumeSnapshotContent, finalizers: readonly string[]): Action {
  const name = content.metadata.name ?? '';
  if (!isFor(content, snapshot)) return fail(`VolumeSnapshotContent "${name}" belongs to another VolumeSnapshot`);
  if (!hasProtections(finalizers)) return protect(finalizers);
  const { status: before } = snapshot;
  const { readyToUse = false, creationTime, restoreSize, error } = content.status ?? {};
  const status: VolumeSnapshot['status'] = {
    boundVolumeSnapshotContentName: name,
    readyToUse,
    ...(creationTime !== undefined && { creationTime: timeOf(creationTime) }),
    ...(restoreSize !== undefined && { restoreSize: String(restoreSize) }),
    ...(error && { error }),
  };
  const isSame = (Object.keys({ ...before, ...status }) as (keyof typeof status)[]).every((key) =>
    key === 'error' ? before?.error?.message === error?.message : before?.[key] === status[key],
  );
  return isSame ? nothing : { do: 'setStatus', status };
}

function begin({ snapshot, classes, claim, volume }: Observed, finalizers: readonly string[]): Action {
  const { metadata, spec } = snapshot;
  const asked = spec.volumeSnapshotClassName;
  const found = asked === undefined ? defaultClass(classes) : classes.find((each) => each.metadata.name === asked);
  if (!found) {
    const names = classes.map((each) => `"${each.metadata.name}"`).join(', ') || 'none';
    return fail(
      asked === undefined
        ? `no VolumeSnapshotClass is the default (this cluster has: ${names}); set spec.volumeSnapshotClassName`
        : `VolumeSnapshotClass "${asked}" does not exist (this cluster has: ${names})`,
    );
  }
  if (found.driver !== PROVISIONER) return nothing;
  const name = spec.source.persistentVolumeClaimName;
  if (!claim) return fail(`PersistentVolumeClaim "${name}" does not exist; create it, and the snapshot is taken`);
  if (claim.status?.phase !== 'Bound' || !volume) {
    return fail(`PersistentVolumeClaim "${name}" is not bound; run a Pod that uses it, and the snapshot is taken`);
  }
  if (volume.metadata.annotations?.[PROVISIONED_BY] !== PROVISIONER) {
    return fail(
      `PersistentVolumeClaim "${name}" has a volume of another driver than the class; use a class of that driver`,
    );
  }
  if (!hasProtections(finalizers)) return protect(finalizers);
  const { namespace, name: snapshotName, uid } = metadata;
  return {
    do: 'createContent',
    content: {
      apiVersion: `${SNAPSHOT_GROUP}/v1`,
      kind: 'VolumeSnapshotContent',
      metadata: { name: contentName(snapshot), finalizers: [CONTENT_BOUND] },
      spec: {
        deletionPolicy: found.deletionPolicy,
        driver: PROVISIONER,
        source: { volumeHandle: volume.metadata.name },
        sourceVolumeMode: volume.spec?.volumeMode ?? 'Filesystem',
        volumeSnapshotClassName: found.metadata.name,
        volumeSnapshotRef: {
          apiVersion: `${SNAPSHOT_GROUP}/v1`,
          kind: 'VolumeSnapshot',
          namespace,
          name: snapshotName,
          uid,
        } as VolumeSnapshotContent['spec']['volumeSnapshotRef'],
      },
    },
  };
}

const PROTECTIONS = [AS_SOURCE, BOUND];
const isProtection = (finalizer: string): boolean => PROTECTIONS.includes(finalizer);
const hasProtections = (finalizers: readonly string[]): boolean =>
  PROTECTIONS.every((each) => finalizers.includes(each));
const protect = (finalizers: readonly string[]): Action => ({
  do: 'setFinalizers',
  finalizers: [...new Set([...finalizers, ...PROTECTIONS])],
});

const pending = (claim: string): string =>
  `PersistentVolumeClaim "${claim}" has this snapshot as its source and is not bound; the deletion continues when that claim is bound or deleted`;

/** A claim that has no volume yet and names a snapshot as the source of its data. */
export function restoringFrom(
  { metadata: { namespace, name } }: VolumeSnapshot,
  claims: readonly PersistentVolumeClaim[],
): string | undefined {
  const source = { apiGroup: SNAPSHOT_GROUP, kind: 'VolumeSnapshot', namespace, name };
  return claims.find((claim) => isUnfilled(claim, source))?.metadata.name;
}

const fail = (message: string): Action => ({ do: 'fail', message });

const isOurs = ({ spec }: VolumeSnapshotContent): boolean => spec.driver === PROVISIONER;

/** Whether a content belongs to a snapshot; one that an administrator creates may leave out the UID. */
export const isFor = ({ spec }: VolumeSnapshotContent, { metadata }: VolumeSnapshot): boolean =>
  spec.volumeSnapshotRef.namespace === metadata.namespace &&
  spec.volumeSnapshotRef.name === metadata.name &&
  [undefined, '', metadata.uid].includes(spec.volumeSnapshotRef.uid);

/** Default class of this driver. */
const defaultClass = (classes: readonly VolumeSnapshotClass[]): VolumeSnapshotClass | undefined =>
  classes.find(({ driver, metadata }) => driver === PROVISIONER && metadata.annotations?.[DEFAULT_CLASS] === 'true');

const timeOf = (nanoseconds: number): string =>
  `${new Date(Math.floor(nanoseconds / 1e6)).toISOString().slice(0, 19)}Z`;

export type ContentAction =
  | { readonly do: 'nothing' }
  | { readonly do: 'protect' }
  /** Copies the volume. */
  | { readonly do: 'take'; readonly volume: string; readonly handle: string }
  /** Uses data that exist already. */
  | { readonly do: 'adopt'; readonly handle: string }
  /** Ends the content, and with `handle` its data. */
  | { readonly do: 'discard'; readonly handle?: string }
  /** With `retryMs`, the content is looked at again after that time. */
  | { readonly do: 'fail'; readonly message: string; readonly retryMs?: number };

export interface ObservedContent {
  readonly content: VolumeSnapshotContent;
  /** Snapshot that the content names, if it exists. */
  readonly owner?: VolumeSnapshot;
  /** Pod that uses the volume, if the volume cannot be copied while Pods use it. */
  readonly user?: string;
  /** Claim that needs the data of a deleted content. */
  readonly restoring?: string;
}

/** Names of folders with volumes and snapshots. Others never become a path. */
const VOLUME = /^pvc-[\w-]{1,64}$/;
const HANDLE = /^snapshot-[\w-]{1,64}$/;

/** Name of the data of a content. */
export const handleOf = ({ metadata }: VolumeSnapshotContent): string => `snapshot-${metadata.uid}`;

export function decideContent({ content, owner, user, restoring }: ObservedContent): ContentAction {
  const { metadata, spec, status } = content;
  if (!isOurs(content)) return nothing;
  const isProtected = metadata.finalizers?.includes(CONTENT_BOUND) ?? false;
  if (metadata.deletionTimestamp) {
    const isKept = !owner?.metadata.deletionTimestamp || restoring !== undefined;
    const isUsed = owner !== undefined && isFor(content, owner) && isKept;
    if (!isProtected || isUsed) return nothing;
    // also what was taken when this process ended before it could report it
    const handle = status?.snapshotHandle ?? spec.source.snapshotHandle ?? handleOf(content);
    return { do: 'discard', ...(spec.deletionPolicy === 'Delete' && HANDLE.test(handle) && { handle }) };
  }
  if (!isProtected) return { do: 'protect' };
  if (status?.readyToUse) return nothing;
  const { snapshotHandle, volumeHandle } = spec.source;
  if (snapshotHandle !== undefined) {
    if (HANDLE.test(snapshotHandle)) return { do: 'adopt', handle: snapshotHandle };
    return refuse(`source.snapshotHandle "${snapshotHandle}" is not the handle of a snapshot`);
  }
  if (volumeHandle === undefined) return nothing;
  if (!VOLUME.test(volumeHandle)) {
    return refuse(`source.volumeHandle "${volumeHandle}" is not a volume of this driver`);
  }
  if (user !== undefined) return { ...refuse(waiting(volumeHandle, user)), retryMs: USER_CHECK_MS };
  return { do: 'take', volume: volumeHandle, handle: handleOf(content) };
}

const waiting = (volume: string, pod: string): string =>
  `volume "${volume}" ${inUse(pod)}; the snapshot is taken automatically afterwards`;

/** Handles in messages come from users. */
const LONGEST = 600;

const refuse = (message: string): Extract<ContentAction, { do: 'fail' }> => ({
  do: 'fail',
  message: message.slice(0, LONGEST),
});

/** Data of a snapshot that a claim names. */
export interface Restorable {
  readonly handle: string;
  readonly bytes: number;
  readonly volumeMode: string;
}

/** Data of a snapshot, or the cause for which it cannot be restored. */
export function restorable(
  snapshot: VolumeSnapshot | undefined,
  content: VolumeSnapshotContent | undefined,
): Restorable | { readonly problem: string; readonly remedy: string } {
  if (!snapshot) return { problem: 'does not exist', remedy: 'create it; this claim will be bound automatically' };
  const { snapshotHandle, restoreSize } = content?.status ?? {};
  if (!snapshot.status?.readyToUse || !content || !isFor(content, snapshot) || snapshotHandle === undefined) {
    const cause = snapshot.status?.error?.message;
    return {
      problem: `is not ready${cause === undefined ? '' : `: ${cause}`}`,
      remedy: 'this claim is bound when it is ready',
    };
  }
  if (!isOurs(content)) {
    return { problem: `belongs to the driver ${content.spec.driver}`, remedy: 'use a storage class of that driver' };
  }
  return { handle: snapshotHandle, bytes: restoreSize ?? 0, volumeMode: content.spec.sourceVolumeMode ?? 'Filesystem' };
}
