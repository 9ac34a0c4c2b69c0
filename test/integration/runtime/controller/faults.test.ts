import { resources } from '../../../../src/runtime/kube';
import type { Fault } from './faulty-proxy';
import { sleep, World } from './world';

let world: World;
/** uids of every VMI and Pod that ever existed. */
let made: { vmis: Set<string>; pods: Set<string> };

beforeEach(async () => {
  world = await World.start();
  made = { vmis: new Set(), pods: new Set() };
});
afterEach(() => world.stop(), 30_000);

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
  made.vmis.add((await world.vmi(name))?.metadata.uid ?? '');
  for (const pod of await world.podsOf(name)) made.pods.add(pod.metadata.uid ?? '');
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
      tried = await oneLife(`vm-${failing}`);
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
    let isStopped = false;
    world.proxy.fate = ({ index }) => {
      if (index === stopAfter && !isStopped) {
        isStopped = true;
        // dies with the answer on its way
        setImmediate(() => void world.restartController());
        return 'lost answer';
      }
      return 'pass';
    };
    world.startController();
    tried = await oneLife(`vm-${stopAfter}`);
    expect([stopAfter, created('/virtualmachineinstances'), created('/pods')]).toEqual([stopAfter, 1, 1]);
    await sleep(50);
    await world.stopController();
  }
});

test('a running VM is not touched when the API server restarts and when all watches break', async () => {
  world.startController();
  await world.createVm('one');
  await world.vmShows('one', 'Running');
  await sleep(500);
  const before = await world.vmi('one');
  world.proxy.reset();
  world.proxy.cut();
  await world.server.restart();
  await sleep(3000);
  expect(world.proxy.writes).toEqual([]);
  expect((await world.vmi('one'))?.metadata.uid).toBe(before?.metadata.uid);
  // and its end is still seen
  await world.patchVm('one', { spec: { runStrategy: 'Halted' } });
  await world.vmShows('one', 'Stopped');
});
