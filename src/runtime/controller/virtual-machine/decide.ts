import type {
  VirtualMachine,
  VirtualMachineInstance,
  VirtualMachineStateChangeRequest,
  VirtualMachineStatus,
} from '../../../api';
import { findCondition } from '../../../api/conditions';
import { VM_FINALIZER } from '../../../api/constants';
import { kinds } from '../../../api/kinds/registry';
import { openRequests } from '../../../api/run-state';
import { isFinal, isHandedOver, sinceMs } from '../instance/observed';
import type { Action, Effect } from './actions';
import { dataVolumeState } from './data-volumes';
import type { DataVolumeState } from './data-volumes';
import { instanceOf } from './instance-of';
import { decideMemoryDump } from './memory-dump';
import { isOwned } from './observed';
import type { Observed } from './observed';
import { reasons } from '../../../api/reasons';
import type { Problem } from './problem';
import { runStrategyOf, desiredTransition, mustBecomeAlways } from './run-strategy';
import { sizingOf } from './sizing';
import { backoffLeftMs, nextStartFailure } from './start-failure';
import { storageChange } from './volumes';
import { ageMs, hasUnboundClaim, statusOf, statusPatch, TRANSIENT_MS } from './status';

/** Actions for one VM. Pure: the clock is in `seen`. */
export function decide(seen: Observed): Action[] {
  const { vm } = seen;
  if (vm.metadata.deletionTimestamp) return terminate(seen);
  // before anything else changes the spec, because the request refers to a generation
  if (mustBecomeAlways(vm, seen.vmi)) return [{ do: 'switchToAlways' }];
  const sizing = sizingOf(seen);
  if (sizing.mustDecideAgain) return [...sizing.effects];
  const dataVolumes = dataVolumeState(seen);
  const finalizer: Action[] = vm.metadata.finalizers?.includes(VM_FINALIZER) ? [] : [{ do: 'addFinalizer' }];
  const retries = [sizing.problem?.retryMs, dataVolumes.problem?.retryMs].filter((afterMs) => afterMs !== undefined);
  return [
    ...finalizer,
    ...(vm.status?.restoreInProgress ? [] : dataVolumes.missing).map((dataVolume): Action => ({
      do: 'createDataVolume',
      dataVolume,
    })),
    ...(dataVolumes.abandoned ?? []).map((dataVolume): Action => ({ do: 'adoptDataVolume', dataVolume })),
    ...sizing.effects,
    ...run({ ...seen, vm: sizing.vm, references: sizing.find }, dataVolumes, sizing.problem),
    ...retries.map((afterMs): Action => ({ do: 'recheck', afterMs })),
  ];
}

function run(seen: Observed, dataVolumes: DataVolumeState, sizingProblem: Problem | undefined): Action[] {
  const { vm, vmi, now } = seen;
  if (vmi && !isOwned(vm, vmi)) return report(seen, dataVolumes, notOwned(vmi));
  const transition = desiredTransition(vm, vmi);
  switch (transition.kind) {
    case 'start': {
      const operation = operationInProgress(vm);
      if (operation) return [...report(seen, dataVolumes, operation), { do: 'recheck', afterMs: TRANSIENT_MS }];
      if (sizingProblem) return report(seen, dataVolumes, sizingProblem);
      if (dataVolumes.problem || dataVolumes.isProvisioning) return report(seen, dataVolumes, dataVolumes.problem);
      const afterMs = backoffLeftMs(vm.status?.startFailure, now);
      if (afterMs === 0)
        return [...resetCreated(vm), { do: 'createVmi', vmi: instanceOf(vm, transition.paused, seen) }];
      return [...report(seen, dataVolumes), { do: 'recheck', afterMs }];
    }
    case 'stop':
      if (!vmi) return [];
      return [
        // count a failed start before the VMI that records it is deleted
        ...remember(seen, dataVolumes, transition.requests),
        { do: 'deleteVmi', vmi, why: transition.why },
      ];
    case 'none':
      return vmi?.metadata.deletionTimestamp
        ? reportIfPersistent(vmi.metadata.deletionTimestamp, seen, dataVolumes)
        : [
            ...plugVolumes(seen),
            ...report(seen, dataVolumes, sizingProblem ?? dataVolumes.problem),
            ...awaitBinding(seen),
          ];
  }
}

/** The disks of a stopped VM are being copied or replaced: the guest starts when that is complete. */
function operationInProgress({ status }: VirtualMachine): Problem | undefined {
  const { snapshotInProgress: snapshot, restoreInProgress: restore } = status ?? {};
  if (!snapshot && !restore) return undefined;
  const kind = restore ? 'VirtualMachineRestore' : 'VirtualMachineSnapshot';
  const name = restore || snapshot;
  return {
    reason: restore ? reasons.restoreInProgress : reasons.snapshotInProgress,
    message:
      `${kind} "${name}" is in progress; the VM will start automatically when it is complete or deleted. If it waits, its ` +
      `conditions have the cause (kubectl describe ${kinds[kind].singular} ${name})`,
  };
}

/**
 * The status of a VM that starts is written once, when its VMI exists. The exception is a `created` that is left over
 * from an earlier VMI: with it, the new VMI would look as if the VM had already reported it (`isCalledOff`).
 */
const resetCreated = (vm: VirtualMachine): Action[] =>
  vm.status?.created ? [{ do: 'patchStatus', status: { created: false } }] : [];

