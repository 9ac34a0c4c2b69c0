/** Decides what a restore needs. Pure. */
import { keys } from '../../../../api/keys';
import { controllerRef } from '../../../../api/owner';
import { isoTime } from '../../instance/phase';
import { create, finalizerPatch, normal, recheck, type Action } from '../actions';
import { isTrue } from '../conditions';
import { cloneSource } from '../content/objects';
import { copyOf, type Claim, type Content, type Restore, type Vm, type VolumeBackup } from '../types';
import { stateVolumeOf } from '../volumes';
import { claimOf, ownedBy } from './claim-of';
import { claimName, isMarked } from './names';
import type { Observed } from './observed';
import { completed, failed, progressing, write } from './status';
import { prepareTarget, snapshotProblem, unlock } from './target';
import { completing, isCreatedBy, newVm, restoredSpec, templateOf } from './vm-of';

const CLAIM_RECHECK_MS = 1_000;

type VolumeRestore = NonNullable<NonNullable<Restore['status']>['restores']>[number];

export function decide(seen: Observed): Action[] {
  const { restore, vm, content } = seen;
  if (restore.metadata.deletionTimestamp) return terminate(seen);
  if (restore.status?.complete) return [];
  if (isTrue(restore.status?.conditions, 'Failure')) return [...unlock(seen), ...abandonNew(seen)];
  if (!restore.status) {
    const initializing = 'Initializing VirtualMachineRestore';
    return write(seen, { complete: false }, progressing(initializing, initializing));
  }
  const protect = finalizerPatch(restore, keys.restoreFinalizer, true);
  if (protect.length > 0) return protect;
  const problem = snapshotProblem(seen) ?? prepareTarget(seen);
  if (problem) return problem;
  // a snapshot with a problem is reported above
  return content ? (restoreDisks(seen, content) ?? finish(seen, content, vm)) : [];
}

/** Actions until all claims exist; undefined when they do. */
function restoreDisks(seen: Observed, content: Content): Action[] | undefined {
  const { restore, claims, immediate, vm } = seen;
  const backups = restorable(content);
  const restores = backups.map((backup) => volumeRestore(seen, content, backup));
  if (restore.status?.restores === undefined) {
    const waitFor = progressing('Creating new PVCs', 'Waiting for new PVCs');
    return write(seen, { restores }, waitFor);
  }
  if (isMarked(vm, restore)) return undefined;
  for (const backup of backups) {
    const name = claimName(restore, backup);
    const claim = claims.get(name);
    if (!claim) return createClaim(seen, content, backup, name);
    if (!isMarked(claim, restore)) return replaceClaim(seen, claim, backup);
    const isImmediate = immediate.has(claim.spec.storageClassName ?? '') || copyOf(backup) !== undefined;
    if (claim.status?.phase !== 'Bound' && isImmediate) return [recheck(CLAIM_RECHECK_MS)];
  }
  return undefined;
}

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

function createClaim(seen: Observed, content: Content, backup: VolumeBackup, name: string): Action[] {
  const { restore, volumeSnapshots } = seen;
  const copy = copyOf(backup);
  const taken = volumeSnapshots.get(backup.volumeSnapshotName ?? '');
  if (copy === undefined && !taken) {
    const message = `VolumeSnapshot "${backup.volumeSnapshotName}" does not exist; the snapshot is lost, restore another one`;
    return failed(seen, 'VolumeSnapshotMissing', message);
  }
  const isTemplated = templateOf(content, backup.volumeName) !== undefined;
  const restoreSize = taken?.status?.restoreSize;
  const claim = claimOf({ restore, content, backup, name, restoreSize, isTemplated });
  const source =
    copy === undefined ? [] : [create(cloneSource(name, restore.metadata.namespace, copy, [ownedBy(restore)]))];
  return [
    ...write(seen, {}, progressing('Creating new PVCs', 'Waiting for new PVCs')),
    ...source,
    create(claim),
    recheck(0),
  ];
}

/** A claim of this name is replaced only if the user asked for it. */
function replaceClaim(seen: Observed, claim: Claim, backup: VolumeBackup): Action[] {
  const { restore, dataVolumes } = seen;
  const { name = '', uid, deletionTimestamp } = claim.metadata;
  const isOld = name === backup.persistentVolumeClaim.metadata?.name;
  if (restore.spec.volumeRestorePolicy !== 'InPlace' || !isOld) {
    const message =
      `PersistentVolumeClaim "${name}", into which volume "${backup.volumeName}" is restored, exists already; delete it, or use ` +
      'another volumeRestorePolicy or volumeRestoreOverrides, delete this restore, and create it again';
    return failed(seen, 'ClaimExists', message);
  }
  const owner = claim.metadata.ownerReferences?.find(({ controller, kind }) => controller && kind === 'DataVolume');
  const dataVolume = owner && dataVolumes.get(owner.name);
  const deleted = restore.status?.deletedDataVolumes ?? [];
  const note = owner && !deleted.includes(owner.name) ? { deletedDataVolumes: [...deleted, owner.name] } : {};
  return [
    ...write(seen, note, progressing('Creating new PVCs', 'Waiting for new PVCs')),
    // a DataVolume would fill a new claim with the original image
    ...(dataVolume
      ? [{ do: 'delete', kind: 'DataVolume', name: owner.name, uid: dataVolume.metadata.uid } as const]
      : []),
    ...(deletionTimestamp ? [] : [{ do: 'delete', kind: 'PersistentVolumeClaim', name, uid } as const]),
    recheck(CLAIM_RECHECK_MS),
  ];
}

