/** Decides what a clone needs: a snapshot of its source, and a restore of it to a new VM. Pure. */
import { controllerRef } from '../../../../api/owner';
import { semanticDeepEqual } from '../../../../api/kinds/shape';
import type { KubeObject } from '../../../../api';
import { isoTime } from '../../instance/phase';
import { create, normal, recheck, warning, type Action } from '../actions';
import { isTrue, withConditions, type Verdict } from '../conditions';
import { SNAPSHOT_API, type Claim, type Clone, type Content, type Restore, type Snapshot, type Vm } from '../types';
import { clonePatches } from './patches';

export interface Observed {
  readonly clone: Clone;
  /** Source, if it is a VM. */
  readonly vm?: Vm;
  readonly snapshot?: Snapshot;
  readonly content?: Content;
  readonly restore?: Restore;
  /** New VM. */
  readonly target?: Vm;
  /** Claims of the restore that still exist. */
  readonly claims: readonly Claim[];
  readonly now: number;
}

type Status = NonNullable<Clone['status']>;
type Phase = NonNullable<Status['phase']>;

/** A source that does not exist yet is not watched. */
const SOURCE_RECHECK_MS = 5_000;

export const snapshotName = ({ metadata }: Clone): string => `tmp-snapshot-${metadata.uid}`;
export const restoreName = ({ metadata }: Clone): string => `tmp-restore-${metadata.uid}`;

/** Snapshot that is restored: that of the user, or one of the clone itself. */
export const usedSnapshot = (clone: Clone): string =>
  isFromSnapshot(clone) ? clone.spec.source.name : snapshotName(clone);

export const isFromSnapshot = ({ spec }: Clone): boolean => spec.source.kind === 'VirtualMachineSnapshot';

export function decide(seen: Observed): Action[] {
  const { clone, restore, target } = seen;
  const phase = clone.status?.phase;
  if (clone.metadata.deletionTimestamp || phase === 'Failed') return [];
  if (phase === 'Succeeded') return release(seen);
  if (!restore) return takeSnapshot(seen);
  const failure = restore.status?.conditions?.find(({ type, status }) => type === 'Failure' && status === 'True');
  if (failure) return fail(seen, 'RestoreFailed', failure.message ?? 'the restore failed');
  if (!restore.status?.complete) {
    const waitsFor = restore.status?.conditions?.find(({ type }) => type === 'Ready');
    const message = [waitsFor?.reason, waitsFor?.message].filter(Boolean).join(': ');
    return write(seen, 'RestoreInProgress', { restoreName: restoreName(clone), ...snapshotOf(clone) }, message);
  }
  if (!target) {
    const { name } = restore.spec.target;
    return fail(
      seen,
      'TargetVMDeleted',
      `VirtualMachine "${name}" was deleted before the clone was complete; clone again`,
    );
  }
  const { name } = target.metadata;
  return [
    ...write(seen, 'Succeeded', {
      restoreName: restoreName(clone),
      ...snapshotOf(clone),
      targetName: name,
      creationTime: isoTime(seen.now),
    }),
    normal(clone, 'TargetVMCreated', `created target VM ${name} for clone ${clone.metadata.name}`),
  ];
}

const snapshotOf = (clone: Clone): Partial<Status> =>
  isFromSnapshot(clone) ? {} : { snapshotName: snapshotName(clone) };

function takeSnapshot(seen: Observed): Action[] {
  const { clone, vm, snapshot, content } = seen;
  const { name } = clone.spec.source;
  if (!snapshot && isFromSnapshot(clone)) return waitForSource(seen, `VirtualMachineSnapshot "${name}"`);
  if (!snapshot) {
    // the snapshot of a clone that is being taken exists
    if (clone.status?.phase === 'RestoreInProgress') {
      return fail(seen, 'SnapshotDeleted', `snapshot ${usedSnapshot(clone)} does not exist anymore; clone again`);
    }
    if (!vm) return waitForSource(seen, `VirtualMachine "${name}"`);
    return [
      ...write(seen, 'SnapshotInProgress', snapshotOf(clone)),
      create(snapshotFor(clone)),
      normal(clone, 'SnapshotCreated', `created snapshot ${snapshotName(clone)} for clone ${clone.metadata.name}`),
    ];
  }
  if (snapshot.status?.phase === 'Failed') {
    const cause = snapshot.status.conditions?.find(({ type }) => type === 'Failure')?.message;
    return fail(
      seen,
      'SnapshotContentInvalid',
      `snapshot ${snapshot.metadata.name} failed${cause ? `: ${cause}` : ''}`,
    );
  }
  const source = content?.spec.source.virtualMachine;
  if (!snapshot.status?.readyToUse || !source) {
    const progress = snapshot.status?.conditions?.find(({ type }) => type === 'Progressing');
    const message = [progress?.reason, progress?.message].filter(Boolean).join(': ');
    return write(seen, 'SnapshotInProgress', snapshotOf(clone), message);
  }
  return [
    ...write(seen, 'RestoreInProgress', { ...snapshotOf(clone), restoreName: restoreName(clone) }),
    create(restoreFor(clone, clonePatches(clone, source))),
    normal(clone, 'RestoreCreated', `created restore ${restoreName(clone)} for clone ${clone.metadata.name}`),
  ];
}

