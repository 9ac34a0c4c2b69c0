import { resources } from '../../../../src/runtime/kube';
import type { Fault } from './faulty-proxy';
import { World } from './world';

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterEach(async () => {
  await world.stopController();
  world.proxy.fate = () => 'pass';
  world.proxy.watchLagMs = 0;
});
afterAll(() => world.stop());

/** Runs one VM from its creation to its deletion; returns how many writes the controller tried. */
async function oneLife(name: string): Promise<number> {
  world.proxy.reset();
  let tried = 0;
  const { fate } = world.proxy;
  world.proxy.fate = (write) => {
    tried = write.index + 1;
    return fate(write);
  };
  await world.createVm(name);
  await world.vmShows(name, 'Running');
  await world.client.delete(resources.virtualMachines, { namespace: 'default', name });
  const find = () => world.client.find(resources.virtualMachines, { namespace: 'default', name });
  await world.until(find, (vm) => !vm, `${name} is deleted`);
  await world.until(
    () => world.podsOf(name),
    (pods) => pods.length === 0,
    `the Pods of ${name} are deleted`,
  );
  world.proxy.fate = fate;
  return tried;
}

const created = (path: string): number =>
  world.proxy.writes.filter((write) => write.method === 'POST' && write.path.endsWith(path) && write.code === 201)
    .length;

test.each<Fault>(['lost request', 'refused', 'lost answer'])(
  'each write in turn: %s; one VMI and one Pod are created, and the VM runs and is deleted',
  async (fault) => {
    world.startController();
    for (let failing = 0, tried = 99; failing < tried; failing++) {
      world.proxy.fate = ({ index }) => (index === failing ? fault : 'pass');
      tried = await oneLife(`${fault.replace(' ', '-')}-${failing}`);
      expect([failing, created('/virtualmachineinstances'), created('/pods')]).toEqual([failing, 1, 1]);
      expect(tried).toBeGreaterThanOrEqual(8);
    }
  },
);

test('caches that are a second late never lead to a second VMI or Pod, nor to a write that was made before', async () => {
  world.proxy.watchLagMs = 1000;
  world.startController();
  await oneLife('late');
  expect(created('/virtualmachineinstances')).toBe(1);
  expect(created('/pods')).toBe(1);
  expect(world.proxy.writes.map(({ method, path }) => `${method} ${path}`).length).toBeLessThanOrEqual(9);
});

test('a controller that is replaced after each of its writes continues where the previous one stopped', async () => {
  for (let stopAfter = 0, tried = 99; stopAfter < tried; stopAfter++) {
    let restarted: Promise<void> | undefined;
    world.proxy.fate = ({ index }) => {
      if (index === stopAfter && !restarted) {
        // dies with the answer on its way
        restarted = new Promise((resolve) => setImmediate(() => resolve(world.restartController())));
        return 'lost answer';
      }
      return 'pass';
    };
    world.startController();
    tried = await oneLife(`replaced-${stopAfter}`);
    expect([stopAfter, created('/virtualmachineinstances'), created('/pods')]).toEqual([stopAfter, 1, 1]);
    await restarted;
    await world.stopController();
  }
});

test('a running VM is not touched when the API server restarts and when all watches break', async () => {
  world.startController();
  await world.createVm('one');
  await world.vmShows('one', 'Running');
  await world.settled();
  const before = await world.vmi('one');
  world.proxy.reset();
  world.proxy.cut();
  await world.server.restart();
  // each watch must continue to show these changes
  const [pod] = await world.podsOf('one');
  const touch = { metadata: { annotations: { touched: 'yes' } } };
  const { name = '' } = pod.metadata;
  await world.patchVm('one', touch);
  await world.patchVmi('one', touch);
  await world.client.patch(resources.pods, { namespace: 'default', name }, touch, 'merge');
  await world.settled();
  expect(world.proxy.writes).toEqual([]);
  expect((await world.vmi('one'))?.metadata.uid).toBe(before?.metadata.uid);
  // and its end is still seen
  await world.patchVm('one', { spec: { runStrategy: 'Halted' } });
  await world.vmShows('one', 'Stopped');
});
