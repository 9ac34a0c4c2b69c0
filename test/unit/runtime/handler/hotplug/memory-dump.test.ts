import type { VirtualMachineInstance, VolumeStatus } from '../../../../../src/api';
import { attachedVolumes } from '../../../../../src/api/hotplug-volumes';
import { dumpFileName, dumpStatus, dumpToBegin } from '../../../../../src/runtime/handler/hotplug/memory-dump';
import { releasedVolumes } from '../../../../../src/runtime/handler/hotplug/plan';
import type { DomainState, MemoryDumpState } from '../../../../../src/runtime/protocol';

const NOW = Date.parse('2026-01-02T03:04:05.678Z');
const FILE = 'web-memory-20260102-030405.memory.dump';
const vmi = (volumeStatus: VolumeStatus[] = []): VirtualMachineInstance =>
  ({ metadata: { name: 'web' }, spec: { domain: { devices: {} } }, status: { volumeStatus } }) as never;
const domain = (dump?: Partial<MemoryDumpState>): DomainState => ({
  status: 'Running',
  reason: 'Unknown',
  ...(dump && { memoryDump: { volume: 'memory', fileName: FILE, startedAt: 'a', ...dump } }),
});
const status = (phase: VolumeStatus['phase'], targetFileName?: string) => ({
  name: 'memory',
  target: '',
  phase,
  memoryDumpVolume: { claimName: 'memory', ...(targetFileName && { targetFileName }) },
});

test('the file has the name of KubeVirt, which fits into a file system', () => {
  expect(dumpFileName('web', 'memory', NOW)).toBe(FILE);
  expect(dumpFileName('v'.repeat(253), 'm'.repeat(253), NOW)).toHaveLength(228);
});

test.each<[string, VolumeStatus['phase'], DomainState | undefined, object]>([
  [
    'is to be written',
    'AttachedToNode',
    domain(),
    { phase: 'MemoryDumpInProgress', memoryDumpVolume: { targetFileName: FILE } },
  ],
  ['is not begun', 'MemoryDumpInProgress', domain(), { phase: 'MemoryDumpInProgress' }],
  [
    'is another one',
    'MemoryDumpInProgress',
    domain({ fileName: 'x', endedAt: 'b' }),
    { phase: 'MemoryDumpInProgress' },
  ],
  [
    'is written',
    'MemoryDumpInProgress',
    domain({}),
    { phase: 'MemoryDumpInProgress', memoryDumpVolume: { startTimestamp: 'a' } },
  ],
  [
    'is complete',
    'MemoryDumpInProgress',
    domain({ endedAt: 'b' }),
    { phase: 'MemoryDumpCompleted', memoryDumpVolume: { startTimestamp: 'a', endTimestamp: 'b' } },
  ],
  [
    'has failed',
    'MemoryDumpInProgress',
    domain({ endedAt: 'b', failure: 'the claim is full' }),
    { phase: 'MemoryDumpFailed', message: 'Memory dump to pvc memory failed: the claim is full' },
  ],
  ['stays complete after a restart of the launcher', 'MemoryDumpCompleted', domain(), { phase: 'MemoryDumpCompleted' }],
])('a dump %s', (_, phase, seen, want) => {
  const file = phase === 'AttachedToNode' ? undefined : FILE;
  expect(dumpStatus(vmi(), seen, status(phase, file), NOW)).toMatchObject(want);
});

test('the launcher is asked until it knows the file', () => {
  const open = vmi([status('MemoryDumpInProgress', FILE)]);
  expect(dumpToBegin(open, domain())).toEqual({ volume: 'memory', fileName: FILE });
  expect(dumpToBegin(open, domain({}))).toBeUndefined();
  expect(dumpToBegin(vmi([status('MemoryDumpCompleted', FILE)]), domain())).toBeUndefined();
});

test('a volume to which a dump is written is not taken from the launcher', () => {
  const facts = { plugged: ['memory'] };
  expect(releasedVolumes(vmi(), { ...facts, domain: domain({}) })).toEqual([]);
  expect(releasedVolumes(vmi(), { ...facts, domain: domain({ endedAt: 'b' }) })).toEqual(['memory']);
});

test('memory dumps and utility volumes are attached after the start', () => {
  const spec = {
    volumes: [
      { name: 'root', persistentVolumeClaim: { claimName: 'a' } },
      { name: 'data', dataVolume: { name: 'b', hotpluggable: true } },
      { name: 'memory', memoryDump: { claimName: 'c' } },
    ],
    utilityVolumes: [{ name: 'backup', claimName: 'd' }],
  };
  expect(attachedVolumes(spec).map(({ name }) => name)).toEqual(['data', 'memory', 'backup']);
});
