import type { cdi, VirtualMachine, VirtualMachineInstance } from '../../../../../src/api';
import {
  type Claim,
  claimOf,
  decideDump,
  decideRemoval,
  type DumpFacts,
} from '../../../../../src/runtime/api-server/subresources/memory-dump';

type Request = NonNullable<VirtualMachine['status']>['memoryDumpRequest'];

const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }];
const vm = (memoryDumpRequest?: Request): VirtualMachine =>
  ({
    metadata: { name: 'web', resourceVersion: '7' },
    spec: { template: { spec: { domain: { devices: {} }, volumes } } },
    status: { memoryDumpRequest },
  }) as VirtualMachine;
const vmi = { metadata: { name: 'web' }, spec: { domain: { memory: { guest: '1Gi' }, devices: {} }, volumes } };
const running = { ...vmi, status: { phase: 'Running' } } as VirtualMachineInstance;
const claim = (change: object = {}): Claim =>
  ({
    metadata: { name: 'memory' },
    spec: { volumeMode: 'Filesystem', accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '2Gi' } } },
    ...change,
  }) as never;
const spec = (change: object): Claim => claim({ spec: { ...claim().spec, ...change } });
const size = (storage: string): Claim => spec({ resources: { requests: { storage } } });
const config = (filesystemOverhead: object) =>
  ({ metadata: {}, spec: {}, status: { filesystemOverhead } }) as unknown as cdi.CDIConfig;

test.each<[string, Partial<DumpFacts>, string, RegExp]>([
  ['without a guest', { vmi: undefined }, 'memory', /"web" not found/],
  ['to a stopped guest', { vmi: { ...running, status: { phase: 'Succeeded' } } }, 'memory', /VMI is not running/],
  ['to a missing claim', { claim: undefined }, 'memory', /"memory" not found/],
  ['to a block volume', { claim: spec({ volumeMode: 'Block' }) }, 'memory', /pvc should be filesystem pvc/],
  ['to a claim that is read', { claim: spec({ accessModes: ['ReadOnlyMany'] }) }, 'memory', /can't be read only/],
  [
    'to a claim without room for the file system',
    { claim: size('1124Mi') },
    'memory',
    /\[1124Mi\] should be bigger then \[/,
  ],
  [
    'to a bound claim that is smaller',
    { claim: claim({ status: { capacity: { storage: '1Gi' } } }) },
    'memory',
    /\[1Gi\]/,
  ],
  ['to a disk of the VM', { claim: claim() }, 'data', /is the disk \[data\]/],
  [
    'to another claim',
    { vm: vm({ claimName: 'memory', phase: 'Completed' }) },
    'other',
    /while pvc \[memory\] is still associated/,
  ],
  ['while one is written', { vm: vm({ claimName: 'memory', phase: 'InProgress' }) }, 'memory', /already in progress/],
  [
    'while the claim is removed',
    { vm: vm({ claimName: 'memory', phase: 'Dissociating', remove: true }) },
    'memory',
    /remove memory dump request is in progress/,
  ],
])('rejects a dump %s', (_, facts, claimName, message) => {
  const decision = decideDump(claimName, { vm: vm(), vmi: running, claim: claim(), ...facts });
  expect('refusal' in decision && decision.refusal.message).toMatch(message);
});

test.each<[string, Partial<DumpFacts>]>([
  ['of a claim with room', { claim: size('1200Mi') }],
  ['of storage whose file systems take nothing', { claim: size('1124Mi'), cdiConfig: config({ global: '0' }) }],
  [
    'of a class whose file systems take nothing',
    {
      claim: spec({ storageClassName: 'xfs', resources: { requests: { storage: '1124Mi' } } }),
      cdiConfig: config({ global: '0.5', storageClass: { xfs: '0' } }),
    },
  ],
])('accepts a dump %s', (_, facts) => {
  expect(decideDump('memory', { vm: vm(), vmi: running, ...facts })).toHaveProperty('patch');
});

test('a request replaces the last one and all its fields', () => {
  const before = { claimName: 'memory', phase: 'Failed', message: 'full', endTimestamp: 'x' } as const;
  expect(decideDump('memory', { vm: vm(before), vmi: running, claim: claim() })).toEqual({
    patch: {
      metadata: { resourceVersion: '7' },
      status: { memoryDumpRequest: { claimName: 'memory', phase: 'Associating', message: null, endTimestamp: null } },
    },
  });
});

test('the claim of the last dump is the default', () => {
  expect(claimOf(vm({ claimName: 'memory', phase: 'Completed' }), {})).toBe('memory');
  expect(claimOf(vm(), { claimName: 'other' })).toBe('other');
  expect(() => claimOf(vm(), {})).toThrow('Memory dump requires claim name to be set');
});

test('a removal needs a dump and is requested once', () => {
  const messageOf = (of: VirtualMachine) => {
    const decision = decideRemoval(of);
    return 'refusal' in decision ? decision.refusal.message : decision.patch;
  };
  expect(messageOf(vm())).toMatch(/no association found/);
  expect(messageOf(vm({ claimName: 'memory', phase: 'Dissociating', remove: true }))).toMatch(/already exists/);
  expect(messageOf(vm({ claimName: 'memory', phase: 'InProgress' }))).toMatchObject({
    status: { memoryDumpRequest: { claimName: 'memory', phase: 'Dissociating', remove: true } },
  });
});
