/** State of the VM that is snapshotted. Pure. */
import { isConditionTrue } from '../../../../api/conditions';
import { isFinal, openRequests, runStrategyOf } from '../../../../api/run-state';
import { keys } from '../../../../api/keys';
import type { Vm, Vmi } from '../types';
import { isFilling } from '../volumes';
import type { Observed, VolumeState } from './observed';

export const isOnline = (vmi: Vmi | undefined): vmi is Vmi => vmi !== undefined && !isFinal(vmi);
export const isPaused = (vmi: Vmi): boolean => isConditionTrue(vmi.status?.conditions, 'Paused');
export const hasAgent = (vmi: Vmi): boolean => isConditionTrue(vmi.status?.conditions, 'AgentConnected');

export const isLockedBy = ({ metadata, status }: Vm, snapshotName: string | undefined): boolean =>
  status?.snapshotInProgress === snapshotName && (metadata.finalizers?.includes(keys.snapshotSourceFinalizer) ?? false);

/** Cause for which the VM cannot be locked now; undefined if it can. */
export function lockProblem({ snapshot, vmi, volumes }: Observed, vm: Vm): string | undefined {
  const { snapshotInProgress: other, restoreInProgress } = vm.status ?? {};
  if (other && other !== snapshot.metadata.name)
    return `snapshot "${other}" of the VM is in progress; this one begins after it`;
  if (restoreInProgress) return `restore "${restoreInProgress}" of the VM is in progress; the snapshot begins after it`;
  if (vm.metadata.deletionTimestamp) return 'the VM is being deleted; delete the snapshot as well';
  if (isOnline(vmi)) {
    if (vmi.metadata.deletionTimestamp) return 'the guest is stopping; the snapshot begins when it has stopped';
    if (vmi.status?.phase !== 'Running') {
      return `the guest is starting (phase ${vmi.status?.phase ?? 'unset'}); the snapshot begins when it runs, or stop the VM`;
    }
  } else if (willStart(vm, vmi)) {
    return 'the guest is starting; the snapshot begins when it runs, or stop the VM';
  }
  for (const [volume, state] of volumes) {
    const problem = volumeProblem(state);
    if (problem) return `volume "${volume}": ${problem}`;
  }
  return undefined;
}

const willStart = (vm: Vm, vmi: Vmi | undefined): boolean =>
  ['Always', 'Once'].includes(runStrategyOf(vm) ?? '') ||
  openRequests(vm, vmi).some(({ action }) => action === 'Start');

function volumeProblem({ name, claim, importPhase, support }: VolumeState): string | undefined {
  if (!claim) return `PersistentVolumeClaim "${name}" does not exist; create it, or remove the volume from the VM`;
  if (claim.metadata.deletionTimestamp) return `PersistentVolumeClaim "${name}" is being deleted`;
  if (claim.status?.phase !== 'Bound') {
    return `PersistentVolumeClaim "${name}" is not bound; start the VM once, which binds it`;
  }
  if (isFilling(claim, importPhase)) return `DataVolume "${name}" is not filled yet (phase ${importPhase || 'unset'})`;
  return support.ambiguous;
}
