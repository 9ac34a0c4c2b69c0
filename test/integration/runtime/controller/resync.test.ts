import { resources } from '../../../../src/runtime/kube';
import { World } from './world';

// the period of the real one is ten minutes
jest.mock('../../../../src/runtime/controller/resync', () => {
  const actual = jest.requireActual<typeof import('../../../../src/runtime/controller/resync')>(
    '../../../../src/runtime/controller/resync',
  );
  return {
    ...actual,
    startResync: (...[sources]: Parameters<typeof actual.startResync>) =>
      actual.startResync(sources, { periodMs: 500 }),
  };
});

test('an instance is reconciled periodically, even if no watch reports it', async () => {
  const world = await World.start();
  try {
    world.startController();
    await world.createVm('quiet');
    await world.vmShows('quiet', 'Running');
    const [pod] = await world.podsOf('quiet');
    const ref = { namespace: 'default', name: pod.metadata.name ?? '' };
    // without its label the Pod is in no cache, so each pass over the instance asks for it
    await world.client.patch(resources.pods, ref, { metadata: { labels: { 'kubevirt.io': null } } }, 'merge');
    await world.until(
      async () => world.proxy.reads.filter((path) => path.endsWith(`/pods/${ref.name}`)),
      (reads) => reads.length >= 5,
      'the controller looks five times, which takes a minute by the rechecks of such a Pod',
    );
  } finally {
    await world.stop();
  }
  expect(world.errors).toEqual([]);
});
