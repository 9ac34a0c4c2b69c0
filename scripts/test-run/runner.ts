import { appendFileSync, existsSync, globSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { cacheDir } from '../../src/local/engine/cache';
import { MountNamespace } from './mount-namespace';
import { killAll, run } from './processes';
import type { Worker } from './queue';
import { beginningOf, type Failure, resultsOf, type SuiteResult } from './results';
import type { Suite } from './suites';
import type { Task } from './tasks';

/** A worker with the mount namespace that its suites run in. */
interface Place extends Worker {
  readonly namespace: MountNamespace;
  /** Folder of the engine that its suites share; the first suite that needs it starts it. */
  readonly engine: string;
}

/** Result of a task. */
export interface Outcome {
  readonly task: Task;
  readonly ok: boolean;
  readonly seconds: number;
  readonly results: readonly SuiteResult[];
}

/** Steps by which suites without guests give way (`nice`) to emulated guests, which must not starve. */
const NICE = 10;

/** No suite needs as long; the longest one takes a few minutes. */
const HANG_MS = 40 * 60_000;

/** A run with more failed suites is not repeated: its cause is not chance. */
const MOST_REPEATED = 6;

/** Lines of jest about suites that passed, and its list of all paths. */
const UNIMPORTANT = /^(PASS |Ran all test suites|Test results written).*\n/gm;

/** Runs tasks and keeps their results. */
export class Runner {
  public readonly outcomes: Outcome[] = [];
  public readonly failures: Failure[] = [];
  /** Tests that failed, and passed when their suite was repeated. */
  public readonly flaky: Failure[] = [];
  /** Beginning of the paths of the run's engines. */
  private readonly engines = `/var/lib/virt8s-test-${process.pid}-`;
  private places: Place[] = [];
  private isAborted = false;
  private count = 0;

  public constructor(
    private readonly reports: string,
    private readonly all: boolean,
  ) {}

  /** Two workers for suites with guests, and one for others. */
  public async workers(): Promise<Place[]> {
    for (const [name, guests] of [['1', true] as const, ['2', true] as const, ['3', false] as const]) {
      const engine = `${this.engines}${name}`;
      this.places.push({ name, guests, engine, namespace: await MountNamespace.create() });
    }
    return [...this.places];
  }

  /** Ends all engines of the run, also those of suites that were killed. */
  public async abort(): Promise<void> {
    this.isAborted = true;
    killAll();
    for (const engine of globSync(`${this.engines}*`)) {
      const log = join(this.reports, 'abort.log');
      await run(endEngine(engine), { env: process.env, log, limitMs: HANG_MS });
    }
    for (const { namespace } of this.places) await namespace.close();
  }

  /** Ends the engines that suites have shared. What they leave is a failure. */
  public async close(): Promise<void> {
    for (const { name, engine, namespace } of this.places.splice(0)) {
      if (existsSync(engine)) {
        const log = join(this.reports, `engine-${name}.log`);
        const command = namespace.enter(endEngine(engine));
        const { ok } = await run(command, { env: process.env, log, limitMs: HANG_MS });
        const error = beginningOf(readFileSync(log, 'utf8'));
        if (!ok) this.failures.push({ test: `the engine that the suites of worker ${name} share`, error });
      }
      await namespace.close();
    }
  }

  public async run(task: Task, worker: Worker): Promise<Outcome> {
    const place = worker as Place;
    const outcome = await this.attempt(task, place, { VIRT8S_TEST_SHARED_ENGINE: place.engine });
    // the queue begins nothing more
    if (this.isAborted) return new Promise(() => undefined);
    this.outcomes.push(outcome);
    const failed = outcome.results.flatMap((result) => result.failed);
    this.failures.push(...failed);
    return outcome;
  }

  /** Repeats each failed suite once, with nothing beside it. A suite that passes now is reported as flaky. */
  public async repeatFailed(): Promise<void> {
    const isFailed = ({ failed }: SuiteResult): boolean => failed.length > 0;
    const suites = this.outcomes.flatMap(({ task, results }) =>
      results.filter(isFailed).flatMap(({ file }) => task.suites?.filter((suite) => suite.file === file) ?? []),
    );
    if (suites.length > MOST_REPEATED) {
      console.log(`\n${suites.length} suites failed: they are not repeated`);
      return;
    }
    for (const suite of suites) await this.repeat(suite);
  }

  private async repeat(suite: Suite): Promise<void> {
    const task: Task = {
      name: `${suite.file} (repeated)`,
      stage: suite.stage,
      needs: suite.needs,
      seconds: 0,
      affected: false,
      suites: [suite],
    };
    // with an engine of its own, in case the shared one is the cause
    const { ok } = await this.attempt(task, this.places[0]!, {});
    if (!ok) return;
    const isOfSuite = ({ test }: Failure): boolean => test === suite.file || test.startsWith(`${suite.file} › `);
    const passed = this.failures.filter(isOfSuite);
    this.failures.splice(0, this.failures.length, ...this.failures.filter((failure) => !isOfSuite(failure)));
    this.flaky.push(...passed);
    const log = join(cacheDir(), 'test/flaky.log');
    mkdirSync(join(log, '..'), { recursive: true });
    for (const { test, error } of passed) appendFileSync(log, `${new Date().toISOString()} ${test}${error}\n`);
  }

  private async attempt(task: Task, { namespace }: Place, extra: NodeJS.ProcessEnv): Promise<Outcome> {
    const path = join(this.reports, String(++this.count));
    const [report, log] = [`${path}.json`, `${path}.log`];
    const command = task.suites ? jest(task.suites, report) : task.command!;
    // static checks show mistakes soonest, so only suites give way
    const givesWay = task.suites && !task.needs.includes('guest');
    const niced = givesWay ? ['nice', '-n', String(NICE), ...command] : command;
    const entered = task.suites ? namespace.enter(niced) : niced;
    const tier = this.all ? { VIRT8S_TEST_TIER: 'all' } : {};
    const env = { ...process.env, VIRT8S_TEST_ENGINES: this.engines, ...tier, ...extra };
    const { ok, seconds } = await run(entered, { env, log, limitMs: HANG_MS });
    console.log(`${ok ? 'PASS' : 'FAIL'} ${String(seconds).padStart(5)} s  ${task.name}`);
    const output = readFileSync(log, 'utf8');
    if (!ok) console.log(output.replaceAll(UNIMPORTANT, '').trimEnd());
    const results = (task.suites && resultsOf(report)) ?? [];
    if (!ok && results.every(({ failed }) => failed.length === 0)) {
      // the whole task failed: jest ended without a report, a test did not run, or it is a static check
      const lines = output.trimEnd().split('\n').slice(-10).join('\n');
      const failure = { test: task.name, error: beginningOf(lines) };
      return { task, ok, seconds, results: [...results, { file: task.name, seconds, passed: 0, failed: [failure] }] };
    }
    return { task, ok, seconds, results };
  }
}

/** Ends an engine; fails if anything of it is left. */
const endEngine = (stateDir: string): string[] => [
  'tsx',
  resolve(__dirname, '../../test/support/shared-engine.ts'),
  'end',
  stateDir,
];

const jest = (suites: readonly Suite[], report: string): string[] => [
  ...['jest', '--ci', '--runInBand', '--json', `--outputFile=${report}`],
  '--runTestsByPath',
  ...suites.map(({ file }) => file),
];
