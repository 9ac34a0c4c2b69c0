import type { VirtualMachineInstanceStatus } from '../../../api';
import { findCondition, withCondition } from '../../../api/conditions';
import { VMI_FINALIZER } from '../../../api/constants';
import type { EventType } from '../../kube';
import { decideHotplug } from '../hotplug/decide';
import { claimStatus, missingStateClaim, renderPod, withClaimStatus } from '../pod';
import type { Pod, StateClaim } from '../pod';
import { requiredGate, withProblem } from './conditions';
import { missingVolumes } from './disk-content';
import { computeEnd, hasEnded, hasRun, isFinal, isHandedOver, outlivesGuest, sinceMs } from './observed';
import type { Observed } from './observed';
import { enterPhase, isoTime } from './phase';
import { podProblem, whyEnded } from './pod-problem';
import { type ControllerReason, reasons } from '../../../api/reasons';
import type { Problem } from './problem';
import { HEARTBEAT_LIMIT_MS } from '../node/decide';
import { isOutdated, marked } from './rendering';

export type Action =
  /** Creates the claim for the persistent state. An existing claim is used as it is. */
  | { do: 'createClaim'; claim: StateClaim }
  | { do: 'createPod'; pod: Pod }
  | { do: 'createAttachment'; pod: Pod }
  | { do: 'deleteAttachment'; pod: Pod; why: string }
  | { do: 'deletePod'; pod: Pod; why: string }
  /** A merge patch of the VMI's status; rejected when the VMI has changed since it was observed. */
  | { do: 'patchStatus'; status: Partial<VirtualMachineInstanceStatus> }
  | { do: 'setGate'; pod: Pod; status: 'True' | 'False' }
  | { do: 'removeFinalizer' }
  | { do: 'recordEvent'; type: EventType; reason: ControllerReason; message: string }
  | { do: 'recheck'; afterMs: number };

/** An action that writes to the cluster; a recheck only adds the key to the queue again. */
export type Effect = Exclude<Action, { do: 'recheck' }>;

/**
 * The handler alone reports a Pod that runs within this time: phase Scheduling is skipped and costs no write. Long enough
 * for a machine under load; problems of the Pod are reported immediately.
 */
const SCHEDULING_AFTER_MS = 10_000;
/** Time that a handler has to report on a Pod that runs or has ended. */
const HANDLER_SILENCE_MS = 30_000;
/** Time that a launcher gets after the grace period of its guest before its Pod is deleted. */
const STOP_PADDING_MS = 30_000;
/** Time after its grace period in which a Pod that is being deleted must end. */
const OVERDUE_MS = 60_000;

/** Actions for one VMI. Pure: the clock is in `seen`. */
export function decide(seen: Observed): Action[] {
  const { vmi, pod } = seen;
  if (vmi.metadata.deletionTimestamp) return terminate(seen);
  if (isFinal(vmi)) {
    return pod ? [...explainFailure(seen, pod), ...detachAll(seen), ...endPod(seen, pod, finalSince(seen, pod))] : [];
  }
  if (!pod) return hadPlacedPod(seen) ? podMissing(seen) : start(seen);
  if (hasEnded(pod) || outlivesGuest(pod)) return podHasEnded(seen, pod);
  return isHandedOver(vmi) ? keep(seen, pod) : advance(seen, pod);
}

/** Whether the VMI had a Pod on a node. A Pod that was never placed ran nothing and may be created again. */
const hadPlacedPod = ({ vmi }: Observed): boolean =>
  isHandedOver(vmi) ||
  (vmi.status?.phase === 'Scheduling' && findCondition(vmi.status.conditions, 'PodScheduled')?.status !== 'False');

export interface Refusal {
  /** The rejected object: `the launcher Pod`. */
  readonly what: string;
  readonly reason: string;
  readonly message: string;
}

const remedies: Readonly<Record<string, string>> = {
  Forbidden: 'raise the quota or loosen the policy',
  AlreadyExists: 'delete it',
};

/** Actions after the API server rejected an object. */
export function decideRefused(seen: Observed, { what, reason, message }: Refusal): Effect[] {
  const remedy = remedies[reason] ?? 'correct the VM';
  return blockage(seen, {
    reason: reasons.failedCreate,
    message: `the API server rejected ${what}: ${message}; ${remedy} (virt-controller retries automatically)`,
  }).effects;
}

