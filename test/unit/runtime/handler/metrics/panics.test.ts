import { Panics } from '../../../../../src/runtime/handler/metrics/panics';

test('counts the panics of a guest, across its restarts', () => {
  const panics = new Panics();
  panics.add('web', 'a');
  panics.add('web', 'b');
  panics.add('web', 'a');
  expect(panics.values()).toEqual([
    { labels: { namespace: 'web', name: 'b', type: 'unknown', bugcheck_code: 'unknown' }, value: 1 },
    { labels: { namespace: 'web', name: 'a', type: 'unknown', bugcheck_code: 'unknown' }, value: 2 },
  ]);
});

test('forgets the guests whose last panic is the oldest', () => {
  const panics = new Panics();
  for (let i = 0; i < 1_001; i++) panics.add('web', String(i));
  expect(panics.values()).toHaveLength(1_000);
  expect(panics.values()[0]?.labels?.name).toBe('1');
});
