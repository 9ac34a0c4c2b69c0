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
const impact = (
  path: string,
  mutate: (spec: Any, vm: Any) => void,
  base: (spec: Any, vm: Any) => void = () => undefined,
): string => {
  const before = machine(base);
  const after = machine((spec, vm) => {
    base(spec, vm);
    mutate(spec, vm);
  });
  const { effect, ours, why } = impactOf(path.split(' '), before, after, context);
  return `${effect}${ours ? ` (here: ${ours})` : ''}: ${why}`;
};
/** A claim in the drive, plugged or from the start. */
const insert = (hotpluggable: boolean) => (s: Any) =>
  s.volumes.push({
    name: 'cd',
    persistentVolumeClaim: { claimName: 'iso', ...(hotpluggable ? { hotpluggable } : {}) },
  });

test.each<[string, string, string, (spec: Any, vm: Any) => void, ((spec: Any, vm: Any) => void)?]>([
  [
    'labels of the VM',
    'live: of the object, not of the guest',
    'metadata labels a',
    (_, vm) => (vm.metadata.labels = { a: 'b' }),
  ],
  [
    'labels of the guest',
    'restart: a guest gets it when it starts',
    'spec template metadata labels a',
    (_, vm) => (vm.spec.template.metadata.labels = {}),
  ],
  [
    'whether it runs',
    'live: it decides whether the guest runs',
    'spec runStrategy',
    (_, vm) => (vm.spec.runStrategy = 'Manual'),
  ],
  [
    'where it may run',
    'live: it counts when the guest moves',
    `${guest}nodeSelector zone`,
    (s) => (s.nodeSelector = { zone: 'a' }),
  ],
  ['tolerations', 'live: it counts when the guest moves', `${guest}tolerations`, (s) => (s.tolerations = [])],
  [
    'more sockets',
    'migration (here: restart): CPUs are plugged',
    `${guest}domain cpu sockets`,
    (s) => (s.domain.cpu.sockets = 4),
  ],
  [
    'more sockets than it has room for',
    'restart: the guest started with room for 8 sockets',
    `${guest}domain cpu sockets`,
    (s) => (s.domain.cpu.sockets = 9),
  ],
  [
    'fewer sockets',
    'restart: CPUs cannot be unplugged',
    `${guest}domain cpu sockets`,
    (s) => (s.domain.cpu.sockets = 1),
  ],
  ['cores', 'restart: a running guest keeps it', `${guest}domain cpu cores`, (s) => (s.domain.cpu.cores = 2)],
  [
    'more memory',
    'migration (here: restart): memory is plugged',
    `${guest}domain memory guest`,
    (s) => (s.domain.memory.guest = '4Gi'),
  ],
  [
    'more memory than it has room for',
    'restart: the guest started with room for 8Gi',
    `${guest}domain memory guest`,
    (s) => (s.domain.memory.guest = '16Gi'),
  ],
  [
    'memory in another notation',
    'live (here: restart): it changes nothing in the guest',
    `${guest}domain memory guest`,
    (s) => (s.domain.memory.guest = '2048Mi'),
  ],
  [
    'all the memory that it has room for',
    'migration (here: restart): memory is plugged',
    `${guest}domain memory guest`,
    (s) => (s.domain.memory.guest = '8Gi'),
  ],
  [
    'a byte more than it has room for',
    'restart: the guest started with room for 8Gi',
    `${guest}domain memory guest`,
    (s) => (s.domain.memory.guest = '8589934593'),
  ],
  [
    'less memory',
    'restart: memory that it started with cannot be unplugged',
    `${guest}domain memory guest`,
    (s) => (s.domain.memory.guest = '1Gi'),
  ],
  [
    'memory of a guest that was too small to grow',
    'restart: the guest started without room to grow',
    `${guest}domain memory guest`,
    (s) => (s.domain.memory.guest = '1Gi'),
    (s) => (s.domain.memory.guest = '512Mi'),
  ],
  [
    'a claim that may be plugged',
    'live: it is plugged',
    `${guest}volumes new`,
    (s) => {
      s.volumes.push({ name: 'new', dataVolume: { name: 'new', hotpluggable: true } });
      s.domain.devices.disks.push({ name: 'new', disk: { bus: 'scsi' } });
    },
  ],
  [
    'a claim on a bus that takes no plugging',
    'restart: only a disk on virtio or scsi can be plugged',
    `${guest}domain devices disks new`,
    (s) => {
      s.volumes.push({ name: 'new', dataVolume: { name: 'new', hotpluggable: true } });
      s.domain.devices.disks.push({ name: 'new', disk: { bus: 'sata' } });
    },
  ],
  [
    'a volume that cannot be plugged',
    'restart: only a claim with hotpluggable: true can be plugged',
    `${guest}volumes new`,
    (s) => {
      s.volumes.push({ name: 'new', emptyDisk: { capacity: '1Gi' } });
      s.domain.devices.disks.push({ name: 'new', disk: { bus: 'scsi' } });
    },
  ],
  ['a plugged volume is removed', 'live: it is unplugged', `${guest}volumes data`, (s) => s.volumes.pop()],
  [
    'a volume that the guest started with is removed',
    'restart: it was there when the guest started',
    `${guest}volumes root`,
    (s) => s.volumes.shift(),
  ],
  [
    'a medium is inserted',
    'live: the medium is inserted',
    `${guest}volumes cd`,
    (s) => s.volumes.push({ name: 'cd', persistentVolumeClaim: { claimName: 'iso', hotpluggable: true } }),
  ],
  [
    'another claim',
    'restart: updateVolumesStrategy: Migration would move it while the guest runs',
    `${guest}volumes root dataVolume name`,
    (s) => (s.volumes[0].dataVolume.name = 'other'),
  ],
  [
    'another claim, to be migrated',
    'migration (here: restart): its data is copied to the new claim',
    `${guest}volumes root dataVolume name`,
    (s) => (s.volumes[0].dataVolume.name = 'other'),
    (_, vm) => (vm.spec.updateVolumesStrategy = 'Migration'),
  ],
  [
    'the bus of a disk',
    'restart: a running guest keeps it',
    `${guest}domain devices disks root disk bus`,
    (s) => (s.domain.devices.disks[0].disk.bus = 'sata'),
  ],
  [
    'a network is plugged',
    'migration (here: restart): it is plugged',
    `${guest}domain devices interfaces new`,
    (s) => {
      s.networks.push({ name: 'new', multus: { networkName: 'new' } });
      s.domain.devices.interfaces.push({ name: 'new', bridge: {} });
    },
  ],
  [
    'a network of a binding that takes no plugging',
    'restart: only bridge and sriov on a Multus network can be plugged',
    `${guest}networks new`,
    (s) => {
      s.networks.push({ name: 'new', multus: { networkName: 'new' } });
      s.domain.devices.interfaces.push({ name: 'new', masquerade: {} });
    },
  ],
  [
    'a link is set down',
    'live (here: restart): the link changes',
    `${guest}domain devices interfaces default state`,
    (s) => (s.domain.devices.interfaces[0].state = 'down'),
  ],
  [
    'a network is unplugged',
    'live (here: restart): it is unplugged',
    `${guest}domain devices interfaces lan state`,
    (s) => (s.domain.devices.interfaces[1].state = 'absent'),
  ],
  [
    'the pod network stays',
    'restart: only bridge and sriov can be unplugged',
    `${guest}domain devices interfaces default state`,
    (s) => (s.domain.devices.interfaces[0].state = 'absent'),
  ],
  [
    'another network behind an interface',
    'migration (here: restart): it is plugged into the other network',
    `${guest}networks lan multus networkName`,
    (s) => (s.networks[1].multus.networkName = 'other'),
  ],
  [
    'the model of an interface',
    'restart: a running guest keeps it',
    `${guest}domain devices interfaces lan model`,
    (s) => (s.domain.devices.interfaces[1].model = 'e1000'),
  ],
  [
    'an interface is removed without being unplugged',
    'restart: state: absent unplugs it',
    `${guest}domain devices interfaces lan`,
    (s) => s.domain.devices.interfaces.pop(),
  ],
  [
    'anything else',
    'restart: a running guest keeps it',
    `${guest}domain firmware bootloader`,
    (s) => (s.domain.firmware = { bootloader: { efi: {} } }),
  ],
  [
    'an instance type that nobody knows',
    'restart: what it changes is not known here',
    'spec instancetype name',
    (_, vm) => (vm.spec.instancetype = { name: 'large' }),
  ],
  [
    'running instead of a strategy',
    'live: it decides whether the guest runs',
    'spec running',
    (_, vm) => (vm.spec.running = true),
  ],
  [
    'disks to create',
    'live: what is missing is created; what is there stays as it is',
    'spec dataVolumeTemplates',
    (_, vm) => (vm.spec.dataVolumeTemplates = []),
  ],
  [
    'how volumes change',
    'live: it holds for the next change of volumes',
    'spec updateVolumesStrategy',
    (_, vm) => (vm.spec.updateVolumesStrategy = 'Migration'),
  ],
  ['affinity', 'live: it counts when the guest moves', `${guest}affinity`, (s) => (s.affinity = { nodeAffinity: {} })],
  ['the host name', 'restart: a running guest keeps it', `${guest}hostname`, (s) => (s.hostname = 'web')],
  [
    'the guest itself is taken away',
    'restart: a running guest keeps it',
    guest.trim(),
    (_, vm) => delete vm.spec.template.spec,
  ],
  [
    'as many sockets as it has room for',
    'migration (here: restart): CPUs are plugged',
    `${guest}domain cpu sockets`,
    (s) => (s.domain.cpu.sockets = 8),
  ],
  [
    'the one socket that it has anyway, written out',
    'live (here: restart): it changes nothing in the guest',
    `${guest}domain cpu sockets`,
    (s) => (s.domain.cpu.sockets = 1),
    (s) => (s.domain.cpu = { cores: 2 }),
  ],
  [
    'sockets of a guest whose number of cores is fixed',
    'restart: the guest started without room to grow',
    `${guest}domain cpu sockets`,
    (s) => (s.domain.cpu.sockets = 2),
    (s) => (s.domain.cpu = { cores: 2 }),
  ],
  [
    'memory is taken out of the spec',
    'restart: a running guest keeps it',
    `${guest}domain memory guest`,
    (s) => delete s.domain.memory,
  ],
  [
    'memory that is not an amount',
    'restart: a running guest keeps it',
    `${guest}domain memory guest`,
    (s) => (s.domain.memory.guest = 'lots'),
  ],
  [
    'the disk of a claim that may be plugged',
    'live: it is plugged',
    `${guest}domain devices disks new`,
    (s) => {
      s.volumes.push({ name: 'new', dataVolume: { name: 'new', hotpluggable: true } });
      s.domain.devices.disks.push({ name: 'new', disk: { bus: 'virtio' } });
    },
  ],
  [
    'a drive with its medium',
    'restart: only a disk on virtio or scsi can be plugged',
    `${guest}volumes new`,
    (s) => {
      s.volumes.push({ name: 'new', dataVolume: { name: 'new', hotpluggable: true } });
      s.domain.devices.disks.push({ name: 'new', cdrom: { bus: 'scsi' } });
    },
  ],
  [
    'the tray of an empty drive',
    'restart: a running guest keeps it',
    `${guest}domain devices disks cd cdrom tray`,
    (s) => (s.domain.devices.disks[2].cdrom.tray = 'open'),
  ],
  ['a medium is ejected', 'live: the medium is ejected', `${guest}volumes cd`, (s) => s.volumes.pop(), insert(true)],
  [
    'another medium',
    'live: the medium is changed',
    `${guest}volumes cd`,
    (s) => (s.volumes[2].persistentVolumeClaim.claimName = 'other'),
    insert(true),
  ],
  [
    'another medium in the place of one that the guest started with',
    'restart: updateVolumesStrategy: Migration would move it while the guest runs',
    `${guest}volumes cd`,
    (s) => (s.volumes[2].persistentVolumeClaim = { claimName: 'other', hotpluggable: true }),
    insert(false),
  ],
  [
    'a medium that cannot be changed again',
    'restart: updateVolumesStrategy: Migration would move it while the guest runs',
    `${guest}volumes cd`,
    (s) => (s.volumes[2].persistentVolumeClaim = { claimName: 'other' }),
    insert(true),
  ],
  [
    'a drive becomes a disk',
    'restart: a running guest keeps it',
    `${guest}volumes cd`,
    (s) => (s.domain.devices.disks[2] = { name: 'cd', disk: { bus: 'sata' } }),
    insert(true),
  ],
  [
    'another plugged claim, which is not a medium',
    'restart: updateVolumesStrategy: Migration would move it while the guest runs',
    `${guest}volumes data persistentVolumeClaim claimName`,
    (s) => (s.volumes[1].persistentVolumeClaim.claimName = 'other'),
  ],
  [
    'a claim in the place of an image',
    'restart: a running guest keeps it',
    `${guest}volumes root`,
    (s) => (s.volumes[0] = { name: 'root', dataVolume: { name: 'root' } }),
    (s, vm) => {
      s.volumes[0] = { name: 'root', containerDisk: { image: 'fedora' } };
      vm.spec.updateVolumesStrategy = 'Migration';
    },
  ],
  [
    'an image in the place of a claim',
    'restart: a running guest keeps it',
    `${guest}volumes root`,
    (s) => (s.volumes[0] = { name: 'root', containerDisk: { image: 'fedora' } }),
    (_, vm) => (vm.spec.updateVolumesStrategy = 'Migration'),
  ],
  [
    'a device on the PCI bus is plugged',
    'migration (here: restart): it is plugged',
    `${guest}networks new`,
    (s) => {
      s.networks.push({ name: 'new', multus: { networkName: 'new' } });
      s.domain.devices.interfaces.push({ name: 'new', sriov: {} });
    },
  ],
  [
    'a bridge to the pod network',
    'restart: only bridge and sriov on a Multus network can be plugged',
    `${guest}networks default`,
    (s) => {
      s.networks.push({ name: 'default', pod: {} });
      s.domain.devices.interfaces.push({ name: 'default', bridge: {} });
    },
    (s) => {
      s.networks.shift();
      s.domain.devices.interfaces.shift();
    },
  ],
  [
    'a network that no interface is on',
    'restart: a running guest keeps it',
    `${guest}networks spare`,
    (s) => s.networks.push({ name: 'spare', pod: {} }),
  ],
  [
    'the link of an unplugged interface',
    'live (here: restart): the link changes',
    `${guest}domain devices interfaces lan state`,
    (s) => (s.domain.devices.interfaces[1].state = 'up'),
    (s) => (s.domain.devices.interfaces[1].state = 'absent'),
  ],
  [
    'an unplugged interface is removed',
    'live (here: restart): it was unplugged before',
    `${guest}domain devices interfaces lan`,
    (s) => s.domain.devices.interfaces.pop(),
    (s) => (s.domain.devices.interfaces[1].state = 'absent'),
  ],
  [
    'a device on the PCI bus is unplugged',
    'migration (here: restart): it is unplugged',
    `${guest}domain devices interfaces lan state`,
    (s) => (s.domain.devices.interfaces[1].state = 'absent'),
    (s) => (s.domain.devices.interfaces[1] = { name: 'lan', sriov: {} }),
  ],
  [
    'an interface whose binding cannot be unplugged stays',
    'restart: only bridge and sriov can be unplugged',
    `${guest}domain devices interfaces lan state`,
    (s) => (s.domain.devices.interfaces[1].state = 'absent'),
    (s) => (s.domain.devices.interfaces[1] = { name: 'lan', masquerade: {} }),
  ],
  [
    'a bridge to the pod network stays',
    'restart: only bridge and sriov can be unplugged',
    `${guest}domain devices interfaces default state`,
    (s) => (s.domain.devices.interfaces[0].state = 'absent'),
    (s) => (s.domain.devices.interfaces[0] = { name: 'default', bridge: {} }),
  ],
  [
    'another network behind a device on the PCI bus',
    'restart: a running guest keeps it',
    `${guest}networks lan multus networkName`,
    (s) => (s.networks[1].multus.networkName = 'other'),
    (s) => (s.domain.devices.interfaces[1] = { name: 'lan', sriov: {} }),
  ],
  [
    'the pod network in the place of another',
    'restart: a running guest keeps it',
    `${guest}networks lan`,
    (s) => (s.networks[1] = { name: 'lan', pod: {} }),
  ],
  [
    'another network in the place of the pod network',
    'restart: a running guest keeps it',
    `${guest}networks default`,
    (s) => (s.networks[0] = { name: 'default', multus: { networkName: 'lan' } }),
    (s) => (s.domain.devices.interfaces[0] = { name: 'default', bridge: {} }),
  ],
  [
    'a preference that nobody knows',
    'restart: what it changes is not known here',
    'spec preference name',
    (_, vm) => (vm.spec.preference = { name: 'linux' }),
  ],
])('%s: %s', (...[, want, path, mutate, base]) => expect(impact(path, mutate, base)).toBe(want));

