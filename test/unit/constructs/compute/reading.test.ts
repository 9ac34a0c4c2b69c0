/** Scalars are fixed and readable. Only collections grow, by methods, and reading one returns a copy. */
import { Size } from 'cdk8s';
import {
  ClusterInstancetype,
  Cpu,
  Disk,
  Gpu,
  HostDevice,
  InputDevice,
  Instancetype,
  NodeQuery,
  PanicModel,
  Preference,
  PreferredTopology,
  SpreadAcross,
  Tpm,
  UpdateVolumesStrategy,
  VideoModel,
  VirtualMachine,
  VirtualMachineInstance,
  VirtualMachinePool,
  VirtualMachineReplicaSet,
  VmNetwork,
  VmResourceClaim,
  Watchdog,
  type GuestProps,
} from '../../../../src';
import { instanceSpec, mistakeOf, synthMistake, testChart } from '../fixtures';
import { guests } from './everything';

const scalars = [
  'cpu',
  'memory',
  'firmware',
  'machineType',
  'architecture',
  'clock',
  'hyperv',
  'launchSecurity',
  'ioThreads',
  'hostname',
  'subdomain',
  'serviceAccount',
  'startStrategy',
  'evictionStrategy',
  'terminationGracePeriod',
  'rebootPolicy',
  'readiness',
  'liveness',
] as const satisfies readonly (keyof GuestProps)[];

test.each(scalars)('%s returns the value that was passed', (scalar) => {
  for (const Kind of [VirtualMachine, VirtualMachineInstance, VirtualMachineReplicaSet, VirtualMachinePool]) {
    const guest = new Kind(testChart(), 'a', guests.one);
    expect(guest[scalar]).toBe(guests.one[scalar]);
    expect(new Kind(testChart(), 'b', { memory: Size.gibibytes(1), cpu: Cpu.cores(1) })).not.toHaveProperty(
      scalar,
      guests.one[scalar],
    );
  }
});

test('VMs, sets and instance types expose their own properties', () => {
  const chart = testChart();
  const references = { instancetype: { name: 'u1.small' }, preference: { name: 'fedora' } };
  const updateVolumesStrategy = UpdateVolumesStrategy.MIGRATION;
  const vm = new VirtualMachine(chart, 'vm', { ...references, updateVolumesStrategy });
  expect(vm).toMatchObject({ ...references, updateVolumesStrategy, cpu: undefined });
  expect(new VirtualMachinePool(chart, 'pool', { ...references, replicas: 3 })).toMatchObject({
    ...references,
    replicas: 3,
  });
  expect(new VirtualMachineReplicaSet(chart, 'set', { memory: Size.gibibytes(1), replicas: 2 }).replicas).toBe(2);
  const size = { cpus: 2, memory: Size.gibibytes(2) };
  for (const Kind of [Instancetype, ClusterInstancetype]) expect(new Kind(chart, Kind.name, size)).toMatchObject(size);
});

test('devices are readable', () => {
  const devices = { tpm: Tpm.EMULATED, watchdog: Watchdog.i6300esb(), video: VideoModel.VIRTIO };
  const vm = new VirtualMachine(testChart(), 'vm', { memory: Size.gibibytes(1), devices });
  expect(vm.devices).toMatchObject(devices);
  expect([vm.devices.gpus, vm.devices.hostDevices]).toEqual([[], []]);
});

test('collections grow only by methods', () => {
  const disks = [Disk.containerDisk('os')];
  const vm = new VirtualMachine(testChart(), 'vm', { memory: Size.gibibytes(1), disks, devices: {} });
  disks.push(Disk.containerDisk('too late'));
  vm.disks.push(Disk.containerDisk('a copy'));
  vm.networks.pop();
  vm.devices.gpus.push(Gpu.device('a.copy/gpu'));
  vm.addDisk(Disk.emptyDisk(Size.gibibytes(1)));
  vm.addNetwork(VmNetwork.multus({ name: 'lan' }));
  vm.addResourceClaim(VmResourceClaim.fromClaim({ name: 'cards' }));
  vm.devices.addGpu(Gpu.device('nvidia.com/GP102GL'));
  vm.devices.addHostDevice(HostDevice.device('intel.com/qat'));
  vm.devices.addInput(InputDevice.tablet());
  vm.devices.addPanicDevice(PanicModel.HYPERV);
  const spec = instanceSpec(vm);
  expect(spec.volumes.map(({ name }: { name: string }) => name)).toEqual(['disk0', 'disk1']);
  expect(spec.networks.map(({ name }: { name: string }) => name)).toEqual(['default', 'lan']);
  expect(spec.resourceClaims).toEqual([{ name: 'cards', resourceClaimName: 'cards' }]);
  expect(spec.domain.devices).toMatchObject({
    gpus: [{ name: 'gpu0', deviceName: 'nvidia.com/GP102GL' }],
    hostDevices: [{ name: 'device0', deviceName: 'intel.com/qat' }],
    inputs: [{ name: 'input0', type: 'tablet' }],
    panicDevices: [{ model: 'hyperv' }],
  });
  expect([vm.disks.length, vm.networks.length, vm.devices.gpus.length]).toEqual([2, 2, 1]);
});

