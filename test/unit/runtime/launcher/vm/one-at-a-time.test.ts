import { OneAtATime } from '../../../../../src/runtime/launcher/vm/one-at-a-time';
import fc from '../../../../support/fast-check';

function gated(): { work: OneAtATime; begun: () => number; end: () => Promise<void> } {
  let begun = 0;
  let running: PromiseWithResolvers<void> | undefined;
  const work = new OneAtATime(() => {
    if (running) throw new Error('two at a time');
    begun++;
    running = Promise.withResolvers<void>();
    return running.promise;
  });
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return {
    work,
    begun: () => begun,
    async end() {
      running?.resolve();
      running = undefined;
      await settled();
    },
  };
}

test('requests during a run wait for the next one, all of them for the same', async () => {
  const { work, begun, end } = gated();
  const first = work.run();
  const [second, third] = [work.run(), work.run()];
  expect(begun()).toBe(1);
  expect(second).toBe(third);
  await end();
  await first;
  expect(begun()).toBe(2);
  const fourth = work.run();
  await end();
  await second;
  await end();
  await fourth;
  expect(begun()).toBe(3);
});

test('runs never overlap, and each request is followed by a run that began after it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom('ask', 'end')), async (steps) => {
      const { work, begun, end } = gated();
      const requests: { at: number; done: Promise<number> }[] = [];
      for (const step of steps) {
        if (step === 'end') await end();
        else requests.push({ at: begun(), done: work.run().then(begun) });
      }
      for (let i = 0; i < 3; i++) await end();
      for (const { at, done } of requests) expect(await done).toBeGreaterThan(at);
    }),
  );
});