/** Creates the Pod as soon as everything that it refers to exists. */
function start(seen: Observed): Action[] {
  const { vmi } = seen;
  const rendered = missingVolumes(seen) ?? takenStateClaim(seen) ?? rendering(seen);
  // the appearance or change of any of these objects wakes this VMI (controller.ts)
  if ('reason' in rendered) return blockage(seen, rendered).effects;
  const { pod } = rendered;
  const stateClaim = missingStateClaim(seen);
  const claims = claimStatus(vmi.spec, seen.claims);
  const isRecorded = claims.every(({ name }) => vmi.status?.volumeStatus?.some((known) => known.name === name));
  // a resolved problem is removed from the conditions later, together with the next change
  return [
    // a VMI that was created by a VM has the volume status from the start
    ...(isRecorded ? [] : [{ do: 'patchStatus' as const, status: { volumeStatus: claims } }]),
    ...(stateClaim ? [{ do: 'createClaim' as const, claim: stateClaim }] : []),
    { do: 'createPod', pod },
    {
      do: 'recordEvent',
      type: 'Normal',
      reason: reasons.successfulCreate,
      message: `Created Pod ${pod.metadata.name}`,
    },
  ];
}

function rendering(seen: Observed): { pod: Pod } | Problem {
  try {
    return { pod: marked(renderPod(seen)) };
  } catch (error) {
    return { reason: reasons.failedCreate, message: (error as Error).message };
  }
}

const takenStateClaim = ({ stateClaimTaken: message }: Observed): Problem | undefined =>
  message === undefined ? undefined : { reason: reasons.failedCreate, message };

/** Follows the Pod until its guest runs. */
function advance(seen: Observed, pod: Pod): Action[] {
  const { vmi, nodes, config, now } = seen;
  // created before the VM or the cluster changed, and not placed: a new Pod may fit where this one does not
  if (!pod.spec.nodeName && !pod.metadata.deletionTimestamp && isOutdated(seen, pod)) {
    return [{ do: 'deletePod', pod, why: 'its VM or the cluster has changed and it has not been placed' }];
  }
  const problem = podProblem(pod, nodes, config) ?? silentHandler(seen, pod);
  const waited = sinceMs(pod.metadata.creationTimestamp, now);
  const isRunning = pod.status?.phase === 'Running';
  const { isBlocked, effects } = blockage(seen, problem);
  if (effects.length > 0 || vmi.status?.phase === 'Scheduling') {
    return isRunning && !isBlocked ? [...effects, { do: 'recheck', afterMs: HANDLER_SILENCE_MS }] : effects;
  }
  if (isRunning) return [{ do: 'recheck', afterMs: HANDLER_SILENCE_MS }];
  if (waited < SCHEDULING_AFTER_MS) return [{ do: 'recheck', afterMs: SCHEDULING_AFTER_MS - waited }];
  return [{ do: 'patchStatus', status: enterPhase(seen.vmi, 'Scheduling', seen.now) }];
}

function silentHandler({ vmi, handlerSilence, now }: Observed, pod: Pod): Problem | undefined {
  if (pod.status?.phase !== 'Running' || !pod.spec.nodeName) return undefined;
  const startedAt = pod.status.containerStatuses?.find(({ state }) => state?.running)?.state?.running?.startedAt;
  if (sinceMs(startedAt ?? pod.metadata.creationTimestamp, now) < HANDLER_SILENCE_MS) return undefined;
  if (vmi.status?.nodeName) return undefined;
  return {
    reason: reasons.handlerSilent,
    message:
      `virt-handler of node "${pod.spec.nodeName}" ${reporting(handlerSilence)} ` +
      'not taken over the guest; check that it runs there, and read its log',
  };
}

/** Worded so that further heartbeats do not change it: each change is an event. */
function reporting(silence: number | undefined): string {
  if (silence === undefined) return 'has never reported, and has';
  const minutes = HEARTBEAT_LIMIT_MS / 60_000;
  return silence < HEARTBEAT_LIMIT_MS
    ? 'reports, but has'
    : `has not reported for more than ${minutes} minutes, and has`;
}

/** Whether a problem blocks the VMI, and the effects that report a change. */
interface Blockage {
  readonly isBlocked: boolean;
  /** A patch and an event for a new problem; empty when the object already reports it. */
  readonly effects: Effect[];
}

