import type { VirtualMachine } from '../../../../src/api';
import { changeRunState } from '../../../../src/runtime/api-server/subresources/lifecycle';
import { World } from './world';

/** Requests of users by virt-api's own code, answered by the real controller. */
let world: World;
beforeAll(async () => {
  world = await World.start();
  world.startController();
});
afterAll(async () => {
  await world.stop();
  expect(world.errors).toEqual([]);
});

type Strategy = NonNullable<VirtualMachine['spec']['runStrategy']>;
const ask = (verb: 'start' | 'stop' | 'restart', name: string, body = ''): Promise<void> =>
  changeRunState(world.client, verb, { namespace: 'default', name }, body);
const isOff = (name: string): Promise<unknown> =>
  world.until(
    async () => ({ vm: await world.vm(name), vmi: await world.vmi(name) }),
    ({ vm, vmi }) => !vmi && vm.status?.printableStatus === 'Stopped' && !vm.status.stateChangeRequests?.length,
    `${name} is off, and nothing is open`,
  );

test.each<Strategy>(['Always', 'Manual', 'RerunOnFailure'])(
  'a restart that is followed at once by a stop ends without a guest: %s',
  async (runStrategy) => {
    const name = `stop-${runStrategy.toLowerCase()}`;
    await world.createVm(name, (vm) => (vm.spec.runStrategy = runStrategy));
    if (runStrategy === 'Manual') await ask('start', name);
    await world.vmShows(name, 'Running');
    for (let i = 0; i < 20; i++) {
      await ask('restart', name);
      await ask('stop', name);
      await isOff(name);
      expect((await world.vm(name)).spec.runStrategy).toBe(runStrategy === 'Always' ? 'Halted' : runStrategy);
      // refused, if the guest had come again
      await ask('start', name);
      await world.vmShows(name, 'Running');
    }
  },
);

test('a start that is called off while its VMI is made is undone, also when the look at the VM fails at first', async () => {
  const name = 'called-off';
  await world.createVm(name, (vm) => (vm.spec.runStrategy = 'Manual'));
  await world.vmShows(name, 'Stopped');
  let refused = 0;
  let stopped: Promise<unknown> | undefined;
  let isStopped = false;
  world.proxy.denies = (method, path) => {
    if (method !== 'GET' || !path.endsWith(`/virtualmachines/${name}`) || isStopped) return false;
    refused++;
    // what virt-api writes for a stop when it sees no VMI
    stopped ??= world
      .patchVm(name, { status: { stateChangeRequests: null } }, 'status')
      .then(() => void (isStopped = true));
    return true;
  };
  await ask('start', name);
  const said = await world.until(
    () => world.eventsOf('VirtualMachine', name),
    (events) => events.some(({ message }) => message.endsWith('a stop came while it was being made')),
    'the start is undone',
  );
  await stopped;
  world.proxy.denies = () => false;
  await isOff(name);
  expect(refused).toBeGreaterThan(0);
  expect(said.filter(({ message }) => message.startsWith('Started'))).toHaveLength(1);
});
