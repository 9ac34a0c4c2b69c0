import { NodeAgent } from '../../../../src/local/node/node-agent';
import type { KubeClient, Resource } from '../../../../src/runtime/kube';

afterEach(() => jest.useRealTimers());

const SILENCE_MS = 40_000;

test.each([
  ['within its time does not report the status again', SILENCE_MS, 1],
  ['after its time reports the status again, because the node may count as not ready', SILENCE_MS + 1, 2],
])('a renewal of the lease that completes %s', async (_, ms, want) => {
  jest.useFakeTimers({ now: 0, doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] });
  const counts = { nodes: 0, leases: 0 };
  let renewal = Promise.resolve();
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n', uid: 'u' } };
  const client = {
    create: () => Promise.resolve(node),
    patch: async ({ plural }: Resource) => {
      if (plural === 'leases') await renewal;
      counts[plural as keyof typeof counts] += 1;
      return node;
    },
  } as unknown as KubeClient;
  const agent = new NodeAgent({
    client,
    name: 'n',
    stateDir: '/tmp',
    addresses: ['10.77.0.1'],
    kubeletPort: () => 1,
    extended: () => ({ capacity: {}, allocatable: {} }),
    log: () => undefined,
    onDiskPressure: () => undefined,
  });
  jest.setSystemTime(1);
  await agent.start();
  expect(counts).toEqual({ nodes: 1, leases: 1 });

  const network = Promise.withResolvers<void>();
  renewal = network.promise;
  jest.advanceTimersByTime(10_000);
  // the link is down while the request is on its way
  jest.setSystemTime(1 + ms);
  network.resolve();
  while (counts.leases < 2) await new Promise(setImmediate);
  await agent.close();
  expect(counts.nodes).toBe(want);
});
