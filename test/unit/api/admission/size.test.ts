import { configured, Loose, refused } from '../fixtures';

type Case = [string, (spec: Loose) => void, string[]];

const r = 'spec.domain.resources';
const placement = 'spec.domain.cpu.dedicatedCpuPlacement';

test('the valid VMI passes', () => expect(refused(() => {})).toEqual([]));

describe('memory', () => {
  test.each<Case>([
    ['none at all', (s) => delete s.domain.memory, ['Required ']],
    [
      'a negative request',
      (s) => (s.domain.resources = { requests: { memory: '-1' } }),
      [`Invalid ${r}.requests.memory`],
    ],
    [
      'a request in no unit',
      (s) => (s.domain.resources = { requests: { memory: '64' } }),
      [`Invalid ${r}.requests.memory`],
    ],
    ['a negative limit', (s) => (s.domain.resources = { limits: { memory: '-1Gi' } }), [`Invalid ${r}.limits.memory`]],
    [
      'a request above its limit',
      (s) => (s.domain.resources = { requests: { memory: '3Gi' }, limits: { memory: '2Gi' } }),
      [`Invalid ${r}.requests.memory`],
    ],
    [
      'huge pages of no size',
      (s) => (s.domain.memory.hugepages = { pageSize: 'big' }),
      ['Invalid spec.domain.memory.hugepages.pageSize'],
    ],
    [
      'huge pages of size zero',
      (s) => (s.domain.memory.hugepages = { pageSize: '0' }),
      ['Invalid spec.domain.memory.hugepages.pageSize'],
    ],
    [
      'huge pages that do not divide',
      (s) => (s.domain.memory = { guest: '1025Mi', hugepages: { pageSize: '2Mi' } }),
      [`Invalid ${r}.requests.memory`],
    ],
    [
      'a huge page larger than the guest',
      (s) => (s.domain.memory = { guest: '512Mi', hugepages: { pageSize: '1Gi' } }),
      [`Invalid ${r}.requests.memory`],
    ],
    ['huge pages alone size the guest', (s) => (s.domain.memory = { hugepages: { pageSize: '2Mi' } }), []],
    [
      'more than the limit, where guests can be resized',
      (s) => (s.domain.resources = { limits: { memory: '512Mi' } }),
      [],
    ],
    ['a guest with less than nothing', (s) => (s.domain.memory.guest = '-1Gi'), ['Invalid spec.domain.memory.guest']],
    ['no quantity', (s) => (s.domain.memory.guest = '1GB'), [' ']],
    ['a number', (s) => (s.domain.memory.guest = 1073741824), []],
    [
      'overhead behind its gate',
      (s) => (s.domain.memory.reservedOverhead = {}),
      ['Invalid spec.domain.memory.reservedOverhead'],
    ],
  ])('%s', (_, change, want) => expect(refused(change)).toEqual(want));

  test('more than the limit, where guests keep their size', () => {
    const change = (s: Loose) => (s.domain.resources = { limits: { memory: '512Mi' } });
    expect(refused(change, configured({ vmRolloutStrategy: 'Stage' }))).toEqual(['Invalid spec.domain.memory.guest']);
  });
});

describe('cpu', () => {
  const pinned =
    (resources: Loose, cpu: Loose = { cores: 2 }) =>
    (s: Loose) => {
      s.domain.cpu = { ...cpu, dedicatedCpuPlacement: true };
      s.domain.resources = resources;
    };
  test.each<Case>([
    ['zero cores are as none', (s) => (s.domain.cpu.cores = 0), []],
    ['negative cores', (s) => (s.domain.cpu.cores = -1), [' ']],
    ['more cores than 32 bits', (s) => (s.domain.cpu.cores = 2 ** 32), [' ']],
    [
      'more sockets than the maximum',
      (s) => (s.domain.cpu = { sockets: 4, maxSockets: 2 }),
      ['Invalid spec.domain.cpu.sockets'],
    ],
    [
      'an unknown feature policy',
      (s) => (s.domain.cpu.features = [{ name: 'avx', policy: 'requires' }]),
      ['NotSupported spec.domain.cpu.features[0].policy'],
    ],
    ['a negative request', (s) => (s.domain.resources = { requests: { cpu: '-1' } }), [`Invalid ${r}.requests.cpu`]],
    [
      'a request above its limit',
      (s) => (s.domain.resources = { requests: { cpu: '2' }, limits: { cpu: '1500m' } }),
      [`Invalid ${r}.requests.cpu`],
    ],
    [
      'an isolated emulator without pinning',
      (s) => (s.domain.cpu.isolateEmulatorThread = true),
      ['Invalid spec.domain.cpu.isolateEmulatorThread'],
    ],
    ['pinned cores', pinned({}), []],
    ['a fraction of a pinned CPU', pinned({ requests: { cpu: '1500m' } }), [`Invalid ${r}.requests.cpu`]],
    ['another count than the guest has', pinned({ limits: { cpu: '3' } }), [`Invalid ${placement}`]],
    [
      'request and limit that differ',
      pinned({ requests: { cpu: '2' }, limits: { cpu: '3' } }),
      [`Invalid ${placement}`],
    ],
    [
      'pinned CPUs whose memory is not guaranteed',
      pinned({ requests: { memory: '1Gi' }, limits: { memory: '2Gi' } }),
      [`Invalid ${r}.requests.memory`],
    ],
    ['three threads of a pinned core', pinned({}, { cores: 1, threads: 3 }), [`Invalid ${placement}`]],
    [
      'NUMA without pinning and huge pages',
      (s) => (s.domain.cpu.numa = { guestMappingPassthrough: {} }),
      ['Invalid spec.domain.cpu.numa.guestMappingPassthrough'],
    ],
    [
      'realtime alone',
      (s) => (s.domain.cpu.realtime = {}),
      [`Required ${placement}`, 'Required spec.domain.cpu.numa.guestMappingPassthrough'],
    ],
  ])('%s', (_, change, want) => expect(refused(change)).toEqual(want));
});
