import fc from 'fast-check';
import {
  clusterConfig,
  mutateVirtualMachine,
  mutateVirtualMachineInstance,
  validateVirtualMachineCreate,
  validateVirtualMachineInstanceCreate,
  validateVirtualMachineInstanceUpdate,
  validateVirtualMachineUpdate,
  VirtualMachine,
  virtualMachineInstanceOf,
} from '../../../src/api';
import { gated, Loose, validVm, validVmi } from './fixtures';

const config = clusterConfig();

describe('a VM at its creation', () => {
  const reported = (change: (vm: Loose) => void, cluster = config): string[] => {
    const vm: Loose = structuredClone(validVm());
    change(vm);
    return validateVirtualMachineCreate(vm, cluster).map(({ rule, path }) => `${rule} ${path}`);
  };
  test.each<[string, (vm: Loose) => void, string[]]>([
    ['the valid VM passes', () => {}, []],
    ['both running and a strategy', (vm) => (vm.spec.running = true), ['run-strategy-one spec.running']],
    ['neither running nor a strategy', (vm) => delete vm.spec.runStrategy, ['run-strategy-required spec.running']],
    ['an unknown strategy', (vm) => (vm.spec.runStrategy = 'Allways'), ['run-strategy spec.runStrategy']],
    ['no template', (vm) => delete vm.spec.template, ['schema-required spec.template']],
    ['an empty template', (vm) => (vm.spec.template = {}), ['template-spec spec.template.spec']],
    [
      'a mistake in the template',
      (vm) => (vm.spec.template.spec.domain.cpu.cores = 0),
      ['cpu-positive spec.template.spec.domain.cpu.cores'],
    ],
    [
      'a reserved label',
      (vm) => (vm.spec.template.metadata.labels['kubevirt.io/created-by'] = 'x'),
      ['reserved-label spec.template.metadata.labels'],
    ],
    [
      'a label that is none',
      (vm) => (vm.spec.template.metadata.labels.app = 'a b'),
      ['label spec.template.metadata.labels.app'],
    ],
    [
      'a sidecar behind its gate',
      (vm) => (vm.spec.template.metadata.annotations = { 'hooks.kubevirt.io/hookSidecars': '[]' }),
      ['gate-sidecar spec.template.metadata.annotations'],
    ],
    ['a name that is none', (vm) => (vm.metadata.name = 'Web_1'), ['name metadata.name']],
    ['a name too long for a label', (vm) => (vm.metadata.name = 'a'.repeat(64)), ['name-length metadata.name']],
    ['an instance type', (vm) => (vm.spec.instancetype = { name: 'x' }), ['instancetype-served spec.instancetype']],
    [
      'a data volume that nothing uses',
      (vm) =>
        (vm.spec.dataVolumeTemplates = [{ metadata: { name: 'dv' }, spec: { storage: {}, source: { blank: {} } } }]),
      ['data-volume-used spec.dataVolumeTemplates[0]'],
    ],
    [
      'a nameless data volume',
      (vm) => (vm.spec.dataVolumeTemplates = [{ spec: {} }]),
      ['data-volume-name spec.dataVolumeTemplates[0].name'],
    ],
    [
      'everything wrong is told at once',
      (vm) => {
        vm.spec.runStrategy = 'x';
        vm.spec.template.spec.domain.cpu.cores = 0;
        vm.spec.template.spec.hostname = '_';
      },
      [
        'run-strategy spec.runStrategy',
        'hostname spec.template.spec.hostname',
        'cpu-positive spec.template.spec.domain.cpu.cores',
      ],
    ],
  ])('%s', (_, change, want) => expect(reported(change)).toEqual(want));

  test('a sidecar passes when its gate is on', () => {
    const sidecar = (vm: Loose) => (vm.spec.template.metadata.annotations = { 'hooks.kubevirt.io/hookSidecars': '[]' });
    expect(reported(sidecar, gated('Sidecar'))).toEqual([]);
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

  test('nothing blocks one that is being deleted', () => {
    expect(
      update((vm) => {
        vm.metadata.deletionTimestamp = 'now';
        vm.spec.runStrategy = 'x' as never;
      }),
    ).toEqual([]);
  });

  test('a snapshot or a restore in progress locks the spec', () => {
    expect(
      update((vm, old) => {
        old.status = { snapshotInProgress: 's' };
        vm.spec.runStrategy = 'Halted';
      }),
    ).toEqual(['snapshot-lock spec']);
    expect(
      update((_, old) => {
        old.status = { restoreInProgress: 'r' };
        old.spec.runStrategy = 'Halted';
      }),
    ).toEqual(['restore-lock spec']);
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

  test('an object of the wrong shape comes back as it is', () => {
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

  test('keeps UUID and serial over restarts, and differs from a VM of the same name made later', () => {
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
  const changed = () => {
    const vmi = validVmi();
    vmi.spec.hostname = 'other';
    vmi.metadata.labels = { 'kubevirt.io/nodeName': 'n' };
    return vmi;
  };

  test('users change neither its spec nor the labels of the platform', () => {
    const rules = validateVirtualMachineInstanceUpdate(changed(), validVmi()).map(
      ({ rule, path }) => `${rule} ${path}`,
    );
    expect(rules).toEqual(['instance-immutable spec', 'reserved-label metadata.labels']);
  });

  test('the platform does', () => {
    expect(validateVirtualMachineInstanceUpdate(changed(), validVmi(), { trusted: true })).toEqual([]);
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
    { numRuns: 2000 },
  );
});

function slots(value: Loose): { holder: Loose; key: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.keys(value).flatMap((key) => [{ holder: value, key }, ...slots(value[key])]);
}
