import { expandInstance } from '../../../../src/api/instancetype';
import { conflictList } from '../../../../src/api/instancetype/conflict';
import type { Loose } from '../fixtures';
import { cluster, instancetype, preference, sizedVm, reported } from './fixtures';

const at = 'FieldValueInvalid spec.template.spec';
const withPreference = (vm: Loose): void => {
  vm.spec.preference = { name: 'linux' };
};
const expanded = (type: Loose, pref: Loose, change: (vm: Loose) => void = () => {}) =>
  expandInstance(
    sizedVm((vm) => {
      withPreference(vm);
      change(vm);
    }),
    cluster([instancetype(type), preference(pref)]),
  );

describe('an instance type conflicts with', () => {
  const type = {
    cpu: {
      guest: 2,
      model: 'Haswell',
      dedicatedCPUPlacement: true,
      isolateEmulatorThread: true,
      numa: {},
      realtime: {},
    },
    memory: { guest: '2Gi', maxGuest: '8Gi' },
    nodeSelector: { zone: 'a' },
    schedulerName: 'mine',
    gpus: [{ name: 'gpu', deviceName: 'x/y' }],
    hostDevices: [{ name: 'dev', deviceName: 'x/y' }],
    ioThreadsPolicy: 'auto',
    ioThreads: { supplementalPoolThreadCount: 2 },
    launchSecurity: { sev: {} },
    annotations: { key: 'a' },
  };
  test.each<[string, (spec: Loose, template: Loose) => void, string[]]>([
    ['nothing in an open VM', () => {}, []],
    ['CPU requests', (s) => (s.domain.resources = { requests: { cpu: '1' } }), [`${at}.domain.resources.requests.cpu`]],
    ['CPU limits', (s) => (s.domain.resources = { limits: { cpu: '1' } }), [`${at}.domain.resources.limits.cpu`]],
    [
      'a topology',
      (s) => (s.domain.cpu = { sockets: 1, cores: 1, threads: 1 }),
      [`${at}.domain.cpu.sockets`, `${at}.domain.cpu.cores`, `${at}.domain.cpu.threads`],
    ],
    ['no zero', (s) => (s.domain.cpu = { sockets: 0 }), []],
    [
      'each CPU field that both set',
      (s) =>
        (s.domain.cpu = {
          model: 'x',
          dedicatedCpuPlacement: true,
          isolateEmulatorThread: true,
          numa: { guestMappingPassthrough: {} },
          realtime: {},
        }),
      ['model', 'dedicatedCPUPlacement', 'isolateEmulatorThread', 'numa', 'realtime'].map(
        (f) => `${at}.domain.cpu.${f}`,
      ),
    ],
    ['guest memory', (s) => (s.domain.memory = { guest: '1Gi', maxGuest: '2Gi' }), [`${at}.domain.memory.guest`]],
    ['no huge pages that it does not set', (s) => (s.domain.memory = { hugepages: { pageSize: '2Mi' } }), []],
    ['the most memory', (s) => (s.domain.memory = { maxGuest: '2Gi' }), [`${at}.domain.memory.maxGuest`]],
    [
      'memory requests before limits',
      (s) => (s.domain.resources = { requests: { memory: '1' }, limits: { memory: '1' } }),
      [`${at}.domain.resources.requests.memory`],
    ],
    ['an empty node selector', (s) => (s.nodeSelector = {}), [`${at}.nodeSelector`]],
    ['a scheduler', (s) => (s.schedulerName = 'other'), [`${at}.schedulerName`]],
    ['an I/O threads policy', (s) => (s.domain.ioThreadsPolicy = 'shared'), [`${at}.domain.ioThreadsPolicy`]],
    [
      'a thread count',
      (s) => (s.domain.ioThreads = { supplementalPoolThreadCount: 1 }),
      [`${at}.domain.ioThreads.supplementalPoolThreadCount`],
    ],
    ['launch security', (s) => (s.domain.launchSecurity = {}), [`${at}.domain.launchSecurity`]],
    ['GPUs', (s) => (s.domain.devices.gpus = [{ name: 'g', deviceName: 'd' }]), [`${at}.domain.devices.gpus`]],
    [
      'host devices',
      (s) => (s.domain.devices.hostDevices = [{ name: 'g', deviceName: 'd' }]),
      [`${at}.domain.devices.hostDevices`],
    ],
    [
      'another annotation',
      (_, t) => (t.metadata = { annotations: { key: 'b' } }),
      ['FieldValueInvalid annotations.key'],
    ],
    ['no equal annotation', (_, t) => (t.metadata = { annotations: { key: 'a' } }), []],
    [
      'several, in one order',
      (s) => {
        s.schedulerName = 'other';
        s.domain.cpu = { cores: 1 };
        s.domain.memory = { guest: '1Gi' };
      },
      [`${at}.schedulerName`, `${at}.domain.cpu.cores`, `${at}.domain.memory.guest`],
    ],
  ])('%s', (_, change, want) => {
    const { errors } = expanded(type, {}, (vm) => change(vm.spec.template.spec, vm.spec.template));
    expect(reported(errors)).toEqual(want);
  });

  test('reports it with the message that clients match on', () => {
    const { errors } = expanded({}, {}, (vm) => (vm.spec.template.spec.domain.memory = { guest: '1Gi' }));
    expect(errors[0].cause).toBe(
      'VM field(s) spec.template.spec.domain.memory.guest conflicts with selected instance type',
    );
  });
});