function blockage(seen: Observed, problem: Problem | undefined): Blockage {
  const { vmi, now } = seen;
  const isBlocked = problem !== undefined;
  const old = vmi.status?.conditions ?? [];
  // the kubelet alternates between ErrImagePull and ImagePullBackOff, which is not a change
  const isSamePull =
    problem?.reason === reasons.errImagePull && findCondition(old, 'Synchronized')?.reason === reasons.imagePullBackOff;
  const conditions = isSamePull ? old : withProblem(old, problem, isoTime(now));
  if (conditions === old) return { isBlocked, effects: [] };
  const status = seen.pod && !isHandedOver(vmi) ? enterPhase(seen.vmi, 'Scheduling', seen.now) : {};
  return {
    isBlocked,
    effects: [
      { do: 'patchStatus', status: { ...status, conditions } },
      ...(problem ? [{ do: 'recordEvent' as const, type: 'Warning' as const, ...problem }] : []),
    ],
  };
}

/** The guest runs: the Pod is part of its Services while the guest is not paused. The handler does everything else. */
function keep(seen: Observed, pod: Pod): Action[] {
  const { vmi, now } = seen;
  const gate = requiredGate(vmi, pod);
  const old = vmi.status?.conditions ?? [];
  const hotplug = decideHotplug(seen, pod);
  const known = hotplug.volumeStatus ?? vmi.status?.volumeStatus ?? [];
  // a claim that has grown: the handler passes the new size on to the guest
  const volumeStatus = withClaimStatus(known, claimStatus(vmi.spec, seen.claims)) ?? hotplug.volumeStatus;
  const synchronized = findCondition(old, 'Synchronized');
  // virt-handler reports a problem of a hotplugged volume, also one that this controller found
  const isOfVolume = (volumeStatus ?? known).some(
    ({ hotplugVolume, reason }) => hotplugVolume && synchronized && reason === synchronized.reason,
  );
  const conditions = isOfVolume ? old : withProblem(old, undefined, isoTime(now));
  const status = { ...(conditions !== old && { conditions }), ...(volumeStatus && { volumeStatus }) };
  return [
    ...(gate ? [{ do: 'setGate' as const, pod, status: gate }] : []),
    // the Pods first: a user waits for them
    ...hotplug.actions,
    ...(Object.keys(status).length > 0 ? [{ do: 'patchStatus' as const, status }] : []),
  ];
}

/** The launcher has ended. The handler reports how the guest ended; if it does not, this controller does. */
function podHasEnded(seen: Observed, pod: Pod): Action[] {
  const { vmi, now } = seen;
  if (isHandedOver(vmi)) {
    const silence = sinceMs(endTime(pod), now);
    if (silence < HANDLER_SILENCE_MS) return [{ do: 'recheck', afterMs: HANDLER_SILENCE_MS - silence }];
    if (pod.status?.phase === 'Succeeded' || (outlivesGuest(pod) && computeEnd(pod)?.exitCode === 0))
      return [{ do: 'patchStatus', status: enterPhase(seen.vmi, 'Succeeded', seen.now) }];
  }
  return fail(seen, reasons.podFailed, `${whyEnded(pod)}${hasRun(vmi) ? '' : '; the VM was not running by then'}`);
}

/** The guest has ended, so nothing uses its hotplugged volumes. */
const detachAll = ({ attachments }: Observed): Action[] =>
  attachments
    .filter(({ metadata }) => !metadata.deletionTimestamp)
    .map((pod) => ({ do: 'deleteAttachment', pod, why: 'its guest has ended' }));

/** Adds the cause from the Pod when the handler reported the failure first without one. */
function explainFailure(seen: Observed, pod: Pod): Action[] {
  const { vmi, now } = seen;
  const conditions = vmi.status?.conditions ?? [];
  const isExplained = findCondition(conditions, 'Synchronized') || vmi.status?.phase !== 'Failed' || hasRun(vmi);
  if (isExplained || !(hasEnded(pod) || outlivesGuest(pod))) return [];
  const problem = { reason: reasons.podFailed, message: `${whyEnded(pod)}; the VM was not running by then` };
  const verdict = { type: 'Synchronized', status: 'False' as const, ...problem };
  return [
    { do: 'patchStatus', status: { conditions: withCondition(conditions, verdict, isoTime(now)) } },
    { do: 'recordEvent', type: 'Warning', ...problem },
  ];
}

