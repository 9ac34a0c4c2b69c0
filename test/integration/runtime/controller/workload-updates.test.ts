import pino from 'pino';
import type { KubeObject, KubeVirt } from '../../../../src/api';
import type { KubeVirtWorkloadUpdateStrategy } from '../../../../src/api/generated/kubevirt-v1';
import { WorkloadUpdateController } from '../../../../src/runtime/controller/workload-update/controller';
import { KubeClient, resources } from '../../../../src/runtime/kube';
import { World } from './world';

const NEW = 'launcher:new';
const LABEL = 'kubevirt.io/outdatedLauncherImage';
const REF = { namespace: 'kubevirt', name: 'kubevirt' };
const budgets = {
  group: 'policy',
  version: 'v1',
  plural: 'poddisruptionbudgets',
  kind: 'PodDisruptionBudget',
  namespaced: true,
};

let world: World;
let updates: { stopping: AbortController; ended: Promise<void> } | undefined;

beforeAll(async () => {
  world = await World.start();
});
afterEach(async () => {
  await stopUpdates();
  await world.clear([resources.virtualMachines, budgets, resources.kubeVirts, resources.leases]);
  await world.stopController();
});
afterAll(async () => {
  await world.stop();
  expect(world.errors).toEqual([]);
});

/** Starts the controller and its updates with an image, as the next leader does. */
async function lead(launcherImage: string): Promise<void> {
  await stopUpdates();
  await world.stopController();
  world.startController(launcherImage);
  const stopping = new AbortController();
  const client = new KubeClient(world.proxy.config, { userAgent: 'virt-controller/test' });
  const { caches: shared } = world.controller!.shared;
  const log = pino({ level: process.env.VIRT8S_TEST_LOG ? 'info' : 'silent' }, pino.destination(2));
  const controller = new WorkloadUpdateController({
    ...{ client, shared, launcherImage, log, namespace: 'kubevirt', makeQueue: world.makeQueue },
    collectMs: 20,
  });
  updates = { stopping, ended: controller.run(stopping.signal).finally(() => client.close()) };
}

async function stopUpdates(): Promise<void> {
  updates?.stopping.abort();
  await updates?.ended;
  updates = undefined;
}

async function installed(workloadUpdateStrategy: KubeVirtWorkloadUpdateStrategy): Promise<void> {
  await world.client.create(resources.kubeVirts, {
    apiVersion: 'kubevirt.io/v1',
    kind: 'KubeVirt',
    metadata: REF,
    spec: { workloadUpdateStrategy },
  } as KubeObject);
  await report({ phase: 'Deployed', observedDeploymentID: 'a', targetDeploymentID: 'a' });
}

const report = (status: object): Promise<KubeObject> =>
  world.client.patch(resources.kubeVirts, { ...REF, subresource: 'status' }, { status }, 'merge');
const change = (workloadUpdateStrategy: KubeVirtWorkloadUpdateStrategy): Promise<KubeObject> =>
  world.client.patch(resources.kubeVirts, REF, { spec: { workloadUpdateStrategy } }, 'merge');

/** Starts VMs with launchers of the earlier version, then the next version of the controller. */
async function upgraded(...names: string[]): Promise<void> {
  await lead('launcher:test');
  for (const name of names) await world.createVm(name);
  for (const name of names) await world.vmShows(name, 'Running');
  await lead(NEW);
}

const counted = async (): Promise<number | undefined> =>
  (await world.client.get<KubeVirt>(resources.kubeVirts, REF)).status?.outdatedVirtualMachineInstanceWorkloads;
const counts = (count: number): Promise<unknown> =>
  world.until(counted, (seen) => seen === count, `${count} outdated instances are counted`);

/** Image of the launcher of a VM, and whether it is ending. */
async function launcherOf(name: string): Promise<string> {
  const [pod] = await world.podsOf(name);
  if (!pod) return 'none';
  return `${pod.spec.containers[0].image}${pod.metadata.deletionTimestamp ? ' ending' : ''}`;
}
const launchers = (names: readonly string[]): Promise<string[]> => Promise.all(names.map(launcherOf));
const launcherIs = (name: string, want: string): Promise<unknown> =>
  world.until(
    () => launcherOf(name),
    (seen) => seen === want,
    `the launcher of ${name} is ${want}`,
  );

