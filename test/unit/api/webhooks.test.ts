import {
  clusterConfig,
  lintVirtualMachine,
  mutateVirtualMachine,
  mutateVirtualMachineInstance,
  validateVirtualMachineCreate,
  validateVirtualMachineInstanceCreate,
  validateVirtualMachineInstanceUpdate,
  validateVirtualMachineUpdate,
  VirtualMachine,
  virtualMachineInstanceOf,
} from '../../../src/api';
import { contextOf } from '../../../src/api/context';
import { virtualMachineWarnings } from '../../../src/api/admission/warnings';
import fc, { runs } from '../../support/fast-check';
import { configured, gated, Loose, validVm, validVmi, vmRefused } from './fixtures';

const config = clusterConfig();

describe('a VM at its creation', () => {
  const cpu = (change: Loose) => (s: Loose) => (s.template.spec.domain.cpu = change);
  test.each<[string, (spec: Loose, vm: Loose) => void, string[]]>([
    ['the valid VM passes', () => {}, []],
    ['both running and a strategy', (s) => (s.running = true), ['Invalid spec.running']],
    ['neither running nor a strategy', (s) => delete s.runStrategy, ['Invalid spec.running']],
    ['an unknown strategy', (s) => (s.runStrategy = 'Allways'), ['Invalid spec.runStrategy']],
    ['a receiver', (s) => (s.runStrategy = 'WaitAsReceiver'), []],
    ['no template', (s) => delete s.template, [' ']],
    ['an empty template', (s) => (s.template = {}), []],
    [
      'a mistake in the template',
      cpu({ isolateEmulatorThread: true }),
      ['Invalid spec.template.spec.domain.cpu.isolateEmulatorThread'],
    ],
    [
      'sockets above the maximum',
      cpu({ sockets: 4, maxSockets: 2 }),
      ['Invalid spec.template.spec.domain.cpu.sockets'],
    ],
    [
      'memory that cannot grow as it should',
      (s) => (s.template.spec.domain.memory = { guest: '512Mi', maxGuest: '1Gi' }),
      ['Invalid spec.template.spec.domain.memory.guest'],
    ],
    ['no memory: an instance type may bring it', (s) => delete s.template.spec.domain.memory, []],
    [
      'a reserved label',
      (s) => (s.template.metadata.labels['kubevirt.io/created-by'] = 'x'),
      ['NotSupported spec.template.metadata.labels'],
    ],
    ['a label that is not valid is only warned of', (s) => (s.template.metadata.labels.app = 'a b'), []],
    [
      'a sidecar behind its gate',
      (s) => (s.template.metadata.annotations = { 'hooks.kubevirt.io/hookSidecars': '[]' }),
      ['Invalid spec.template.metadata.annotations'],
    ],
    ['a name that is not valid', (_, vm) => (vm.metadata.name = 'Web_1'), ['Invalid metadata.name']],
    ['an instance type that is not there yet', (s) => (s.instancetype = { name: 'x' }), []],
    ['a misspelt field', (s) => (s.template.spec.hostName = 'x'), [' ']],
    ['null', (s) => (s.template.spec.networks = null), [' ']],
    [
      'everything wrong is reported at once',
      (s) => {
        s.runStrategy = 'x';
        s.template.spec.hostname = '_';
      },
      ['Invalid spec.template.spec.hostname', 'Invalid spec.runStrategy'],
    ],
  ])('%s', (_, change, want) => expect(vmRefused(change)).toEqual(want));

  test('gates decide about sidecars and receivers', () => {
    const sidecar = (s: Loose) => (s.template.metadata.annotations = { 'hooks.kubevirt.io/hookSidecars': '[]' });
    expect(vmRefused(sidecar, gated('Sidecar'))).toEqual([]);
    const off = configured({ developerConfiguration: { disabledFeatureGates: ['DecentralizedLiveMigration'] } });
    expect(vmRefused((s) => (s.runStrategy = 'WaitAsReceiver'), off)).toEqual(['Invalid spec.runStrategy']);
  });

  test('likely mistakes are also reported in code', () => {
    const vm: Loose = validVm();
    vm.metadata.name = 'a'.repeat(64);
    vm.spec.template.metadata.labels.app = 'a b';
    Object.assign(vm.spec.template.spec.domain, { cpu: { cores: 0 }, memory: undefined, firmware: { uuid: 'x' } });
    vm.spec.template.spec.domain.devices.disks[0].serial = 'x'.repeat(30);
    expect(validateVirtualMachineCreate(vm, config)).toEqual([]);
    expect(lintVirtualMachine(vm, config).map(({ rule }) => rule)).toEqual([
      'name-length',
      'label',
      'cpu-positive',
      'firmware-uuid',
      'disk-serial-length',
      'memory-required',
    ]);
  });
});