/** Time at which the Pod ended. An evicted Pod has no containers with an end time, and not always a condition. */
function endTime({ metadata, status }: Pod): string | null | undefined {
  const ended = status?.containerStatuses?.map(({ state }) => state?.terminated?.finishedAt).find(Boolean);
  const unready = status?.conditions?.find(({ type }) => type === 'ContainersReady' || type === 'Ready');
  return ended ?? unready?.lastTransitionTime ?? metadata.creationTimestamp;
}

function podMissing(seen: Observed): Action[] {
  return fail(seen, reasons.podGone, 'the launcher Pod no longer exists: it was deleted or its node was removed');
}

function fail(seen: Observed, reason: ControllerReason, message: string): Action[] {
  const { vmi, now } = seen;
  const failure = { type: 'Synchronized', status: 'False' as const, reason, message };
  const others = withProblem(vmi.status?.conditions ?? [], undefined, isoTime(now)).filter(
    ({ type }) => type !== 'Synchronized' && type !== 'Ready',
  );
  const time = { lastProbeTime: null, lastTransitionTime: isoTime(now) };
  const notReady = { type: 'Ready', status: 'False' as const, reason, message: 'the guest is not running' };
  const conditions = [...others, { ...failure, ...time }, { ...notReady, ...time }];
  return [
    { do: 'patchStatus', status: { ...enterPhase(seen.vmi, 'Failed', seen.now), reason, conditions } },
    { do: 'recordEvent', type: 'Warning', reason, message },
  ];
}

/** Deletion: the handler shuts the guest down; the finalizer is removed when no part of it can still run. */
function terminate(seen: Observed): Action[] {
  const { vmi, pod } = seen;
  if (!pod || hasEnded(pod)) return hasFinalizer(seen) ? [{ do: 'removeFinalizer' }] : [];
  if (pod.metadata.deletionTimestamp) return awaitEnd(seen, pod);
  if (isHandedOver(vmi)) return endPod(seen, pod, sinceMs(vmi.metadata.deletionTimestamp, seen.now));
  return [{ do: 'deletePod', pod, why: 'its VMI is being deleted' }];
}

/** A Pod's deletion timestamp is the end of its grace period. Only its node can confirm that nothing of it still runs. */
function awaitEnd(seen: Observed, { metadata, spec }: Pod): Action[] {
  const left = OVERDUE_MS - sinceMs(metadata.deletionTimestamp, seen.now);
  if (left > 0) return [{ do: 'recheck', afterMs: left }];
  return blockage(seen, {
    reason: reasons.podOverdue,
    message:
      `launcher Pod "${metadata.name}" should have ended by ${metadata.deletionTimestamp}, and node "${spec.nodeName ?? ''}" has ` +
      'not confirmed that it did; check the kubelet there. If the machine is permanently off, delete the Node object: while ' +
      'the guest may still run, a second one would destroy its disks',
  }).effects;
}

const hasFinalizer = ({ vmi }: Observed): boolean => vmi.metadata.finalizers?.includes(VMI_FINALIZER) ?? false;

/** Waits for the launcher to exit; deletes its Pod if it does not. */
function endPod({ vmi }: Observed, pod: Pod, sinceStop: number): Action[] {
  if (hasEnded(pod) || pod.metadata.deletionTimestamp) return [];
  if (outlivesGuest(pod)) return [{ do: 'deletePod', pod, why: 'its guest has ended' }];
  const grace = (vmi.spec.terminationGracePeriodSeconds ?? 30) * 1000;
  const left = (isFinal(vmi) ? 0 : grace) + STOP_PADDING_MS - sinceStop;
  if (left > 0) return [{ do: 'recheck', afterMs: left }];
  return [{ do: 'deletePod', pod, why: 'it did not exit after its guest should have stopped' }];
}

/** Time at which the VMI reached its final phase. Without a recorded time, that may be long ago, and the Pod's age counts. */
function finalSince({ vmi, now }: Observed, pod: Pod): number {
  const entered = vmi.status?.phaseTransitionTimestamps?.find(({ phase }) => phase === vmi.status?.phase);
  return sinceMs(entered?.phaseTransitionTimestamp ?? pod.metadata.creationTimestamp, now);
}
