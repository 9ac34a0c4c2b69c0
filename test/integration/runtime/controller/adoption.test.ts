import type { KubeObject, VirtualMachineInstance } from '../../../../src/api';
import { podName } from '../../../../src/runtime/controller/pod';
import type { Pod } from '../../../../src/runtime/controller/pod';
import { resources } from '../../../../src/runtime/kube';
import { World } from './world';

/** Pods that look like a launcher, and a launcher that no longer does. */
let world: World;
beforeAll(async () => {
  world = await World.start();
  world.kubelet = ({ metadata }) => (metadata.labels?.foreign ? 'ignore' : 'run');
  world.startController();
});
afterAll(async () => {
  await world.stop();
  expect(world.errors).toEqual([]);
});

/** A VM that waits for its claim. */
async function waiting(name: string): Promise<VirtualMachineInstance> {
  await world.createVm(name, (vm) => {
    vm.spec.template.spec!.volumes = [{ name: 'root', persistentVolumeClaim: { claimName: `${name}-data` } }];
  });
  await world.vmShows(name, 'ErrorPvcNotFound');
  return (await world.vmi(name))!;
}
const createClaim = (name: string): Promise<KubeObject> =>
  world.client.create(resources.persistentVolumeClaims, {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: `${name}-data`, namespace: 'default' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  } as KubeObject);
const foreignPod = (metadata: KubeObject['metadata']): Promise<Pod> =>
  world.client.create<Pod>(resources.pods, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      namespace: 'default',
      ...metadata,
      labels: { 'kubevirt.io': 'virt-launcher', foreign: 'true', ...metadata.labels },
    },
    spec: { containers: [{ name: 'compute', image: 'x:1' }] },
  });

test('a Pod with a copied label and ownerReference is not taken for the launcher', async () => {
  const vmi = await waiting('copied');
  const { uid = '', name = '' } = vmi.metadata;
  const owner = { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstance', name, uid, controller: true };
  const foreign = await foreignPod({
    name: 'foreign',
    labels: { 'kubevirt.io/created-by': uid },
    ownerReferences: [owner],
  });
  await world.patchPodStatus(foreign, { phase: 'Failed' });
  await createClaim('copied');
  await world.vmShows('copied', 'Running');
  expect((await world.vmi('copied'))?.metadata.uid).toBe(uid);
  expect((await world.podsOf('copied')).map((pod) => pod.metadata.name).sort()).toEqual(['foreign', podName(vmi)]);
});

test('a Pod of another owner with the launcher’s name is reported, and the VM starts when it is deleted', async () => {
  const vmi = await waiting('taken');
  await foreignPod({ name: podName(vmi) });
  await createClaim('taken');
  const words = new RegExp(`a Pod "${podName(vmi)}" exists that this VM did not create; delete it`);
  const vm = await world.until(
    () => world.vmi('taken'),
    (now) => now?.status?.conditions?.some(({ message }) => words.test(message ?? '')) ?? false,
    'it reports whose name is taken',
  );
  expect(vm?.status?.conditions).toContainEqual(
    expect.objectContaining({ type: 'Synchronized', status: 'False', reason: 'FailedCreate' }),
  );
  const ref = { namespace: 'default', name: podName(vmi) };
  await world.client.delete(resources.pods, ref, { gracePeriodSeconds: 0 });
  // the attempts become rarer, up to one a minute
  await world.until(
    () => world.vm('taken'),
    ({ status }) => status?.printableStatus === 'Running',
    'it runs',
  );
});

test('a launcher that lost its label is still the launcher: its guest is neither failed nor started twice', async () => {
  await world.createVm('unlabelled');
  await world.vmShows('unlabelled', 'Running');
  // without the rechecks of the start
  await world.stopController();
  world.proxy.reset();
  world.startController();
  const [pod] = await world.podsOf('unlabelled');
  const ref = { namespace: 'default', name: pod.metadata.name ?? '' };
  await world.client.patch(resources.pods, ref, { metadata: { labels: { 'kubevirt.io': null } } }, 'merge');
  await world.until(
    async () => world.proxy.reads,
    (reads) => reads.some((path) => path.endsWith(`/pods/${ref.name}`)),
    'the controller looks for it',
  );
  // it ends under a handler that is silent, and no watch shows that
  const terminated = { exitCode: 0, finishedAt: '2026-01-01T00:00:00Z', startedAt: null };
  await world.patchPodStatus(pod, {
    phase: 'Succeeded',
    containerStatuses: [
      { name: 'compute', image: '', imageID: '', ready: false, restartCount: 0, state: { running: null, terminated } },
    ],
  });
  const vmi = await world.until(
    () => world.vmi('unlabelled'),
    (now) => now?.metadata.uid !== pod.metadata.ownerReferences?.[0].uid || now?.status?.phase !== 'Running',
    'the end is seen',
  );
  // or a new one, which has no conditions yet
  expect(vmi?.status?.conditions ?? []).not.toContainEqual(expect.objectContaining({ reason: 'PodGone' }));
});

test('a launcher that lost its label before its guest was taken over is not forgotten, and its creation is reported once', async () => {
  const { kubelet } = world;
  world.kubelet = () => 'ignore';
  await world.createVm('early');
  const [pod] = await world.until(
    () => world.podsOf('early'),
    (pods) => pods.length === 1,
    'a Pod',
  );
  const ref = { namespace: 'default', name: pod.metadata.name ?? '' };
  world.proxy.reset();
  await world.client.patch(resources.pods, ref, { metadata: { labels: { 'kubevirt.io': null } } }, 'merge');
  await world.until(
    async () => world.proxy.reads,
    (reads) => reads.some((path) => path.endsWith(`/pods/${ref.name}`)),
    'the controller looks for it',
  );
  // no watch shows that
  await world.patchPodStatus(pod, { phase: 'Failed' });
  await world.until(
    () => world.vmi('early'),
    (now) => now?.metadata.uid !== pod.metadata.ownerReferences?.[0].uid || now?.status?.phase === 'Failed',
    'the end is seen',
  );
  const created = (await world.eventsOf('VirtualMachineInstance', 'early')).filter(({ message }) =>
    message.endsWith(`Created Pod ${ref.name}`),
  );
  expect(created.map(({ count }) => count)).toEqual([1]);
  world.kubelet = kubelet;
});
