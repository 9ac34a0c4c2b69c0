/**
 * Runs the checks and tests of this checkout (`scripts/test`):
 *
 *   scripts/test [--all] [--repeat N] [STAGE | PATH …]
 *
 * Without arguments it is what CI runs: the static checks, the suites of the submission tier and a tenth of the others.
 * `--all` runs everything with long runs of faults, and fails if a suite passed only when it was repeated. `--repeat N`
 * runs each suite N times. Suites that a PATH names run in either tier.
 */
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { errorText } from '../src/api/error-text';
import { affectedBy, changedSince, headCommit } from './test-run/affected';
import { busySeconds } from './test-run/busy';
import { drain } from './test-run/queue';
import { type Record, readRecord, writeRecord } from './test-run/record';
import { closingLines } from './test-run/report';
import { type Outcome, Runner } from './test-run/runner';
import { checks, STAGES } from './test-run/static';
import { type Suite, suiteOf, suitesOfTier } from './test-run/suites';
import { jestTasks, type Known, type Task } from './test-run/tasks';

function selected(suites: readonly Suite[], args: readonly string[], all: boolean, commit: string): Suite[] {
  const paths = args.filter((arg) => !STAGES.includes(arg)).map((path) => path.replace(/\/$/, ''));
  const isNamed = ({ file }: Suite): boolean => paths.some((path) => file === path || file.startsWith(`${path}/`));
  const unknown = paths.find((path) => !suites.some(({ file }) => file === path || file.startsWith(`${path}/`)));
  if (unknown) {
    throw new Error(`no stage and no test is named "${unknown}"; the stages are: ${STAGES.join(', ')}`);
  }
  const inStages = suitesOfTier(suites, { all, commit }).filter(
    ({ stage }) => args.length === 0 || args.includes(stage),
  );
  return [...new Set([...inStages, ...suites.filter(isNamed)])];
}

const times = (count: number, tasks: readonly Task[]): Task[] =>
  count === 1
    ? [...tasks]
    : tasks.flatMap((task) =>
        Array.from({ length: count }, (_, index) => ({ ...task, name: `${task.name} (${index + 1}/${count})` })),
      );

/** Records the durations of a task, which determine the order of the next run. */
function learn({ seconds: known }: Record, { task, seconds, results }: Outcome): void {
  if (!task.suites) known[task.name] = seconds;
  for (const result of results) if (result.failed.length === 0) known[result.file] = result.seconds;
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { all: { type: 'boolean', default: false }, repeat: { type: 'string', default: '1' } },
    allowPositionals: true,
  });
  const repeat = Number(values.repeat);
  if (!(repeat >= 1)) throw new Error(`--repeat ${values.repeat}: must be a number of runs, 1 or more`);
  const files = globSync('test/{unit,integration,e2e}/**/*.test.ts').sort();
  const commit = headCommit();
  const everything = files.map((file) => suiteOf(file, readFileSync(file, 'utf8')));
  const suites = selected(everything, positionals, values.all, commit);

  const record = readRecord();
  const affected = record.green ? await affectedBy(suites, changedSince(record.green)) : new Set<string>();
  const known: Known = { seconds: (name) => record.seconds[name], affected: (file) => affected.has(file) };
  const checked = Object.keys(checks).filter((name) => positionals.length === 0 || positionals.includes(name));
  const tasks = [
    ...checked.map((name) => ({ ...checks[name]!, name, stage: name, seconds: known.seconds(name) ?? 60 })),
    ...times(repeat, jestTasks(suites, known)),
  ];

  const reports = mkdtempSync(join(tmpdir(), 'virt8s-test-'));
  const start = { at: Date.now(), busy: busySeconds() };
  const runner = new Runner(reports, values.all);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      void runner.abort().then(() => {
        rmSync(reports, { recursive: true, force: true });
        process.exit(130);
      });
    });
  }
  try {
    await drain(await runner.workers(), tasks, async (task, worker) => {
      learn(record, await runner.run(task, worker));
      // an interrupted run keeps its durations
      writeRecord(record);
    });
    await runner.repeatFailed();
  } finally {
    await runner.close();
    rmSync(reports, { recursive: true, force: true });
  }
  const { outcomes, flaky, failures } = runner;
  const green = failures.length === 0;
  if (green && positionals.length === 0) {
    record.green = commit;
    writeRecord(record);
  }
  const elapsed = Math.round((Date.now() - start.at) / 1000);
  console.log(closingLines({ outcomes, flaky, failures, elapsed, busy: busySeconds() - start.busy }));
  return green && !(values.all && flaky.length > 0) ? 0 : 1;
}

main()
  .then((code) => process.exit(code))
  .catch((error: unknown) => {
    console.error(`test: ${errorText(error)}`);
    process.exit(2);
  });
