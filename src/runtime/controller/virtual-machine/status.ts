import type { Condition, VirtualMachine, VirtualMachineInstance, VirtualMachineStatus } from '../../../api';
import { findCondition, isConditionTrue, withCondition, withoutCondition } from '../../../api/conditions';
import { openRequests } from '../../../api/run-state';
import { isFinal, sinceMs } from '../instance/observed';
import { isoTime } from '../instance/phase';
import type { DataVolumeState } from './data-volumes';
import { GENERATION, needsRestart } from './instance-of';
import { decideMemoryDump } from './memory-dump';
import type { Observed } from './observed';
import { reasons } from '../../../api/reasons';
import type { Problem } from './problem';
import { runStrategyOf, desiredTransition } from './run-strategy';
import { backoffLeftMs, nextStartFailure } from './start-failure';

/** Facts that the decision adds to the observed state. */
export interface Verdict {
  readonly problem?: Problem;
  readonly dataVolumes: DataVolumeState;
  readonly requests?: VirtualMachineStatus['stateChangeRequests'];
}

/** Transient states are written only after this time: most end before anyone could read them. */
export const TRANSIENT_MS = 5000;

type PrintableStatus = NonNullable<VirtualMachineStatus['printableStatus']>;

/** Computes the whole status of a VM from the observed state. Fields of other controllers are kept. */
export function statusOf(seen: Observed, verdict: Verdict): VirtualMachineStatus {
  const { vm, vmi, now } = seen;
  const strategy = runStrategyOf(vm);
  const startFailure = nextStartFailure(vm.status?.startFailure, vmi, now);
  const requests = verdict.requests ?? openRequests(vm, vmi);
  const generation = vm.metadata.generation;
  const observed = vmi?.metadata.annotations?.[GENERATION];
  return {
    ...vm.status,
    created: vmi !== undefined,
    ready: isConditionTrue(vmi?.status?.conditions, 'Ready'),
    // RerunOnFailure is recorded only when a VMI exists: without one, the guest would look as if it had already succeeded
    runStrategy: strategy === 'RerunOnFailure' && !vmi ? vm.status?.runStrategy : strategy,
    desiredGeneration: generation,
    observedGeneration: observed === undefined ? generation : Number(observed),
    startFailure,
    memoryDumpRequest: decideMemoryDump(vm, vmi, now).request,
    stateChangeRequests: requests.length ? requests : undefined,
    conditions: conditionsOf(seen, verdict, startFailure),
    printableStatus: printableStatus(seen, verdict, startFailure),
  };
}

/** Conditions that do not come from the VMI. */
const OWN = ['Ready', 'Failure', 'RestartRequired', 'ManualRecoveryRequired'];

function conditionsOf(
  { vm, vmi, now, config }: Observed,
  { problem }: Verdict,
  startFailure: VirtualMachineStatus['startFailure'],
): Condition[] {
  const time = isoTime(now);
  const before = vm.status?.conditions;
  let list = withCondition(before, readiness(vmi), time);
  list = failure(list, problem, startFailure, vmi, time);
  if (vmi && !isFinal(vmi) && !vmi.metadata.deletionTimestamp && needsRestart(vm, vmi, config)) {
    const message = 'a non-live-updatable field was changed in the template spec; restart the VM to apply it';
    list = withCondition(
      list,
      { type: 'RestartRequired', status: 'True', reason: reasons.restartRequired, message },
      time,
    );
  } else {
    list = withoutCondition(list, 'RestartRequired');
  }
  const copied = vmi?.status?.conditions?.filter(({ type }) => !OWN.includes(type)) ?? [];
  for (const { type, status, reason, message } of copied)
    list = withCondition(list, { type, status, reason, message }, time);
  const outdated = list.filter(
    ({ type }) => !OWN.includes(type) && !copied.some((condition) => condition.type === type),
  );
  return outdated.length ? list.filter((condition) => !outdated.includes(condition)) : list;
}

function readiness(vmi: VirtualMachineInstance | undefined): Pick<Condition, 'type' | 'status' | 'reason' | 'message'> {
  const type = 'Ready';
  if (!vmi) return { type, status: 'False', reason: reasons.vmiNotExists, message: 'VMI does not exist' };
  const ready = findCondition(vmi.status?.conditions, type);
  if (ready) return { type, status: ready.status, reason: ready.reason, message: ready.message };
  return { type, status: 'False', reason: reasons.vmiConditionMissing, message: 'VMI is missing the Ready condition' };
}