function waitForSource(seen: Observed, what: string): Action[] {
  const message = `${what} does not exist; create it, and it is cloned`;
  return [...write(seen, 'SnapshotInProgress', {}, message), recheck(SOURCE_RECHECK_MS)];
}

/** Removes the snapshot once no claim of the copy needs it any more. Claims of some classes are bound by the first start of the VM. */
function release(seen: Observed): Action[] {
  const { clone, claims, snapshot, restore } = seen;
  if (clone.status?.restoreName == null && clone.status?.snapshotName == null) return [];
  if (claims.some(({ status }) => status?.phase !== 'Bound')) return [];
  return [
    ...(restore ? [remove('VirtualMachineRestore', restore)] : []),
    ...(snapshot && !isFromSnapshot(clone) ? [remove('VirtualMachineSnapshot', snapshot)] : []),
    ...write(seen, 'Succeeded', { restoreName: undefined, snapshotName: undefined }),
  ];
}

const remove = (kind: 'VirtualMachineRestore' | 'VirtualMachineSnapshot', { metadata }: KubeObject): Action => ({
  do: 'delete',
  kind,
  name: metadata.name ?? '',
  uid: metadata.uid,
});

const VM = { apiGroup: 'kubevirt.io', kind: 'VirtualMachine' } as const;

const snapshotFor = (clone: Clone): Snapshot => ({
  apiVersion: SNAPSHOT_API,
  kind: 'VirtualMachineSnapshot',
  metadata: {
    name: snapshotName(clone),
    namespace: clone.metadata.namespace,
    ownerReferences: [controllerRef(clone)],
  },
  spec: { source: { ...VM, name: clone.spec.source.name } },
});

const restoreFor = (clone: Clone, patches: readonly string[]): Restore => ({
  apiVersion: SNAPSHOT_API,
  kind: 'VirtualMachineRestore',
  metadata: {
    name: restoreName(clone),
    namespace: clone.metadata.namespace,
    ownerReferences: [controllerRef(clone)],
  },
  spec: {
    target: { ...VM, name: clone.spec.target?.name ?? '' },
    virtualMachineSnapshotName: usedSnapshot(clone),
    patches: [...patches],
    ...(clone.spec.volumeNamePolicy && { volumeRestorePolicy: clone.spec.volumeNamePolicy }),
  },
});

function verdicts(phase: Phase, message?: string): Verdict[] {
  const isDone = phase === 'Succeeded';
  const isFailed = phase === 'Failed';
  const reason = isDone ? 'Ready' : isFailed ? 'Failed' : 'Still processing';
  return [
    { type: 'Progressing', isTrue: !isDone && !isFailed, reason, message },
    { type: 'Ready', isTrue: isDone, reason, message },
  ];
}

function write({ clone, now }: Observed, phase: Phase, fields: Partial<Status>, message?: string): Action[] {
  const before: Status = clone.status ?? {};
  const conditions = withConditions(before.conditions, verdicts(phase, message || undefined), now);
  const status: Status = { ...before, ...fields, phase, conditions };
  if (semanticDeepEqual(before, status)) return [];
  const { name = '', resourceVersion } = clone.metadata;
  const gone = Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, value ?? null]));
  const body = { metadata: { resourceVersion }, status: { ...status, ...gone } };
  return [{ do: 'patch', kind: 'VirtualMachineClone', name, subresource: 'status', body }];
}

/** Ends the clone. */
export function fail(seen: Observed, reason: string, message: string): Action[] {
  return [...write(seen, 'Failed', {}, message), warning(seen.clone, reason, message)];
}

/** Whether the clone has nothing left to do. */
export const isFinished = ({ status }: Clone): boolean =>
  status?.phase === 'Failed' || (isTrue(status?.conditions, 'Ready') && status?.restoreName == null);
