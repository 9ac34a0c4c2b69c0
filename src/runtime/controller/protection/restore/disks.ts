/** Decides how a restore creates its claims. Pure. */
import { keys } from '../../../../api/keys';
import { controllerRef } from '../../../../api/owner';
import type { OwnerReference } from '../../../../api';
import { create, recheck, type Action } from '../actions';
import { cloneSource } from '../content/objects';
import { copyOf, type Claim, type Content, type Restore, type Vm, type VolumeBackup } from '../types';
import { claimOf, ownedBy } from './claim-of';
import { claimName, cloneSourceName, isMarked } from './names';
import type { Observed } from './observed';
import { sourceProblem } from './sources';
import { blocked, failed, progressing, write } from './status';
import { templateOf } from './vm-of';

const CLAIM_RECHECK_MS = 1_000;
/** Pods and the objects of a snapshot are not watched by this controller. */
const OBSTACLE_RECHECK_MS = 5_000;

export type VolumeRestore = NonNullable<NonNullable<Restore['status']>['restores']>[number];

/** Actions until all claims exist; undefined when they do. */
export function restoreDisks(seen: Observed, content: Content): Action[] | undefined {
  const { restore, claims, immediate, vm } = seen;
  if (isMarked(vm, restore)) return undefined;
  const backups = restorable(content);
  const problem = obstacle(seen, backups);
  if (problem) return problem;
  if (restore.status?.restores === undefined) {
    const restores = backups.map((backup) => volumeRestore(seen, content, backup));
    return write(seen, { restores }, creating());
  }
  for (const backup of backups) {
    const claim = claims.get(claimName(restore, backup));
    if (!claim) return createClaim(seen, content, backup);
    if (!isMarked(claim, restore)) return replaceClaim(seen, claim);
    const isImmediate = immediate.has(claim.spec.storageClassName ?? '') || copyOf(backup) !== undefined;
    if (claim.status?.phase !== 'Bound' && isImmediate) return awaitBinding(seen, claim, backup);
  }
  return undefined;
}

const creating = (message?: string) => progressing('Creating new PVCs', 'Waiting for new PVCs', message);

/** Dumps of memory are not restored. */
const restorable = ({ spec }: Content): VolumeBackup[] => {
  const volumes = spec.source.virtualMachine?.spec?.template.spec?.volumes ?? [];
  const dumps = volumes.filter(({ memoryDump }) => memoryDump).map(({ name }) => name);
  return (spec.volumeBackups ?? []).filter(({ volumeName }) => !dumps.includes(volumeName));
};

function volumeRestore({ restore }: Observed, content: Content, backup: VolumeBackup): VolumeRestore {
  const persistentVolumeClaim = claimName(restore, backup);
  const isTemplated = templateOf(content, backup.volumeName) !== undefined;
  return {
    volumeName: backup.volumeName,
    persistentVolumeClaim,
    volumeSnapshotName: copyOf(backup) ?? backup.volumeSnapshotName ?? '',
    ...(isTemplated && { dataVolumeName: persistentVolumeClaim }),
  };
}

/** Reports what prevents the restore of any volume before the first claim is deleted. */
function obstacle(seen: Observed, backups: readonly VolumeBackup[]): Action[] | undefined {
  const { restore, claims, claimUsers } = seen;
  const end = hasReplaced(seen, backups) ? stuck : failed;
  const open = backups.filter((backup) => !isMarked(claims.get(claimName(restore, backup)), restore));
  const taken = open.find((backup) => claims.has(claimName(restore, backup)) && !isReplaced(restore, backup));
  if (taken) {
    const message =
      `PersistentVolumeClaim "${claimName(restore, taken)}", into which volume "${taken.volumeName}" is restored, exists already; ` +
      'delete it, or use another volumeRestorePolicy or volumeRestoreOverrides, delete this restore, and create it again';
    return end(seen, 'ClaimExists', message);
  }
  const problems = open.flatMap((backup) => sourceProblem(seen, backup) ?? []);
  const problem = problems.find(({ isLost }) => isLost) ?? problems[0];
  if (problem?.isLost) return end(seen, problem.reason, problem.message);
  if (problem) return blocked(seen, problem.reason, problem.message, OBSTACLE_RECHECK_MS);
  for (const backup of open) {
    const name = claimName(restore, backup);
    const users = claimUsers.get(name) ?? [];
    if (users.length === 0) continue;
    const message =
      `PersistentVolumeClaim "${name}" of volume "${backup.volumeName}" is in use by Pod ${users.join(', ')}; it is replaced when ` +
      'no Pod uses it: stop the VM, or delete the export, to which the Pod belongs';
    return blocked(seen, 'ClaimInUse', message, OBSTACLE_RECHECK_MS);
  }
  return undefined;
}

/** Whether the restore replaces the claim that the volume had. */
const isReplaced = (restore: Restore, backup: VolumeBackup): boolean =>
  restore.spec.volumeRestorePolicy === 'InPlace' &&
  claimName(restore, backup) === backup.persistentVolumeClaim.metadata?.name;

/** Whether a claim of the target may have been deleted. */
function hasReplaced({ restore, claims }: Observed, backups: readonly VolumeBackup[]): boolean {
  return backups
    .filter((backup) => isReplaced(restore, backup))
    .some((backup) => {
      const name = claimName(restore, backup);
      const claim = claims.get(name);
      const isRecorded = restore.status?.deletedDataVolumes?.includes(name);
      return !claim || claim.metadata.deletionTimestamp !== undefined || isMarked(claim, restore) || isRecorded;
    });
}

