/** Decides what a restore needs. Pure. */
import { keys } from '../../../../api/keys';
import { isoTime } from '../../instance/phase';
import type { Problem } from '../../storage/clone/plan';
import { create, finalizerPatch, normal, recheck, type Action } from '../actions';
import { isTrue } from '../conditions';
import type { Content, Vm } from '../types';
import { stateVolumeOf } from '../volumes';
import { deleteSources, handOver, restoreDisks, type VolumeRestore } from './disks';
import { isMarked } from './names';
import type { Observed } from './observed';
import { blocked, completed, failed, progressing, write } from './status';
import { prepareTarget, snapshotProblem, unlock } from './target';
import { completing, isCreatedBy, newVm, restoredSpec, templateOf } from './vm-of';

const REFUSED_RECHECK_MS = 30_000;

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

/** Writes the VM, then releases what the restore holds. */
function finish(seen: Observed, content: Content, vm: Vm | undefined): Action[] {
  const { restore } = seen;
  const verdicts = progressing('Updating target spec', 'Waiting for target update');
  // after the VM: if it is refused, the condition has the cause
  const updating = write(seen, {}, verdicts);
  if (!vm) return [create(newVm(content, restore)), ...updating, recheck(0)];
  const { name = '', resourceVersion } = vm.metadata;
  if (!isMarked(vm, restore)) {
    if (isCreatedBy(vm, restore)) {
      return [{ do: 'patchVm', name, operations: completing(restore) }, ...updating, recheck(0)];
    }
    const annotations = { [keys.lastRestore]: `${restore.metadata.name}-${restore.metadata.uid}` };
    const body = { metadata: { resourceVersion, annotations }, spec: restoredSpec(content, restore, vm) };
    const deleted = restore.status?.deletedDataVolumes ?? [];
    const added = obsolete(seen, content, vm).filter((each) => !deleted.includes(each));
    // before the VM no longer names them
    if (added.length > 0) return [...write(seen, { deletedDataVolumes: [...deleted, ...added] }, verdicts), recheck(0)];
    return [{ do: 'patch', kind: 'VirtualMachine', name, body }, ...updating, recheck(0)];
  }
  return [
    ...deleteObsolete(seen, content),
    ...handOver(seen, vm),
    ...deleteSources(seen, content),
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

/** A new VM that was not completed. */
const abandonNew = ({ restore, vm }: Observed): Action[] =>
  vm && isCreatedBy(vm, restore) && !isMarked(vm, restore) && !vm.metadata.deletionTimestamp
    ? [{ do: 'delete', kind: 'VirtualMachine', name: vm.metadata.name ?? '', uid: vm.metadata.uid }]
    : [];

function terminate(seen: Observed): Action[] {
  const { restore, vm } = seen;
  if (!restore.metadata.finalizers?.includes(keys.restoreFinalizer)) return [];
  return [
    ...(restore.status?.complete ? [] : abandonNew(seen)),
    // a VM that was written already uses them
    ...(vm && isMarked(vm, restore) && !restore.status?.complete ? handOver(seen, vm) : []),
    ...unlock(seen),
    ...finalizerPatch(restore, keys.restoreFinalizer, false),
  ];
}

/** Actions after the API server refused what the restore needs. A quota or a policy may allow it later, but no patch of the user. */
export function decideRefused(
  seen: Observed,
  { reason, message, retryMs = REFUSED_RECHECK_MS }: Problem,
  isPatch: boolean,
): Action[] {
  const cause = `the API server refused the restore: ${message}`;
  return isPatch
    ? failed(seen, reason, `${cause}; correct spec.patches: delete this restore, and create it again`)
    : blocked(seen, reason, `${cause}; it is tried again. Remove the cause, or delete this restore`, retryMs);
}
