import { WorkQueue } from '../../../../src/runtime/kube';
import fc from '../../../support/fast-check';

test('for any order of adds, takes and dones: no key has two passes at a time and no change stays without a later pass', async () => {
  const key = fc.constantFrom('a', 'b', 'c');
  const step = fc.oneof(
    key.map((k) => ({ do: 'add' as const, key: k })),
    fc.constant({ do: 'take' as const }),
    fc.record({ do: fc.constant('done' as const), index: fc.nat(2) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const queue = new WorkQueue();
      const inWork: string[] = [];
      const owed = new Set<string>(); // changed since its last pass began
      const take = async (): Promise<void> => {
        const taken = (await queue.take()) as string;
        expect(inWork).not.toContain(taken);
        inWork.push(taken);
        owed.delete(taken);
      };
      for (const one of steps) {
        if (one.do === 'add') {
          queue.add(one.key);
          owed.add(one.key);
        } else if (one.do === 'take') {
          if (queue.length) await take();
        } else if (inWork.length) {
          queue.done(inWork.splice(one.index % inWork.length, 1)[0]);
        }
        const waiting = [...owed].filter((k) => !inWork.includes(k));
        expect(queue.length).toBe(waiting.length);
      }
      while (owed.size) {
        for (const k of inWork.splice(0)) queue.done(k);
        while (queue.length) await take();
      }
    }),
  );
});

describe('with a clock of its own', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  test.each([3_600_000, -3_600_000])('a step of the wall clock by %d ms changes no delay', (step) => {
    const queue = new WorkQueue();
    queue.addAfter('a', 1000);
    jest.setSystemTime(Date.now() + step);
    queue.addAfter('a', 100);
    queue.addAfter('a', 500);
    jest.advanceTimersByTime(99);
    expect(queue.length).toBe(0);
    jest.advanceTimersByTime(1);
    expect(queue.length).toBe(1);
  });

  test('uses the earliest of several delays of a key', async () => {
    const queue = new WorkQueue();
    queue.addAfter('a', 1000);
    queue.addAfter('a', 100);
    queue.addAfter('a', 500);
    jest.advanceTimersByTime(99);
    expect(queue.length).toBe(0);
    jest.advanceTimersByTime(1);
    expect(queue.length).toBe(1);
    await queue.take();
    queue.done('a');
    jest.advanceTimersByTime(2000);
    expect(queue.length).toBe(0);
  });

  test('a failing key waits twice as long each time up to the limit, and forget starts over', () => {
    const waits: number[] = [];
    const queue = new WorkQueue({ backoffMs: { first: 10, max: 40 } });
    const failOnce = (): void => {
      const start = Date.now();
      queue.addRateLimited('a');
      while (!queue.length) jest.advanceTimersByTime(1);
      waits.push(Date.now() - start);
      void queue.take();
      queue.done('a');
    };
    for (let i = 0; i < 4; i++) failOnce();
    queue.forget('a');
    failOnce();
    expect(waits).toEqual([10, 20, 40, 40, 10]);
  });

  test('a delay longer than a timer can hold does not fire at once', () => {
    const queue = new WorkQueue();
    queue.addAfter('a', 2 ** 40);
    jest.advanceTimersByTime(1000);
    expect(queue.length).toBe(0);
  });
});

test('a pass that throws is reported and repeated, and a pass may request another one', async () => {
  const errors: string[] = [];
  const queue = new WorkQueue({
    backoffMs: { first: 1, max: 2 },
    onError: (key, error) => errors.push(`${key} ${error}`),
  });
  const seen: string[] = [];
  const running = queue.run(2, async (key) => {
    seen.push(key);
    if (seen.length === 1) throw new Error('no');
    if (seen.length === 2) return { requeueAfterMs: 1 };
    void queue.stop();
    return undefined;
  });
  queue.add('a');
  await running;
  expect(seen).toEqual(['a', 'a', 'a']);
  expect(errors).toEqual(['a Error: no']);
});

test('stop waits for the pass in work and drops the rest', async () => {
  const queue = new WorkQueue();
  let finish = (): void => undefined;
  const running = queue.run(1, () => new Promise<void>((resolve) => (finish = resolve)));
  queue.add('a');
  queue.add('b');
  await new Promise(setImmediate);
  let stopped = false;
  const stopping = queue.stop().then(() => (stopped = true));
  await new Promise(setImmediate);
  expect(stopped).toBe(false);
  finish();
  await stopping;
  await running;
  expect(queue.length).toBe(0);
});

test.each([0, -1])('a key that waits %d ms is ready at once', (ms) => {
  const queue = new WorkQueue();
  queue.addAfter('a', ms);
  expect(queue.length).toBe(1);
});

test('stop ends when the last key in work is done, not the first', async () => {
  const queue = new WorkQueue();
  queue.add('a');
  queue.add('b');
  await Promise.all([queue.take(), queue.take()]);
  let isStopped = false;
  const stopped = queue.stop().then(() => (isStopped = true));
  queue.done('a');
  await new Promise((resolve) => setImmediate(resolve));
  expect(isStopped).toBe(false);
  queue.done('b');
  await stopped;
  expect(isStopped).toBe(true);
});
