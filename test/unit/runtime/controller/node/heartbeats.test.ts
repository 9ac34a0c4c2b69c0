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
beforeEach(() => {
  clocks = new TestClocks();
  heartbeats = new Heartbeats(clocks);
});

test('a heartbeat that was there before us counts by its time', () => {
  clocks.passed = 7 * MINUTE;
  expect(heartbeats.silenceOf('n1', at(2))).toBe(5 * MINUTE);
  clocks.passed += MINUTE;
  expect(heartbeats.silenceOf('n1', at(2))).toBe(6 * MINUTE);
});

test('a heartbeat in the future is no silence', () => {
  expect(heartbeats.silenceOf('n1', at(30))).toBe(0);
});

test.each([-60, 60])('a node whose clock differs by %i minutes is silent only when its heartbeat stays', (minutes) => {
  heartbeats.silenceOf('n1', at(minutes));
  clocks.passed = MINUTE;
  expect(heartbeats.silenceOf('n1', at(minutes + 1))).toBe(0);
  clocks.passed += 5 * MINUTE;
  expect(heartbeats.silenceOf('n1', at(minutes + 1))).toBe(5 * MINUTE);
});

test.each([-60, 60])('a step of our clock by %i minutes changes nothing', (minutes) => {
  heartbeats.silenceOf('n1', at(0));
  clocks.passed = MINUTE;
  heartbeats.silenceOf('n1', at(1));
  clocks.step = minutes * MINUTE;
  clocks.passed += MINUTE;
  expect(heartbeats.silenceOf('n1', at(1))).toBe(MINUTE);
});

test('a node that was deleted, and comes back, is judged as a new one', () => {
  heartbeats.silenceOf('n1', at(0));
  heartbeats.silenceOf('n1', at(1));
  heartbeats.forget('n1');
  clocks.passed = 9 * MINUTE;
  expect(heartbeats.silenceOf('n1', at(2))).toBe(7 * MINUTE);
  expect(heartbeats.silenceOf('n2', at(3))).toBe(6 * MINUTE);
});