test('every field of an instance type is in the spec', () => {
  const type = {
    cpu: { guest: 4, model: 'Haswell', dedicatedCPUPlacement: true, maxSockets: 8 },
    memory: { guest: '2048Mi', hugepages: { pageSize: '2Mi' }, maxGuest: '8Gi' },
    nodeSelector: { zone: 'a' },
    schedulerName: 'mine',
    gpus: [{ name: 'gpu', deviceName: 'x/y' }],
    hostDevices: [{ name: 'dev', deviceName: 'x/y' }],
    ioThreadsPolicy: 'supplementalPool',
    ioThreads: { supplementalPoolThreadCount: 2 },
    launchSecurity: { sev: {} },
    annotations: { key: 'a' },
  };
  const { spec, annotations } = expanded(type, {});
  expect(annotations).toEqual({ key: 'a' });
  expect(spec).toMatchObject({ nodeSelector: type.nodeSelector, schedulerName: 'mine' });
  expect(spec.domain).toMatchObject({
    cpu: { model: 'Haswell', dedicatedCpuPlacement: true, maxSockets: 8, sockets: 4, cores: 1, threads: 1 },
    memory: { guest: '2Gi', hugepages: { pageSize: '2Mi' }, maxGuest: '8Gi' },
    ioThreadsPolicy: 'supplementalPool',
    ioThreads: { supplementalPoolThreadCount: 2 },
    launchSecurity: { sev: {} },
    devices: { gpus: type.gpus, hostDevices: type.hostDevices },
  });
});

describe('an instance type that has only a size', () => {
  test('conflicts with no other field and does not change it', () => {
    const own = {
      nodeSelector: { zone: 'a' },
      schedulerName: 'mine',
      domain: {
        cpu: { model: 'Haswell', dedicatedCpuPlacement: true, features: [{ name: 'vmx' }], maxSockets: 4 },
        memory: { hugepages: { pageSize: '2Mi' }, maxGuest: '8Gi' },
        ioThreadsPolicy: 'supplementalPool',
        ioThreads: { supplementalPoolThreadCount: 2 },
        launchSecurity: { sev: {} },
        devices: {
          gpus: [{ name: 'gpu', deviceName: 'x/y' }],
          hostDevices: [{ name: 'dev', deviceName: 'x/y' }],
        },
      },
    };
    const { spec, errors } = expanded({}, {}, (vm) => Object.assign(vm.spec.template.spec, structuredClone(own)));
    expect(errors).toEqual([]);
    const { volumes: _sized, ...rest } = spec;
    expect(rest).toEqual({
      ...own,
      domain: {
        ...own.domain,
        cpu: { ...own.domain.cpu, sockets: 2, cores: 1, threads: 1 },
        memory: { ...own.domain.memory, guest: '2Gi' },
      },
    });
  });

  test('has the same effect if it disables the rest explicitly', () => {
    const { cpu } = expanded(
      { cpu: { guest: 2, model: '', dedicatedCPUPlacement: false, isolateEmulatorThread: false, maxSockets: 0 } },
      {},
      (vm) => (vm.spec.template.spec.domain.cpu = { dedicatedCpuPlacement: false }),
    ).spec.domain;
    expect(cpu).toEqual({ sockets: 2, cores: 1, threads: 1 });
  });

  test('requests no memory for the Pod', () => {
    expect(expanded({}, {}).spec.domain.resources).toBeUndefined();
  });
});

test('a VM with one conflict keeps its template', () => {
  const vm = sizedVm((each) => (each.spec.template.spec.domain.memory = { guest: '1Gi' }));
  const expansion = expandInstance(vm, cluster([instancetype()]));
  expect(expansion.errors).toHaveLength(1);
  expect(expansion.spec).toBe(vm.spec.template.spec);
  expect(expansion.instancetype).toBeUndefined();
});

test('conflicts are listed by the names that clients know', () => {
  const { errors } = expanded({ cpu: { guest: 2, dedicatedCPUPlacement: true } }, {}, (vm) => {
    vm.spec.template.spec.domain.cpu = { cores: 2, dedicatedCpuPlacement: true };
  });
  expect(conflictList(errors)).toBe(
    'spec.template.spec.domain.cpu.cores, spec.template.spec.domain.cpu.dedicatedCPUPlacement',
  );
});

