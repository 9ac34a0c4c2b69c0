import type { KubeObject } from '../../../../src/api';
import { KubeClient, LeaderElector, resources } from '../../../../src/runtime/kube';
import type { LeaderElectorOptions } from '../../../../src/runtime/kube/leader-elector';
import { FaultyProxy } from '../controller/faulty-proxy';
import { Cluster } from './cluster';
import { until } from '../../../support/until';

const cluster = Cluster.forThisFile();
const LONG = 3_600_000;
const stops: (() => unknown)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
  jest.restoreAllMocks();
});

type Times = Pick<LeaderElectorOptions, 'leaseMs' | 'renewDeadlineMs' | 'retryMs'>;

function contender(identity: string, log: string[], times: Times, through = cluster.client) {
  const stop = new AbortController();
  const options = { namespace: cluster.namespace, name: 'lease', identity, retryMs: 100, ...times };
  const done = new LeaderElector(through, options)
    .run(async (signal) => {
      log.push(`${identity} leads`);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    }, stop.signal)
    .then(
      () => log.push(`${identity} gave up`),
      (error: Error) => log.push(`${identity}: ${error.message}`),
    );
  stops.push(() => (stop.abort(), done));
  return { stop: () => stop.abort(), done };
}

async function proxied(): Promise<{ proxy: FaultyProxy; through: KubeClient }> {
  const proxy = await FaultyProxy.start(cluster.client.config);
  const through = new KubeClient(proxy.config, { userAgent: 'test' });
  stops.push(
    () => proxy.close(),
    () => through.close(),
  );
  return { proxy, through };
}

/** Number of times that a candidate without the lease has read it. */
const countLooks = (): (() => number) => {
  const find = jest.spyOn(KubeClient.prototype, 'find');
  return () => find.mock.calls.length;
};

/** Resolves when the holder has written the lease this many more times. */
async function renewed(times: number): Promise<void> {
  const version = async (): Promise<string | undefined> =>
    (await cluster.client.get(resources.leases, { namespace: cluster.namespace, name: 'lease' })).metadata
      .resourceVersion;
  const seen = new Set([await version()]);
  await until(async () => seen.add(await version()).size > times);
}

test('one leads; when it stops, the next leads without waiting for the end of the lease', async () => {
  const log: string[] = [];
  const times = { leaseMs: LONG, renewDeadlineMs: LONG };
  const a = contender('a', log, times);
  await until(() => log.includes('a leads'));
  const looks = countLooks();
  const b = contender('b', log, times);
  await until(() => looks() > 5);
  expect(log).toEqual(['a leads']);
  a.stop();
  await until(() => log.includes('b leads'));
  b.stop();
  await Promise.all([a.done, b.done]);
  expect(log.filter((line) => line.endsWith('leads'))).toEqual(['a leads', 'b leads']);
  expect(log.slice().sort()).toEqual(['a gave up', 'a leads', 'b gave up', 'b leads']);
});

test('a leader that is disconnected stops on its own before another begins', async () => {
  const { proxy, through } = await proxied();
  const log: string[] = [];
  const times = { leaseMs: 4_000, renewDeadlineMs: 2_000 };
  contender('a', log, times, through);
  await until(() => log.includes('a leads'));
  contender('b', log, times);
  proxy.close();
  await until(() => log.includes('b leads'));
  expect(log).toEqual(['a leads', `a: lost the lease ${cluster.namespace}/lease: no renewal for 2 s`, 'b leads']);
});

test('a leader renews while every connection of its workers hangs', async () => {
  const { proxy, through } = await proxied();
  proxy.hangs = (_method, path) => !path.includes('/leases');
  const hanging = Array.from({ length: 20 }, (_, i) =>
    through.create(resources.configMaps, cluster.configMap(`c${i}`)).catch(() => undefined),
  );
  const log: string[] = [];
  contender('a', log, { leaseMs: LONG, renewDeadlineMs: LONG }, through);
  await until(() => log.includes('a leads'));
  await renewed(3);
  expect(log).toEqual(['a leads']);
  proxy.close();
  await Promise.all(hanging);
});

test('a hanging renewal is aborted while there is time for another', async () => {
  const { proxy, through } = await proxied();
  const log: string[] = [];
  contender('a', log, { leaseMs: LONG, renewDeadlineMs: 6_000 }, through);
  await until(() => log.includes('a leads'));
  let hung = 0;
  proxy.hangs = (method) => method === 'PUT' && hung++ === 0;
  await until(() => hung > 0);
  await renewed(2);
  expect(log).toEqual(['a leads']);
});

test('a leader that stops in the middle of a renewal still releases the lease', async () => {
  const log: string[] = [];
  const a = contender('a', log, { leaseMs: LONG, renewDeadlineMs: LONG });
  await until(() => log.includes('a leads'));
  const written = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const replace = Reflect.get(KubeClient.prototype, 'replace') as (...args: unknown[]) => Promise<unknown>;
  const late = async function (this: KubeClient, ...args: unknown[]): Promise<unknown> {
    const answer = await replace.apply(this, args);
    written.resolve();
    await answered.promise;
    return answer;
  };
  jest.spyOn(KubeClient.prototype, 'replace').mockImplementationOnce(late as never);
  await written.promise;
  a.stop();
  // what giving back would write now is refused: the lease has a younger version
  await new Promise((resolve) => setImmediate(resolve));
  answered.resolve();
  await a.done;
  const lease = await cluster.client.get<KubeObject & { spec?: { holderIdentity?: string } }>(resources.leases, {
    namespace: cluster.namespace,
    name: 'lease',
  });
  expect(lease.spec?.holderIdentity ?? '').toBe('');
});

test('a successor of the same host does not wait for the whole lease, and a twin waits while the holder renews', async () => {
  const log: string[] = [];
  const spec = { holderIdentity: 'host', leaseDurationSeconds: 3600, renewTime: '2026-01-01T00:00:00.000000Z' };
  await cluster.client.create(resources.leases, {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: 'lease', namespace: cluster.namespace },
    spec,
  } as KubeObject);
  const times = { leaseMs: LONG, renewDeadlineMs: LONG, retryMs: 1_000 };
  contender('host', log, times);
  await until(() => log.includes('host leads'));
  const looks = countLooks();
  contender('host', log, times);
  await until(() => looks() > 4);
  expect(log).toEqual(['host leads']);
});
