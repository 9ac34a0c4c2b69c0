import { isDeepStrictEqual } from 'node:util';
import type { VirtualMachine, VirtualMachineInstance } from '../../../api';
import { findCondition } from '../../../api/conditions';
import { isFinal, openRequests, runStrategyOf as chosenStrategyOf } from '../../../api/run-state';
import type { RunStrategy } from '../../../api/run-state';
import { templateHash } from './instance-of';

/** A VM that chooses none is off. */
export const runStrategyOf = (vm: VirtualMachine): RunStrategy => chosenStrategyOf(vm) ?? 'Halted';

/** What the run strategy asks for now. */
export type Wish =
  | { want: 'start'; paused: boolean }
  | { want: 'stop'; why: string; startAgain?: boolean }
  /** The user asked to start a halted VM paused, which the spec alone cannot say. */
  | { want: 'switchToAlways' }
  | { want: 'nothing' };

const nothing: Wish = { want: 'nothing' };

export function wishOf(vm: VirtualMachine, vmi: VirtualMachineInstance | undefined): Wish {
  return vmi ? wishForExisting(vm, vmi) : wishForMissing(vm);
}

function wishForMissing(vm: VirtualMachine): Wish {
  const request = openRequests(vm, undefined).at(0);
  const isAsked = request?.action === 'Start';
  const start: Wish = { want: 'start', paused: isAsked && request.data?.paused === 'true' };
  switch (runStrategyOf(vm)) {
    case 'Always':
    case 'Once':
      return start;
    case 'RerunOnFailure':
      // a guest that ended well stays off; the strategy is noted in the status once it has been acted upon
      return isAsked || vm.status?.runStrategy !== 'RerunOnFailure' ? start : nothing;
    case 'Manual':
      return isAsked ? start : nothing;
    case 'Halted':
      return isAsked ? { want: 'switchToAlways' } : nothing;
    case 'WaitAsReceiver':
      return nothing;
  }
}

function wishForExisting(vm: VirtualMachine, vmi: VirtualMachineInstance): Wish {
  if (vmi.metadata.deletionTimestamp) return nothing;
  const request = openRequests(vm, vmi).at(0);
  const isAsked = request?.action === 'Stop' && request.uid === vmi.metadata.uid;
  if (isAsked) return { want: 'stop', why: 'asked to stop' };
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
        return { want: 'stop', why: 'it failed; run strategy RerunOnFailure starts it again', startAgain: true };
      }
      if (phase === 'Succeeded') return { want: 'stop', why: 'it ended well' };
      break;
    default:
      break;
  }
  if (!isStuck(vmi) || !wasChanged(vm, vmi)) return nothing;
  return { want: 'stop', why: 'the VM was changed before its guest could start', startAgain: true };
}

/** No guest runs yet, and something that the user may have corrected keeps it from starting. */
function isStuck({ status }: VirtualMachineInstance): boolean {
  const early = !status?.phase || ['Pending', 'Scheduling', 'Scheduled'].includes(status.phase);
  const has = (type: string): boolean => findCondition(status?.conditions, type)?.status === 'False';
  return early && (has('Synchronized') || has('PodScheduled'));
}

function wasChanged(vm: VirtualMachine, vmi: VirtualMachineInstance): boolean {
  const { whole } = templateHash(vm);
  const before = vmi.metadata.annotations?.['virt8s.io/template-hash']?.split('.')[0];
  return before !== undefined && before !== whole;
}

/** Requests, not the spec, say when the VM starts and stops. */
export const isStartedByRequest = (vm: VirtualMachine): boolean =>
  ['Manual', 'RerunOnFailure'].includes(runStrategyOf(vm));

/**
 * A VMI was made for `before`, and by now the VM asks for something else. A stop means the VMI that it names: one that was
 * accepted while a new VMI was being made would miss that. virt-api looks for a new VMI after it wrote the stop, and
 * virt-controller looks for the stop after it made the VMI: one of the two sees the other. A look that fails is
 * repeated; a virt-controller that ends between the two steps forgets it, and such a stop is lost.
 */
export const isCalledOff = (before: VirtualMachine, now: VirtualMachine): boolean =>
  isStartedByRequest(before) &&
  now.metadata.uid === before.metadata.uid &&
  !isDeepStrictEqual(wishOf(now, undefined), wishOf(before, undefined));
