import { podsToDelete } from '../../../../../src/local/controllers/replica-set/ranking';
import { NOW, pod, type PodFacts } from '../pods';

const first = (a: PodFacts, b: PodFacts, related: PodFacts[] = []): string | undefined =>
  podsToDelete([pod({ name: 'a', ...a }), pod({ name: 'b', ...b })], related.map(pod), 1, NOW)[0]?.metadata.name;

test.each<[string, PodFacts, PodFacts]>([
  ['without a node before assigned', { readyFor: 5 }, { node: '' }],
  ['pending before running', { readyFor: 5 }, { phase: 'Pending' }],
  ['not ready before ready', { readyFor: 5 }, {}],
  ['of lower cost before of higher cost', { readyFor: 5, cost: '2' }, { readyFor: 500, cost: '1' }],
  ['without cost before of positive cost', { readyFor: 5, cost: '1' }, { readyFor: 500 }],
  ['ready for a short time before ready for long', { readyFor: 500 }, { readyFor: 5 }],
  ['often restarted before never restarted', {}, { restarts: 1 }],
  ['young before old', { age: 5000 }, { age: 5 }],
])('deletes a Pod %s', (_, kept, deleted) => {
  expect(first(kept, deleted)).toBe('b');
  expect(first(deleted, kept)).toBe('a');
});

test.each(['+1', '01', '1.5', '2147483648', 'x'])('ignores the invalid cost %s', (cost) => {
  expect(first({ readyFor: 5, cost }, { readyFor: 500 })).toBe('a');
});

test('accepts the largest cost', () => {
  expect(first({ readyFor: 5, cost: '2147483647' }, { readyFor: 500 })).toBe('b');
});

test('deletes a Pod whose node runs more related Pods', () => {
  const related = [{ node: 'a' }, { node: 'b' }, { node: 'b' }];
  expect(first({ node: 'a', readyFor: 5 }, { node: 'b', readyFor: 500 }, related)).toBe('b');
});

test('orders Pods of similar age by UID', () => {
  expect(first({ readyFor: 100 }, { readyFor: 101 })).toBe('a');
  expect(first({ readyFor: 101 }, { readyFor: 100 })).toBe('a');
});

test('returns all Pods if all are deleted', () => {
  expect(podsToDelete([pod(), pod()], [], 2, NOW)).toHaveLength(2);
});
