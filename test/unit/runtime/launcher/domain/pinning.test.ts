import type { DomainSpec } from '../../../../../src/api';
import { cpuPool } from '../../../../../src/runtime/launcher/domain/cpu-pool';
import type { NodeTopology } from '../../../../../src/runtime/launcher/domain/facts';
import type { Fixture } from './fixture';
import { part } from './part';

/** Cells of cores, each a list of siblings. */
const node = (...cells: number[][][]): NodeTopology => ({
  cells: cells.map((cores, id) => ({
    id,
    cpus: cores.flatMap((siblings) => siblings.map((cpu) => ({ id: cpu, siblings }))),
  })),
});

const pairs = (from: number, count: number): number[][] =>
  Array.from({ length: count }, (_, i) => [from + 2 * i, from + 2 * i + 1]);

const relaxed = { mayCrossCells: true };
const strict = { mayCrossCells: false };

test.each<[string, number[], NodeTopology, { mayCrossCells: boolean }, number, number, number[] | undefined]>([
  ['whole cores first', [0, 2, 3], node(pairs(0, 2)), relaxed, 2, 1, [2, 3]],
  ['then what is left of cores', [0, 2, 3, 4], node(pairs(0, 3)), relaxed, 2, 2, [2, 3, 0, 4]],
  ['a core of four holds two of two', [0, 1, 2, 3], node([[0, 1, 2, 3]]), strict, 2, 2, [0, 1, 2, 3]],
  ['halves of different cells, if they may', [0, 4], node(pairs(0, 1), pairs(4, 1)), relaxed, 2, 1, [0, 4]],
  ['no halves of different cells, if they may not', [0, 4], node(pairs(0, 1), pairs(4, 1)), strict, 2, 1, undefined],
  ['too few cores give none', [0, 1], node(pairs(0, 2)), relaxed, 1, 3, undefined],
  [
    'a CPU without siblings is a core',
    [0, 1],
    { cells: [{ id: 0, cpus: [0, 1].map((id) => ({ id, siblings: [] })) }] },
    strict,
    1,
    2,
    [0, 1],
  ],
  ['three threads of a core of two', [0, 1, 2, 3], node(pairs(0, 2)), relaxed, 3, 1, [0, 1, 2]],
])('cores of the guest: %s', (_, cpuSet, topology, { mayCrossCells }, threadsPerCore, cores, want) => {
  expect(cpuPool(cpuSet, topology, { threadsPerCore, mayCrossCells }).takeCores(cores)).toEqual(want);
});

test('single CPUs are taken from incomplete cores first, until all are used', () => {
  const pool = cpuPool([0, 1, 2], node(pairs(0, 2)), { threadsPerCore: 2, mayCrossCells: true });
  expect([pool.take(), pool.take(), pool.take(), pool.take()]).toEqual([2, 0, 1, undefined]);
});

const cputune = (domain: Partial<DomainSpec>, change: Fixture = {}): string | undefined =>
  part('cputune', { ...change, domain: { ...domain, cpu: { dedicatedCpuPlacement: true, ...domain.cpu } } });

const pins = (...cpus: number[]): string =>
  cpus.map((cpu, vcpu) => `<vcpupin vcpu='${vcpu}' cpuset='${cpu}'/>`).join('');
const iothreads = (...sets: string[]): string =>
  sets.map((set, i) => `<iothreadpin iothread='${i + 1}' cpuset='${set}'/>`).join('');
const emulator = (set: string): string => `<emulatorpin cpuset='${set}'/>`;

const EVEN = { 'alpha.kubevirt.io/EmulatorThreadCompleteToEvenParity': '' };
const disks = (count: number): Fixture => ({
  devices: { disks: Array.from({ length: count }, (_, i) => ({ name: `d${i}`, disk: { bus: 'virtio' } })) },
  volumes: Array.from({ length: count }, (_, i) => ({ name: `d${i}`, emptyDisk: { capacity: '1Gi' } })),
});

test.each<[string, Partial<DomainSpec>, Fixture, string]>([
  ['each vCPU has a CPU', { cpu: { cores: 3 } }, {}, pins(0, 1, 2)],
  ['sockets that come later have none', { cpu: { sockets: 2, maxSockets: 4 } }, {}, pins(0, 1)],
  ['the emulator has one', { cpu: { cores: 2, isolateEmulatorThread: true } }, {}, pins(0, 1) + emulator('2')],
  [
    'or two, to leave no half core to others',
    { cpu: { cores: 2, isolateEmulatorThread: true } },
    { annotations: EVEN },
    pins(0, 1) + emulator('2,3'),
  ],
  [
    'but one if it completes a core',
    { cpu: { cores: 3, isolateEmulatorThread: true } },
    { annotations: EVEN },
    pins(0, 1, 2) + emulator('3'),
  ],
  [
    "disk threads share the emulator's",
    { cpu: { cores: 2, isolateEmulatorThread: true }, ioThreadsPolicy: 'shared' },
    disks(1),
    pins(0, 1) + iothreads('2') + emulator('2'),
  ],
  [
    'threads of a pool have their own',
    { cpu: { cores: 2 }, ioThreadsPolicy: 'supplementalPool', ioThreads: { supplementalPoolThreadCount: 2 } },
    disks(1),
    pins(0, 1) + iothreads('2', '3'),
  ],
  [
    'as many threads as vCPUs take turns',
    { cpu: { cores: 2 }, ioThreadsPolicy: 'auto' },
    disks(2),
    pins(0, 1) + iothreads('1', '0'),
  ],
  [
    'fewer have slices of equal size',
    { cpu: { cores: 5 }, ioThreadsPolicy: 'auto' },
    disks(2),
    pins(0, 1, 2, 3, 4) + iothreads('0,1,2', '3,4'),
  ],
])('dedicated CPUs: %s', (_, domain, change, want) => {
  expect(cputune(domain, change)).toBe(`<cputune>${want}</cputune>`);
});

test('a guest without dedicated CPUs runs anywhere', () => {
  expect(part('cputune', { domain: { cpu: { cores: 2 } } })).toBeUndefined();
});

test.each<[string, Partial<DomainSpec>, number[], RegExp]>([
  ['vCPUs', { cpu: { cores: 3 } }, [0, 1], /^spec.domain.cpu: 3 vCPUs do not fit on the 2 CPUs of the Pod; wait/],
  ['the emulator', { cpu: { cores: 2, isolateEmulatorThread: true } }, [0, 1], /no CPU left for the emulator/],
  [
    'a disk thread',
    { cpu: { cores: 2 }, ioThreadsPolicy: 'supplementalPool', ioThreads: { supplementalPoolThreadCount: 1 } },
    [0, 1],
    /no CPU left for a disk thread/,
  ],
])('too few CPUs for %s are an error', (_, domain, cpuSet, message) => {
  expect(() => cputune(domain, { node: { cpuSet } })).toThrow(message);
});
