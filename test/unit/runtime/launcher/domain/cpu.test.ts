import type { DomainSpec } from '../../../../../src/api';
import type { Fixture } from './fixture';
import { part } from './part';

type Cpu = NonNullable<DomainSpec['cpu']>;
const cpu = (of: Cpu | undefined, change: Fixture = {}): string =>
  part('cpu', { ...change, domain: { ...change.domain, cpu: of } })!;

const EMULATED = { facts: { emulation: { translationCache: { fixed: 128, growing: 256 } } } };
const FOREIGN = { facts: { isForeignArchitecture: true } };
const ONE = "<topology sockets='1' cores='1' threads='1'/>";

test.each<[string, Cpu | undefined, Fixture, string]>([
  ["a guest has the node's model", undefined, {}, `<cpu mode='host-model'>${ONE}</cpu>`],
  ['or its very CPU', { model: 'host-passthrough' }, {}, `<cpu mode='host-passthrough'>${ONE}</cpu>`],
  [
    'a named model has no mpx, which current CPUs lack',
    { model: 'Haswell' },
    {},
    `<cpu mode='custom'><model>Haswell</model><feature name='mpx' policy='disable'/>${ONE}</cpu>`,
  ],
  [
    'unless the VM requests it',
    { model: 'Haswell', features: [{ name: 'mpx', policy: 'force' }] },
    {},
    "policy='force'",
  ],
  [
    'arm64 knows no mpx',
    { model: 'neoverse-n1' },
    { architecture: 'arm64' },
    `<cpu mode='custom'><model>neoverse-n1</model>${ONE}</cpu>`,
  ],
  [
    'a feature is required unless the VM sets another policy',
    { model: 'host-model', features: [{ name: 'vmx' }, { name: 'pcid', policy: 'optional' }] },
    {},
    "<feature name='vmx' policy='require'/><feature name='pcid' policy='optional'/>",
  ],
  ["emulated, the node's model is all that QEMU can", { model: 'host-model' }, EMULATED, "<cpu mode='maximum'>"],
  ['and a named one as much of it as QEMU can', { model: 'EPYC' }, EMULATED, "<cpu mode='custom' check='none'>"],
  [
    'a guest of another architecture has all that QEMU can',
    { model: 'host-passthrough' },
    FOREIGN,
    "<cpu mode='custom'><model>max</model>",
  ],
  ['the topology is the one of the VM', { cores: 2, sockets: 3, threads: 4 }, {}, "sockets='3' cores='2' threads='4'"],
  ['hot-pluggable sockets count', { cores: 2, sockets: 1, maxSockets: 4 }, {}, "sockets='4' cores='2'"],
  ['but not on arm64', { sockets: 1, maxSockets: 4 }, { architecture: 'arm64' }, "sockets='1'"],
  [
    'without a topology, CPUs of the resources are sockets',
    undefined,
    { domain: { resources: { requests: { cpu: '1500m' } } } },
    "sockets='2'",
  ],
  [
    'of the limit first',
    undefined,
    { domain: { resources: { requests: { cpu: '1' }, limits: { cpu: '3' } } } },
    "sockets='3'",
  ],
])('%s', (_, of, change, want) => {
  expect(cpu(of, change)).toContain(want);
});

test('mpx is not named twice', () => {
  expect(cpu({ model: 'Haswell', features: [{ name: 'mpx', policy: 'force' }] }).match(/mpx/g)).toHaveLength(1);
});

const vcpus = (...rows: [id: number, enabled: string, hotpluggable: string][]): string =>
  `<vcpus>${rows
    .map(([id, enabled, plug]) => `<vcpu id='${id}' enabled='${enabled}' hotpluggable='${plug}'/>`)
    .join('')}</vcpus>`;

test.each<[string, Cpu, Fixture, string | undefined]>([
  ['a guest that cannot grow has no list', { sockets: 2 }, {}, undefined],
  [
    'the first socket never leaves',
    { sockets: 2, maxSockets: 3 },
    {},
    vcpus([0, 'yes', 'no'], [1, 'yes', 'yes'], [2, 'no', 'yes']),
  ],
  [
    'with all its cores',
    { cores: 2, sockets: 1, maxSockets: 2 },
    {},
    vcpus([0, 'yes', 'no'], [1, 'yes', 'no'], [2, 'no', 'yes'], [3, 'no', 'yes']),
  ],
  ['arm64 guests cannot grow', { sockets: 1, maxSockets: 2 }, { architecture: 'arm64' }, undefined],
])('vCPUs at boot and later: %s', (_, of, change, want) => {
  expect(part('vcpus', { ...change, domain: { cpu: of } })).toBe(want);
});
