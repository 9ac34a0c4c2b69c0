import type { VirtualMachine, VirtualMachineInstance, Volume, VolumeStatus } from '../../../../../src/api';
import { decideMemoryDump } from '../../../../../src/runtime/controller/virtual-machine/memory-dump';
import { running, vm } from '../fixtures';

type Request = NonNullable<NonNullable<VirtualMachine['status']>['memoryDumpRequest']>;
type Phase = Request['phase'];

const volume: Volume = { name: 'memory', memoryDump: { claimName: 'memory', hotpluggable: true } };
const NOW = Date.parse('2026-01-02T03:04:05Z');
const FILE = 'web-memory-20260102-030405.memory.dump';

const machine = (phase: Phase, inVm: boolean, more: Partial<Request> = {}): VirtualMachine =>
  vm('Always', (it) => {
    it.status = { ...it.status, memoryDumpRequest: { claimName: 'memory', phase, ...more } };
    if (inVm) it.spec.template.spec!.volumes!.push(volume);
  });
const guest = (inVmi: boolean, status?: Partial<VolumeStatus>): VirtualMachineInstance =>
  running((it) => {
    if (inVmi) it.spec.volumes!.push(volume);
    const entry = { name: 'memory', target: '', memoryDumpVolume: { claimName: 'memory' }, ...status };
    if (status) it.status!.volumeStatus = [entry];
  });
const dumped = { startTimestamp: 'a', endTimestamp: 'b', targetFileName: FILE };
const ended = running((it) => {
  it.status!.phase = 'Succeeded';
});

test.each<[string, VirtualMachine, VirtualMachineInstance | undefined, Partial<Request> | undefined, string[]]>([
  [
    'a new request attaches the claim',
    machine('Associating', false),
    guest(false),
    { phase: 'Associating' },
    ['setTemplateVolumes root,memory', 'changeStorage root,memory'],
  ],
  [
    'another request attaches it to the guest only',
    machine('Associating', true),
    guest(false),
    { phase: 'Associating' },
    ['changeStorage root,memory'],
  ],
  [
    'a request waits until the last dump is detached',
    machine('Associating', true),
    guest(false, { phase: 'Detaching' }),
    { phase: 'Associating' },
    [],
  ],
  [
    'a request after a failure detaches the last dump first',
    machine('Associating', true),
    guest(true, { phase: 'MemoryDumpFailed' }),
    { phase: 'Associating' },
    ['changeStorage root'],
  ],
  ['the claim is attached', machine('Associating', true), guest(true), { phase: 'InProgress' }, []],
  [
    'a guest that ended fails the request',
    machine('Associating', true),
    ended,
    { phase: 'Failed', message: expect.stringContaining('start the VM') as never },
    ['annotateClaim Memory dump failed', 'recordEvent MemoryDumpError'],
  ],
  [
    'a claim that cannot be attached is explained',
    machine('InProgress', true),
    guest(true, { phase: 'Pending', message: 'the claim is used by VM "db"' }),
    { phase: 'InProgress', message: 'the claim is used by VM "db"' },
    [],
  ],
  [
    'a dump is complete',
    machine('InProgress', true, { message: 'getting memory dump' }),
    guest(true, { phase: 'MemoryDumpCompleted', memoryDumpVolume: dumped }),
    { phase: 'Unmounting', fileName: FILE, startTimestamp: 'a', endTimestamp: 'b' },
    [`annotateClaim ${FILE}`],
  ],
  [
    'a dump has failed',
    machine('InProgress', true),
    guest(true, { phase: 'MemoryDumpFailed', message: 'full', memoryDumpVolume: dumped }),
    { phase: 'Failed', message: 'full', startTimestamp: 'a', endTimestamp: 'b' },
    ['annotateClaim Memory dump failed', 'recordEvent MemoryDumpError'],
  ],
  [
    'a restarted guest has no dump',
    machine('InProgress', true),
    guest(false),
    { phase: 'Failed', endTimestamp: '2026-01-02T03:04:05Z' },
    ['annotateClaim Memory dump failed', 'recordEvent MemoryDumpError'],
  ],
  [
    'a complete dump is detached',
    machine('Unmounting', true),
    guest(true, { phase: 'MemoryDumpCompleted' }),
    { phase: 'Unmounting' },
    ['changeStorage root'],
  ],
  [
    'it is complete when it is detached',
    machine('Unmounting', true, { fileName: FILE }),
    guest(false),
    { phase: 'Completed' },
    ['recordEvent MemoryDumpCompleted'],
  ],
  [
    'also if the guest has ended',
    machine('Unmounting', true),
    undefined,
    { phase: 'Completed' },
    ['recordEvent MemoryDumpCompleted'],
  ],
  ['a complete dump stays in the VM', machine('Completed', true), guest(false), { phase: 'Completed' }, []],
  ['a failed one is detached', machine('Failed', true), guest(true), { phase: 'Failed' }, ['changeStorage root']],
  [
    'a removal detaches the claim',
    machine('InProgress', true, { remove: true }),
    guest(true, { phase: 'MemoryDumpInProgress' }),
    { phase: 'Dissociating' },
    ['changeStorage root', 'setTemplateVolumes root'],
  ],
  [
    'a removal waits for the launcher',
    machine('Dissociating', false),
    guest(false, { phase: 'Detaching' }),
    { phase: 'Dissociating' },
    [],
  ],
  ['a removal is complete', machine('Dissociating', false), guest(false), undefined, []],
])('%s', (_, of, vmi, request, effects) => {
  const decision = decideMemoryDump(of, vmi, NOW);
  expect(decision.request).toEqual(request && expect.objectContaining({ claimName: 'memory', ...request }));
  if (request?.phase === 'Unmounting') expect(decision.request).not.toHaveProperty('message');
  const shown = decision.effects.map((effect) => {
    switch (effect.do) {
      case 'setTemplateVolumes':
        return `${effect.do} ${effect.volumes.map(({ name }) => name).join()}`;
      case 'changeStorage':
        return `${effect.do} ${effect.change.volumes.map(({ name }) => name).join()}`;
      case 'annotateClaim':
        return `${effect.do} ${effect.value}`;
      default:
        return effect.do === 'recordEvent' ? `${effect.do} ${effect.reason}` : effect.do;
    }
  });
  expect(shown).toEqual(effects);
});