describe('warnings', () => {
  const warned = (change: (spec: Loose) => void, cluster = config) => {
    const vm: Loose = validVm();
    change(vm.spec);
    return virtualMachineWarnings(vm, { config: cluster });
  };
  test.each<[string, (spec: Loose) => void, RegExp[]]>([
    ['nothing', () => {}, []],
    ['running', (s) => (s.running = false), [/^spec\.running is deprecated, please use spec\.runStrategy instead\.$/]],
    [
      'another way to replace volumes',
      (s) => (s.updateVolumesStrategy = 'Migratoin'),
      [/updateVolumesStrategy.*did you mean "Migration"/],
    ],
    [
      'CNI-Genie, with what Multus calls it',
      (s) => (s.template.spec.networks = [{ name: 'default', genie: { networkName: 'net' } }]),
      [/networks\[0\]\.genie: .*multus: \{networkName: "net"\}/],
    ],
    [
      'slirp',
      (s) => (s.template.spec.domain.devices.interfaces[0] = { name: 'default', slirp: {} }),
      [/slirp: slirp is deprecated/],
    ],
    [
      'an unregistered plugin',
      (s) => (s.template.spec.domain.devices.interfaces[0] = { name: 'default', binding: { name: 'p' } }),
      [/"p" is not registered/],
    ],
    [
      'more memory than the limit',
      (s) => (s.template.spec.domain.resources = { limits: { memory: '1Mi' } }),
      [/memory limit/],
    ],
    [
      'cloud-init twice',
      (s) => s.template.spec.volumes.push({ name: 'more', cloudInitConfigDrive: { userData: 'x' } }),
      [/volumes\[3\]: .*the guest reads only one of them; merge the two/],
    ],
    ['a node that no label names', (s) => (s.template.spec.nodeSelector = { 'a b': 'c' }), [/no node has it/]],
  ])('%s', (_, change, want) => {
    const got = warned(change);
    expect(got).toHaveLength(want.length);
    want.forEach((pattern, i) => expect(got[i]).toMatch(pattern));
  });
});

describe('a VM at its update', () => {
  const update = (change: (vm: VirtualMachine, old: VirtualMachine) => void): string[] => {
    const [vm, old] = [validVm(), validVm()];
    change(vm, old);
    return validateVirtualMachineUpdate(vm, old, config).map(({ rule, path }) => `${rule} ${path}`);
  };

  test('a stored mistake does not block changes of metadata or status', () => {
    expect(update((vm, old) => (vm.spec.runStrategy = old.spec.runStrategy = 'x' as never))).toEqual([]);
  });

  test('a VM that is being deleted may change', () => {
    expect(
      update((vm) => {
        vm.metadata.deletionTimestamp = 'now';
        vm.spec.runStrategy = 'x' as never;
      }),
    ).toEqual([]);
  });

  test('while it is copied, it keeps its volumes and whether it runs', () => {
    const copied = (change: (vm: Loose) => void) =>
      update((vm) => {
        vm.status = { snapshotInProgress: 's' };
        change(vm);
      });
    expect(copied((vm) => (vm.spec.runStrategy = 'Halted'))).toEqual(['snapshot-lock spec']);
    expect(copied((vm) => vm.spec.template.spec.volumes.reverse())).toEqual([
      'snapshot-lock spec.template.spec.volumes',
    ]);
    expect(copied((vm) => (vm.spec.template.spec.hostname = 'x'))).toEqual([]);
  });

  test('while it is restored, it does not change whether it runs', () => {
    const restored = (change: (vm: Loose) => void) =>
      update((vm) => {
        vm.status = { restoreInProgress: 'r' };
        change(vm);
      });
    expect(restored((vm) => (vm.spec.runStrategy = 'Halted'))).toEqual(['restore-lock spec']);
    expect(restored((vm) => (vm.spec.template.spec.hostname = 'x'))).toEqual([]);
  });

  test('a binding that is gone may stay', () => {
    const gone = (vm: Loose) =>
      (vm.spec.template.spec.domain.devices.interfaces[0] = { name: 'default', bridge: {}, macvtap: {} });
    expect(update(gone)).toEqual([]);
    expect(vmRefused((_, vm) => void gone(vm))).toEqual(['Invalid spec.domain.devices.interfaces[0].macvtap']);
  });
});

