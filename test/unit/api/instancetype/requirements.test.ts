import { checkRequirements } from '../../../../src/api/instancetype';
import type { Loose } from '../fixtures';
import { reported } from './fixtures';

const at = 'spec.template.spec.domain';
const requires = (requirements: Loose, more: Loose = {}): Loose => ({ requirements, ...more });
const vmi = (domain: Loose = {}, architecture = 'amd64'): Loose => ({
  architecture,
  domain: { devices: {}, ...domain },
});
const type = (guest: number, memory: string): Loose => ({ cpu: { guest }, memory: { guest: memory } });
const prefer = (preferredCPUTopology: string, spreadOptions?: Loose): Loose => ({
  cpu: { preferredCPUTopology, spreadOptions },
});
const cpu = { cpu: { guest: 4 } };
const memory = { memory: { guest: '2Gi' } };

test.each<[string, Loose, Loose, Loose, string[]]>([
  ['nothing is required', undefined, {}, vmi(), []],
  ['enough CPUs of the instance type', type(4, '1Gi'), requires(cpu), vmi(), []],
  ['too few of them', type(2, '1Gi'), requires(cpu), vmi(), ['spec.instancetype']],
  ['no CPU at all', undefined, requires(cpu), vmi(), [`${at}.cpu`]],
  ['enough sockets', undefined, requires(cpu), vmi({ cpu: { sockets: 4, cores: 1, threads: 1 } }), []],
  [
    'cores where sockets count',
    undefined,
    requires(cpu),
    vmi({ cpu: { sockets: 1, cores: 4, threads: 1 } }),
    [`${at}.cpu.sockets`],
  ],
  [
    'too few cores',
    undefined,
    requires(cpu, prefer('cores')),
    vmi({ cpu: { sockets: 4, cores: 1 } }),
    [`${at}.cpu.cores`],
  ],
  [
    'too few threads',
    undefined,
    requires(cpu, prefer('threads')),
    vmi({ cpu: { sockets: 4, cores: 1 } }),
    [`${at}.cpu.threads`],
  ],
  ['any topology', undefined, requires(cpu, prefer('any')), vmi({ cpu: { sockets: 2, cores: 2, threads: 1 } }), []],
  [
    'too few of any',
    undefined,
    requires(cpu, prefer('any')),
    vmi({ cpu: { sockets: 2, cores: 1, threads: 1 } }),
    [`${at}.cpu.cores, ${at}.cpu.sockets, ${at}.cpu.threads`],
  ],
  [
    'too few when spread',
    undefined,
    requires(cpu, prefer('spread')),
    vmi({ cpu: { sockets: 2, cores: 1, threads: 2 } }),
    [`${at}.cpu.sockets, ${at}.cpu.cores`],
  ],
  [
    'too few when spread over threads',
    undefined,
    requires(cpu, prefer('spread', { across: 'CoresThreads' })),
    vmi({ cpu: { sockets: 2, cores: 1, threads: 2 } }),
    [`${at}.cpu.cores, ${at}.cpu.threads`],
  ],
  ['enough memory', undefined, requires(memory), vmi({ memory: { guest: '2048Mi' } }), []],
  ['too little memory', undefined, requires(memory), vmi({ memory: { guest: '1Gi' } }), [`${at}.memory`]],
  ['no memory', undefined, requires(memory), vmi(), [`${at}.memory`]],
  ['too little of the instance type', type(1, '1Gi'), requires(memory), vmi(), ['spec.instancetype']],
  ['CPU is reported before memory', type(1, '1Gi'), requires({ ...cpu, ...memory }), vmi(), ['spec.instancetype']],
  ['another architecture', undefined, requires({ architecture: 'arm64' }), vmi(), ['spec.template.spec.architecture']],
])('%s', (_, instancetype, preference, spec, want) => {
  const errors = checkRequirements(instancetype, preference, spec);
  expect(reported(errors)).toEqual(want.map((field) => `FieldValueNotFound ${field}`));
});

test('reports what is missing in the message that clients match on', () => {
  const [{ cause: message }] = checkRequirements(type(2, '1Gi'), requires(cpu), vmi());
  expect(message).toBe(
    'failure checking preference requirements: insufficient CPU resources of 2 vCPU provided by instance type, ' +
      'preference requires 4 vCPU',
  );
});
