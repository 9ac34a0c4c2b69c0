import type { VirtualMachineInstance } from '../../../../../src/api';
import { MAX_STATS_CALLS, STATS_KEPT_MS } from '../../../../../src/runtime/handler/launcher/limits';
import { KnownFilesystems } from '../../../../../src/runtime/handler/metrics/known-filesystems';
import { retryDelay, StatsCollector } from '../../../../../src/runtime/handler/metrics/stats-collector';
import type { GuestValues, StatsTarget } from '../../../../../src/runtime/handler/metrics/stats-collector';
import type { DomainStats } from '../../../../../src/runtime/protocol';

const STATS: DomainStats = { cpu: { time: 1e9 }, vcpus: [], nics: [], disks: [], filesystems: [] };

const target = (name: string, read: () => Promise<DomainStats>): StatsTarget => ({
  podUid: name,
  vmi: { metadata: { namespace: 'web', name }, spec: { domain: { devices: {} } } } as VirtualMachineInstance,
  read,
});
const namesIn = (values: GuestValues): unknown[] =>
  (values.get('kubevirt_vmi_cpu_usage_seconds_total') ?? []).map(({ labels }) => labels?.name);

let now: number;
let calls: string[];
beforeEach(() => {
  now = 1_000;
  calls = [];
});
const answering = (name: string): StatsTarget =>
  target(name, async () => {
    calls.push(name);
    return STATS;
  });
const failing = (name: string): StatsTarget =>
  target(name, async () => {
    calls.push(name);
    throw new Error('UNIMPLEMENTED');
  });
const collector = (targets: readonly StatsTarget[], deadlineMs?: number): StatsCollector =>
  new StatsCollector({ node: 'n1', targets: () => targets, now: () => now, deadlineMs });

test('all metrics of a scrape share one call per guest, and so do scrapes within a few seconds', async () => {
  const stats = collector([answering('a'), answering('b')]);
  const [first, second] = await Promise.all([stats.current(), stats.current()]);
  expect(namesIn(first)).toEqual(['a', 'b']);
  expect(second).toBe(first);
  now += STATS_KEPT_MS - 1;
  expect(await stats.current()).toBe(first);
  expect(calls).toEqual(['a', 'b']);
  now += 1;
  await stats.current();
  expect(calls).toEqual(['a', 'b', 'a', 'b']);
});

test('a launcher that fails is asked again after growing delays, and does not affect the others', async () => {
  const stats = collector([failing('old'), answering('a')]);
  expect(namesIn(await stats.current())).toEqual(['a']);
  const asked = async (afterMs: number): Promise<boolean> => {
    now += afterMs;
    calls = [];
    await stats.current();
    return calls.includes('old');
  };
  expect([await asked(24_000), await asked(6_000), await asked(54_000), await asked(6_000)]).toEqual([
    ...[false, true, false, true],
  ]);
});

test.each([
  [1, 30_000],
  [2, 60_000],
  [5, 480_000],
  [6, 600_000],
  [10_000, 600_000],
])('after %d failures it waits %d ms', (failures, ms) => expect(retryDelay(failures)).toBe(ms));

test('guests that do not answer in time are left out, and are not asked again meanwhile', async () => {
  const { promise, resolve } = Promise.withResolvers<DomainStats>();
  const slow = target('slow', () => {
    calls.push('slow');
    return promise;
  });
  const stats = collector([slow, answering('a')], 20);
  expect(namesIn(await stats.current())).toEqual(['a']);
  now += STATS_KEPT_MS;
  expect(namesIn(await stats.current())).toEqual(['a']);
  expect(calls.filter((name) => name === 'slow')).toHaveLength(1);
  resolve(STATS);
  await promise;
  now += STATS_KEPT_MS;
  expect(namesIn(await stats.current())).toEqual(['slow', 'a']);
});

test('no more launchers than the limit are asked at the same time', async () => {
  let running = 0;
  let most = 0;
  const targets = Array.from({ length: 3 * MAX_STATS_CALLS }, (_, i) =>
    target(String(i), async () => {
      most = Math.max(most, ++running);
      await new Promise((done) => setImmediate(done));
      running--;
      return STATS;
    }),
  );
  expect(namesIn(await collector(targets).current())).toHaveLength(targets.length);
  expect(most).toBe(MAX_STATS_CALLS);
});

describe('file systems', () => {
  const fs = (mountPoint: string) => ({
    ...{ diskName: 'vda', mountPoint, fileSystemType: 'ext4', usedBytes: 1, totalBytes: 2 },
  });
  const mounts = (list: { mountPoint: string }[]): string[] => list.map(({ mountPoint }) => mountPoint);

  test('a guest gets no more names than the limit in the life of its Pod', () => {
    const known = new KnownFilesystems(2);
    expect(mounts(known.admit('p', ['/', '/', '/a', '/b'].map(fs)))).toEqual(['/', '/a']);
    expect(mounts(known.admit('p', ['/b', '/a', '/'].map(fs)))).toEqual(['/a', '/']);
    expect(mounts(known.admit('q', ['/b'].map(fs)))).toEqual(['/b']);
  });

  test('a Pod that no longer exists is forgotten', () => {
    const known = new KnownFilesystems(1);
    known.admit('p', ['/'].map(fs));
    known.keepOnly(new Set());
    expect(mounts(known.admit('p', ['/new'].map(fs)))).toEqual(['/new']);
  });
});