describe('the topology of vCPUs', () => {
  test.each<[string, number, Loose, [number, number, number]]>([
    ['sockets by default', 4, {}, [4, 1, 1]],
    ['one vCPU is one socket', 1, { cpu: { preferredCPUTopology: 'threads' } }, [1, 1, 1]],
    ['cores', 4, { cpu: { preferredCPUTopology: 'cores' } }, [1, 4, 1]],
    ['sockets by the older name', 4, { cpu: { preferredCPUTopology: 'preferSockets' } }, [4, 1, 1]],
    ['cores by the older name', 4, { cpu: { preferredCPUTopology: 'preferCores' } }, [1, 4, 1]],
    ['threads by the older name', 4, { cpu: { preferredCPUTopology: 'preferThreads' } }, [1, 1, 4]],
    ['any by the older name', 4, { cpu: { preferredCPUTopology: 'preferAny' } }, [4, 1, 1]],
    ['threads', 4, { cpu: { preferredCPUTopology: 'threads' } }, [1, 1, 4]],
    ['any is sockets', 4, { cpu: { preferredCPUTopology: 'any' } }, [4, 1, 1]],
    ['spread over sockets and cores', 6, { cpu: { preferredCPUTopology: 'spread' } }, [3, 2, 1]],
    [
      'spread by the older ratio',
      8,
      { cpu: { preferredCPUTopology: 'preferSpread' }, preferSpreadSocketToCoreRatio: 4 },
      [2, 4, 1],
    ],
    [
      'spread by its own ratio first',
      6,
      { cpu: { preferredCPUTopology: 'spread', spreadOptions: { ratio: 3 } }, preferSpreadSocketToCoreRatio: 2 },
      [2, 3, 1],
    ],
    [
      'spread over cores and threads',
      6,
      { cpu: { preferredCPUTopology: 'spread', spreadOptions: { across: 'CoresThreads' } } },
      [1, 3, 2],
    ],
    [
      'spread over all three',
      8,
      { cpu: { preferredCPUTopology: 'spread', spreadOptions: { across: 'SocketsCoresThreads' } } },
      [2, 2, 2],
    ],
    ['a word of JavaScript', 4, { cpu: { preferredCPUTopology: 'constructor' } }, [1, 1, 1]],
    ['a word that nobody knows', 4, { cpu: { preferredCPUTopology: 'sideways' } }, [1, 1, 1]],
  ])('%s', (_, guest, pref, want) => {
    const { cpu } = expanded({ cpu: { guest } }, pref).spec.domain;
    expect([cpu?.sockets, cpu?.cores, cpu?.threads]).toEqual(want);
  });

  test.each<[number, Loose, string | undefined]>([
    [4, {}, undefined],
    [3, {}, 'Ratio of 2 provided by the preference'],
    [3, { across: 'CoresThreads' }, 'number of threads per core 2'],
    [6, { across: 'SocketsCoresThreads' }, 'threads per core 2 and'],
    [12, { across: 'SocketsCoresThreads', ratio: 3 }, undefined],
    [4, { ratio: 0 }, 'a ratio of 0 is not possible'],
  ])('%d vCPUs that are spread by %j', (guest, spreadOptions, message) => {
    const { errors } = expanded({ cpu: { guest } }, { cpu: { preferredCPUTopology: 'spread', spreadOptions } });
    if (message === undefined) return expect(errors).toEqual([]);
    expect(errors[0].cause).toContain(message);
    return expect(reported(errors)).toEqual(['FieldValueInvalid instancetype.spec.cpu.guest']);
  });
});

test.each([
  ['1Gi', 0, undefined],
  ['100', 1, '99'],
  ['1Gi', 10, '966367616'],
  ['2Gi', 50, '1Gi'],
  ['1000M', 15, '850M'],
  ['4Gi', 100, '0'],
])('%s overcommitted by %d %% requests %s', (guest, overcommitPercent, want) => {
  const { memory, resources } = expanded({ memory: { guest, overcommitPercent } }, {}).spec.domain;
  expect(memory?.guest).toBe(guest === '1000M' ? '1G' : guest);
  expect(resources?.requests?.memory).toBe(want);
});

test('a reference to a missing object is reported, and changes nothing', () => {
  const vm = sizedVm(withPreference);
  const { spec, errors, problems } = expandInstance(vm, cluster());
  expect(spec).toBe(vm.spec.template.spec);
  expect(errors).toEqual([]);
  expect(problems.map(({ path, cause: message }) => `${path}: ${message}`)).toEqual([
    'spec.instancetype: virtualmachineclusterinstancetypes.instancetype.kubevirt.io "small" not found',
    'spec.preference: virtualmachineclusterpreferences.instancetype.kubevirt.io "linux" not found',
  ]);
});
