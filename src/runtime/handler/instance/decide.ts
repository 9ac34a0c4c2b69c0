import type { VirtualMachineInstanceStatus } from '../../../api';
import { isMountable, plannedDisks } from '../container-disk/plan';
import { computeState, isAlive, isFinal, isOver, isUp } from './observed';
import type { Observed } from './observed';
import { writeDelay } from './pace';
import { EventReason } from '../../../api/reasons';
import { MISSING_MS, patchFor, phaseOf, SLOW_START_MS, statusOf } from './status';

export type Action =
  /** Open the notify socket. */
  | { do: 'listen' }
  /** Phase 1 in the Pod's network namespace. */
  | { do: 'setUpNetwork' }
  | { do: 'mountDisks' }
  /** See whether the launcher listens, and be told when it does. */
  | { do: 'findLauncher' }
  /** Ask the launcher how its domain is. */
  | { do: 'readDomain' }
  /** Start the guest, or bring it in line with the spec. */
  | { do: 'sync'; specHash: string }
  /** ACPI power button. */
  | { do: 'shutdown' }
  | { do: 'kill' }
  /** The guest is off: the launcher may end. */
  | { do: 'end' }
  | { do: 'patch'; body: object }
  | { do: 'event'; type: 'Normal' | 'Warning'; reason: string; message: string }
  | { do: 'noteMissing'; since: number | undefined }
  /** Nothing more to do for this Pod: close sockets, undo mounts. */
  | { do: 'release' }
  | { do: 'recheck'; afterMs: number };

const RELEASE: Action = { do: 'release' };

/** A guest without a grace period of its own. */
const DEFAULT_GRACE_SECONDS = 30;
/** A container that runs but whose launcher does not listen after this time has a problem. */
export const LAUNCHER_START_MS = 60_000;
/** A guest that is booting misses the power button. */
const PRESS_AGAIN_MS = 5_000;
/** A killed guest or an ended launcher that is still there is asked again. */
const ASK_AGAIN_MS = 10_000;

/** What to do for one VMI on this node. Pure. Whatever is done leads to a new look and a new decision. */
export function decide(observed: Observed): Action[] {
  const { vmi, pod, facts } = observed;
  if (!pod) return [];
  if (computeState(pod) === 'ended') return [...report(observed), ...(facts.released ? [] : [RELEASE])];
  if (computeState(pod) === 'waiting' || !vmi) return [];
  const heard = hear(observed);
  if (heard) return heard;
  if (vmi.metadata.deletionTimestamp || isFinal(vmi.status?.phase)) return stop(observed);
  if (isOver(facts.domain)) return [...report(observed), ...stop(observed)];
  if (vmi.status?.phase === 'Running' && !isAlive(facts.domain)) return missing(observed);
  return [...start(observed), ...report(observed)];
}

/** Being able to hear the launcher comes before everything; undefined once its domain's state is known. */
function hear({ facts, now, ...observed }: Observed): Action[] | undefined {
  if (facts.listening && facts.launcherUp && facts.domain && !facts.domainStale) return undefined;
  // a guest that runs needs no preparation, and what went wrong with it must not hide the guest
  const ran = observed.vmi?.status?.phase === 'Running';
  const isHearing = facts.failure?.step === 'listen' || facts.failure?.step === 'connect';
  const waiting = ran && !isHearing ? undefined : waitFor({ ...observed, facts, now });
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

/** The next step of a start that is not done: these need no launcher, so they are done while it starts. */
function prepare({ vmi, pod, facts }: Observed): Action | undefined {
  if (!vmi || !pod || vmi.metadata.deletionTimestamp || isFinal(vmi.status?.phase)) return undefined;
  if (!facts.network) return { do: 'setUpNetwork' };
  if (!facts.disksMounted && plannedDisks(vmi, pod).every(isMountable)) return { do: 'mountDisks' };
  return undefined;
}

/** After a failure nothing is tried before its time; ending the guest waits only for being heard. */
function waitFor({ vmi, facts, now }: Observed): Action[] | undefined {
  const { failure } = facts;
  if (!failure || failure.retryAt <= now) return undefined;
  if (vmi?.metadata.deletionTimestamp && failure.step !== 'listen' && failure.step !== 'connect') return undefined;
  return [{ do: 'recheck', afterMs: failure.retryAt - now }];
}

/** Towards a running guest that is as the spec wants it. */
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
  return isUp(facts.domain) ? [] : [{ do: 'recheck', afterMs: SLOW_START_MS }];
}

