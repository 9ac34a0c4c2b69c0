import { resources } from '../../../../src/runtime/kube';
import { World } from './world';

/** Container disks are image volumes only where the cluster mounts them. */
let world: World;
beforeAll(async () => {
  world = await World.start();
  world.kubelet = () => 'ignore';
  world.startController();
});
afterAll(async () => {
  await world.stop();
  expect(world.errors).toEqual([]);
});

const holds = (name: string, how: 'image volume' | 'side container') =>
  world.until(
    () => world.podsOf(name),
    ([pod, ...others]) =>
      pod !== undefined &&
      others.length === 0 &&
      pod.spec.containers.some((container) => container.name === 'volumeroot') === (how === 'side container') &&
      (pod.spec.volumes ?? []).some(({ image }) => image) === (how === 'image volume'),
    `the Pod of ${name} has its disk as ${how}`,
  );
const kubelet = (kubeletVersion: string) =>
  world.client.patch(
    resources.nodes,
    { name: 'node-1', subresource: 'status' },
    { status: { nodeInfo: { kubeletVersion } } },
    'merge',
  );

test('a disk uses what API server and kubelets support, and what the KubeVirt object sets', async () => {
  await world.createVm('one');
  await holds('one', 'image volume');

  await kubelet('v1.34.9');
  await world.createVm('two');
  await holds('two', 'side container');
  // not placed yet, so it is created again for the current nodes
  await holds('one', 'side container');

  await world.client.create(resources.kubeVirts, {
    apiVersion: 'kubevirt.io/v1',
    kind: 'KubeVirt',
    metadata: { name: 'kubevirt', namespace: 'kubevirt' },
    spec: { configuration: { developerConfiguration: { featureGates: ['ImageVolume'] } } },
  } as never);
  await holds('two', 'image volume');
});
