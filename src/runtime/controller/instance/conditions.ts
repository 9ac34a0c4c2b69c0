import type { Condition, VirtualMachineInstance } from '../../../api';
import { findCondition, isConditionTrue, withCondition, withoutCondition } from '../../../api/conditions';
import type { Pod } from '../pod';
import { UNPAUSED_GATE } from '../pod';
import { podCondition } from './observed';
import { isOwnReason } from './problem';
import { reasons } from '../../../api/reasons';
import type { Problem } from './problem';

/**
 * The conditions with what is in the way now: `PodScheduled` for the scheduler's part, `Synchronized` for everything
 * else. What this controller said before and is no longer so is taken back; what the handler said stays.
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

/** What the Pod's readiness gate must say, `undefined` when it says so already. */
export function wantedGate(vmi: VirtualMachineInstance, pod: Pod): 'True' | 'False' | undefined {
  const is = podCondition(pod, UNPAUSED_GATE)?.status ?? 'False';
  const wanted = vmi.status?.phase === 'Running' && !isPaused(vmi) ? 'True' : 'False';
  return is === wanted ? undefined : wanted;
}
