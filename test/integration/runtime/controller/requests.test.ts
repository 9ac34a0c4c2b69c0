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

test.each<Strategy>(['Manual', 'RerunOnFailure'])(
  'a stop that is accepted while the VMI is made is not lost with the controller that made it: %s',
  async (runStrategy) => {
    const name = `called-off-${runStrategy.toLowerCase()}`;
    let made: string | undefined;
    world.proxy.fate = async ({ method, path }) => {
      if (made || method !== 'POST' || !path.endsWith('/virtualmachineinstances')) return 'pass';
      made = 'soon';
      // virt-api sees no VMI that the stop could name
      await ask('stop', name);
      // and the VMI is the last thing that this controller writes
      world.proxy.fate = () => 'lost request';
      setImmediate(() => {
        void world.stopController().then(() => {
          world.proxy.fate = () => 'pass';
          world.startController();
        });
      });
      return 'lost answer';
    };
    await world.createVm(name, (vm) => (vm.spec.runStrategy = runStrategy));
    if (runStrategy === 'Manual') await ask('start', name);
    await world.until(
      () => world.eventsOf('VirtualMachine', name),
      (events) => events.some(({ message }) => message.endsWith('a stop was requested while it was being created')),
      'the start is undone',
    );
    await isOff(name);
  },
);