/** Keeps the target locked: it would start without the deleted disks, or with new ones from its templates. */
const stuck = (seen: Observed, reason: string, message: string): Action[] =>
  blocked(
    seen,
    reason,
    `${message}. Disks of the VM may have been deleted already, so it stays locked until this restore is complete or deleted`,
    OBSTACLE_RECHECK_MS,
  );

function createClaim(seen: Observed, content: Content, backup: VolumeBackup): Action[] {
  const { restore, vm, volumeSnapshots } = seen;
  const name = claimName(restore, backup);
  const copy = copyOf(backup);
  const isTemplated = templateOf(content, backup.volumeName) !== undefined;
  const restoreSize = volumeSnapshots.get(backup.volumeSnapshotName ?? '')?.status?.restoreSize;
  // the only disk of the VM must outlive this restore
  const isKept = isReplaced(restore, backup);
  const owners = isKept ? ownersOf(restore, vm, isTemplated) : [ownedBy(restore)];
  const sourceOwners = isKept ? (vm ? [vmRef(vm)] : []) : [ownedBy(restore)];
  const from = cloneSourceName(restore, backup);
  return [
    ...(copy === undefined ? [] : [create(cloneSource(from, restore.metadata.namespace, copy, sourceOwners))]),
    create(claimOf({ restore, content, backup, name, restoreSize, isTemplated, owners })),
    // after the claim: if it is refused, the condition has the cause
    ...write(seen, {}, creating()),
    recheck(0),
  ];
}

const vmRef = (vm: Vm): OwnerReference =>
  controllerRef({ ...vm, apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine' });

/** Owners of a restored claim at the end: the VM, or nobody. A DataVolume of the VM's templates adopts its claim. */
const ownersOf = (restore: Restore, vm: Vm | undefined, isTemplated: boolean): OwnerReference[] =>
  isTemplated || !vm || restore.spec.volumeOwnershipPolicy === 'None' ? [] : [vmRef(vm)];

function replaceClaim(seen: Observed, claim: Claim): Action[] {
  const { restore, dataVolumes } = seen;
  const { name = '', uid, deletionTimestamp, ownerReferences, finalizers = [] } = claim.metadata;
  const owner = ownerReferences?.find(({ controller, kind }) => controller && kind === 'DataVolume');
  const deleted = restore.status?.deletedDataVolumes ?? [];
  if (owner && !deleted.includes(owner.name)) {
    return [...write(seen, { deletedDataVolumes: [...deleted, owner.name] }, creating()), recheck(0)];
  }
  const dataVolume = owner && dataVolumes.get(owner.name);
  const kept = finalizers.length > 0 ? ` (finalizers: ${finalizers.join(', ')})` : '';
  const message = `waiting until the old PersistentVolumeClaim "${name}" is deleted${deletionTimestamp ? kept : ''}`;
  return [
    // a DataVolume would fill a new claim with the original image
    ...(dataVolume && !dataVolume.metadata.deletionTimestamp
      ? [{ do: 'delete', kind: 'DataVolume', name: owner.name, uid: dataVolume.metadata.uid } as const]
      : []),
    ...(deletionTimestamp ? [] : [{ do: 'delete', kind: 'PersistentVolumeClaim', name, uid } as const]),
    ...write(seen, {}, creating(message)),
    recheck(CLAIM_RECHECK_MS),
  ];
}

function awaitBinding(seen: Observed, claim: Claim, backup: VolumeBackup): Action[] {
  const name = claim.metadata.name ?? '';
  const cause = bindingProblem(seen, claim, backup);
  const message =
    `waiting until PersistentVolumeClaim "${name}" of volume "${backup.volumeName}" is bound: ` +
    (cause ?? `its events show its state (kubectl describe pvc ${name})`);
  return [...write(seen, {}, creating(message)), recheck(CLAIM_RECHECK_MS)];
}

/** Problem or progress that the claim, or its VolumeSnapshot, reports. */
function bindingProblem({ volumeSnapshots }: Observed, claim: Claim, backup: VolumeBackup): string | undefined {
  const { annotations = {} } = claim.metadata;
  const { phase, conditions = [] } = claim.status ?? {};
  if (phase === 'Lost') return 'its volume was lost; delete the claim, and it is restored again';
  return (
    annotations[keys.runningMessage] ||
    conditions.find(({ message }) => message)?.message ||
    volumeSnapshots.get(backup.volumeSnapshotName ?? '')?.status?.error?.message
  );
}

/** Gives the claims that the VM uses to the VM, or to nobody. */
export function handOver({ restore, claims }: Observed, vm: Vm): Action[] {
  return [...claims.values()]
    .filter((claim) => isMarked(claim, restore))
    .flatMap(({ metadata: { name = '', resourceVersion, ownerReferences = [] } }): Action[] => {
      const restored = restore.status?.restores?.find(({ persistentVolumeClaim }) => persistentVolumeClaim === name);
      const owners = ownersOf(restore, vm, restored?.dataVolumeName !== undefined);
      const isOfRestore = ownerReferences.some(({ uid }) => uid === restore.metadata.uid);
      if (!isOfRestore && (ownerReferences.length > 0 || owners.length === 0)) return [];
      const body = { metadata: { resourceVersion, ownerReferences: owners } };
      return [{ do: 'patch', kind: 'PersistentVolumeClaim', name, body }];
    });
}

/** Sources of copies that the restore does not own. */
export const deleteSources = ({ restore }: Observed, content: Content): Action[] =>
  (content.spec.volumeBackups ?? [])
    .filter((backup) => copyOf(backup) !== undefined && isReplaced(restore, backup))
    .map((backup) => ({ do: 'delete', kind: 'VolumeCloneSource', name: cloneSourceName(restore, backup) }));
