import type {
  VirtualMachine,
  VirtualMachineInstance,
  VirtualMachineStateChangeRequest,
  VirtualMachineStatus,
} from '../../../api';
import { findCondition } from '../../../api/conditions';
import { VM_FINALIZER } from '../../../api/constants';
import { openRequests } from '../../../api/run-state';
import { isFinal, isHandedOver, sinceMs } from '../instance/observed';
import type { Action, Effect } from './actions';
import { dataVolumeState } from './data-volumes';
import type { DataVolumeState } from './data-volumes';
import { instanceOf } from './instance-of';
import { isOwned } from './observed';
import type { Observed } from './observed';
import { reasons } from '../../../api/reasons';
import type { Problem } from './problem';
import { isToBecomeAlways, runStrategyOf, desiredTransition } from './run-strategy';
import { sizingOf } from './sizing';
import { backoffLeftMs, nextStartFailure } from './start-failure';
import { ageMs, hasUnboundClaim, statusOf, statusPatch, TRANSIENT_MS } from './status';

/** What is to be done for one VM. Pure: the clock is in `seen`. */
export function decide(seen: Observed): Action[] {
  const { vm } = seen;
  if (vm.metadata.deletionTimestamp) return terminate(seen);
  // before anything else changes the spec: the request names a generation
  if (isToBecomeAlways(vm, seen.vmi)) return [{ do: 'switchToAlways' }];
  const sizing = sizingOf(seen);
  if (sizing.isOver) return [...sizing.effects];
  const dataVolumes = dataVolumeState(seen);
  const finalizer: Action[] = vm.metadata.finalizers?.includes(VM_FINALIZER) ? [] : [{ do: 'addFinalizer' }];
  const retries = [sizing.problem?.retryMs, dataVolumes.problem?.retryMs].filter((afterMs) => afterMs !== undefined);
  return [
    ...finalizer,
    ...dataVolumes.missing.map((dataVolume): Action => ({ do: 'createDataVolume', dataVolume })),
    ...sizing.effects,
    ...run({ ...seen, vm: sizing.vm, references: sizing.find }, dataVolumes, sizing.problem),
    ...retries.map((afterMs): Action => ({ do: 'recheck', afterMs })),
  ];
}

function run(seen: Observed, dataVolumes: DataVolumeState, unsized: Problem | undefined): Action[] {
  const { vm, vmi, now } = seen;
  if (vmi && !isOwned(vm, vmi)) return report(seen, dataVolumes, notOwned(vmi));
  const wish = desiredTransition(vm, vmi);
  switch (wish.want) {
    case 'start': {
      if (unsized) return report(seen, dataVolumes, unsized);
      if (dataVolumes.problem || dataVolumes.isProvisioning) return report(seen, dataVolumes, dataVolumes.problem);
      const afterMs = backoffLeftMs(vm.status?.startFailure, now);
      if (afterMs === 0) return [...forgetLast(vm), { do: 'createVmi', vmi: instanceOf(vm, wish.paused, seen) }];
      return [...report(seen, dataVolumes), { do: 'recheck', afterMs }];
    }
    case 'stop':
      if (!vmi) return [];
      return [
        // a failed start is counted before the VMI that knows of it is gone
        ...remember(seen, dataVolumes, wish.requests),
        { do: 'deleteVmi', vmi, why: wish.why },
      ];
    case 'nothing':
      return vmi?.metadata.deletionTimestamp
        ? onceItLasts(vmi.metadata.deletionTimestamp, seen, dataVolumes)
        : [...report(seen, dataVolumes, unsized ?? dataVolumes.problem), ...awaitBinding(seen)];
  }
}

/**
 * The status of a VM that starts is written once, when its VMI is there, unless it still says `created` of an earlier
 * VMI: the new one would look as if it had been seen (`isCalledOff`).
 */
const forgetLast = (vm: VirtualMachine): Action[] =>
  vm.status?.created ? [{ do: 'patchStatus', status: { created: false } }] : [];

/** A claim that stays unbound is worth telling, a little later. */
function awaitBinding({ vmi, claims, now }: Observed): Action[] {
  if (!vmi || isFinal(vmi) || isHandedOver(vmi) || !hasUnboundClaim(claims)) return [];
  const left = TRANSIENT_MS - ageMs(vmi, now);
  return left > 0 ? [{ do: 'recheck', afterMs: left }] : [];
}

