import { LIMITS, MAX_REPORT_BYTES } from '../../../../src/runtime/protocol/bounds';
import type { DomainStats } from '../../../../src/runtime/protocol';
import { boundStats, MAX_STATS_CHARACTERS, STATS_LIMITS } from '../../../../src/runtime/protocol/stats-bounds';

const many = <T>(count: number, of: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => of(i));
const EMPTY: DomainStats = { vcpus: [], nics: [], disks: [], filesystems: [] };

test.each<[string, unknown, Partial<DomainStats>]>([
  ['nothing', undefined, {}],
  ['a list', [1], {}],
  ['values of wrong types', { cpu: { time: '1', user: -1, system: NaN }, memory: 5, vcpus: {} }, { cpu: {} }],
  ['unknown fields', { cpu: { time: 1, steal: 2 }, name: 'x' }, { cpu: { time: 1 } }],
  ['a vCPU without id', { vcpus: [{ time: 1 }, { id: 1, state: 'odd', time: 2 }] }, { vcpus: [{ id: 1, time: 2 }] }],
  ['a NIC without name', { nics: [{ rxBytes: 1 }, { name: 'a', rxBytes: 1 }] }, { nics: [{ name: 'a', rxBytes: 1 }] }],
  [
    'a name with control characters',
    { disks: [{ name: 'a\u0000\nb', reads: 1 }] },
    { disks: [{ name: 'a? b', reads: 1 }] },
  ],
  ['an incomplete load', { load: [1, 2] }, {}],
  ['a load', { load: [1, 2, 3, 4] }, { load: [1, 2, 3] }],
  [
    'a file system with a negative size',
    {
      filesystems: [
        { diskName: 'vda1', mountPoint: '/', fileSystemType: 'ext4', usedBytes: -1, totalBytes: 5, disk: [] },
      ],
    },
    { filesystems: [{ diskName: 'vda1', mountPoint: '/', fileSystemType: 'ext4', usedBytes: 0, totalBytes: 5 }] },
  ],
])('%s is reduced to known fields', (_, given, want) => expect(boundStats(given)).toEqual({ ...EMPTY, ...want }));

test('the largest statistics fit into a message and are parsed', () => {
  const huge = Number.MAX_VALUE;
  const text = 'é'.repeat(10_000);
  const amounts = <K extends string>(...keys: K[]) => Object.fromEntries(keys.map((key) => [key, huge]));
  const largest = boundStats({
    cpu: amounts('time', 'user', 'system'),
    memory: amounts('total', 'balloon', 'rss', 'available', 'unused', 'usable', 'cached', 'swapIn', 'swapOut'),
    vcpus: many(10_000, (id) => ({ id, state: 'running', ...amounts('time', 'wait', 'delay') })),
    nics: many(10_000, () => ({
      name: text,
      ...amounts('rxBytes', 'rxPackets', 'rxErrors', 'rxDropped'),
      ...amounts('txBytes', 'txPackets', 'txErrors', 'txDropped'),
    })),
    disks: many(10_000, () => ({
      name: text,
      ...amounts('reads', 'readBytes', 'readTime', 'writes', 'writtenBytes', 'writeTime', 'flushes', 'flushTime'),
    })),
    filesystems: many(10_000, () => ({
      diskName: text,
      mountPoint: text,
      fileSystemType: text,
      usedBytes: huge,
      totalBytes: huge,
    })),
    load: [huge, huge, huge],
  });
  expect(largest.vcpus).toHaveLength(STATS_LIMITS.vcpus);
  expect(largest.disks).toHaveLength(LIMITS.volumes);
  const json = JSON.stringify(largest);
  expect(json.length).toBeLessThan(MAX_STATS_CHARACTERS);
  expect(Buffer.byteLength(json)).toBeLessThan(MAX_REPORT_BYTES - 1024);
});
