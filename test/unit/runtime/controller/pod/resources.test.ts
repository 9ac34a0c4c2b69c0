import { compute, configured, render, withGates } from './fixtures';
import type { Change, More } from './fixtures';

const resourcesOf = (change: Change, more?: More) => compute(render(change, more)).resources;
const memory =
  (given: object): Change =>
  (v) =>
    Object.assign((v.spec.domain.memory = {}), given);
const asked =
  (requests: object | undefined, limits?: object, more: object = {}): Change =>
  (v) => {
    v.spec.domain.memory = {};
    v.spec.domain.resources = { ...(requests && { requests }), ...(limits && { limits }), ...more } as never;
  };
const ratio = (cpuAllocationRatio: number) => ({
  config: configured({ developerConfiguration: { cpuAllocationRatio } }),
});
const overcommit = (memoryOvercommit: number) => ({
  config: configured({ developerConfiguration: { memoryOvercommit } }),
});

test.each<[string, Change, More, object]>([
  ['the guest and the overhead', () => {}, {}, { requests: { cpu: '100m', memory: '1312Mi' } }],
  ['a request overrides the guest’s size', asked({ memory: '2Gi' }), {}, { requests: { memory: '2340Mi' } }],
  [
    'a limit alone is the request',
    asked(undefined, { memory: '2Gi' }),
    {},
    { requests: { memory: '2336Mi' }, limits: { memory: '2336Mi' } },
  ],
  [
    'limits carry the overhead too',
    asked({ memory: '2Gi' }, { memory: '3Gi' }),
    {},
    { requests: { memory: '2340Mi' }, limits: { memory: '3364Mi' } },
  ],
  [
    'an overcommitted overhead is left to chance in the request alone',
    asked({ memory: '1Gi' }, { memory: '2Gi' }, { overcommitGuestOverhead: true }),
    {},
    { requests: { memory: '1Gi' }, limits: { memory: '2338Mi' } },
  ],
  ['decimal requests stay decimal', asked({ memory: '1G' }), {}, { requests: { memory: '1303943013' } }],
  ['overcommitted memory', () => {}, overcommit(200), { requests: { memory: '800Mi' } }],
  ['overcommit that does not divide', () => {}, overcommit(150), { requests: { memory: '1017817770' } }],
  [
    'overcommit does not change explicit requests',
    asked({ memory: '1Gi' }),
    overcommit(200),
    { requests: { memory: '1314Mi' } },
  ],
])('memory: %s', (_, change, more, want) => expect(resourcesOf(change, more)).toMatchObject(want));

test.each<[string, Change, object]>([
  [
    'the guest has them, memory is for the rest',
    memory({ guest: '1Gi', hugepages: { pageSize: '2Mi' } }),
    { limits: { 'hugepages-2Mi': '1Gi' }, requests: { 'hugepages-2Mi': '1Gi', memory: '288Mi' } },
  ],
  [
    'requests beyond the guest’s size are memory',
    (v) => {
      v.spec.domain.memory = { guest: '1Gi', hugepages: { pageSize: '1Gi' } };
      v.spec.domain.resources = { requests: { memory: '1536Mi' }, limits: { memory: '2Gi' } };
    },
    {
      limits: { 'hugepages-1Gi': '1Gi', memory: '1315Mi' },
      requests: { 'hugepages-1Gi': '1Gi', memory: '803Mi' },
    },
  ],
  [
    'without a guest size they are what is requested',
    (v) => {
      v.spec.domain.memory = { hugepages: { pageSize: '2Mi' } };
      v.spec.domain.resources = { requests: { memory: '64Mi' } };
    },
    { requests: { 'hugepages-2Mi': '64Mi' } },
  ],
  [
    'without any size they are one page',
    memory({ hugepages: { pageSize: '2Mi' } }),
    { requests: { 'hugepages-2Mi': '2Mi' } },
  ],
])('huge pages: %s', (_, change, want) => expect(resourcesOf(change)).toMatchObject(want));

test.each<[string, Change, More, string]>([
  ['a tenth of one', () => {}, {}, '100m'],
  ['a tenth of eleven', (v) => (v.spec.domain.cpu = { cores: 11 }), {}, '1100m'],
  ['by the ratio', (v) => (v.spec.domain.cpu = { cores: 4, sockets: 2, threads: 2 }), ratio(4), '4'],
  ['a third ends where a float does', () => {}, ratio(3), '333333334n'],
  ['the user’s request', asked({ cpu: '1500m', memory: '1Gi' }), {}, '1500m'],
  ['no topology is one vCPU', (v) => delete v.spec.domain.cpu, {}, '100m'],
  ['threads of the I/O pool count', (v) => (v.spec.domain.ioThreads = { supplementalPoolThreadCount: 3 }), {}, '400m'],
])('CPU: %s', (_, change, more, want) => expect(resourcesOf(change, more)?.requests?.cpu).toBe(want));

const pinned =
  (cpu: object, more: Change = () => {}): Change =>
  (v) => {
    v.spec.domain.cpu = { dedicatedCpuPlacement: true, ...cpu };
    more(v);
  };