/** A running guest gets and loses the hotpluggable volumes of its VM, unless it is migrating. */
function plugVolumes({ vm, vmi, config }: Observed): Action[] {
  if (vmi?.status?.phase !== 'Running' || config.vmRolloutStrategy !== 'LiveUpdate') return [];
  const { migrationState } = vmi.status;
  if (migrationState && !migrationState.completed && !migrationState.failed) return [];
  if (!config.hasGate('DeclarativeHotplugVolumes') && !config.hasGate('HotplugVolumes')) return [];
  const change = storageChange(vm, vmi, config);
  return change ? [{ do: 'changeStorage', vmi, change }] : [];
}

/** Reports a claim that stays unbound, after a short delay. */
function awaitBinding({ vmi, claims, now }: Observed): Action[] {
  if (!vmi || isFinal(vmi) || isHandedOver(vmi) || !hasUnboundClaim(claims)) return [];
  const left = TRANSIENT_MS - ageMs(vmi, now);
  return left > 0 ? [{ do: 'recheck', afterMs: left }] : [];
}

function notOwned({ metadata }: VirtualMachineInstance): Problem {
  return {
    reason: reasons.vmiNotOwned,
    message:
      `a VirtualMachineInstance "${metadata.name}" exists that this VM did not create; delete it ` +
      `(kubectl delete vmi ${metadata.name}) or rename the VM`,
  };
}

/**
 * Writes what must outlive the VMI: the count of failed starts, the open requests, and the fact that RerunOnFailure has
 * started the VM once. It also removes completed requests: without this VMI, a Start would be open again and undo the
 * stop.
 */
function remember(
  seen: Observed,
  dataVolumes: DataVolumeState,
  requests?: VirtualMachineStateChangeRequest[],
): Action[] {
  const { vm, vmi, now } = seen;
  const failure = nextStartFailure(vm.status?.startFailure, vmi, now);
  const isNew = JSON.stringify(failure) !== JSON.stringify(vm.status?.startFailure ?? undefined);
  const open = openRequests(vm, vmi);
  const isDone = open.length < (vm.status?.stateChangeRequests?.length ?? 0);
  return isNew || isUnrecorded(vm) || isDone || requests ? report(seen, dataVolumes, undefined, requests) : [];
}

/** Whether the status does not record yet that RerunOnFailure has started the VM once. */
const isUnrecorded = (vm: VirtualMachine): boolean =>
  runStrategyOf(vm) === 'RerunOnFailure' && vm.status?.runStrategy !== 'RerunOnFailure';

function terminate(seen: Observed): Action[] {
  const { vm, vmi } = seen;
  // kubectl delete --cascade=orphan: the guest keeps running without its VM
  const isOrphaning = vm.metadata.finalizers?.includes('orphan') ?? false;
  const owned = vmi && isOwned(vm, vmi) && !isOrphaning;
  if (!owned) return vm.metadata.finalizers?.includes(VM_FINALIZER) ? [{ do: 'removeFinalizer' }] : [];
  const dataVolumes = dataVolumeState({ ...seen, dataVolumes: new Map() });
  const status = reportIfPersistent(vm.metadata.deletionTimestamp, seen, dataVolumes);
  return vmi.metadata.deletionTimestamp ? status : [{ do: 'deleteVmi', vmi, why: 'the VM is deleted' }, ...status];
}

function reportIfPersistent(since: string | undefined, seen: Observed, dataVolumes: DataVolumeState): Action[] {
  const left = TRANSIENT_MS - sinceMs(since, seen.now);
  return left > 0 ? [{ do: 'recheck', afterMs: left }] : report(seen, dataVolumes);
}

/** Writes the status when it has changed, with an event for each new problem. */
function report(
  seen: Observed,
  dataVolumes: DataVolumeState,
  problem?: Problem,
  requests?: VirtualMachineStatus['stateChangeRequests'],
): Effect[] {
  const { vm } = seen;
  const next = statusOf(seen, { dataVolumes, problem, requests });
  const status = statusPatch(vm.status, next);
  return [
    ...dumpMemory(seen),
    ...(status ? [{ do: 'patchStatus' as const, status }, ...problemEvents(seen, next)] : []),
  ];
}

/** Writes for a requested memory dump. The volumes of the VMI are changed once in a pass. */
function dumpMemory(seen: Observed): readonly Effect[] {
  const { effects } = decideMemoryDump(seen.vm, seen.vmi, seen.now);
  if (effects.length === 0 || plugVolumes(seen).length === 0) return effects;
  return effects.filter((effect) => effect.do !== 'changeStorage');
}

/** Events for problems that the status reports for the first time. */
function problemEvents({ vm, vmi }: Observed, next: VirtualMachineStatus): Effect[] {
  const isProblem = ({ type, status }: { type: string; status: string }): boolean =>
    (type === 'Failure' && status === 'True') ||
    (['Synchronized', 'PodScheduled'].includes(type) && status === 'False');
  return (next.conditions ?? []).filter(isProblem).flatMap(({ type, reason = type, message = '' }) => {
    const before = findCondition(vm.status?.conditions, type);
    if (before?.reason === reason && before.message === message) return [];
    // the VMI reports the same condition with the same message
    if (reason === reasons.startFailed && findCondition(vmi?.status?.conditions, 'Synchronized')) return [];
    return [{ do: 'recordEvent' as const, type: 'Warning' as const, reason, message }];
  });
}

/** Actions after the API server rejected an object that this VM needs. */
export function decideRefused(seen: Observed, what: string, message: string): Effect[] {
  return report(seen, dataVolumeState(seen), {
    reason: reasons.failedCreate,
    message: `the API server rejected the ${what}: ${message}; correct the VM (virt-controller retries automatically)`,
  });
}
