import { dueKeys, RESYNC_MS, SLICES, startResync } from '../../../../src/runtime/controller/resync';

const keys = Array.from({ length: 1000 }, (_, i) => `namespace-${i % 7}/vm-${i}`);

test('each key is due exactly once in a period, wherever it begins', () => {
  const due = Array.from({ length: SLICES }, (_, i) => [...dueKeys(keys, 37 + i)]).flat();
  expect(due).toHaveLength(keys.length);
  expect(new Set(due)).toEqual(new Set(keys));
});

test('the keys are spread over the period', () => {
  const sizes = Array.from({ length: SLICES }, (_, i) => [...dueKeys(keys, i)].length);
  expect(Math.max(...sizes)).toBeLessThan(30);
});

describe('over time', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  test('every key of every source is added once in ten minutes, also one that came later, until it ends', () => {
    const added: string[] = [];
    const source = (of: string[]) => ({ keys: () => of, queue: { add: (key: string) => void added.push(key) } });
    const vms = ['a/1', 'a/2'];
    const stop = startResync([source(vms), source(['n1'])]);
    jest.advanceTimersByTime(RESYNC_MS);
    expect(added.sort()).toEqual(['a/1', 'a/2', 'n1']);
    vms.push('b/3');
    added.length = 0;
    jest.advanceTimersByTime(RESYNC_MS);
    expect(added.sort()).toEqual(['a/1', 'a/2', 'b/3', 'n1']);
    stop();
    added.length = 0;
    jest.advanceTimersByTime(RESYNC_MS);
    expect(added).toEqual([]);
    expect(RESYNC_MS).toBe(600_000);
  });
});
