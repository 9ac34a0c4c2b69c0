import type { VirtualMachine, VirtualMachineInstance, VirtualMachineStateChangeRequest } from '../../../api';
import { findCondition } from '../../../api/conditions';
import { isFinal, openRequests, runStrategyOf as chosenStrategyOf } from '../../../api/run-state';
import type { RunStrategy } from '../../../api/run-state';
import { STARTED_PAUSED, STARTED_UNDER, TEMPLATE_HASH, templateHash } from './instance-of';

/** A VM without a run strategy is Halted. */
export const runStrategyOf = (vm: VirtualMachine): RunStrategy => chosenStrategyOf(vm) ?? 'Halted';

/** The transition of the VMI that the run strategy requires now. */
export type Transition =
  | { kind: 'start'; paused: boolean }
  /** `requests`: written to the VM's status before the VMI is deleted. */
  | { kind: 'stop'; why: string; requests?: VirtualMachineStateChangeRequest[] }
  | { kind: 'none' };

const none: Transition = { kind: 'none' };
const START: VirtualMachineStateChangeRequest = { action: 'Start' };

export function desiredTransition(vm: VirtualMachine, vmi: VirtualMachineInstance | undefined): Transition {
  return vmi ? transitionWithVmi(vm, vmi) : transitionWithoutVmi(vm);
}

/** Whether the user requested a paused start of a halted VM, which the spec alone cannot express. */
export const mustBecomeAlways = (vm: VirtualMachine, vmi: VirtualMachineInstance | undefined): boolean =>
  !vmi && runStrategyOf(vm) === 'Halted' && openRequests(vm, undefined).at(0)?.action === 'Start';

/** `strategy`: the VM's own, or the value of an annotation, which users can write. */
function transitionWithoutVmi(vm: VirtualMachine, strategy: string = runStrategyOf(vm)): Transition {
  const request = openRequests(vm, undefined).at(0);
  const isRequested = request?.action === 'Start';
  const start: Transition = { kind: 'start', paused: isRequested && request.data?.paused === 'true' };
  switch (strategy) {
    case 'Always':
    case 'Once':
      return start;
    case 'RerunOnFailure':
      // after a successful end the VM stays off; the status records the strategy once the VM was started by it
      return isRequested || vm.status?.runStrategy !== 'RerunOnFailure' ? start : none;
    case 'Manual':
      return isRequested ? start : none;
    default:
      return none;
  }
}

function transitionWithVmi(vm: VirtualMachine, vmi: VirtualMachineInstance): Transition {
  if (vmi.metadata.deletionTimestamp) return none;
  const request = openRequests(vm, vmi).at(0);
  const isRequested = request?.action === 'Stop' && request.uid === vmi.metadata.uid;
  if (isRequested) return { kind: 'stop', why: 'a stop was requested' };
  if (isCalledOff(vm, vmi)) {
    const stop = { action: 'Stop' as const, uid: vmi.metadata.uid };
    const requests = [stop, ...openRequests(vm, undefined)];
    return { kind: 'stop', why: 'a stop was requested while it was being created', requests };
  }
  if (request?.action === 'Start' && isFinal(vmi))
    return { kind: 'stop', why: 'it has ended, and a start was requested' };
  const phase = vmi.status?.phase;
  switch (runStrategyOf(vm)) {
    case 'Halted':
      return { kind: 'stop', why: 'run strategy Halted' };
    case 'Always':
      if (isFinal(vmi)) return { kind: 'stop', why: `it has ended (${phase}); run strategy Always starts it again` };
      break;
    case 'RerunOnFailure':
      if (phase === 'Failed') {
        return { kind: 'stop', why: 'it failed; run strategy RerunOnFailure starts it again', requests: [START] };
      }
      if (phase === 'Succeeded') return { kind: 'stop', why: 'it succeeded' };
      break;
    default:
      break;
  }
  if (!isStuck(vmi) || !wasChanged(vm, vmi)) return none;
  return { kind: 'stop', why: 'the VM was changed before its guest could start', requests: [START] };
}

/** Whether the guest does not run yet because of a problem that the user may have corrected. */
function isStuck({ status }: VirtualMachineInstance): boolean {
  const early = !status?.phase || ['Pending', 'Scheduling', 'Scheduled'].includes(status.phase);
  const has = (type: string): boolean => findCondition(status?.conditions, type)?.status === 'False';
  return early && (has('Synchronized') || has('PodScheduled'));
}

function wasChanged(vm: VirtualMachine, vmi: VirtualMachineInstance): boolean {
  const { whole } = templateHash(vm);
  const before = vmi.metadata.annotations?.[TEMPLATE_HASH]?.split('.')[0];
  return before !== undefined && before !== whole;
}

/**
 * Whether the VM changed while the VMI was created, and no longer requires it. A stop names the VMI that it refers to; a
 * stop that was accepted before the VMI existed cannot name one. The VM's status reports `created` from the first write
 * after the VMI was created. A VMI that the status does not know is therefore kept only if the VM would start it now. A
 * change from Always to Manual is not a stop and keeps the VMI.
 */
function isCalledOff(vm: VirtualMachine, vmi: VirtualMachineInstance): boolean {
  const { [STARTED_PAUSED]: startedPaused, [STARTED_UNDER]: strategy } = vmi.metadata.annotations ?? {};
  if (vm.status?.created || startedPaused === undefined) return false;
  const transition = transitionWithoutVmi(vm);
  if (transition.kind === 'start') return String(transition.paused) !== startedPaused;
  // a stop sets Halted, or records that RerunOnFailure has started the VM, or removes the request of a Manual VM
  if (['Halted', 'RerunOnFailure'].includes(runStrategyOf(vm))) return true;
  return transitionWithoutVmi(vm, strategy).kind !== 'start';
}
