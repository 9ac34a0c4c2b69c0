import { Heartbeats } from '../../../../../src/runtime/controller/node/heartbeats';

const START = Date.parse('2026-01-01T00:00:00Z');
const MINUTE = 60_000;

/** Clocks that start together; the wall clock can be set. */
class TestClocks {
  public passed = 0;
  public step = 0;
  public readonly now = (): number => START + this.passed + this.step;
  public readonly monotonic = (): number => this.passed;
}
const at = (minutes: number): string => new Date(START + minutes * MINUTE).toISOString();

let clocks: TestClocks;
let heartbeats: Heartbeats;
const silenceOf = (name: string, heartbeat?: string): number | undefined =>
  heartbeats.silenceOf({
    ...{ apiVersion: 'v1', kind: 'Node' },
    metadata: { name, ...(heartbeat === undefined ? {} : { annotations: { 'kubevirt.io/heartbeat': heartbeat } }) },
  });
beforeEach(() => {
  clocks = new TestClocks();
  heartbeats = new Heartbeats(clocks);
});

test('a node without a heartbeat has none', () => expect(silenceOf('n1')).toBeUndefined());

test('a heartbeat that was there before us counts by its time', () => {
  clocks.passed = 7 * MINUTE;
  expect(silenceOf('n1', at(2))).toBe(5 * MINUTE);
  clocks.passed += MINUTE;
  expect(silenceOf('n1', at(2))).toBe(6 * MINUTE);
});

test.each(['2026-01-01T02:00:00Z', 'yesterday'])('a first heartbeat of %s counts as new', (heartbeat) => {
  expect(silenceOf('n1', heartbeat)).toBe(0);
  clocks.passed = 5 * MINUTE;
  expect(silenceOf('n1', heartbeat)).toBe(5 * MINUTE);
});

test.each([-60, 0, 60])('after its first heartbeat, a clock that differs by %i minutes does not matter', (minutes) => {
  expect(silenceOf('n1', at(minutes))).toBe(minutes < 0 ? 60 * MINUTE : 0);
  clocks.passed = MINUTE;
  expect(silenceOf('n1', at(minutes + 1))).toBe(0);
  clocks.passed += 5 * MINUTE;
  expect(silenceOf('n1', at(minutes + 1))).toBe(5 * MINUTE);
});

test.each([-60, 60])('a step of our clock by %i minutes changes nothing', (minutes) => {
  silenceOf('n1', at(0));
  clocks.step = minutes * MINUTE;
  clocks.passed = MINUTE;
  expect(silenceOf('n1', at(0))).toBe(MINUTE);
  expect(silenceOf('n1', at(1))).toBe(0);
  clocks.passed += MINUTE;
  expect(silenceOf('n1', at(1))).toBe(MINUTE);
});

test('a heartbeat of an earlier time is a sign of life, too', () => {
  silenceOf('n1', at(0));
  clocks.passed = MINUTE;
  expect(silenceOf('n1', at(-30))).toBe(0);
});

test('a node that was deleted, and comes back, counts as a new one', () => {
  silenceOf('n1', at(0));
  silenceOf('n1', at(1));
  heartbeats.forget('n1');
  clocks.passed = 9 * MINUTE;
  expect(silenceOf('n1', at(2))).toBe(7 * MINUTE);
  expect(silenceOf('n2', at(3))).toBe(6 * MINUTE);
});
