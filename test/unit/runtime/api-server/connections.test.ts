import { EventEmitter } from 'node:events';
import { Unidentified } from '../../../../src/runtime/api-server/connections';

/** Closes as a socket does: later. */
class Connection extends EventEmitter {
  public isDestroyed = false;
  public constructor(public readonly remoteAddress: string) {
    super();
  }
  public destroy(): this {
    this.isDestroyed = true;
    return this;
  }
}

/** Connections `a1`, `a2`, `b1` … of the addresses a and b, which are added when they are first named. */
function world(mostOfOne: number, most: number) {
  const unidentified = new Unidentified(mostOfOne, most);
  const connections = new Map<string, Connection>();
  const of = (name: string): Connection => {
    let connection = connections.get(name);
    if (!connection) {
      connections.set(name, (connection = new Connection(name[0])));
      unidentified.add(connection as never);
    }
    return connection;
  };
  const begin = (name: string): void => unidentified.request(of(name) as never, 1);
  const end = (name: string): void => unidentified.request(of(name) as never, -1);
  const closed = (): string[] => [...connections].filter(([, { isDestroyed }]) => isDestroyed).map(([name]) => name);
  return { of, begin, end, closed };
}

test.each<[string, string[], string[]]>([
  ['as many as one address may have', ['a1', 'a2'], []],
  ['one more of an address', ['a1', 'a2', 'a3'], ['a1']],
  ['one more of an address, beside others', ['b1', 'a1', 'a2', 'a3'], ['a1']],
  ['as many as there may be', ['a1', 'a2', 'b1'], []],
  ['one more than there may be', ['b1', 'a1', 'a2', 'c1'], ['b1']],
])('%s', (_, names, want) => {
  const { of, closed } = world(2, 3);
  for (const name of names) of(name);
  expect(closed()).toEqual(want);
});

test('the connection that is longest without a request is closed', () => {
  const { of, begin, end, closed } = world(2, 2);
  for (const name of ['a1', 'a2']) of(name);
  begin('a1');
  end('a1');
  of('a3');
  expect(closed()).toEqual(['a2']);
});

test('connections with an open request stay, and the new one is closed when all are busy', () => {
  const { of, begin, end, closed } = world(2, 2);
  begin('a1');
  begin('a1');
  end('a1');
  of('a2');
  of('b1');
  expect(closed()).toEqual(['a2']);
  begin('b1');
  of('c1');
  expect(closed()).toEqual(['a2', 'c1']);
});

test('a closed connection is subtracted once', () => {
  const { of, closed } = world(2, 2);
  for (const name of ['a1', 'a2']) of(name);
  of('a3');
  of('a1').emit('close');
  of('a2').emit('close');
  of('a4');
  expect(closed()).toEqual(['a1']);
  of('a5');
  expect(closed()).toEqual(['a1', 'a3']);
});

test('ignores requests of connections with a certificate', () => {
  const unidentified = new Unidentified(1, 1);
  const identified = new Connection('a');
  unidentified.request(identified as never, 1);
  unidentified.add(new Connection('a') as never);
  unidentified.request(identified as never, -1);
  expect(identified.isDestroyed).toBe(false);
});