test('launchers are replaced in batches, never more than a batch at a time', async () => {
  const names = ['one', 'two', 'three'];
  await installed({ workloadUpdateMethods: ['Evict'], batchEvictionSize: 2, batchEvictionInterval: '0s' });
  // the node does not confirm that a launcher has ended
  world.kubelet = (pod) => (pod.metadata.deletionTimestamp ? 'ignore' : 'run');
  await upgraded(...names);
  await counts(3);
  const isEnding = (seen: string[]): number => seen.filter((each) => each === 'launcher:test ending').length;
  await world.until(
    () => launchers(names),
    (seen) => isEnding(seen) === 2,
    'two launchers are ending',
  );
  await world.settled();
  expect((await launchers(names)).sort()).toEqual(['launcher:test', 'launcher:test ending', 'launcher:test ending']);
  const labelled = await Promise.all(names.map((name) => world.vmi(name)));
  expect(labelled.map((vmi) => vmi?.metadata.labels?.[LABEL])).toEqual(['', '', '']);

  world.kubelet = () => 'run';
  for (const name of names) {
    for (const pod of await world.podsOf(name)) {
      const { namespace, name: podName = '' } = pod.metadata;
      if (!pod.metadata.deletionTimestamp) continue;
      await world.client.delete(resources.pods, { namespace, name: podName }, { gracePeriodSeconds: 0 });
    }
  }
  for (const name of names) {
    await launcherIs(name, NEW);
    await world.vmShows(name, 'Running');
  }
  await counts(0);
  const replaced = await Promise.all(names.map((name) => world.vmi(name)));
  expect(replaced.map((vmi) => vmi?.metadata.labels?.[LABEL])).toEqual([undefined, undefined, undefined]);
});

test('the next leader waits until the interval after the last batch has passed', async () => {
  await installed({ workloadUpdateMethods: ['Evict'], batchEvictionSize: 1, batchEvictionInterval: '1h' });
  await upgraded('one', 'two');
  await launcherIs('one', NEW);
  await world.vmShows('one', 'Running');
  await counts(1);
  await lead(NEW);
  await world.settled();
  expect(await launcherOf('two')).toBe('launcher:test');
  // only the interval has delayed it
  await change({ batchEvictionInterval: '0s' });
  await launcherIs('two', NEW);
});

test('a guest that a budget protects is reported, and the next one is updated', async () => {
  await installed({ workloadUpdateMethods: ['Evict'], batchEvictionSize: 1, batchEvictionInterval: '1h' });
  const metadata = { name: 'protects-one', namespace: 'default' };
  const spec = { maxUnavailable: 0, selector: { matchLabels: { 'vm.kubevirt.io/name': 'one' } } };
  await world.client.create(budgets, {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata,
    spec,
  } as KubeObject);
  const status = {
    observedGeneration: 1,
    disruptionsAllowed: 0,
    currentHealthy: 0,
    desiredHealthy: 1,
    expectedPods: 1,
  };
  await world.client.patch(budgets, { ...metadata, subresource: 'status' }, { status }, 'merge');
  await upgraded('one', 'two');
  await launcherIs('two', NEW);
  expect(await launcherOf('one')).toBe('launcher:test');
  const events = await world.until(
    () => world.eventsOf('VirtualMachineInstance', 'one'),
    (seen) => seen.some(({ reason }) => reason === 'FailedEvict'),
    'the rejected eviction is reported',
  );
  expect(events.find(({ reason }) => reason === 'FailedEvict')).toMatchObject({
    type: 'Warning',
    message: expect.stringMatching(
      /disruption budget protects-one needs 1 healthy pods.*virtctl restart one -n default/,
    ),
  });
  await counts(1);
});

test('without a method that exists, guests stay, and the KubeVirt object says why', async () => {
  await installed({ workloadUpdateMethods: ['LiveMigrate'] });
  await upgraded('one');
  await counts(1);
  const { items } = await world.until(
    () =>
      world.client.list<KubeObject & { reason?: string; message?: string }>(resources.events, {
        namespace: 'kubevirt',
      }),
    (seen) => seen.items.some(({ reason }) => reason === 'WorkloadUpdateBlocked'),
    'the blockage is reported',
  );
  expect(items.find(({ reason }) => reason === 'WorkloadUpdateBlocked')?.message).toContain('add Evict');
  expect(await launcherOf('one')).toBe('launcher:test');
});

test('no guest is restarted while the platform is being updated', async () => {
  await installed({ workloadUpdateMethods: ['Evict'] });
  await report({ targetDeploymentID: 'b' });
  await upgraded('one');
  await world.until(
    () => world.vmi('one'),
    (vmi) => vmi?.metadata.labels?.[LABEL] === '',
    'the instance is labelled',
  );
  await world.settled();
  expect(await launcherOf('one')).toBe('launcher:test');
  await report({ observedDeploymentID: 'b' });
  await launcherIs('one', NEW);
});
