import { Condition, isConditionTrue, withCondition, withoutCondition } from '../../../src/api';

const then = '2026-01-01T00:00:00Z';
const now = '2026-01-01T00:01:00Z';
const ready: Condition = { type: 'Ready', status: 'True', lastProbeTime: null, lastTransitionTime: then };

test('an unchanged condition is the same list, so that nothing is written', () => {
  const list = [ready];
  expect(withCondition(list, { type: 'Ready', status: 'True' }, now)).toBe(list);
  expect(withoutCondition(list, 'Paused')).toBe(list);
});

test('the transition time moves with the status only', () => {
  const reworded = withCondition([ready], { type: 'Ready', status: 'True', message: 'again' }, now);
  expect(reworded[0]).toMatchObject({ message: 'again', lastTransitionTime: then });
  const lost = withCondition([ready], { type: 'Ready', status: 'False', reason: 'GuestNotRunning' }, now);
  expect(lost).toEqual([
    { type: 'Ready', status: 'False', reason: 'GuestNotRunning', lastProbeTime: null, lastTransitionTime: now },
  ]);
});

test('appends a new condition and removes an old one', () => {
  const both = withCondition([ready], { type: 'Paused', status: 'True' }, now);
  expect(isConditionTrue(both, 'Paused')).toBe(true);
  expect(withoutCondition(both, 'Ready').map(({ type }) => type)).toEqual(['Paused']);
});
