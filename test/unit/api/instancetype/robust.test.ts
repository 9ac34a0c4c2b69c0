import { admit, KubeObject, VirtualMachine, virtualMachineInstanceOf } from '../../../../src/api';
import { expandVirtualMachine } from '../../../../src/api/instancetype';
import fc, { runs } from '../../../support/fast-check';
import type { Loose } from '../fixtures';
import { cluster, instancetype, preference, sizedVm } from './fixtures';

/** Everything that a preference can wish for. */
const wishes = {
  clock: { preferredClockOffset: { utc: {} }, preferredTimer: { hpet: {} } },
  cpu: { preferredCPUTopology: 'spread', spreadOptions: { ratio: 2 }, preferredCPUFeatures: [{ name: 'vmx' }] },
  devices: { preferredDiskBus: 'virtio', preferredInterfaceModel: 'e1000', preferredTPM: {}, preferredInputBus: 'usb' },
  features: { preferredAcpi: {}, preferredHyperv: { relaxed: {} }, preferredSmm: {} },
  firmware: { preferredUseBios: true, preferredEfi: { secureBoot: true } },
  machine: { preferredMachineType: 'q35' },
  volumes: { preferredStorageClassName: 'fast' },
  requirements: { cpu: { guest: 1 }, memory: { guest: '1Gi' }, architecture: 'amd64' },
  annotations: { a: 'b' },
};

/** Paths of everything in a value. */
const pathsOf = (value: Loose, at: (string | number)[] = []): (string | number)[][] =>
  value !== null && typeof value === 'object'
    ? Object.entries(value).flatMap(([key, inner]) => [[...at, key], ...pathsOf(inner, [...at, key])])
    : [];

const oddities = fc.oneof(
  fc.constantFrom(null, '', 0, -1, 1e21, true, [], {}, [null], '9'.repeat(400), 'spread', { name: null }),
  fc.jsonValue({ maxDepth: 2 }),
);

/** A copy with an odd value at one place. */
const broken = (object: Loose): fc.Arbitrary<Loose> =>
  fc.tuple(fc.constantFrom(...pathsOf(object)), oddities).map(([path, odd]) => {
    const copy = structuredClone(object);
    const parent = path.slice(0, -1).reduce((at: Loose, key) => at[key], copy);
    parent[path.at(-1)!] = odd;
    return copy;
  });

const vm = sizedVm((each) => {
  each.spec.preference = { name: 'linux' };
  each.spec.dataVolumeTemplates = [{ metadata: { name: 'dv' }, spec: { storage: {}, source: { blank: {} } } }];
  each.spec.template.spec.volumes.push({ name: 'data', dataVolume: { name: 'dv' } });
});
const stored = (object: KubeObject, context: ReturnType<typeof cluster>): VirtualMachine | undefined => {
  const { object: made, errors } = admit(object, context);
  return errors.length > 0 ? undefined : (made as VirtualMachine);
};

test('no VM that refers to them makes its admission fail', () => {
  const context = cluster([instancetype(), preference(wishes)]);
  fc.assert(
    fc.property(broken(vm), (odd) => {
      const made = stored(odd, context);
      if (!made) return;
      virtualMachineInstanceOf(made, context);
      expandVirtualMachine(made, context);
    }),
    { numRuns: runs(500) },
  );
});

test('an object that is stored again does not change', () => {
  fc.assert(
    fc.property(broken(wishes), (spec) => {
      const context = cluster(
        [instancetype(), preference(spec)].filter((each) => !admit(each, cluster()).errors.length),
      );
      const once = stored(vm, context);
      if (once) expect(stored(once, context)).toEqual(once);
      if (once) virtualMachineInstanceOf(once, context);
    }),
    { numRuns: runs(500) },
  );
});