const even: Change = (v) => (v.metadata.annotations = { 'alpha.kubevirt.io/EmulatorThreadCompleteToEvenParity': '' });
const pool: Change = (v) => {
  v.spec.domain.ioThreadsPolicy = 'supplementalPool';
  v.spec.domain.ioThreads = { supplementalPoolThreadCount: 1 };
};
test.each<[string, Change, string, string]>([
  ['whole ones', pinned({ cores: 2 }), '2', '1420Mi'],
  ['one more for the emulator', pinned({ cores: 2, isolateEmulatorThread: true }), '3', '1420Mi'],
  ['two more where the number must stay even', pinned({ cores: 2, isolateEmulatorThread: true }, even), '4', '1420Mi'],
  ['one more makes an odd number even', pinned({ cores: 3, isolateEmulatorThread: true }, even), '4', '1428Mi'],
  ['those of the I/O pool', pinned({ cores: 2 }, pool), '3', '1420Mi'],
  [
    'the pool counts twice for the parity, as upstream counts',
    pinned({ cores: 2, isolateEmulatorThread: true }, (v) => (even(v), pool(v))),
    '5',
    '1420Mi',
  ],
])('dedicated CPUs: %s', (_, change, cpu, mem) => {
  const { requests, limits } = resourcesOf(change) ?? {};
  expect({ requests: requests?.cpu, limits: limits?.cpu }).toEqual({ requests: cpu, limits: cpu });
  expect({ requests: requests?.memory, limits: limits?.memory }).toEqual({ requests: mem, limits: mem });
});

test('dedicated CPUs of a VMI without a topology are those that it limits', () => {
  const change = pinned({}, (v) => (v.spec.domain.resources = { limits: { cpu: '4' } }));
  expect(resourcesOf(change)?.limits?.cpu).toBe('4');
});

test('ephemeral storage carries the Pod’s own, and other resources are passed on', () => {
  expect(resourcesOf(() => {})?.requests).toMatchObject({ 'ephemeral-storage': '50M' });
  const change = asked({ 'ephemeral-storage': '1G', 'x.com/y': '2' }, { 'ephemeral-storage': '2Gi', 'x.com/y': '2' });
  expect(resourcesOf(change)).toMatchObject({
    requests: { 'ephemeral-storage': '1050M', 'x.com/y': '2' },
    limits: { 'ephemeral-storage': '2197483648', 'x.com/y': '2' },
  });
});

const ofDevices = (change: Change, more?: More) =>
  Object.keys(resourcesOf(change, more)?.limits ?? {}).map((name) => name.replace('devices.kubevirt.io/', ''));
const withoutNetwork: Change = (v) => {
  v.spec.domain.devices = { interfaces: [], autoattachPodInterface: false };
};
test.each<[string, Change, More, string[]]>([
  ['a usual VMI', () => {}, {}, ['tun', 'vhost-net', 'kvm']],
  ['under emulation', () => {}, { config: configured({ developerConfiguration: { useEmulation: true } }) }, ['tun']],
  ['without a network', withoutNetwork, {}, ['kvm']],
  ['an emulated NIC', (v) => (v.spec.domain.devices.interfaces![0].model = 'e1000'), {}, ['tun', 'kvm']],
  ['vsock', (v) => (v.spec.domain.devices.autoattachVSOCK = true), {}, ['tun', 'vhost-net', 'kvm', 'vhost-vsock']],
  ['SEV', (v) => (v.spec.domain.launchSecurity = { sev: {} }), {}, ['tun', 'vhost-net', 'kvm', 'sev']],
  ['SEV-SNP', (v) => (v.spec.domain.launchSecurity = { snp: {} }), {}, ['tun', 'vhost-net', 'kvm', 'sev']],
  ['TDX', (v) => (v.spec.domain.launchSecurity = { tdx: {} }), {}, ['tun', 'vhost-net', 'kvm', 'tdx']],
  [
    'SCSI reservations',
    (v) => (v.spec.domain.devices.disks = [{ name: 'root', lun: { bus: 'scsi', reservation: true } }]),
    {},
    ['tun', 'vhost-net', 'kvm', 'pr-helper'],
  ],
  ['IOMMUFD', () => {}, { config: withGates('IOMMUFD') }, ['tun', 'vhost-net', 'kvm', 'iommufd']],
  [
    'another hypervisor',
    () => {},
    {
      config: configured({
        hypervisors: [{ name: 'hyperv-direct' }],
        developerConfiguration: { featureGates: ['ConfigurableHypervisor'] },
      }),
    },
    ['tun', 'vhost-net', 'mshv'],
  ],
])('devices: %s', (_, change, more, want) => expect(ofDevices(change, more).sort()).toEqual(want.sort()));

test('host devices are counted, in limits and requests', () => {
  const { limits, requests } =
    resourcesOf((v) => {
      v.spec.domain.devices.gpus = [{ name: 'a', deviceName: 'x.com/gpu' }];
      v.spec.domain.devices.hostDevices = [{ name: 'b', deviceName: 'x.com/gpu' }];
    }) ?? {};
  expect([limits?.['x.com/gpu'], requests?.['x.com/gpu']]).toEqual(['2', '2']);
});

