import type { Need, Suite } from './suites';

/** One entry of the queue: a static check, or a run of jest over some suites. */
export interface Task {
  readonly name: string;
  readonly stage: string;
  readonly needs: readonly Need[];
  /** Expected duration in seconds, from earlier runs. */
  readonly seconds: number;
  /** Whether it reads a file that changed since the last green run. */
  readonly affected: boolean;
  /** Test files for jest; otherwise `command` is a program and its arguments. */
  readonly suites?: readonly Suite[];
  readonly command?: readonly string[];
}

/** Facts about test files that decide their order. */
export interface Known {
  /** Seconds of its last run. */
  readonly seconds: (file: string) => number | undefined;
  readonly affected: (file: string) => boolean;
}

/** Unit suites take a second each, so that a process of jest runs many of them. */
const UNIT_TASKS = 8;

/** Expected seconds of a suite without a record. */
const guess = (suite: Suite): number => (suite.stage === 'unit' ? 1 : suite.needs.includes('guest') ? 120 : 15);

/** Tasks of the suites: unit suites in groups of similar duration, affected ones first; each other suite alone. */
export function jestTasks(suites: readonly Suite[], known: Known): Task[] {
  const secondsOf = (suite: Suite): number => known.seconds(suite.file) ?? guess(suite);
  const isAffected = (suite: Suite): boolean => known.affected(suite.file);
  const task = (name: string, group: readonly Suite[]): Task => ({
    name,
    stage: group[0]!.stage,
    needs: [...new Set(group.flatMap(({ needs }) => needs))],
    seconds: group.map(secondsOf).reduce((a, b) => a + b, 0),
    affected: group.some(isAffected),
    suites: group,
  });
  const unit = suites.filter(({ stage }) => stage === 'unit');
  const changed = unit.filter(isAffected);
  const groups =
    changed.length > unit.length / 2
      ? dealt(unit, UNIT_TASKS, secondsOf)
      : [
          ...dealt(changed, 1, secondsOf),
          ...dealt(
            unit.filter((suite) => !isAffected(suite)),
            UNIT_TASKS,
            secondsOf,
          ),
        ];
  return [
    ...groups.map((group, index) => task(`unit ${index + 1}/${groups.length}`, group)),
    ...suites.filter(({ stage }) => stage !== 'unit').map((suite) => task(suite.file, [suite])),
  ];
}

/** Deals suites into at most `count` groups of similar duration. */
function dealt(suites: readonly Suite[], count: number, secondsOf: (suite: Suite) => number): Suite[][] {
  const groups = Array.from({ length: Math.min(count, suites.length) }, () => ({ seconds: 0, suites: [] as Suite[] }));
  for (const suite of [...suites].sort((a, b) => secondsOf(b) - secondsOf(a))) {
    const least = groups.reduce((a, b) => (b.seconds < a.seconds ? b : a));
    least.suites.push(suite);
    least.seconds += secondsOf(suite);
  }
  return groups.map((group) => group.suites);
}