describe('a VM as it is stored', () => {
  test('has its machine pinned and a finalizer', () => {
    const vm = mutateVirtualMachine(validVm(), config);
    expect(vm.metadata.finalizers).toEqual(['kubevirt.io/virtualMachineControllerFinalize']);
    expect(vm.spec.template.spec).toMatchObject({ architecture: 'amd64', domain: { machine: { type: 'q35' } } });
    expect(mutateVirtualMachine(vm, config)).toEqual(vm);
  });

  test('gets no finalizer back while it is deleted', () => {
    const vm = validVm();
    vm.metadata.deletionTimestamp = 'now';
    expect(mutateVirtualMachine(vm, config)).toBe(vm);
  });

  test('an object of the wrong shape does not change', () => {
    for (const broken of [{ spec: 1 }, { metadata: null }, { spec: { template: { spec: { domain: [] } } } }]) {
      const vm = { ...validVm(), ...broken } as never;
      expect(mutateVirtualMachine(vm, config)).toBe(vm);
    }
  });
});

describe('the VMI of a VM', () => {
  const vm = mutateVirtualMachine(validVm(), config);
  const vmi = virtualMachineInstanceOf(vm);

  test('is owned by it and carries the labels of its template', () => {
    expect(vmi.metadata).toMatchObject({
      name: 'web',
      namespace: 'default',
      labels: { app: 'web' },
      ownerReferences: [{ kind: 'VirtualMachine', name: 'web', uid: vm.metadata.uid, controller: true }],
    });
  });

  test('keeps UUID and serial over restarts, and differs from a later VM of the same name', () => {
    expect(virtualMachineInstanceOf(vm).spec.domain.firmware).toEqual(vmi.spec.domain.firmware);
    const later = virtualMachineInstanceOf({ ...vm, metadata: { ...vm.metadata, uid: 'other' } });
    expect(later.spec.domain.firmware?.uuid).toBe(vmi.spec.domain.firmware?.uuid);
    expect(later.spec.domain.firmware?.serial).not.toBe(vmi.spec.domain.firmware?.serial);
  });

  test('is Pending once the webhook has seen it, and passes validation', () => {
    const stored = mutateVirtualMachineInstance(vmi, config);
    expect(stored.status).toMatchObject({
      phase: 'Pending',
      runtimeUser: 107,
      memory: { guestAtBoot: '1Gi' },
      currentCPUTopology: { cores: 2 },
    });
    expect(stored.metadata.annotations).toEqual({ 'kubevirt.io/pci-topology-version': 'v3' });
    expect(validateVirtualMachineInstanceCreate(stored, config)).toEqual([]);
    expect(mutateVirtualMachineInstance(stored, config)).toEqual(stored);
  });
});

test('instances of one generateName do not share a firmware UUID', () => {
  const vmi = validVmi();
  vmi.metadata = { generateName: 'web-' };
  expect(mutateVirtualMachineInstance(vmi, config).spec.domain.firmware?.uuid).toBeUndefined();
});

