import type { Condition } from '../../../../../src/api';
import { withProblem } from '../../../../../src/runtime/controller/instance/conditions';
import type { Problem } from '../../../../../src/runtime/controller/instance/problem';
import { ago, condition } from '../fixtures';

const unplaced = condition('PodScheduled', 'False', 'Unschedulable', 'no room');
const pulling = condition('Synchronized', 'False', 'ImagePullBackOff', 'no image');
const ofHandler = condition('Synchronized', 'False', 'DiskMissing', 'no disk');
const placement: Problem = { reason: 'Unschedulable', message: 'no room' };
const pull: Problem = { reason: 'ImagePullBackOff', message: 'no image' };

const reasonsOf = (conditions: readonly Condition[]): string[] =>
  conditions.map(({ type, status, reason }) => `${type} ${status} ${reason}`);

test.each<[string, Condition[], Problem | undefined, string[]]>([
  ['a rejection of the scheduler is PodScheduled', [], placement, ['PodScheduled False Unschedulable']],
  ['anything else is Synchronized', [], pull, ['Synchronized False ImagePullBackOff']],
  ['a Pod that was placed is no longer unschedulable', [unplaced], pull, ['Synchronized False ImagePullBackOff']],
  ['a Pod that is refused does not pull an image', [pulling], placement, ['PodScheduled False Unschedulable']],
  ['resolved problems are removed', [unplaced, pulling], undefined, []],
  ['conditions of the handler are kept', [ofHandler], undefined, ['Synchronized False DiskMissing']],
  [
    'conditions of the handler are kept beside the scheduler’s',
    [ofHandler],
    placement,
    ['Synchronized False DiskMissing', 'PodScheduled False Unschedulable'],
  ],
  [
    'a success is never removed',
    [condition('Synchronized', 'True', 'ImagePullBackOff')],
    undefined,
    ['Synchronized True ImagePullBackOff'],
  ],
])('%s', (_, before, problem, want) => expect(reasonsOf(withProblem(before, problem, ago(0)))).toEqual(want));

test.each<[string, Condition[], Problem | undefined]>([
  ['the same refusal', [unplaced], placement],
  ['the same problem', [pulling], pull],
  ['no problem where none was', [condition('Ready', 'True')], undefined],
])('%s leaves the very same list', (_, before, problem) => expect(withProblem(before, problem, ago(0))).toBe(before));
