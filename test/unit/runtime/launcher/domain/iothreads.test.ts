import type { Disk, DomainSpec } from '../../../../../src/api';
import { diskThreads, iothreadsOf, scsiThread } from '../../../../../src/runtime/launcher/domain/iothreads';
import { vmiOf } from './fixture';

/** `v`: virtio, `V`: with a thread of its own; `s` and `S`: SCSI. */
const vmi = (disks: string, domain: Partial<DomainSpec> = {}) =>
  vmiOf({
    domain,
    devices: {
      disks: [...disks].map((letter, i): Disk => {
        const bus = letter.toLowerCase() === 'v' ? 'virtio' : 'scsi';
        const own = letter === letter.toUpperCase();
        return { name: `${i}`, disk: { bus }, ...(own && { dedicatedIOThread: true }) };
      }),
    },
  });

const auto = (cpu?: string): Partial<DomainSpec> => ({
  ioThreadsPolicy: 'auto',
  resources: cpu === undefined ? undefined : { requests: { cpu } },
});
const shared: Partial<DomainSpec> = { ioThreadsPolicy: 'shared' };
const pool: Partial<DomainSpec> = {
  ioThreadsPolicy: 'supplementalPool',
  ioThreads: { supplementalPoolThreadCount: 2 },
};

test.each<[string, string, Partial<DomainSpec>, number | undefined, string]>([
  ['none without a request', 'vv', {}, undefined, ''],
  ['one for a disk with a dedicated thread, one for the others', 'vVv', {}, 2, '1 2 1'],
  ['one for all', 'vv', shared, 1, '1 1'],
  ['one more for a disk with a dedicated thread', 'vV', shared, 2, '1 2'],
  ['two for the CPU', 'vvv', auto(), 2, '1 2 1'],
  ['two for each CPU', 'vvvvv', auto('2'), 4, '1 2 3 4 1'],
  ['no more than disks', 'vv', auto('2'), 2, '1 2'],
  ['at least one that is shared', 'vVVV', auto(), 4, '1 2 3 4'],
  [
    'one beside an isolated emulator',
    'vv',
    { ...auto('4'), cpu: { dedicatedCpuPlacement: true, isolateEmulatorThread: true } },
    1,
    '1 1',
  ],
  [
    'two for a CPU that is only limited',
    'vvv',
    { ioThreadsPolicy: 'auto', resources: { limits: { cpu: '1' } } },
    2,
    '1 2 1',
  ],
  [
    'four for a limit of two CPUs',
    'vvvvv',
    { ioThreadsPolicy: 'auto', resources: { limits: { cpu: '2' } } },
    4,
    '1 2 3 4 1',
  ],
  [
    'two for each dedicated CPU when the emulator shares them',
    'vvvvv',
    { ...auto('2'), cpu: { dedicatedCpuPlacement: true } },
    4,
    '1 2 3 4 1',
  ],
  [
    'two for each CPU that is not dedicated, with any setting of the emulator',
    'vvvvv',
    { ...auto('2'), cpu: { isolateEmulatorThread: true } },
    4,
    '1 2 3 4 1',
  ],
  ['disks on other buses count, and have none', 'vsV', auto('4'), 3, '1 - 3'],
  ['all of a pool for each disk', 'vVs', pool, 2, '1,2 1,2 -'],
])('disk threads: %s', (_, disks, domain, count, want) => {
  const given = vmi(disks, domain);
  expect(iothreadsOf(given)?.count).toBe(count);
  const threads = diskThreads(given);
  if (count === undefined) return void expect(threads.size).toBe(0);
  const text = [...disks].map((_letter, i) => {
    const of = threads.get(`${i}`);
    if (!of) return '-';
    return 'iothread' in of ? of.iothread : of.iothreads.join(',');
  });
  expect(text.join(' ')).toBe(want);
});

test.each<[string, string, Partial<DomainSpec>, object | undefined]>([
  ['none unless one of its disks requests it', 'vs', shared, undefined],
  ['the one after those of the virtio disks', 'vS', auto('2'), { iothread: 1, queues: 3 }],
  ['with a queue for each vCPU', 'vvS', auto('2'), { iothread: 1, queues: 3 }],
  ['none with a pool', 'S', pool, undefined],
])('thread of the SCSI controller: %s', (_, disks, domain, want) => {
  expect(scsiThread(vmi(disks, { cpu: { cores: 3 }, ...domain }))).toEqual(want);
});