describe('a configuration that permits devices', () => {
  const config = configured({ permittedHostDevices: { usb: [{ resourceName: 'x.com/usb', selectors: [] }] } });
  const device =
    (deviceName: string): Change =>
    (v) =>
      (v.spec.domain.devices.hostDevices = [{ name: 'd', deviceName }]);
  test('permits those', () => {
    expect(resourcesOf(device('x.com/usb'), { config })?.limits).toHaveProperty(['x.com/usb'], '1');
  });
  test('refuses others', () => {
    expect(() => render(device('y.com/z'), { config })).toThrow(
      'device "d": y.com/z is not permitted in the permittedHostDevices configuration; ' +
        'add it to the KubeVirt object or use one of x.com/usb',
    );
  });
});

describe('devices of resource claims', () => {
  const change: Change = (v) => {
    v.spec.resourceClaims = [{ name: 'c', resourceClaimTemplateName: 't' }];
    v.spec.domain.devices.gpus = [{ name: 'g', claimName: 'c', requestName: 'r' }];
    v.spec.domain.devices.hostDevices = [{ name: 'h', claimName: 'c', requestName: 's' }];
    v.spec.networks!.push({ name: 'n', resourceClaim: { claimName: 'c', requestName: 'n' } });
  };
  const claim = (request: string) => ({ name: 'c', request });
  const claims = (config: More['config']) => resourcesOf(change, { config })?.claims;
  test('come by name, each kind by its gate', () => {
    expect(claims(configured({}))).toEqual([claim('r'), claim('s')]);
    expect(claims(withGates('NetworkDevicesWithDRA'))).toEqual([claim('r'), claim('s'), claim('n')]);
    expect(claims(configured({ developerConfiguration: { disabledFeatureGates: ['GPUsWithDRA'] } }))).toEqual([
      claim('s'),
    ]);
    expect(render(change).spec.resourceClaims).toEqual([{ name: 'c', resourceClaimTemplateName: 't' }]);
  });
});

describe('limits that the namespace demands', () => {
  const limits = (more: More, change: Change = () => {}) => {
    const { cpu, memory: bytes } = resourcesOf(change, more)?.limits ?? {};
    return { cpu, memory: bytes };
  };
  const selector = (matchLabels: object) => ({
    config: configured({ autoCPULimitNamespaceLabelSelector: { matchLabels } }),
  });
  const label = { 'alpha.kubevirt.io/auto-memory-limits-ratio': '1.5' };
  const two = (v: Parameters<Change>[0]) => (v.spec.domain.cpu = { cores: 2 });
  test.each<[string, More, Change, object]>([
    ['none', {}, two, { cpu: undefined, memory: undefined }],
    ['a quota of CPUs: one per vCPU', { limitedByQuota: new Set(['cpu']) }, two, { cpu: '2' }],
    ['a quota of memory: twice the request', { limitedByQuota: new Set(['memory']) }, () => {}, { memory: '2624Mi' }],
    [
      'by a ratio of its own',
      { limitedByQuota: new Set(['memory']), namespaceLabels: label },
      () => {},
      { memory: '1968Mi' },
    ],
    [
      'not by one below 1',
      { limitedByQuota: new Set(['memory']), namespaceLabels: { ...label, [Object.keys(label)[0]]: '0.5' } },
      () => {},
      { memory: '2624Mi' },
    ],
    ['selected by its labels', { ...selector({ a: 'b' }), namespaceLabels: { a: 'b' } }, two, { cpu: '2' }],
    ['not selected', { ...selector({ a: 'b' }), namespaceLabels: { a: 'c' } }, two, { cpu: undefined }],
    [
      'limits of the VM stay',
      { limitedByQuota: new Set(['cpu', 'memory']), ...selector({}) },
      (v) => (v.spec.domain.resources = { requests: { cpu: '1' }, limits: { cpu: '3', memory: '2Gi' } }),
      { cpu: '3', memory: '2336Mi' },
    ],
  ])('%s', (_, more, change, want) => expect(limits(more, change)).toMatchObject(want));

  test.each([
    [{ key: 'a', operator: 'In', values: ['b'] }, '1'],
    [{ key: 'a', operator: 'NotIn', values: ['b'] }, undefined],
    [{ key: 'a', operator: 'Exists' }, '1'],
    [{ key: 'z', operator: 'DoesNotExist' }, '1'],
    [{ key: 'z', operator: 'NotIn', values: ['b'] }, '1'],
    [{ key: 'z', operator: 'In', values: ['b'] }, undefined],
    [{ key: 'a', operator: 'Near' }, undefined],
    [{ key: 'constructor', operator: 'Exists' }, undefined],
    [{ key: 'constructor', operator: 'DoesNotExist' }, '1'],
  ])('a selector with %j', (expression, want) => {
    const config = configured({ autoCPULimitNamespaceLabelSelector: { matchExpressions: [expression] } });
    expect(limits({ config, namespaceLabels: { a: 'b' } }).cpu).toBe(want);
  });
});
