import type { VirtualMachineInstanceStatus } from '../../../api';
import { isMountable, plannedDisks } from '../container-disk/plan';
import { dumpToBegin } from '../hotplug/memory-dump';
import { releasedVolumes } from '../hotplug/plan';
import { computeState, isAlive, isFinal, isOver, isUp } from './observed';
import type { Observed, PodFacts } from './observed';
import { writeDelay } from './pace';
import { ConditionType, EventReason } from '../../../api/reasons';
import { MISSING_MS, patchFor, phaseOf, SLOW_START_MS, statusOf } from './status';

export type Action =
  /** Opens the notify socket. */
  | { do: 'listen' }
  /** Runs phase 1 in the Pod's network namespace. */
  | { do: 'setUpNetwork' }
  | { do: 'mountDisks' }
  /** Checks whether the launcher listens, and watches for it if not. */
  | { do: 'findLauncher' }
  /** Requests the domain's state from the launcher. */
  | { do: 'readDomain' }
  /** Starts the guest, or applies the spec to it. */
  | { do: 'sync'; specHash: string }
  /** Takes hotplugged volumes from the launcher that its guest no longer has. */
  | { do: 'unplug' }
  /** Asks the launcher to write the guest's memory to a volume. */
  | { do: 'dumpMemory'; volume: string; fileName: string }
  /** Presses the ACPI power button. */
  | { do: 'shutdown' }
  | { do: 'kill' }
  /** Lets the launcher exit, because its guest is off. */
  | { do: 'end' }
  | { do: 'patch'; body: object }
  | { do: 'event'; type: 'Normal' | 'Warning'; reason: string; message: string }
  | { do: 'noteMissing'; since: number | undefined }
  /** Closes sockets and unmounts, because this Pod needs nothing more. */
  | { do: 'release' }
  | { do: 'recheck'; afterMs: number };

const RELEASE: Action = { do: 'release' };

/** Grace period of a guest that sets none. */
const DEFAULT_GRACE_SECONDS = 30;
/** A launcher that does not listen this long after its container started has a problem. */
export const LAUNCHER_START_MS = 60_000;
/** Interval of further power button presses: a booting guest misses them. */
const PRESS_AGAIN_MS = 5_000;
/** Interval after which the kill of a guest or the end of a launcher is repeated. */
const REPEAT_MS = 10_000;

/** Actions for one VMI on this node. Pure. Each action leads to a new observation and decision. */
export function decide(observed: Observed): Action[] {
  const { vmi, pod, facts } = observed;
  if (!pod) return [];
  if (computeState(pod) === 'terminated') return [...report(observed), ...(facts.released ? [] : [RELEASE])];
  if (computeState(pod) === 'waiting' || !vmi) return [];
  const observation = stepToObserve(observed);
  if (observation) return observation;
  if (vmi.metadata.deletionTimestamp || isFinal(vmi.status?.phase)) return stop(observed);
  if (isOver(facts.domain)) return [...report(observed), ...stop(observed)];
  if (vmi.status?.phase === 'Running' && !isAlive(facts.domain)) return missing(observed);
  return [...start(observed), ...report(observed)];
}

/** The launcher's reports come first; undefined once its domain's state is known. */
function stepToObserve({ facts, now, ...observed }: Observed): Action[] | undefined {
  if (facts.listening && facts.launcherUp && facts.domain && !facts.domainStale) return undefined;
  // a running guest needs no preparation, and a problem of the preparation must not hide the guest
  const ran = observed.vmi?.status?.phase === 'Running';
  const isConnecting = facts.failure?.step === 'listen' || facts.failure?.step === 'connect';
  const waiting = ran && !isConnecting ? undefined : waitFor({ ...observed, facts, now });
  if (waiting) return [...report({ ...observed, facts, now }), ...waiting];
  if (!facts.listening) return [{ do: 'listen' }];
  const prepared = ran ? undefined : prepare({ ...observed, facts, now });
  if (prepared) return [prepared];
  if (!facts.launcherUp) {
    const slow = report({ ...observed, facts, now });
    return [{ do: 'findLauncher' }, ...slow, { do: 'recheck', afterMs: 1_000 }];
  }
  return [{ do: 'readDomain' }];
}