function failure(
  list: Condition[],
  problem: Problem | undefined,
  startFailure: VirtualMachineStatus['startFailure'],
  vmi: VirtualMachineInstance | undefined,
  time: string,
): Condition[] {
  const condition = { type: 'Failure', status: 'True' as const };
  if (problem) return withCondition(list, { ...condition, reason: problem.reason, message: problem.message }, time);
  if (!startFailure) return withoutCondition(list, condition.type);
  // the VMI that records the cause is deleted before the next start, so the condition keeps it
  const cause = vmi?.status?.phase === 'Failed' ? causeOf(vmi, list) : undefined;
  if (!cause) return list;
  const message = `start failed ${times(startFailure.consecutiveFailCount ?? 1)}: ${cause}`;
  return withCondition(list, { ...condition, reason: reasons.startFailed, message }, time);
}

const times = (count: number): string => (count === 1 ? 'once' : `${count} times in a row`);

/** Returns why the VMI failed: the message of the component that ended it, or of the last problem that it reported. */
function causeOf({ status }: VirtualMachineInstance, ofVm: Condition[]): string {
  const messageOf = (conditions: Condition[] | undefined): string | undefined => {
    const synchronized = findCondition(conditions, 'Synchronized');
    return synchronized?.status === 'False' ? synchronized.message : undefined;
  };
  const unknown = 'the VMI failed without a cause; see the log of its launcher Pod';
  return messageOf(status?.conditions) ?? messageOf(ofVm) ?? status?.reason ?? unknown;
}

/** The status that `kubectl get vm` prints: the first entry that matches. */
function printableStatus(
  { vm, vmi, claims, now }: Observed,
  { dataVolumes }: Verdict,
  startFailure: VirtualMachineStatus['startFailure'],
): PrintableStatus {
  const conditions = vmi?.status?.conditions;
  const phase = vmi?.status?.phase;
  const failed = (type: string, reason: string): boolean => {
    const condition = findCondition(conditions, type);
    return condition?.status === 'False' && condition.reason === reason;
  };
  const isActive = vmi !== undefined && !isFinal(vmi);
  const { migrationState } = vmi?.status ?? {};
  const table: [PrintableStatus, boolean][] = [
    ['Terminating', Boolean(vm.metadata.deletionTimestamp)],
    ['Stopping', isActive && Boolean(vmi.metadata.deletionTimestamp)],
    ['Migrating', isActive && Boolean(migrationState?.startTimestamp) && !migrationState?.endTimestamp],
    ['Paused', phase === 'Running' && isConditionTrue(conditions, 'Paused')],
    ['Running', phase === 'Running'],
    ['ErrorPvcNotFound', isActive && failed('Synchronized', 'FailedPvcNotFound')],
    ['DataVolumeError', dataVolumes.problem !== undefined && !dataVolumes.needsConsumer],
    ['ErrorUnschedulable', isActive && failed('PodScheduled', 'Unschedulable')],
    ['WaitingForVolumeBinding', dataVolumes.needsConsumer === true],
    ['Provisioning', dataVolumes.isProvisioning],
    ['ErrImagePull', isActive && failed('Synchronized', 'ErrImagePull')],
    ['ImagePullBackOff', isActive && failed('Synchronized', 'ImagePullBackOff')],
    ['Unknown', phase === 'Unknown'],
    // most claims are bound before anyone could read this status
    ['WaitingForVolumeBinding', isActive && hasUnboundClaim(claims) && ageMs(vmi, now) >= TRANSIENT_MS],
    ['Starting', isActive],
    ['CrashLoopBackOff', backoffLeftMs(startFailure, now) > 0 && startsAgain(vm, vmi)],
    ['WaitingForReceiver', !vmi && runStrategyOf(vm) === 'WaitAsReceiver'],
  ];
  return table.find(([, applies]) => applies)?.[0] ?? 'Stopped';
}

/** Whether the VM starts automatically after the backoff. */
function startsAgain(vm: VirtualMachine, vmi: VirtualMachineInstance | undefined): boolean {
  return vmi ? ['Always', 'RerunOnFailure'].includes(runStrategyOf(vm)) : desiredTransition(vm, vmi).kind === 'start';
}

export const hasUnboundClaim = (claims: Observed['claims']): boolean =>
  [...claims.values()].some(({ isBound }) => isBound === false);

export const ageMs = ({ metadata }: VirtualMachineInstance, now: number): number =>
  sinceMs(metadata.creationTimestamp, now);

/** Merge patch from one status to another; undefined when they are equal. */
export const statusPatch = (
  from: VirtualMachineStatus | undefined,
  to: VirtualMachineStatus,
): Record<string, unknown> | undefined => mergePatch((from ?? {}) as Fields, to as Fields);

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function mergePatch(old: Fields, next: Fields): Fields | undefined {
  const changed = Object.keys({ ...old, ...next }).filter(
    (key) => JSON.stringify(old[key]) !== JSON.stringify(next[key]),
  );
  if (changed.length === 0) return undefined;
  const value = (was: unknown, is: unknown): unknown =>
    isFields(was) && isFields(is) ? mergePatch(was, is) : (is ?? null);
  return Object.fromEntries(changed.map((key) => [key, value(old[key], next[key])]));
}
