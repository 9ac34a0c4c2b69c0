import { Turns } from '../../../../../src/local/api-server/http/turns';

/** An event loop by hand: `turn()` runs what was scheduled. */
function loop() {
  const state = { scheduled: [] as (() => void)[], rest: [] as (() => void)[], now: 0, cost: 5 };
  const turns = new Turns(
    (run) => state.scheduled.push(run),
    () => state.now,
    (run) => state.rest.push(run),
  );
  const order: string[] = [];
  const take = (name: string, large = false, component = false) => {
    const granted = turns.take({ name, component }, large);
    if (!granted) order.push(name);
    else void granted.then(() => order.push(large ? `${name} (large)` : name));
  };
  /** Runs one turn; each request takes `state.cost` milliseconds. */
  const turn = async () => {
    state.rest.push(...state.scheduled.splice(0));
    for (let next = state.rest.shift(); next; next = state.rest.shift()) {
      next();
      await Promise.resolve();
      state.now += state.cost;
    }
  };
  const run = async () => {
    while (state.scheduled.length) await turn();
  };
  return { state, take, turn, run, order, turns };
}

test.each([
  ['below the budget', 4.9, true],
  ['at the budget', 5, false],
])('a request proceeds at once %s of a turn: %s', (_, ms, atOnce) => {
  const { state, take, order } = loop();
  take('a');
  state.now = ms;
  take('b');
  expect(order).toEqual(atOnce ? ['a', 'b'] : ['a']);
});

test('one user waits for one request of another, not for all', async () => {
  const { state, take, run, order } = loop();
  take('first');
  state.now = 10;
  for (let i = 0; i < 5; i++) take('flood');
  take('ordinary');
  await run();
  expect(order.indexOf('ordinary')).toBe(2);
  expect(order).toHaveLength(7);
});

test('components and other users alternate, however many other users wait', async () => {
  const { state, take, run, order } = loop();
  take('first');
  state.now = 10;
  for (const name of ['a', 'b', 'c', 'd']) take(name);
  take('system:kube-scheduler', false, true);
  take('system:kube-scheduler', false, true);
  await run();
  expect(order.slice(1)).toEqual(['system:kube-scheduler', 'a', 'system:kube-scheduler', 'b', 'c', 'd']);
});

test('large requests of a user let eight small ones pass', async () => {
  const { state, take, run, order } = loop();
  take('first');
  state.now = 10;
  take('a', true);
  take('a', true);
  for (let i = 0; i < 10; i++) take('a');
  await run();
  const large = order.flatMap((name, at) => (name === 'a (large)' ? [at] : []));
  expect(large).toEqual([9, 12]);
});

test('no request is forgotten', async () => {
  const { take, run, turns } = loop();
  for (let i = 0; i < 100; i++) take(`user ${i % 7}`, i % 3 === 0, i % 5 === 0);
  await run();
  expect(turns.size).toBe(0);
});

test.each([
  ['5 ms', 5, 1],
  ['4.9 ms', 4.9, 2],
  ['2 ms', 2, 3],
  ['0.1 ms', 0.1, 9],
])('waiting requests of %s proceed in one turn while its budget lasts', async (_, cost, count) => {
  const { state, take, turn, order } = loop();
  take('first');
  state.now = 10;
  for (let i = 0; i < 9; i++) take('a');
  state.cost = cost;
  await turn();
  expect(order.length - 1).toBe(count);
});
