import type { Failure } from './results';
import type { Outcome } from './runner';

interface Run {
  readonly outcomes: readonly Outcome[];
  readonly failures: readonly Failure[];
  readonly flaky: readonly Failure[];
  readonly elapsed: number;
  /** Seconds that the processors of the machine worked meanwhile. */
  readonly busy: number;
}

/** Number of suites whose durations are printed: where time can be saved. */
const SLOWEST = 24;

/** Text that is printed at the end; its last line is "N passed, N failed". */
export function closingLines({ outcomes, failures, flaky, elapsed, busy }: Run): string {
  const suites = outcomes.filter(({ task }) => task.suites).flatMap(({ results }) => results);
  const slowest = [...suites].sort((a, b) => b.seconds - a.seconds).slice(0, SLOWEST);
  const stages = new Map<string, number>();
  for (const { task, seconds } of outcomes) stages.set(task.stage, (stages.get(task.stage) ?? 0) + seconds);
  const passed = suites.reduce((sum, suite) => sum + suite.passed, 0);
  return [
    ...(slowest.length > 0 ? ['', 'slowest suites:'] : []),
    ...slowest.map(({ file, seconds }) => `${String(seconds).padStart(5)} s  ${file}`),
    '',
    `seconds of workers: ${[...stages].map(([stage, seconds]) => `${stage} ${seconds}`).join(', ')}`,
    `elapsed: ${elapsed} s, in which the processors worked ${Math.round(busy)} s`,
    ...flaky.map(({ test, error }) => `FLAKY ${test}${error}`),
    ...(flaky.length > 0 ? [`${flaky.length} flaky: failed, and passed when repeated alone`] : []),
    ...failures.map(({ test, error }) => `✕ ${test}${error}`),
    `${passed + flaky.length} passed, ${failures.length} failed`,
  ].join('\n');
}
