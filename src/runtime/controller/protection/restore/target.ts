/** Whether the target of a restore can be changed now. Pure. */
import { normal, recheck, type Action } from '../actions';
import type { Vm } from '../types';
import { isMarked } from './names';
import type { Observed } from './observed';
import { failed, waiting, write } from './status';
import { isCreatedBy } from './vm-of';

const GRACE_MS = 5 * 60_000;
/** VMs are not watched by this controller. */
const TARGET_RECHECK_MS = 1_000;
const SNAPSHOT_RECHECK_MS = 5_000;
const NOT_READY = 'Waiting for target to be ready';

/** Actions while the snapshot cannot be restored; undefined if it can. */
export function snapshotProblem(seen: Observed): Action[] | undefined {
  const { restore, snapshot, content, vm } = seen;
  const { virtualMachineSnapshotName: name, target, volumeRestorePolicy } = restore.spec;
  const wait = (reason: string, message: string): Action[] => [
    ...write(seen, {}, waiting(reason, message)),
    recheck(SNAPSHOT_RECHECK_MS),
  ];
  if (!snapshot) {
    return wait(`VMSnapshot ${name} does not exist`, `create VirtualMachineSnapshot "${name}", and it is restored`);
  }
  if (snapshot.status?.phase === 'Failed') {
    const message = `VMSnapshot ${name} failed and is invalid to use; take another snapshot and restore it`;
    return failed(seen, 'SnapshotFailed', message);
  }
  if (snapshot.status?.readyToUse !== true || content?.status?.readyToUse !== true) {
    return wait(`VMSnapshot ${name} not ready`, `the restore begins when VirtualMachineSnapshot "${name}" is ready`);
  }
  // its data is kept for a restore that has begun
  const hasBegun = restore.status?.restores !== undefined;
  if (!hasBegun && (snapshot.metadata.deletionTimestamp ?? content.metadata.deletionTimestamp)) {
    return wait(`VMSnapshot ${name} is being deleted`, 'delete this restore, and restore another snapshot');
  }
  const source = content.spec.source.virtualMachine?.metadata?.name;
  if (volumeRestorePolicy === 'InPlace' && source !== target.name) {
    const message =
      `volumeRestorePolicy InPlace replaces the disks of VirtualMachine "${source}", but the target is VirtualMachine ` +
      `"${target.name}"; delete this restore, and create it with RandomizeNames or PrefixTargetName, or with target "${source}"`;
    return failed(seen, 'InPlaceOtherTarget', message);
  }
  const isOther = vm && vm.metadata.uid !== snapshot.status.sourceUID;
  if (isOther && !isCreatedBy(vm, restore)) {
    const message =
      `restore source and restore target are different but restore target already exists: VirtualMachine "${vm.metadata.name}" ` +
      'is not the VM of the snapshot; choose the name of a VM that does not exist';
    return failed(seen, 'TargetExists', message);
  }
  return undefined;
}

/** Actions until the target is stopped and locked; undefined when it is. */
export function prepareTarget(seen: Observed): Action[] | undefined {
  const { restore, vm, vmi } = seen;
  if (!vm || isMarked(vm, restore) || isCreatedBy(vm, restore)) return undefined;
  const { name = '' } = restore.metadata;
  const { restoreInProgress, snapshotInProgress } = vm.status ?? {};
  if (snapshotInProgress || (restoreInProgress && restoreInProgress !== name)) {
    const other = snapshotInProgress ? `snapshot "${snapshotInProgress}"` : `restore "${restoreInProgress}"`;
    return [
      ...write(seen, {}, waiting(NOT_READY, `${other} of the VM is in progress; this restore begins after it`)),
      recheck(TARGET_RECHECK_MS),
    ];
  }
  if (vmi && restoreInProgress !== name) return notStopped(seen, vm);
  if (restoreInProgress === name) {
    // an instance that was created before the lock was seen
    return vmi ? [...write(seen, {}, waiting(NOT_READY, STOP)), recheck(TARGET_RECHECK_MS)] : undefined;
  }
  const { resourceVersion } = vm.metadata;
  const body = { metadata: { resourceVersion }, status: { restoreInProgress: name } };
  return [
    { do: 'patch', kind: 'VirtualMachine', name: vm.metadata.name ?? '', subresource: 'status', body },
    recheck(0),
  ];
}

const STOP = 'Waiting for target VM to be powered off. Please stop the restore target to proceed with restore';

function notStopped(seen: Observed, vm: Vm): Action[] {
  const { restore, vmi, now } = seen;
  const { conditions } = restore.status ?? {};
  // the reason alone is also that of a restore which waited for a snapshot of the VM
  const isNew = !conditions?.some(({ message }) => message === STOP);
  const event = isNew ? [normal(restore, 'RestoreTargetNotReady', 'Restore target VMI still exists')] : [];
  const wait = [...event, ...write(seen, {}, waiting(NOT_READY, STOP)), recheck(TARGET_RECHECK_MS)];
  switch (restore.spec.targetReadinessPolicy) {
    case 'WaitEventually':
      return wait;
    case 'StopTarget':
      return vmi?.metadata.deletionTimestamp || !isNew
        ? wait
        : [{ do: 'stopVm', name: vm.metadata.name ?? '' }, ...wait];
    case 'FailImmediate':
      return failed(
        seen,
        'Restore target not ready',
        'Restore target not ready; stop the VM, delete this restore, and create it again',
      );
    default: {
      const left = Date.parse(restore.metadata.creationTimestamp ?? '') + GRACE_MS - now;
      if (left > 0) return wait;
      const message =
        'Restore target failed to be ready within 5m0s; stop the VM, delete this restore, and create it again';
      return failed(seen, 'Restore target not ready', message);
    }
  }
}

/** Releases the target. */
export function unlock({ restore, vm }: Observed): Action[] {
  if (!vm || vm.status?.restoreInProgress !== restore.metadata.name) return [];
  const body = { status: { restoreInProgress: null } };
  return [{ do: 'patch', kind: 'VirtualMachine', name: vm.metadata.name ?? '', subresource: 'status', body }];
}
