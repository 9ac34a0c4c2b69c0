import type { KubeObject } from '../../../../src/api';
import { resources } from '../../../../src/runtime/kube';
import { World } from './world';

/** What a launcher Pod depends on besides its VM: the real controller finds it in a real API server. */
let world: World;
beforeAll(async () => {
  world = await World.start();
  world.kubelet = () => 'ignore';
  world.startController();
}, 30_000);
afterAll(async () => {
  await world.stop();
  expect(world.errors).toEqual([]);
}, 30_000);

const object = (kind: string, name: string, more: object = {}): KubeObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name, namespace: 'default' },
  ...more,
});
const podOf = async (name: string) =>
  (
    await world.until(
      () => world.podsOf(name),
      (pods) => pods.length === 1,
      `${name} has a Pod`,
    )
  )[0];

test('a VM with state that outlives its guest gets a claim of its own', async () => {
  await world.createVm('keeper', (vm) => (vm.spec.template.spec!.domain.devices.tpm = { persistent: true }));
  const pod = await podOf('keeper');
  const claimName = 'persistent-state-for-keeper';
  expect(pod.spec.volumes).toContainEqual({ name: 'vm-state', persistentVolumeClaim: { claimName } });
  const claim = await world.client.get(resources.persistentVolumeClaims, { namespace: 'default', name: claimName });
  expect(claim.metadata.labels).toMatchObject({ 'persistent-state-for': 'keeper' });
  expect(claim.metadata.ownerReferences).toMatchObject([{ kind: 'VirtualMachine', name: 'keeper' }]);
});

test('a quota of limits gives the Pod limits, and a Pod that waits is made anew with them', async () => {
  await world.createVm('counted', () => undefined);
  const before = await podOf('counted');
  expect(before.spec.containers[0].resources?.limits).not.toHaveProperty('memory');
  await world.client.create(
    resources.resourceQuotas,
    object('ResourceQuota', 'limits', { spec: { hard: { 'limits.memory': '64Gi', 'limits.cpu': '64' } } }),
  );
  const condition = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: 'no room' };
  await world.patchPodStatus(before, { phase: 'Pending', conditions: [condition] });
  const [after] = await world.until(
    () => world.podsOf('counted'),
    (pods) => pods.length === 1 && pods[0].metadata.uid !== before.metadata.uid,
    'counted has another Pod',
  );
  const { requests, limits } = after.spec.containers[0].resources ?? {};
  expect(limits?.cpu).toBe('1');
  expect(limits?.memory).toBe(`${2 * parseInt(requests?.memory ?? '', 10)}Mi`);
});
