import type { VirtualMachine, VirtualMachineInstance, VirtualMachineStateChangeRequest } from '../../../api';
import { findCondition } from '../../../api/conditions';
import { isFinal } from '../instance/observed';
import { templateHash } from './instance-of';

export type RunStrategy = NonNullable<VirtualMachine['spec']['runStrategy']>;

export const runStrategyOf = ({ spec }: VirtualMachine): RunStrategy =>
  spec.runStrategy ?? (spec.running ? 'Always' : 'Halted');

/** What the run strategy asks for now. */
export type Wish =
  | { want: 'start'; paused: boolean }
  | { want: 'stop'; why: string; startAgain?: boolean }
  /** The user asked to start a halted VM. */
  | { want: 'switchToAlways' }
  | { want: 'nothing' };

const nothing: Wish = { want: 'nothing' };

export function wishOf(vm: VirtualMachine, vmi: VirtualMachineInstance | undefined): Wish {
  return vmi ? wishForExisting(vm, vmi) : wishForMissing(vm);
}

function wishForMissing(vm: VirtualMachine): Wish {
  const request = openRequests(vm, undefined)?.[0];
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
  const request = openRequests(vm, vmi)?.[0];
  const isAsked = request?.action === 'Stop' && request.uid === vmi.metadata.uid;
  if (isAsked) return { want: 'stop', why: 'asked to stop' };
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
  if (isFinal(vmi) || !isStuck(vmi) || !wasChanged(vm, vmi)) return nothing;
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

/** The requests that are not done yet. Only the first of them counts: the next one is not looked at before it is done. */
export function openRequests(
  vm: VirtualMachine,
  vmi: VirtualMachineInstance | undefined,
): VirtualMachineStateChangeRequest[] | undefined {
  const requests = vm.status?.stateChangeRequests;
  const isRunning = vmi && !vmi.metadata.deletionTimestamp && !isFinal(vmi);
  const isDone = ({ action, uid }: VirtualMachineStateChangeRequest): boolean =>
    action === 'Stop' ? !vmi || !uid || uid !== vmi.metadata.uid : Boolean(isRunning);
  const first = requests?.findIndex((request) => !isDone(request)) ?? 0;
  return first === 0 ? requests : first === -1 ? [] : requests?.slice(first);
}