/** The next incomplete step of a start: these steps need no launcher, so they are done while it starts. */
function prepare({ vmi, pod, facts }: Observed): Action | undefined {
  if (!vmi || !pod || vmi.metadata.deletionTimestamp || isFinal(vmi.status?.phase)) return undefined;
  if (!facts.network) return { do: 'setUpNetwork' };
  if (!facts.disksMounted && plannedDisks(vmi, pod).every(isMountable)) return { do: 'mountDisks' };
  return undefined;
}

/** After a failure, nothing is retried before its time; ending the guest waits only for the launcher's reports. */
function waitFor({ vmi, facts, now }: Observed): Action[] | undefined {
  const { failure } = facts;
  if (!failure || failure.retryAt <= now) return undefined;
  if (vmi?.metadata.deletionTimestamp && failure.step !== 'listen' && failure.step !== 'connect') return undefined;
  return [{ do: 'recheck', afterMs: failure.retryAt - now }];
}

/** Steps towards a running guest that matches the spec. */
function start(observed: Observed): Action[] {
  const { vmi, pod, facts, specHash } = observed;
  if (!vmi || !pod) return [];
  const waiting = waitFor(observed);
  if (waiting) return waiting;
  const prepared = prepare(observed);
  if (prepared) return [prepared];
  if (!facts.disksMounted) return [{ do: 'recheck', afterMs: 1_000 }]; // a holder is still starting
  if (facts.missingSince !== undefined) return [{ do: 'noteMissing', since: undefined }];
  if (facts.syncedSpec !== specHash) return [{ do: 'sync', specHash }];
  if (!isUp(facts.domain)) return [{ do: 'recheck', afterMs: SLOW_START_MS }];
  if (releasedVolumes(vmi, facts).length > 0) return [{ do: 'unplug' }];
  const dump = dumpToBegin(vmi, facts.domain);
  if (dump && facts.plugged?.includes(dump.volume)) return [{ do: 'dumpMemory', ...dump }];
  if (facts.plugRetryAt === undefined) return [];
  const afterMs = facts.plugRetryAt - observed.now;
  return afterMs > 0 ? [{ do: 'recheck', afterMs }] : [{ do: 'sync', specHash }];
}

/**
 * The guest ran and disappeared without a report. Starting it again would be a reboot that nobody requested, and a launcher
 * that was restarted may not have found it yet, so this is reported only if it lasts.
 */
function missing(observed: Observed): Action[] {
  const { facts, now } = observed;
  if (phaseOf(observed) === 'Failed') return report(observed);
  if (facts.missingSince === undefined) return [{ do: 'noteMissing', since: now }];
  return [{ do: 'recheck', afterMs: MISSING_MS - (now - facts.missingSince) }];
}

/** Steps towards an ended guest: power button, then, after its grace period, kill. */
function stop({ vmi, facts, now }: Observed): Action[] {
  if (!isAlive(facts.domain)) {
    if (facts.endedAt === undefined || now - facts.endedAt >= REPEAT_MS) return [{ do: 'end' }];
    return [{ do: 'recheck', afterMs: REPEAT_MS - (now - facts.endedAt) }];
  }
  const graceMs = (vmi?.spec.terminationGracePeriodSeconds ?? DEFAULT_GRACE_SECONDS) * 1_000;
  if (facts.shutdownRequestedAt === undefined && graceMs > 0) {
    const message = `asked the guest to power off; it has ${graceMs / 1_000} s`;
    return [{ do: 'event', type: 'Normal', reason: EventReason.ShuttingDown, message }, { do: 'shutdown' }];
  }
  const killAt = (facts.shutdownRequestedAt ?? now) + graceMs;
  if (now < killAt) {
    const againAt = (facts.shutdownRepeatedAt ?? now) + PRESS_AGAIN_MS;
    if (now >= againAt) return [{ do: 'shutdown' }];
    return [{ do: 'recheck', afterMs: Math.min(killAt, againAt) - now }];
  }
  if (facts.killedAt === undefined || now - facts.killedAt >= REPEAT_MS) {
    const message = `the guest did not power off within ${graceMs / 1_000} s; it is killed`;
    return [{ do: 'event', type: 'Normal', reason: EventReason.Killing, message }, { do: 'kill' }];
  }
  return [{ do: 'recheck', afterMs: REPEAT_MS - (now - facts.killedAt) }];
}

