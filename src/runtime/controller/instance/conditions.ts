import type { Condition, VirtualMachineInstance } from '../../../api';
import { findCondition, isConditionTrue, withCondition, withoutCondition } from '../../../api/conditions';
import type { Pod } from '../pod';
import { UNPAUSED_GATE } from '../pod';
import { podCondition } from './observed';
import { isOwnReason } from './problem';
import { reasons } from '../../../api/reasons';
import type { Problem } from './problem';

/**
 * Sets the condition for the current problem: `PodScheduled` if the scheduler reported it, otherwise `Synchronized`.
 * Conditions that this controller set and that no longer apply are removed; those of the handler are kept.
 */
export function withProblem(conditions: readonly Condition[], problem: Problem | undefined, now: string): Condition[] {
  const isPlacement = problem?.reason === reasons.unschedulable;
  let list = conditions as Condition[];
  if (problem && isPlacement) list = withCondition(list, { type: 'PodScheduled', status: 'False', ...problem }, now);
  else if (findCondition(list, 'PodScheduled')) list = withoutCondition(list, 'PodScheduled');
  if (problem && !isPlacement) return withCondition(list, { type: 'Synchronized', status: 'False', ...problem }, now);
  const synchronized = findCondition(list, 'Synchronized');
  return synchronized?.status === 'False' && isOwnReason(synchronized.reason)
    ? withoutCondition(list, 'Synchronized')
    : list;
}

const isPaused = ({ status }: VirtualMachineInstance): boolean => isConditionTrue(status?.conditions, 'Paused');

/** Status that the Pod's readiness gate must have; undefined if it has it already. */
export function requiredGate(vmi: VirtualMachineInstance, pod: Pod): 'True' | 'False' | undefined {
  const is = podCondition(pod, UNPAUSED_GATE)?.status ?? 'False';
  const required = vmi.status?.phase === 'Running' && !isPaused(vmi) ? 'True' : 'False';
  return is === required ? undefined : required;
}