/** Writes the VM, then releases what the restore holds. */
function finish(seen: Observed, content: Content, vm: Vm | undefined): Action[] {
  const { restore } = seen;
  const updating = write(seen, {}, progressing('Updating target spec', 'Waiting for target update'));
  if (!vm) return [...updating, create(newVm(content, restore)), recheck(0)];
  const { name = '', resourceVersion } = vm.metadata;
  if (!isMarked(vm, restore)) {
    if (isCreatedBy(vm, restore)) {
      return [...updating, { do: 'patchVm', name, operations: completing(restore) }, recheck(0)];
    }
    const annotations = { [keys.lastRestore]: `${restore.metadata.name}-${restore.metadata.uid}` };
    const body = { metadata: { resourceVersion, annotations }, spec: restoredSpec(content, restore, vm) };
    const deletedDataVolumes = [...(restore.status?.deletedDataVolumes ?? []), ...obsolete(seen, content, vm)];
    return [
      // before the VM no longer names them
      ...write(
        seen,
        deletedDataVolumes.length > 0 ? { deletedDataVolumes } : {},
        progressing('Updating target spec', 'Waiting for target update'),
      ),
      { do: 'patch', kind: 'VirtualMachine', name, body },
      recheck(0),
    ];
  }
  return [
    ...deleteObsolete(seen, content),
    ...handOver(seen, content, vm),
    ...unlock(seen),
    ...write(seen, { complete: true, restoreTime: isoTime(seen.now) }, completed),
    normal(
      restore,
      'VirtualMachineRestoreComplete',
      `Successfully completed VirtualMachineRestore ${restore.metadata.name}`,
    ),
  ];
}

/** DataVolumes of the VM's templates that the snapshot does not have under this name. */
function obsolete({ restore }: Observed, content: Content, vm: Vm): string[] {
  const restores = restore.status?.restores ?? [];
  const templates = content.spec.source.virtualMachine?.spec?.dataVolumeTemplates ?? [];
  const kept = [
    ...restores.map(({ persistentVolumeClaim }) => persistentVolumeClaim),
    // excluded volumes keep their disks
    ...templates
      .flatMap((template) => template?.metadata?.name ?? [])
      .filter((name) => !isRestored(content, name, restores)),
  ];
  const names = (vm.spec.dataVolumeTemplates ?? []).flatMap((template) => template?.metadata?.name ?? []);
  return names.filter((name) => !kept.includes(name));
}

const isRestored = (content: Content, template: string, restores: readonly VolumeRestore[]): boolean =>
  restores.some(({ volumeName }) => templateOf(content, volumeName) === template);

/** Disks that the restored VM no longer uses: those of DataVolumes, and the old persistent state. */
function deleteObsolete({ restore, dataVolumes, stateClaims }: Observed, content: Content): Action[] {
  const names = restore.status?.deletedDataVolumes ?? [];
  const restores = restore.status?.restores ?? [];
  const source = content.spec.source.virtualMachine?.metadata?.name ?? '';
  const hasState = restores.some(({ volumeName }) => volumeName === stateVolumeOf(source));
  const isInUse = (name: string): boolean =>
    restores.some(({ persistentVolumeClaim }) => persistentVolumeClaim === name);
  return [
    ...names.flatMap((name): Action[] => {
      const dataVolume = dataVolumes.get(name);
      if (!dataVolume || isInUse(name)) return [];
      return [{ do: 'delete', kind: 'DataVolume', name, uid: dataVolume.metadata.uid }];
    }),
    ...(hasState ? stateClaims.filter((claim) => !isMarked(claim, restore)) : []).map((claim): Action => ({
      do: 'delete',
      kind: 'PersistentVolumeClaim',
      name: claim.metadata.name ?? '',
      uid: claim.metadata.uid,
    })),
  ];
}

/** The claims belong to the VM from now on, or to nobody. A DataVolume of the VM's templates adopts its claim. */
function handOver({ restore, claims }: Observed, content: Content, vm: Vm): Action[] {
  const owner =
    restore.spec.volumeOwnershipPolicy === 'None'
      ? []
      : [controllerRef({ ...vm, apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine' })];
  return [...claims.values()]
    .filter((claim) => isMarked(claim, restore))
    .filter(({ metadata }) => metadata.ownerReferences?.some(({ uid }) => uid === restore.metadata.uid))
    .map(({ metadata: { name = '', resourceVersion } }) => {
      const restored = restore.status?.restores?.find(({ persistentVolumeClaim }) => persistentVolumeClaim === name);
      const isTemplated = restored !== undefined && templateOf(content, restored.volumeName) !== undefined;
      const ownerReferences = isTemplated ? [] : owner;
      const body = { metadata: { resourceVersion, ownerReferences } };
      return { do: 'patch', kind: 'PersistentVolumeClaim', name, body } as const;
    });
}

/** A new VM that was not completed. */
const abandonNew = ({ restore, vm }: Observed): Action[] =>
  vm && isCreatedBy(vm, restore) && !isMarked(vm, restore) && !vm.metadata.deletionTimestamp
    ? [{ do: 'delete', kind: 'VirtualMachine', name: vm.metadata.name ?? '', uid: vm.metadata.uid }]
    : [];

function terminate(seen: Observed): Action[] {
  const { restore } = seen;
  if (!restore.metadata.finalizers?.includes(keys.restoreFinalizer)) return [];
  return [
    ...(restore.status?.complete ? [] : abandonNew(seen)),
    ...unlock(seen),
    ...finalizerPatch(restore, keys.restoreFinalizer, false),
  ];
}

/** Actions after the API server refused what the restore needs. */
export const decideRefused = (seen: Observed, message: string): Action[] =>
  failed(
    seen,
    'Refused',
    `the API server refused the restore: ${message}; correct the restore or its snapshot, delete this restore, and create it again`,
  );