/**
 * Writes status and events that the VMI does not show yet: a new phase immediately, other changes at a limited rate. A VMI
 * that is being deleted is no longer written.
 */
function report(observed: Observed): Action[] {
  const { vmi, facts, now } = observed;
  if (!vmi || vmi.metadata.deletionTimestamp || isFinal(vmi.status?.phase)) return [];
  const phase = phaseOf(observed);
  if (!phase) return slowStart(observed);
  const status = statusOf(observed, phase);
  const body = patchFor(vmi, status);
  if (!body) return [];
  const isUrgent =
    phase !== vmi.status?.phase ||
    advancesVolumes(vmi.status, status, facts.plugProblems) ||
    advancesBackup(vmi.status, status);
  const afterMs = isUrgent ? 0 : writeDelay(facts.writes, now);
  if (afterMs > 0) return [{ do: 'recheck', afterMs }];
  return [{ do: 'patch', body }, ...events(vmi.status, status)];
}

/**
 * Whether a hotplugged volume enters another phase, which a user or the controller caused, or this handler cannot provide it
 * for another reason. Neither is a report of the guest, whose rate is limited.
 */
function advancesVolumes(
  before: VirtualMachineInstanceStatus | undefined,
  after: VirtualMachineInstanceStatus,
  problems: PodFacts['plugProblems'] = [],
): boolean {
  return (after.volumeStatus ?? []).some(({ name, phase, reason, hotplugVolume }) => {
    const old = before?.volumeStatus?.find((each) => each.name === name);
    const isNewProblem =
      reason !== old?.reason && problems.some((each) => each.name === name && each.reason === reason);
    return hotplugVolume && (phase !== old?.phase || isNewProblem);
  });
}

/** Whether the backup that virt-controller has requested has begun or ended, which a launcher can report only once each. */
function advancesBackup(
  before: VirtualMachineInstanceStatus | undefined,
  after: VirtualMachineInstanceStatus,
): boolean {
  const [old, fresh] = [before, after].map((status) => status?.changedBlockTracking?.backupStatus);
  if (!fresh || fresh.startTimestamp !== old?.startTimestamp) return false;
  const begins = fresh.checkpointName !== undefined && old?.checkpointName === undefined;
  return begins || (fresh.completed === true && !old?.completed);
}

/** Rechecks when a slow start has to be reported. */
function slowStart({ facts }: Observed): Action[] {
  return facts.failure ? [] : [{ do: 'recheck', afterMs: SLOW_START_MS }];
}

/** Event for a change of the status. A failure of the VMI is reported with its cause, like every failure. */
function events(before: VirtualMachineInstanceStatus | undefined, after: VirtualMachineInstanceStatus): Action[] {
  const failure = (status: typeof before, type: string) =>
    status?.conditions?.find((condition) => condition.type === type && condition.status === 'False');
  const actions: Action[] = [];
  for (const type of [ConditionType.Synchronized, ConditionType.AccessCredentialsSynchronized]) {
    const [old, fresh] = [failure(before, type), failure(after, type)];
    if (fresh && (fresh.reason !== old?.reason || fresh.message !== old?.message)) {
      actions.push({ do: 'event', type: 'Warning', reason: fresh.reason ?? '', message: fresh.message ?? '' });
    }
  }
  if (before?.phase !== after.phase) {
    const event = phaseEvent(after.phase);
    if (event) actions.push(event);
  }
  return actions;
}

function phaseEvent(phase: string | undefined): Action | undefined {
  switch (phase) {
    case 'Running':
      return { do: 'event', type: 'Normal', reason: EventReason.Started, message: 'VirtualMachineInstance started.' };
    case 'Succeeded':
      return {
        do: 'event',
        type: 'Normal',
        reason: EventReason.Stopped,
        message: 'The VirtualMachineInstance was shut down.',
      };
    default:
      return undefined;
  }
}
