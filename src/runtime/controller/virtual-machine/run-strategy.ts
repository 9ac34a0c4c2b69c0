import type { VirtualMachine, VirtualMachineInstance, VirtualMachineStateChangeRequest } from '../../../api';
import { findCondition } from '../../../api/conditions';
import { isFinal, openRequests, runStrategyOf as chosenStrategyOf } from '../../../api/run-state';
import type { RunStrategy } from '../../../api/run-state';
import { STARTED_PAUSED, STARTED_UNDER, TEMPLATE_HASH, templateHash } from './instance-of';

/** A VM that chooses none is off. */
export const runStrategyOf = (vm: VirtualMachine): RunStrategy => chosenStrategyOf(vm) ?? 'Halted';

/** What the run strategy asks for now. */
export type Wish =
  | { want: 'start'; paused: boolean }
  /** `requests`: what has to be written to the VM's status before the VMI is deleted. */
  | { want: 'stop'; why: string; requests?: VirtualMachineStateChangeRequest[] }
  | { want: 'nothing' };

const nothing: Wish = { want: 'nothing' };
const START: VirtualMachineStateChangeRequest = { action: 'Start' };

export function desiredTransition(vm: VirtualMachine, vmi: VirtualMachineInstance | undefined): Wish {
  return vmi ? wishForExisting(vm, vmi) : wishForMissing(vm);
}

/** The user asked to start a halted VM paused, which the spec alone cannot say. */
export const isToBecomeAlways = (vm: VirtualMachine, vmi: VirtualMachineInstance | undefined): boolean =>
  !vmi && runStrategyOf(vm) === 'Halted' && openRequests(vm, undefined).at(0)?.action === 'Start';

/** `strategy`: the VM's own, or what an annotation says, which users can write. */
function wishForMissing(vm: VirtualMachine, strategy: string = runStrategyOf(vm)): Wish {
  const request = openRequests(vm, undefined).at(0);
  const isAsked = request?.action === 'Start';
  const start: Wish = { want: 'start', paused: isAsked && request.data?.paused === 'true' };
  switch (strategy) {
    case 'Always':
    case 'Once':
      return start;
    case 'RerunOnFailure':
      // a guest that ended well stays off; the strategy is noted in the status once it has been acted upon
      return isAsked || vm.status?.runStrategy !== 'RerunOnFailure' ? start : nothing;
    case 'Manual':
      return isAsked ? start : nothing;
    default:
      return nothing;
  }
}

function wishForExisting(vm: VirtualMachine, vmi: VirtualMachineInstance): Wish {
  if (vmi.metadata.deletionTimestamp) return nothing;
  const request = openRequests(vm, vmi).at(0);
  const isAsked = request?.action === 'Stop' && request.uid === vmi.metadata.uid;
  if (isAsked) return { want: 'stop', why: 'asked to stop' };
  if (isCalledOff(vm, vmi)) {
    const stop = { action: 'Stop' as const, uid: vmi.metadata.uid };
    const requests = [stop, ...openRequests(vm, undefined)];
    return { want: 'stop', why: 'a stop came while it was being made', requests };
  }
  if (request?.action === 'Start' && isFinal(vmi)) return { want: 'stop', why: 'it ended, and a start is asked for' };
  const phase = vmi.status?.phase;
  switch (runStrategyOf(vm)) {
    case 'Halted':
      return { want: 'stop', why: 'run strategy Halted' };
    case 'Always':
      if (isFinal(vmi)) return { want: 'stop', why: `it ended (${phase}); run strategy Always starts it again` };
      break;
    case 'RerunOnFailure':
      if (phase === 'Failed') {
        return { want: 'stop', why: 'it failed; run strategy RerunOnFailure starts it again', requests: [START] };
      }
      if (phase === 'Succeeded') return { want: 'stop', why: 'it ended well' };
      break;
    default:
      break;
  }
  if (!isStuck(vmi) || !wasChanged(vm, vmi)) return nothing;
  return { want: 'stop', why: 'the VM was changed before its guest could start', requests: [START] };
}

/** No guest runs yet, and something that the user may have corrected keeps it from starting. */
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
 * A VMI that was made while the VM changed, and that the VM does not ask for any more. A stop names the VMI that it
 * means, and one that was accepted before there was a VMI has none to name. The VM's status says `created` from the
 * first write after a VMI was made, and not when one is made: a VMI that the status does not know has to be the one
 * that the VM would start now. A change from Always to Manual is not a stop, and keeps the VMI.
 */
function isCalledOff(vm: VirtualMachine, vmi: VirtualMachineInstance): boolean {
  const { [STARTED_PAUSED]: startedPaused, [STARTED_UNDER]: strategy } = vmi.metadata.annotations ?? {};
  if (vm.status?.created || startedPaused === undefined) return false;
  const wish = wishForMissing(vm);
  if (wish.want === 'start') return String(wish.paused) !== startedPaused;
  // a stop sets Halted, or tells the status that RerunOnFailure had its start; or the request is gone that Manual had
  if (['Halted', 'RerunOnFailure'].includes(runStrategyOf(vm))) return true;
  return wishForMissing(vm, strategy).want !== 'start';
}