function notOwned({ metadata }: VirtualMachineInstance): Problem {
  return {
    reason: reasons.vmiNotOwned,
    message:
      `a VirtualMachineInstance "${metadata.name}" exists that this VM did not make; delete it ` +
      `(kubectl delete vmi ${metadata.name}) or rename the VM`,
  };
}

/**
 * Writes what must outlive the VMI: the count of failed starts, what is still asked for, and that RerunOnFailure has had
 * its start. And what must not: requests that are done, for without this VMI a Start would be open again, and undo the
 * stop.
 */
function remember(
  seen: Observed,
  dataVolumes: DataVolumeState,
  requests?: VirtualMachineStateChangeRequest[],
): Action[] {
  const { vm, vmi, now } = seen;
  const failure = nextStartFailure(vm.status?.startFailure, vmi, now);
  const isNews = JSON.stringify(failure) !== JSON.stringify(vm.status?.startFailure ?? undefined);
  const open = openRequests(vm, vmi);
  const isDone = open.length < (vm.status?.stateChangeRequests?.length ?? 0);
  return isNews || isUnnoted(vm) || isDone || requests ? report(seen, dataVolumes, undefined, requests) : [];
}

/** RerunOnFailure has had its first start. */
const isUnnoted = (vm: VirtualMachine): boolean =>
  runStrategyOf(vm) === 'RerunOnFailure' && vm.status?.runStrategy !== 'RerunOnFailure';

function terminate(seen: Observed): Action[] {
  const { vm, vmi } = seen;
  // kubectl delete --cascade=orphan: the guest is to go on without its VM
  const isOrphaning = vm.metadata.finalizers?.includes('orphan') ?? false;
  const owned = vmi && isOwned(vm, vmi) && !isOrphaning;
  if (!owned) return vm.metadata.finalizers?.includes(VM_FINALIZER) ? [{ do: 'removeFinalizer' }] : [];
  const dataVolumes = dataVolumeState({ ...seen, dataVolumes: new Map() });
  const status = onceItLasts(vm.metadata.deletionTimestamp, seen, dataVolumes);
  return vmi.metadata.deletionTimestamp ? status : [{ do: 'deleteVmi', vmi, why: 'the VM is deleted' }, ...status];
}

function onceItLasts(since: string | undefined, seen: Observed, dataVolumes: DataVolumeState): Action[] {
  const left = TRANSIENT_MS - sinceMs(since, seen.now);
  return left > 0 ? [{ do: 'recheck', afterMs: left }] : report(seen, dataVolumes);
}

/** The status, when it says something new; with an event for each new trouble. */
function report(
  seen: Observed,
  dataVolumes: DataVolumeState,
  problem?: Problem,
  requests?: VirtualMachineStatus['stateChangeRequests'],
): Effect[] {
  const { vm } = seen;
  const next = statusOf(seen, { dataVolumes, problem, requests });
  const status = statusPatch(vm.status, next);
  return status ? [{ do: 'patchStatus', status }, ...troubles(seen, next)] : [];
}

/** Troubles that the status tells of for the first time. */
function troubles({ vm, vmi }: Observed, next: VirtualMachineStatus): Effect[] {
  const isTrouble = ({ type, status }: { type: string; status: string }): boolean =>
    (type === 'Failure' && status === 'True') ||
    (['Synchronized', 'PodScheduled'].includes(type) && status === 'False');
  return (next.conditions ?? []).filter(isTrouble).flatMap(({ type, reason = type, message = '' }) => {
    const before = findCondition(vm.status?.conditions, type);
    if (before?.reason === reason && before.message === message) return [];
    // the VMI's own condition, copied, says it in the same words on both objects
    if (reason === reasons.startFailed && findCondition(vmi?.status?.conditions, 'Synchronized')) return [];
    return [{ do: 'recordEvent' as const, type: 'Warning' as const, reason, message }];
  });
}

/** The API server did not accept what this VM needs. */
export function decideRefused(seen: Observed, what: string, message: string): Effect[] {
  return report(seen, dataVolumeState(seen), {
    reason: reasons.failedCreate,
    message: `the API server refused the ${what}: ${message}; correct the VM (it is tried again by itself)`,
  });
}
