import type { VirtualMachine } from '../../../api';
import { selectorText } from '../../../api/kinds/label-selector';
import type { VirtualMachinePool, VirtualMachinePoolStatus } from '../../../api/generated/pool-v1beta1';
import { reasons } from '../../../api/reasons';
import type { ControllerReason } from '../../../api/reasons';
import { isoTime } from '../instance/phase';
import { isReady } from './observed';

/** Cause for which the last pass did not succeed. */
export interface Failure {
  readonly reason: ControllerReason;
  readonly message: string;
}

type Conditions = NonNullable<VirtualMachinePoolStatus['conditions']>;

/** The status of a pool; undefined if the current one is equal. */
export function statusOf(
  { spec, status: before = {} }: VirtualMachinePool,
  members: readonly VirtualMachine[],
  failure: Failure | undefined,
  now: number,
): VirtualMachinePoolStatus | undefined {
  const paused = { reason: reasons.successfulPaused, message: 'Pool controller is paused' };
  const after = {
    replicas: members.length,
    readyReplicas: members.filter(isReady).length,
    labelSelector: selectorText(spec.selector),
    conditions: [
      ...(failure ? [conditionOf('ReplicaFailure', failure, before, now)] : []),
      ...(spec.paused ? [conditionOf('ReplicaPaused', paused, before, now)] : []),
    ],
  };
  return textOf(before) === textOf(after) ? undefined : after;
}

const textOf = ({ replicas, readyReplicas, labelSelector, conditions = [] }: VirtualMachinePoolStatus): string =>
  JSON.stringify([
    replicas ?? 0,
    readyReplicas ?? 0,
    labelSelector ?? '',
    conditions.map(({ type, reason, message }) => [type, reason, message]).sort(),
  ]);

function conditionOf(
  type: string,
  { reason, message }: Failure,
  before: VirtualMachinePoolStatus,
  now: number,
): Conditions[number] {
  const since = before.conditions?.find((condition) => condition.type === type)?.lastTransitionTime;
  return { type, status: 'True', reason, message, lastProbeTime: null, lastTransitionTime: since ?? isoTime(now) };
}

/** Events for a change of `spec.paused`. */
export function pauseEvents(
  { status }: VirtualMachinePool,
  after: VirtualMachinePoolStatus | undefined,
): { reason: ControllerReason; message: string }[] {
  const isPaused = (conditions: Conditions | undefined): boolean =>
    conditions?.some(({ type }) => type === 'ReplicaPaused') ?? false;
  if (!after || isPaused(after.conditions) === isPaused(status?.conditions)) return [];
  return isPaused(after.conditions)
    ? [{ reason: reasons.successfulPaused, message: 'Pool is paused' }]
    : [{ reason: reasons.successfulResume, message: 'Pool is unpaused' }];
}
