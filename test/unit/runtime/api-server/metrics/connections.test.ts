import { Connections } from '../../../../../src/runtime/api-server/metrics/connections';

test('counts the open streams of each guest', () => {
  const connections = new Connections();
  const open = { subresource: 'vnc', namespace: 'web', name: 'db' };
  const ends = [open, open, { ...open, subresource: 'console' }].map((each) => connections.add(each));
  expect(connections.values('vnc')).toEqual([{ labels: { namespace: 'web', vmi: 'db' }, value: 2 }]);
  expect(connections.values('portforward')).toEqual([]);
  ends[0]!();
  ends[0]!();
  expect(connections.values('vnc')).toEqual([{ labels: { namespace: 'web', vmi: 'db' }, value: 1 }]);
  ends[1]!();
  expect(connections.values('vnc')).toEqual([]);
  expect(connections.values('console')).toHaveLength(1);
});