test('the manifest has labels that are added late', () => {
  for (const Kind of [VirtualMachine, VirtualMachineReplicaSet, VirtualMachinePool]) {
    const guest = new Kind(testChart(), 'a', {
      memory: Size.gibibytes(1),
      instanceMetadata: { labels: { a: '1' }, annotations: { note: 'x' } },
    });
    const labels = (): object => {
      const { template, virtualMachineTemplate } = guest.apiObject.toJson().spec;
      return (template ?? virtualMachineTemplate.spec.template).metadata.labels;
    };
    expect(labels()).toMatchObject({ a: '1' });
    guest.instanceMetadata.addLabel('b', '2');
    expect(labels()).toMatchObject({ a: '1', b: '2' });
    guest.instanceMetadata.addLabel('c', '3');
    expect(labels()).toMatchObject({ a: '1', b: '2', c: '3', ...(Kind === VirtualMachine ? {} : guest.podLabels) });
  }
});

test.each([
  ['is', NodeQuery.is('a', 'b'), { operator: 'In', values: ['b'] }],
  ['in', NodeQuery.in('a', ['b', 'c']), { operator: 'In', values: ['b', 'c'] }],
  ['notIn', NodeQuery.notIn('a', ['b']), { operator: 'NotIn', values: ['b'] }],
  ['exists', NodeQuery.exists('a'), { operator: 'Exists' }],
  ['doesNotExist', NodeQuery.doesNotExist('a'), { operator: 'DoesNotExist' }],
  ['gt', NodeQuery.gt('a', 1), { operator: 'Gt', values: ['1'] }],
  ['lt', NodeQuery.lt('a', 1), { operator: 'Lt', values: ['1'] }],
])('renders the node query %s', (_, query, want) => {
  const vm = new VirtualMachine(testChart(), 'vm', { memory: Size.gibibytes(1) });
  vm.scheduling.attract([query], { weight: 1 });
  const [preferred] = instanceSpec(vm).affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution;
  expect(preferred.preference.matchExpressions).toEqual([{ key: 'a', ...want }]);
});

test('mistakes in a preference name its property', () => {
  const chart = testChart();
  new Preference(chart, 'a', { topology: PreferredTopology.spread(SpreadAcross.CORES_THREADS, 4) });
  expect(synthMistake(chart)).toContain('[web/a] topology (spec.cpu.spreadOptions.ratio)');
  expect(mistakeOf(() => new Preference(testChart(), 'b', { topology: PreferredTopology.of('round') }))).toContain(
    'topology (spec.cpu.preferredCPUTopology)',
  );
  expect(mistakeOf(() => new Preference(testChart(), 'c', { requirements: { cpus: 1.5 } }))).toContain(
    'requirements.cpus (spec.requirements.cpu.guest)',
  );
});

test('a reference by name renders the same as a construct', () => {
  const chart = testChart();
  const own = new Instancetype(chart, 'small', { cpus: 1, memory: Size.gibibytes(1) });
  const matcher = (instancetype: { name: string }): object =>
    new VirtualMachine(testChart(), 'vm', { instancetype }).apiObject.toJson().spec.instancetype;
  expect(matcher(own)).toEqual(matcher(Instancetype.fromName('web-small')));
  expect(matcher({ name: 'u1.small' })).toEqual({ name: 'u1.small' });
  expect(matcher(ClusterInstancetype.fromName('x'))).toEqual({ name: 'x', kind: 'VirtualMachineClusterInstancetype' });
});
