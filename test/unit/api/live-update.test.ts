import { clusterConfig, type KubeVirt, type VirtualMachine } from '../../../src/api';
import { contextOf } from '../../../src/api/context';
import { type Effect, impactOf, worstOf } from '../../../src/api/live-update';
import { needsRestart, instanceOf } from '../../../src/runtime/controller/virtual-machine/instance-of';

const context = contextOf(clusterConfig());
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- mutations reach anywhere
type Any = any;

const machine = (mutate: (spec: Any, vm: Any) => void = () => undefined): VirtualMachine => {
  const vm = {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name: 'web', namespace: 'shop', uid: 'u' },
    spec: {
      runStrategy: 'Always',
      template: {
        metadata: {},
        spec: {
          architecture: 'amd64',
          domain: {
            cpu: { sockets: 2 },
            memory: { guest: '2Gi' },
            devices: {
              disks: [
                { name: 'root', disk: { bus: 'virtio' } },
                { name: 'data', disk: { bus: 'scsi' } },
                { name: 'cd', cdrom: { bus: 'sata' } },
              ],
              interfaces: [
                { name: 'default', masquerade: {} },
                { name: 'lan', bridge: {} },
              ],
            },
          },
          networks: [
            { name: 'default', pod: {} },
            { name: 'lan', multus: { networkName: 'lan' } },
          ],
          volumes: [
            { name: 'root', dataVolume: { name: 'root' } },
            { name: 'data', persistentVolumeClaim: { claimName: 'data', hotpluggable: true } },
          ],
        },
      },
    },
  };
  mutate(vm.spec.template.spec, vm);
  return vm as never;
};
const guest = 'spec template spec ';
const effect = (
  path: string,
  mutate: (spec: Any, vm: Any) => void,
  base: (spec: Any, vm: Any) => void = () => undefined,
): Effect => {
  const before = machine(base);
  const after = machine((spec, vm) => {
    base(spec, vm);
    mutate(spec, vm);
  });
  return impactOf(path.split(' '), before, after, context).effect;
};

