import { untilRegistered } from '../../../../../src/local/engine/nodes/registered';
import type { KubeClient } from '../../../../../src/runtime/kube';

/** A cluster in which each node registers after some requests for it. */
function cluster(after: Readonly<Record<string, number>>): { client: KubeClient; asked: Record<string, number> } {
  const asked: Record<string, number> = {};
  const find = (_: unknown, { name }: { name: string }): Promise<object | undefined> => {
    asked[name] = (asked[name] ?? 0) + 1;
    return Promise.resolve(asked[name] > after[name]! ? { metadata: { name } } : undefined);
  };
  return { client: { find } as never, asked };
}

afterEach(() => jest.useRealTimers());

test('waits for each node, and asks no more for those that it has found', async () => {
  const { client, asked } = cluster({ a: 0, b: 2 });
  expect(await untilRegistered(client, ['a', 'b'])).toEqual([]);
  expect(asked).toEqual({ a: 1, b: 3 });
});

test('asks for nothing without nodes', async () => {
  const { client, asked } = cluster({});
  expect(await untilRegistered(client, [])).toEqual([]);
  expect(asked).toEqual({});
});

test('names the nodes that have not registered within a minute', async () => {
  jest.useFakeTimers();
  const { client } = cluster({ a: 1, b: Infinity });
  const missing = untilRegistered(client, ['a', 'b']);
  await jest.advanceTimersByTimeAsync(61_000);
  expect(await missing).toEqual(['b']);
});