/**
 * It ran and is gone without a word. Starting it again would be a reboot that nobody asked for, and a launcher that was
 * restarted may not have found it yet: so this is told only when it lasts.
 */
function missing(observed: Observed): Action[] {
  const { facts, now } = observed;
  if (phaseOf(observed) === 'Failed') return report(observed);
  if (facts.missingSince === undefined) return [{ do: 'noteMissing', since: now }];
  return [{ do: 'recheck', afterMs: MISSING_MS - (now - facts.missingSince) }];
}

/** Towards no guest: asked, then, after its grace period, killed. */
function stop({ vmi, facts, now }: Observed): Action[] {
  if (!isAlive(facts.domain)) {
    if (facts.endedAt === undefined || now - facts.endedAt >= ASK_AGAIN_MS) return [{ do: 'end' }];
    return [{ do: 'recheck', afterMs: ASK_AGAIN_MS - (now - facts.endedAt) }];
  }
  const graceMs = (vmi?.spec.terminationGracePeriodSeconds ?? DEFAULT_GRACE_SECONDS) * 1_000;
  if (facts.shutdownAskedAt === undefined && graceMs > 0) {
    const message = `asked the guest to power off; it has ${graceMs / 1_000} s`;
    return [{ do: 'event', type: 'Normal', reason: EventReason.ShuttingDown, message }, { do: 'shutdown' }];
  }
  const killAt = (facts.shutdownAskedAt ?? now) + graceMs;
  if (now < killAt) {
    const againAt = (facts.shutdownRepeatedAt ?? now) + PRESS_AGAIN_MS;
    if (now >= againAt) return [{ do: 'shutdown' }];
    return [{ do: 'recheck', afterMs: Math.min(killAt, againAt) - now }];
  }
  if (facts.killedAt === undefined || now - facts.killedAt >= ASK_AGAIN_MS) {
    const message = `the guest did not power off within ${graceMs / 1_000} s; it is killed`;
    return [{ do: 'event', type: 'Normal', reason: EventReason.Killing, message }, { do: 'kill' }];
  }
  return [{ do: 'recheck', afterMs: ASK_AGAIN_MS - (now - facts.killedAt) }];
}

/**
 * Status and events, when the VMI does not show them yet: a new phase at once, other changes at their pace. A VMI that is
 * being deleted is written no more.
 */
function report(observed: Observed): Action[] {
  const { vmi, facts, now } = observed;
  if (!vmi || vmi.metadata.deletionTimestamp || isFinal(vmi.status?.phase)) return [];
  const phase = phaseOf(observed);
  if (!phase) return slowStart(observed);
  const status = statusOf(observed, phase);
  const body = patchFor(vmi, status);
  if (!body) return [];
  const afterMs = phase === vmi.status?.phase ? writeDelay(facts.writes, now) : 0;
  if (afterMs > 0) return [{ do: 'recheck', afterMs }];
  return [{ do: 'patch', body }, ...events(vmi.status, status)];
}

/** Looks again when it is time to say that the start takes long. */
function slowStart({ facts }: Observed): Action[] {
  return facts.failure ? [] : [{ do: 'recheck', afterMs: SLOW_START_MS }];
}

/** What the change of a status means to people. That a VMI failed is told with its cause, like every failure. */
function events(before: VirtualMachineInstanceStatus | undefined, after: VirtualMachineInstanceStatus): Action[] {
  const failure = (status: typeof before) =>
    status?.conditions?.find((condition) => condition.type === 'Synchronized' && condition.status === 'False');
  const actions: Action[] = [];
  const [old, fresh] = [failure(before), failure(after)];
  if (fresh && (fresh.reason !== old?.reason || fresh.message !== old?.message)) {
    actions.push({ do: 'event', type: 'Warning', reason: fresh.reason ?? '', message: fresh.message ?? '' });
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