test.each<[string, Effect, string, (spec: Any, vm: Any) => void, ((spec: Any, vm: Any) => void)?]>([
  ['labels of the VM', 'live', 'metadata labels a', (_, vm) => (vm.metadata.labels = { a: 'b' })],
  [
    'labels of the guest',
    'restart',
    'spec template metadata labels a',
    (_, vm) => (vm.spec.template.metadata.labels = {}),
  ],
  ['whether it runs', 'live', 'spec runStrategy', (_, vm) => (vm.spec.runStrategy = 'Manual')],
  ['where it may run', 'live', `${guest}nodeSelector zone`, (s) => (s.nodeSelector = { zone: 'a' })],
  ['tolerations', 'live', `${guest}tolerations`, (s) => (s.tolerations = [])],
  ['more sockets', 'migration', `${guest}domain cpu sockets`, (s) => (s.domain.cpu.sockets = 4)],
  ['more sockets than it has room for', 'restart', `${guest}domain cpu sockets`, (s) => (s.domain.cpu.sockets = 9)],
  ['fewer sockets', 'restart', `${guest}domain cpu sockets`, (s) => (s.domain.cpu.sockets = 1)],
  ['cores', 'restart', `${guest}domain cpu cores`, (s) => (s.domain.cpu.cores = 2)],
  ['more memory', 'migration', `${guest}domain memory guest`, (s) => (s.domain.memory.guest = '4Gi')],
  [
    'more memory than it has room for',
    'restart',
    `${guest}domain memory guest`,
    (s) => (s.domain.memory.guest = '16Gi'),
  ],
  ['memory written otherwise', 'migration', `${guest}domain memory guest`, (s) => (s.domain.memory.guest = '2048Mi')],
  [
    'all the memory that it has room for',
    'migration',
    `${guest}domain memory guest`,
    (s) => (s.domain.memory.guest = '8Gi'),
  ],
  [
    'a byte more than it has room for',
    'restart',
    `${guest}domain memory guest`,
    (s) => (s.domain.memory.guest = '8589934593'),
  ],
  ['less memory', 'restart', `${guest}domain memory guest`, (s) => (s.domain.memory.guest = '1Gi')],
  [
    'memory of a guest that was too small to grow',
    'restart',
    `${guest}domain memory guest`,
    (s) => (s.domain.memory.guest = '1Gi'),
    (s) => (s.domain.memory.guest = '512Mi'),
  ],
  [
    'a claim that may be plugged',
    'live',
    `${guest}volumes new`,
    (s) => {
      s.volumes.push({ name: 'new', dataVolume: { name: 'new', hotpluggable: true } });
      s.domain.devices.disks.push({ name: 'new', disk: { bus: 'scsi' } });
    },
  ],
  [
    'a claim on a bus that takes no plugging',
    'restart',
    `${guest}domain devices disks new`,
    (s) => {
      s.volumes.push({ name: 'new', dataVolume: { name: 'new', hotpluggable: true } });
      s.domain.devices.disks.push({ name: 'new', disk: { bus: 'sata' } });
    },
  ],
  [
    'a volume that cannot be plugged',
    'restart',
    `${guest}volumes new`,
    (s) => {
      s.volumes.push({ name: 'new', emptyDisk: { capacity: '1Gi' } });
      s.domain.devices.disks.push({ name: 'new', disk: { bus: 'scsi' } });
    },
  ],
  ['a plugged volume goes', 'live', `${guest}volumes data`, (s) => s.volumes.pop()],
  ['a volume goes with which it started', 'restart', `${guest}volumes root`, (s) => s.volumes.shift()],
  [
    'a medium is inserted',
    'live',
    `${guest}volumes cd`,
    (s) => s.volumes.push({ name: 'cd', persistentVolumeClaim: { claimName: 'iso', hotpluggable: true } }),
  ],
  ['another claim', 'restart', `${guest}volumes root dataVolume name`, (s) => (s.volumes[0].dataVolume.name = 'other')],
  [
    'another claim, to be migrated',
    'migration',
    `${guest}volumes root dataVolume name`,
    (s) => (s.volumes[0].dataVolume.name = 'other'),
    (_, vm) => (vm.spec.updateVolumesStrategy = 'Migration'),
  ],
  [
    'the bus of a disk',
    'restart',
    `${guest}domain devices disks root disk bus`,
    (s) => (s.domain.devices.disks[0].disk.bus = 'sata'),
  ],
  [
    'a network is plugged',
    'migration',
    `${guest}domain devices interfaces new`,
    (s) => {
      s.networks.push({ name: 'new', multus: { networkName: 'new' } });
      s.domain.devices.interfaces.push({ name: 'new', bridge: {} });
    },
  ],
  [
    'a network of a binding that takes no plugging',
    'restart',
    `${guest}networks new`,
    (s) => {
      s.networks.push({ name: 'new', multus: { networkName: 'new' } });
      s.domain.devices.interfaces.push({ name: 'new', masquerade: {} });
    },
  ],
  [
    'a link goes down',
    'live',
    `${guest}domain devices interfaces default state`,
    (s) => (s.domain.devices.interfaces[0].state = 'down'),
  ],
  [
    'a network is unplugged',
    'live',
    `${guest}domain devices interfaces lan state`,
    (s) => (s.domain.devices.interfaces[1].state = 'absent'),
  ],
  [
    'the pod network stays',
    'restart',
    `${guest}domain devices interfaces default state`,
    (s) => (s.domain.devices.interfaces[0].state = 'absent'),
  ],
  [
    'another network behind an interface',
    'migration',
    `${guest}networks lan multus networkName`,
    (s) => (s.networks[1].multus.networkName = 'other'),
  ],
  [
    'the model of an interface',
    'restart',
    `${guest}domain devices interfaces lan model`,
    (s) => (s.domain.devices.interfaces[1].model = 'e1000'),
  ],
  [
    'an interface goes without being unplugged',
    'restart',
    `${guest}domain devices interfaces lan`,
    (s) => s.domain.devices.interfaces.pop(),
  ],
  [
    'anything else',
    'restart',
    `${guest}domain firmware bootloader`,
    (s) => (s.domain.firmware = { bootloader: { efi: {} } }),
  ],
  [
    'an instance type that nobody knows',
    'restart',
    'spec instancetype name',
    (_, vm) => (vm.spec.instancetype = { name: 'large' }),
  ],
])('%s: %s', (...[, want, path, mutate, base]) => expect(effect(path, mutate, base)).toBe(want));

