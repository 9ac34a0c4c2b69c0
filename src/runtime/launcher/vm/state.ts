/** libvirt's states in the words that virt-handler knows. Pure. */
import type { DomainReason, DomainStatus } from '../../protocol';
import { DomainState, PausedReason, ShutoffReason } from '../libvirt/generated/enums';

const STATUS: Record<number, DomainStatus> = {
  [DomainState.NOSTATE]: 'NoState',
  [DomainState.RUNNING]: 'Running',
  [DomainState.BLOCKED]: 'Blocked',
  [DomainState.PAUSED]: 'Paused',
  [DomainState.SHUTDOWN]: 'ShuttingDown',
  [DomainState.SHUTOFF]: 'Shutoff',
  [DomainState.CRASHED]: 'Crashed',
  [DomainState.PMSUSPENDED]: 'PMSuspended',
};

const PAUSED: Record<number, DomainReason> = {
  [PausedReason.USER]: 'User',
  [PausedReason.MIGRATION]: 'Migration',
  [PausedReason.IOERROR]: 'IOError',
  [PausedReason.WATCHDOG]: 'Watchdog',
  [PausedReason.FROM_SNAPSHOT]: 'FromSnapshot',
  [PausedReason.CRASHED]: 'GuestPanicked',
  [PausedReason.STARTING_UP]: 'StartingUp',
  [PausedReason.POSTCOPY_FAILED]: 'PostcopyFailed',
};

const SHUTOFF: Record<number, DomainReason> = {
  [ShutoffReason.SHUTDOWN]: 'Shutdown',
  [ShutoffReason.DESTROYED]: 'Destroyed',
  [ShutoffReason.CRASHED]: 'Crashed',
  [ShutoffReason.MIGRATED]: 'Migrated',
  [ShutoffReason.SAVED]: 'Saved',
  [ShutoffReason.FAILED]: 'Failed',
  [ShutoffReason.FROM_SNAPSHOT]: 'FromSnapshot',
};

export interface Condition {
  status: DomainStatus;
  reason: DomainReason;
}

/** A state and its reason, as libvirt's domainGetState gives them. */
export function conditionOf(state: number, reason: number): Condition {
  const status = STATUS[state] ?? 'NoState';
  const reasons = status === 'Paused' ? PAUSED : status === 'Shutoff' ? SHUTOFF : {};
  return { status, reason: status === 'Crashed' ? 'Crashed' : (reasons[reason] ?? 'Unknown') };
}

/** How the Pod ends. */
export interface Ending {
  exitCode: number;
  message: string;
}

/** Exit code and termination message for a guest that is gone for good. `asked`: a kill was requested. */
export function endingOf({ reason }: Condition, asked: boolean): Ending {
  switch (reason) {
    case 'Shutdown':
      return { exitCode: 0, message: 'the guest powered off' };
    case 'Migrated':
      return { exitCode: 0, message: 'the guest was migrated away' };
    case 'Destroyed':
      return asked
        ? { exitCode: 0, message: 'the guest was stopped on request' }
        : { exitCode: 1, message: 'the guest was destroyed by somebody else' };
    case 'Crashed':
      return { exitCode: 1, message: 'QEMU ended unexpectedly, or the guest crashed' };
    default:
      if (asked) return { exitCode: 0, message: 'the guest was stopped on request' };
      return { exitCode: 1, message: `the guest ended for an unknown cause (${reason})` };
  }
}
