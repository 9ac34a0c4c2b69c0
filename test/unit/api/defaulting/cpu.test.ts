import { clusterConfig, type CPU, defaultInstanceSpec } from '../../../../src/api';
import { namedVcpus, topologyOf } from '../../../../src/api/defaulting/cpu';
import { configured, type Loose } from '../fixtures';

const defaulted = (domain: Loose, config = clusterConfig()) =>
  defaultInstanceSpec({ domain: { devices: {}, ...domain } }, config, 'x').domain;

test.each<[CPU | undefined, number]>([
  [undefined, 0],
  [{}, 0],
  [{ model: 'host-model' }, 0],
  [{ cores: 2 }, 2],
  [{ sockets: 3 }, 3],
  [{ threads: 2 }, 2],
  [{ cores: 2, sockets: 3, threads: 4 }, 24],
])('%j names %d vCPUs', (cpu, want) => expect(namedVcpus(cpu)).toBe(want));

test.each<[CPU | undefined, object]>([
  [undefined, {}],
  [{ cores: 2, maxSockets: 8 }, { cores: 2 }],
  [{ sockets: 3 }, { sockets: 3 }],
  [
    { cores: 1, sockets: 2, threads: 2, model: 'host-model' },
    { cores: 1, sockets: 2, threads: 2 },
  ],
])('the guest of %j boots with %j', (cpu, want) => expect(topologyOf(cpu)).toEqual(want));

test.each<[string, Loose, object]>([
  ['a request of 0 CPUs sets no sockets', { resources: { requests: { cpu: '0' } } }, { cores: 1, threads: 1 }],
  [
    'a request that is not an amount is one socket',
    { resources: { requests: { cpu: 'all' } } },
    { sockets: 1, maxSockets: 4 },
  ],
  ['threads alone are a topology', { cpu: { threads: 2 } }, { threads: 2 }],
  ['four times the sockets can be plugged', { cpu: { cores: 1, threads: 1, sockets: 128 } }, { maxSockets: 512 }],
  ['no more than 512 vCPUs can be plugged', { cpu: { cores: 1, threads: 1, sockets: 129 } }, { maxSockets: 512 }],
  ['also of several per socket', { cpu: { cores: 2, threads: 2, sockets: 33 } }, { maxSockets: 128 }],
  ['a maximum that is given stays', { cpu: { cores: 1, threads: 1, sockets: 2, maxSockets: 3 } }, { maxSockets: 3 }],
])('%s', (_, domain, want) => {
  const { model: _m, ...cpu } = defaulted(domain).cpu!;
  expect(cpu).toMatchObject(want);
  if (!('maxSockets' in want)) expect(cpu).toEqual(want);
});

test('a configured maximum is raised to the number of sockets', () => {
  const config = configured({ liveUpdateConfiguration: { maxCpuSockets: 2 } });
  expect(defaulted({ cpu: { cores: 1, threads: 1, sockets: 3 } }, config).cpu).toMatchObject({ maxSockets: 3 });
});

test.each([
  ['arm64', 'LiveUpdate' as const],
  ['amd64', 'Stage' as const],
])('nothing can be plugged into a guest of %s on a platform with %s', (architecture, vmRolloutStrategy) => {
  const spec = { architecture, domain: { devices: {}, cpu: { sockets: 2 }, memory: { guest: '1Gi' } } };
  const config = configured({ vmRolloutStrategy });
  const { cpu, memory } = defaultInstanceSpec(spec as Loose, config, 'x').domain;
  expect([cpu?.maxSockets, memory?.maxGuest]).toEqual([undefined, undefined]);
});

describe('the request of a guest', () => {
  const request = (resources: Loose, cpuRequest = '100m') =>
    defaulted({ resources }, configured({ cpuRequest })).resources?.requests;
  test.each<[string, Loose, string | undefined, object | undefined]>([
    ['is its limit', { limits: { cpu: '2' } }, undefined, { cpu: '2' }],
    ['is what it names beside a limit', { limits: { cpu: '2' }, requests: { cpu: '1' } }, undefined, { cpu: '1' }],
    ['keeps its memory', { limits: { cpu: '2' }, requests: { memory: '1Gi' } }, undefined, { cpu: '2', memory: '1Gi' }],
    ['is the platform’s', {}, '250m', { cpu: '250m' }],
    ['is its own before the platform’s', { requests: { cpu: '1' } }, '250m', { cpu: '1' }],
    ['is not what a platform names that is not an amount', {}, 'some', undefined],
  ])('%s', (_, resources, cpuRequest, want) => expect(request(resources, cpuRequest)).toEqual(want));
});
