import { closingLines } from '../../../../scripts/test-run/report';
import type { Outcome } from '../../../../scripts/test-run/runner';

const outcome = (name: string, values: Partial<Outcome['results'][number]> = {}): Outcome => ({
  task: { name, stage: 'unit', needs: [], seconds: 0, affected: false, suites: [] },
  ok: true,
  seconds: 3,
  results: [{ file: name, seconds: 2, passed: 5, failed: [], ...values }],
});
const lines = (values: Partial<Parameters<typeof closingLines>[0]>): string[] =>
  closingLines({ outcomes: [], failures: [], flaky: [], elapsed: 10, busy: 12.4, ...values }).split('\n');

test('the last line counts the tests', () => {
  expect(lines({ outcomes: [outcome('a'), outcome('b')] }).at(-1)).toBe('10 passed, 0 failed');
});

test('a static check is not a test, but a failure of one counts', () => {
  const check: Outcome = { ...outcome('lint'), task: { ...outcome('lint').task, suites: undefined } };
  const failures = [{ test: 'lint', error: '\n    unused variable' }];
  expect(lines({ outcomes: [check], failures }).slice(-3)).toEqual([
    '✕ lint',
    '    unused variable',
    '0 passed, 1 failed',
  ]);
});

test('a test that passed when it was repeated counts as passed, and is printed as flaky with its error', () => {
  const flaky = [{ test: 'a › boots', error: '\n    no answer' }];
  expect(lines({ outcomes: [outcome('a', { passed: 4 })], flaky }).slice(-4)).toEqual([
    'FLAKY a › boots',
    '    no answer',
    '1 flaky: failed, and passed when repeated alone',
    '5 passed, 0 failed',
  ]);
});

test('durations are printed, the longest first', () => {
  const text = lines({ outcomes: [outcome('a'), outcome('b', { seconds: 30 })] });
  expect(text.filter((line) => line.includes(' s  '))).toEqual(['   30 s  b', '    2 s  a']);
  expect(text).toContain('seconds of workers: unit 6');
  expect(text).toContain('elapsed: 10 s, in which the processors worked 12 s');
});