describe('by an instance type', () => {
  const type = (name: string, guestCpus: number, memory: string, more: object = {}) => ({
    apiVersion: 'instancetype.kubevirt.io/v1beta1',
    kind: 'VirtualMachineClusterInstancetype',
    metadata: { name },
    spec: { cpu: { guest: guestCpus }, memory: { guest: memory }, ...more },
  });
  const types = [
    type('small', 1, '2Gi'),
    type('large', 2, '4Gi'),
    type('secure', 2, '4Gi', { launchSecurity: { sev: {} } }),
  ];
  const find = (_kind: string, _namespace: string | undefined, name: string) =>
    types.find((each) => each.metadata.name === name);
  const sized = (name: string): VirtualMachine =>
    machine((spec, vm) => {
      delete spec.domain.cpu;
      delete spec.domain.memory;
      vm.spec.instancetype = { kind: 'VirtualMachineClusterInstancetype', name };
    });

  test.each([
    ['small', 'large', 'migration'],
    ['large', 'small', 'restart'],
    ['small', 'secure', 'restart'],
  ] as const)('%s to %s: %s', (from, to, want) =>
    expect(impactOf(['spec', 'instancetype', 'name'], sized(from), sized(to), { ...context, find }).effect).toBe(want),
  );
});

test('a cluster that stages changes keeps all of them back', () => {
  const config = clusterConfig({ metadata: {}, spec: { configuration: { vmRolloutStrategy: 'Stage' } } } as KubeVirt);
  const after = machine((spec) => (spec.nodeSelector = { a: 'b' }));
  expect(
    impactOf(['spec', 'template', 'spec', 'nodeSelector', 'a'], machine(), after, { ...context, config }),
  ).toMatchObject({
    effect: 'restart',
    why: 'vmRolloutStrategy is Stage',
  });
});

test("what is told of our own controller is what it does: it asks for a restart unless only the guest's place changes", () => {
  const running = instanceOf(machine(), false, { claims: new Map(), config: context.config });
  const cases: [string, (spec: Any) => void][] = [
    ['nodeSelector a', (spec) => (spec.nodeSelector = { a: 'b' })],
    ['affinity', (spec) => (spec.affinity = {})],
    ['domain cpu sockets', (spec) => (spec.domain.cpu.sockets = 4)],
    ['domain firmware', (spec) => (spec.domain.firmware = {})],
    ['domain devices interfaces default state', (spec) => (spec.domain.devices.interfaces[0].state = 'down')],
  ];
  for (const [path, mutate] of cases) {
    const after = machine(mutate);
    const { effect: upstream, ours = upstream } = impactOf(`${guest}${path}`.split(' '), machine(), after, context);
    expect([path, ours === 'restart']).toEqual([path, needsRestart(after, running)]);
  }
});

test('a guest that says that it cannot migrate needs a restart for what a migration would do', () => {
  const status = { conditions: [{ type: 'LiveMigratable', status: 'False', message: 'PVC root is not shared' }] };
  const before = { ...machine(), status } as VirtualMachine;
  const after = machine((spec) => (spec.domain.cpu.sockets = 4));
  expect(impactOf(`${guest}domain cpu sockets`.split(' '), before, after, context)).toEqual({
    effect: 'restart',
    why: 'the guest cannot migrate: PVC root is not shared',
  });
});

test('the worst of several effects counts', () => {
  const why = '';
  expect(
    worstOf([
      { effect: 'live', why },
      { effect: 'restart', why },
      { effect: 'migration', why },
    ])?.effect,
  ).toBe('restart');
  expect(worstOf([])).toBeUndefined();
});
