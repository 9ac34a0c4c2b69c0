import type { KubeObject, Volume } from '../../../../src/api';
import { definitions } from '../../../../src/api/crds';
import { resources } from '../../../../src/runtime/kube';
import { established, World } from './world';

let world: World;
beforeAll(async () => {
  world = await World.start();
  const definition = definitions.find(({ metadata }) => metadata.name === 'datavolumes.cdi.kubevirt.io')!;
  await world.client.create(resources.customResourceDefinitions, definition as KubeObject);
  await established(world.client, definition.metadata.name!);
});
afterEach(async () => {
  await world.clear([resources.virtualMachines, resources.dataVolumes, resources.persistentVolumeClaims]);
  await world.stopController();
  world.proxy.reset();
});
afterAll(() => world.stop());

const setPhase = (phase: string) => {
  const ref = { namespace: 'default', name: 'dv', subresource: 'status' };
  return world.client.patch(resources.dataVolumes, ref, { status: { phase } }, 'merge');
};

/** A DataVolume in this phase and its claim, as CDI makes them. */
async function import_(phase: string): Promise<void> {
  const { metadata } = await world.client.create(resources.dataVolumes, {
    apiVersion: 'cdi.kubevirt.io/v1beta1',
    kind: 'DataVolume',
    metadata: { name: 'dv', namespace: 'default' },
    spec: { source: { blank: {} }, storage: { resources: { requests: { storage: '1Gi' } } } },
  } as KubeObject);
  await setPhase(phase);
  await claimFor(metadata.uid!);
}

async function claimFor(uid: string): Promise<void> {
  const owner = { apiVersion: 'cdi.kubevirt.io/v1beta1', kind: 'DataVolume', name: 'dv', uid };
  await world.client.create(resources.persistentVolumeClaims, {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'dv', namespace: 'default', ownerReferences: [{ ...owner, controller: true }] },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  } as KubeObject);
}

const create = (name: string, volume: Omit<Volume, 'name'>) =>
  world.createVm(name, (vm) => (vm.spec.template.spec!.volumes = [{ name: 'root', ...volume }]));

const blockedBecause = (name: string, message: RegExp) =>
  world.until(
    () => world.vmi(name),
    (vmi) => vmi?.status?.conditions?.some((c) => message.test(c.message ?? '')) ?? false,
    `${name} reports ${String(message)}`,
  );

test.each<[string, Omit<Volume, 'name'>]>([
  ['dataVolume', { dataVolume: { name: 'dv' } }],
  ['persistentVolumeClaim', { persistentVolumeClaim: { claimName: 'dv' } }],
  ['ephemeral', { ephemeral: { persistentVolumeClaim: { claimName: 'dv' } } }],
])('a guest with a volume of kind %s starts as soon as its DataVolume is filled, and not before', async (_, volume) => {
  await import_('ImportInProgress');
  world.startController();
  await create('disk', volume);
  await blockedBecause('disk', /"dv" is not filled yet \(phase ImportInProgress\)/);
  await setPhase('ImportScheduled');
  await blockedBecause('disk', /"dv" is not filled yet \(phase ImportScheduled\)/);
  expect(await world.podsOf('disk')).toEqual([]);
  await setPhase('Succeeded');
  await world.vmShows('disk', 'Running');
});

test('DataVolumes that may not be listed stop only the guests that use them, until they may', async () => {
  await import_('Succeeded');
  world.proxy.denies = (_method, path) => path.includes('/datavolumes');
  world.startController();
  await create('disk', { persistentVolumeClaim: { claimName: 'dv' } });
  await blockedBecause('disk', /"dv" is filled: virt-controller cannot list datavolumes.*is not allowed/);
  await world.createVm('other');
  await world.vmShows('other', 'Running');
  expect(await world.podsOf('disk')).toEqual([]);
  expect(world.controller!.unready).toEqual([
    expect.stringMatching(/^datavolumes\.cdi\.kubevirt\.io: not listed yet \(.*is not allowed\)$/),
  ]);
  world.proxy.denies = () => false;
  await world.vmShows('disk', 'Running');
  expect(world.controller!.unready).toEqual([]);
});

/** As CDI does for a DataVolume that succeeded `dataVolumeTTLSeconds` ago. */
async function collect(name: string): Promise<void> {
  const ref = { namespace: 'default', name };
  const { ownerReferences } = (await world.client.get<KubeObject>(resources.dataVolumes, ref)).metadata;
  const metadata = { ownerReferences, annotations: { 'cdi.kubevirt.io/garbageCollected': 'true' } };
  await world.client.patch(resources.persistentVolumeClaims, ref, { metadata }, 'merge');
  await world.client.delete(resources.dataVolumes, ref);
}

test('a DataVolume that CDI deletes after it was filled is not created again, and its VM starts again', async () => {
  const made = (): number =>
    world.proxy.writes.filter(({ method, path }) => method === 'POST' && path.endsWith('/datavolumes')).length;
  world.startController();
  await world.createVm('disk', (vm) => {
    const spec = { source: { blank: {} }, storage: { resources: { requests: { storage: '1Gi' } } } };
    vm.spec.dataVolumeTemplates = [{ metadata: { name: 'dv' }, spec }];
    vm.spec.template.spec!.volumes = [{ name: 'root', dataVolume: { name: 'dv' } }];
  });
  await world.vmShows('disk', 'Provisioning');
  const { metadata } = await world.client.get<KubeObject>(resources.dataVolumes, { namespace: 'default', name: 'dv' });
  await claimFor(metadata.uid!);
  await setPhase('Succeeded');
  await world.vmShows('disk', 'Running');
  // the cache of claims does not show the mark when the DataVolume is gone
  world.proxy.holds = (path) => path.endsWith('/persistentvolumeclaims');
  await collect('dv');
  await world.patchVm('disk', { spec: { runStrategy: 'Halted' } });
  await world.vmShows('disk', 'Stopped');
  const isRead = () => Promise.resolve(world.proxy.reads.filter((path) => path.endsWith('/persistentvolumeclaims/dv')));
  // once before it was made, and again
  await world.until(isRead, ({ length }) => length > 1, 'the claim is looked at');
  expect(made()).toBe(1);
  world.proxy.release();
  await world.patchVm('disk', { spec: { runStrategy: 'Always' } });
  await world.vmShows('disk', 'Running');
  expect(made()).toBe(1);
});