describe('a VMI at its update', () => {
  const update = (change: (vmi: Loose) => void, trusted = false, prepare: (vmi: Loose) => void = () => {}) => {
    const old: Loose = mutateVirtualMachineInstance(validVmi(), config);
    prepare(old);
    const vmi: Loose = JSON.parse(JSON.stringify(old));
    change(vmi);
    return validateVirtualMachineInstanceUpdate(vmi, old, config, { trusted }).map(({ rule, type, field }) => [
      rule,
      type,
      field,
    ]);
  };

  test('users change neither its spec nor the labels of the platform', () => {
    expect(update((vmi) => (vmi.spec.hostname = 'x'))).toEqual([['instance-immutable', 'FieldValueNotSupported', '']]);
    expect(update((vmi) => (vmi.metadata.labels = { 'kubevirt.io/nodeName': 'n' }))).toEqual([
      ['reserved-label', 'FieldValueNotSupported', ''],
    ]);
    expect(update((vmi) => (vmi.metadata.labels = { mine: 'x' }))).toEqual([]);
    // the same in other words
    expect(update((vmi) => (vmi.spec.domain.memory.guest = '1024Mi'))).toEqual([]);
  });

  const running = (vmi: Loose) =>
    (vmi.status.volumeStatus = ['root', 'scratch', 'init'].map((name) => ({ name, target: 'vda' })));
  const plug = (source: Loose, disk: Loose) => (vmi: Loose) => {
    vmi.spec.volumes.push({ name: 'more', ...source });
    vmi.spec.domain.devices.disks.push({ name: 'more', ...disk });
  };
  const claim = { persistentVolumeClaim: { claimName: 'x', hotpluggable: true } };
  test.each<[string, (vmi: Loose) => void, boolean]>([
    ['sockets', (vmi) => (vmi.spec.domain.cpu.sockets = 3), true],
    ['the most sockets', (vmi) => (vmi.spec.domain.cpu.maxSockets = 99), false],
    ['the most memory', (vmi) => (vmi.spec.domain.memory.maxGuest = '8Gi'), false],
    ['a claim on SCSI', plug(claim, { disk: { bus: 'scsi' } }), true],
    ['a claim on SATA', plug(claim, { disk: { bus: 'sata' } }), false],
    ['a LUN on virtio', plug(claim, { lun: { bus: 'virtio' } }), false],
    ['a CD', plug(claim, { cdrom: { bus: 'scsi' } }), false],
    ['a Secret', plug({ secret: { secretName: 'x' } }, { disk: { bus: 'scsi' } }), false],
    ['a volume without a disk', (vmi) => vmi.spec.volumes.push({ name: 'more', ...claim }), false],
    ['one volume less', (vmi) => void [vmi.spec.volumes.pop(), vmi.spec.domain.devices.disks.pop()], false],
    ['another volume of the name', (vmi) => (vmi.spec.volumes[1].emptyDisk.capacity = '2Gi'), false],
    ['another disk of the name', (vmi) => (vmi.spec.domain.devices.disks[1].serial = 'x'), false],
    ['a utility volume behind its gate', (vmi) => (vmi.spec.utilityVolumes = [{ name: 'u', claimName: 'x' }]), false],
  ])('the platform plugs %s', (_, change, allowed) => expect(update(change, true, running).length === 0).toBe(allowed));

  test('a volume that moves may change', () => {
    const moving = (vmi: Loose) => {
      running(vmi);
      vmi.status.migratedVolumes = [{ volumeName: 'scratch' }];
    };
    expect(update((vmi) => (vmi.spec.volumes[1] = { name: 'scratch', ...claim }), true, moving)).toEqual([]);
  });
});

test('no object makes a webhook crash, and what is admitted stays admitted after defaulting', () => {
  const junk = fc.oneof(
    fc.anything({ maxDepth: 2 }),
    fc.constantFrom<unknown>('', 0, -1, null, {}, [], [{}], '1Gi', true),
  );
  fc.assert(
    fc.property(fc.nat(), junk, (where, value) => {
      const vmi: Loose = validVmi();
      const spots = slots(vmi.spec);
      const { holder, key } = spots[where % spots.length];
      holder[key] = value;
      const stored = mutateVirtualMachineInstance(vmi, config);
      const before = validateVirtualMachineInstanceCreate(vmi, config);
      if (before.length === 0) expect(validateVirtualMachineInstanceCreate(stored, config)).toEqual([]);
    }),
    { numRuns: runs(2000) },
  );
});

test('no VM makes a webhook crash, and whose template is admitted makes a VMI', () => {
  const junk = fc.oneof(
    fc.anything({ maxDepth: 2 }),
    fc.constantFrom<unknown>('', 0, -1, null, {}, [], [{}], '1Gi', true, 'virtio', 0.5),
  );
  fc.assert(
    fc.property(fc.nat(), junk, (where, value) => {
      const vm: Loose = validVm();
      const spots = slots(vm.spec);
      const { holder, key } = spots[where % spots.length];
      holder[key] = value;
      const errors = validateVirtualMachineCreate(mutateVirtualMachine(vm, config), config);
      virtualMachineWarnings(vm, { config });
      lintVirtualMachine(vm, config);
      if (errors.length === 0) mutateVirtualMachineInstance(virtualMachineInstanceOf(vm, contextOf(config)), config);
    }),
    { numRuns: runs(2000) },
  );
});

function slots(value: Loose): { holder: Loose; key: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.keys(value).flatMap((key) => [{ holder: value, key }, ...slots(value[key])]);
}
