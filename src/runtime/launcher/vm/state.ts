/** Converts libvirt's states to the names that virt-handler uses. Pure. */
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

/** A state and its reason, as returned by libvirt's domainGetState. */
export function conditionOf(state: number, reason: number): Condition {
  // nobody has to resume it: it continues when its memory is written
  if (state === DomainState.PAUSED && reason === PausedReason.DUMP) return { status: 'Running', reason: 'Unknown' };
  const status = STATUS[state] ?? 'NoState';
  const reasons = status === 'Paused' ? PAUSED : status === 'Shutoff' ? SHUTOFF : {};
  return { status, reason: status === 'Crashed' ? 'Crashed' : (reasons[reason] ?? 'Unknown') };
}

/** Exit of the Pod. */
export interface Ending {
  exitCode: number;
  message: string;
}

/** Exit code and termination message for a guest that has ended. `requested`: a kill was requested. */
export function endingOf({ reason }: Condition, requested: boolean): Ending {
  switch (reason) {
    case 'Shutdown':
      return { exitCode: 0, message: 'the guest powered off' };
    case 'Migrated':
      return { exitCode: 0, message: 'the guest was migrated away' };
    case 'Destroyed':
      return requested
        ? { exitCode: 0, message: 'the guest was stopped on request' }
        : { exitCode: 1, message: 'the guest was destroyed by another client of libvirt' };
    case 'Crashed':
      return { exitCode: 1, message: 'QEMU ended unexpectedly, or the guest crashed' };
    default:
      if (requested) return { exitCode: 0, message: 'the guest was stopped on request' };
      return { exitCode: 1, message: `the guest ended for an unknown cause (${reason})` };
  }
}