describe('by an instance type', () => {
  const type = (name: string, guestCpus: number, memory: string, more: object = {}) => ({
    apiVersion: 'instancetype.kubevirt.io/v1beta1',
    kind: 'VirtualMachineClusterInstancetype',
    metadata: { name },
    spec: { cpu: { guest: guestCpus }, memory: { guest: memory }, ...more },
  });
  const preference = { apiVersion: 'instancetype.kubevirt.io/v1beta1', kind: 'VirtualMachineClusterPreference' };
  const objects = [
    type('small', 1, '2Gi'),
    type('small-too', 1, '2Gi'),
    type('more-cpus', 2, '2Gi'),
    type('more-memory', 1, '4Gi'),
    type('large', 2, '4Gi'),
    type('tiny', 1, '512Mi'),
    type('tiny-but-fast', 2, '512Mi'),
    type('secure', 2, '4Gi', { launchSecurity: { sev: {} } }),
    { ...preference, metadata: { name: 'plain' }, spec: {} },
    { ...preference, metadata: { name: 'windows' }, spec: { features: { preferredHyperv: { vapic: {} } } } },
  ];
  const find = (kind: string, _namespace: string | undefined, name: string) =>
    objects.find((each) => each.kind === kind && each.metadata.name === name);
  const sized = (name: string, more: (spec: Any, vm: Any) => void = () => undefined): VirtualMachine =>
    machine((spec, vm) => {
      delete spec.domain.cpu;
      delete spec.domain.memory;
      vm.spec.instancetype = { kind: 'VirtualMachineClusterInstancetype', name };
      more(spec, vm);
    });
  const between = (before: VirtualMachine, after: VirtualMachine, field = 'instancetype') => {
    const { effect, ours, why } = impactOf(['spec', field, 'name'], before, after, { ...context, find });
    return `${effect}${ours ? ` (here: ${ours})` : ''}: ${why}`;
  };

  test.each([
    ['small', 'large', 'migration (here: restart): CPUs are plugged'],
    ['small', 'more-cpus', 'migration (here: restart): CPUs are plugged'],
    ['small', 'more-memory', 'migration (here: restart): memory is plugged'],
    ['small', 'small-too', 'live (here: restart): it changes nothing in the guest'],
    ['tiny', 'tiny-but-fast', 'migration (here: restart): CPUs are plugged'],
    ['large', 'small', 'restart: CPUs cannot be unplugged'],
    ['more-memory', 'small', 'restart: memory that it started with cannot be unplugged'],
    ['more-memory', 'more-cpus', 'restart: memory that it started with cannot be unplugged'],
    ['small', 'secure', 'restart: a running guest keeps it'],
    ['small', 'gone', 'restart: what it changes is not known here'],
  ])('%s to %s: %s', (from, to, want) => expect(between(sized(from), sized(to))).toBe(want));

  test.each([
    ['plain', 'live (here: restart): it changes nothing in the guest'],
    ['windows', 'restart: a running guest keeps it'],
  ])('the preference %s: %s', (name, want) => {
    const preferring = sized('small', (_, vm) => {
      vm.spec.preference = { kind: 'VirtualMachineClusterPreference', name };
    });
    expect(between(sized('small'), preferring, 'preference')).toBe(want);
  });

  test('what a type changes that contradicts the VM is not known', () => {
    const contradicting = sized('large', (spec) => (spec.domain.memory = { guest: '1Gi' }));
    expect(between(sized('small'), contradicting)).toBe('restart: what it changes is not known here');
  });

  test('what a type changes in a VM without a guest is not known', () => {
    const empty = sized('large', (_, vm) => delete vm.spec.template.spec);
    expect(between(sized('small'), empty)).toBe('restart: what it changes is not known here');
  });
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

test("the impact with virt8s' own controller is a restart unless only the guest's placement changes", () => {
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
    expect([path, ours === 'restart']).toEqual([path, needsRestart(after, running, context.config)]);
  }
});

test('a guest that cannot migrate needs a restart for changes that need a migration', () => {
  const status = { conditions: [{ type: 'LiveMigratable', status: 'False', message: 'PVC root is not shared' }] };
  const before = { ...machine(), status } as VirtualMachine;
  const after = machine((spec) => (spec.domain.cpu.sockets = 4));
  expect(impactOf(`${guest}domain cpu sockets`.split(' '), before, after, context)).toEqual({
    effect: 'restart',
    why: 'the guest cannot migrate: PVC root is not shared',
  });
});

test('a guest that cannot migrate for an unknown reason needs a restart, too', () => {
  const status = { conditions: [{ type: 'LiveMigratable', status: 'False' }] };
  const before = { ...machine(), status } as VirtualMachine;
  const after = machine((spec) => (spec.domain.cpu.sockets = 4));
  expect(impactOf(`${guest}domain cpu sockets`.split(' '), before, after, context)).toEqual({
    effect: 'restart',
    why: 'the guest cannot migrate',
  });
});

test.each<[Effect[], number]>([
  [['live', 'restart', 'migration'], 1],
  [['live', 'migration'], 1],
  [['migration', 'live'], 0],
  [['migration', 'restart', 'restart'], 1],
])('of %j the worst counts, and of equals the first', (effects, want) => {
  const impacts = effects.map((effect, i) => ({ effect, why: String(i) }));
  expect(worstOf(impacts)).toBe(impacts[want]);
});

test('no change has no worst effect', () => expect(worstOf([])).toBeUndefined());
