import { resources } from '../../../../src/runtime/kube';
import { World } from './world';

let world: World;
beforeAll(async () => {
  world = await World.start();
  world.startController();
});
afterAll(async () => {
  await world.stop();
  expect(world.errors).toEqual([]);
});

const describeWrites = (): string[] =>
  world.proxy.writes.map(({ method, path }) => `${method} ${path.replace(/^.*\/namespaces\/default\//, '')}`);

test('a VM runs after at most five writes of the controller, and nothing is written while it idles', async () => {
  await world.createVm('one');
  await world.vmShows('one', 'Running');
  await world.settled();
  const [pod] = await world.podsOf('one');
  // the sixth is the handler's
  expect(describeWrites()).toEqual([
    'POST virtualmachineinstances',
    expect.stringMatching(/^(PATCH virtualmachines\/one\/status|POST pods)$/),
    expect.stringMatching(/^(PATCH virtualmachines\/one\/status|POST pods)$/),
    expect.stringMatching(/^PATCH (virtualmachines\/one\/status|pods\/virt-launcher-one-.{5}\/status)$/),
    expect.stringMatching(/^PATCH (virtualmachines\/one\/status|pods\/virt-launcher-one-.{5}\/status)$/),
  ]);
  expect(pod.status?.conditions).toContainEqual(
    expect.objectContaining({ type: 'kubevirt.io/virtual-machine-unpaused', status: 'True' }),
  );
  const vm = await world.vm('one');
  expect(vm.status).toMatchObject({
    created: true,
    ready: true,
    runStrategy: 'Always',
    observedGeneration: 1,
    desiredGeneration: 1,
  });
});

test('a VM is deleted after at most three writes of the controller', async () => {
  await world.createVm('two');
  await world.vmShows('two', 'Running');
  await world.settled();
  world.proxy.reset();
  await world.client.delete(resources.virtualMachines, { namespace: 'default', name: 'two' });
  await world.until(
    () => world.client.find(resources.virtualMachines, { namespace: 'default', name: 'two' }),
    (vm) => !vm,
    'VM is deleted',
  );
  expect(describeWrites()).toEqual([
    'DELETE virtualmachineinstances/two',
    'PATCH virtualmachineinstances/two',
    'PATCH virtualmachines/two',
  ]);
  expect(await world.vmi('two')).toBeUndefined();
});
