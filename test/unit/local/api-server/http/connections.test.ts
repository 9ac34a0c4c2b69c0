import { Connections } from '../../../../../src/local/api-server/http/connections';

const socket = (name: string) => ({ name, closed: false, destroy: jest.fn() });
const limits = { total: 6, perUser: 3, perAddress: 2 };

test.each([
  ['one below the limit', 1, 0],
  ['at the limit', 2, 0],
  ['one above the limit', 3, 1],
])('connections of an address: %s', (_, count, closed) => {
  const connections = new Connections(limits);
  const sockets = Array.from({ length: count }, (__, i) => socket(`s${i}`));
  for (const one of sockets) expect(connections.add(one, '::1')).toBe(true);
  expect(sockets.filter(({ destroy }) => destroy.mock.calls.length)).toEqual(closed ? [sockets[0]] : []);
  expect(connections.closedByLimit).toBe(closed);
});

test('connections of an authenticated user no longer count for the address', () => {
  const connections = new Connections(limits);
  for (const name of ['a', 'b', 'c']) {
    const one = socket(name);
    connections.add(one, '::1');
    expect(connections.begin(one, 'alice')).toBe(true);
    expect(one.destroy).not.toHaveBeenCalled();
  }
  expect(connections.countOf('user alice')).toBe(3);
  expect(connections.countOf('address ::1')).toBe(0);
});

test("a user's next connection closes the one that was idle for the longest time", () => {
  const connections = new Connections(limits);
  const all = ['a', 'b', 'c', 'd'].map(socket);
  for (const one of all) connections.add(one, one.name);
  for (const one of all.slice(0, 3)) connections.begin(one, 'alice');
  connections.end(all[1]);
  connections.end(all[2]);
  expect(connections.begin(all[3], 'alice')).toBe(true);
  expect(all.map(({ destroy }) => destroy.mock.calls.length)).toEqual([0, 1, 0, 0]);
});

test('a user whose connections are all busy gets no further one', () => {
  const connections = new Connections(limits);
  const all = ['a', 'b', 'c', 'd'].map(socket);
  for (const one of all) connections.add(one, one.name);
  expect(all.map((one) => connections.begin(one, 'alice'))).toEqual([true, true, true, false]);
});

test('a full server closes a connection of the client that has most', () => {
  const connections = new Connections(limits);
  const flood = ['a', 'b', 'c'].map(socket);
  for (const one of flood) {
    connections.add(one, one.name);
    connections.begin(one, 'mallory');
    connections.end(one);
  }
  const others = ['d', 'e', 'f'].map(socket);
  for (const one of others) connections.add(one, one.name);
  const late = socket('late');
  expect(connections.add(late, '10.0.0.9')).toBe(true);
  expect(flood[0].destroy).toHaveBeenCalled();
  expect(connections.size).toBe(6);
});

test('removed sockets leave nothing behind', () => {
  const connections = new Connections(limits);
  const one = socket('a');
  connections.add(one, '::1');
  connections.begin(one, 'alice');
  connections.remove(one);
  connections.end(one);
  expect([connections.size, connections.countOf('user alice')]).toEqual([0, 0]);
});
