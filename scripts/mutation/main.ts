import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Mutant, mutantsOf } from './mutants';
import { type Room, rooms } from './rooms';

/**
 * Changes the sources of the pure rooms one small thing at a time and runs the unit tests of the room: a mutant that no
 * test notices survives, and is a row that a table lacks. Prints the survivors, and a score for each room.
 *
 *   npm run mutation -- [--sample N] [--seed N] [--jobs N] [SOURCE…]
 *
 * SOURCE is a room of rooms.ts or a file in one, such as api/admission or api/admission/disks.ts. Without `--sample`,
 * every mutant is tried, which takes hours for all rooms.
 */
interface Trial extends Mutant {
  readonly file: string;
  readonly tests: readonly string[];
}

const checkout = resolve(__dirname, '../..');

/** Paths in the checkout. */
const below = (pattern: string): string[] => globSync(pattern, { cwd: checkout });
const isFile = (path: string): boolean => statSync(join(checkout, path)).isFile();

function filesOf({ source }: Room): string[] {
  const path = `src/${source}`;
  if (isFile(path)) return [path];
  return below(`${path}/**/*.ts`).filter((file) => !file.includes('/generated/') && basename(file) !== 'index.ts');
}

/** The tests of a room; the one that mirrors the file is first, because it fails first. */
function testsOf({ tests }: Room, file: string): string[] {
  const all = tests
    .map((test) => `test/unit/${test}`)
    .filter((path) => existsSync(join(checkout, path)))
    .flatMap((path) => (isFile(path) ? [path] : below(`${path}/**/*.test.ts`)));
  const mirrored = file.replace('src/', 'test/unit/').replace(/\.ts$/, '.test.ts');
  return [...all.filter((test) => test === mirrored), ...all.filter((test) => test !== mirrored)];
}

/** A part of the list, the same for the same seed. */
function sampled<T>(list: readonly T[], count: number, seed: number): T[] {
  let state = seed;
  const random = (): number => ((state = (Math.imul(state, 1664525) + 1013904223) >>> 0), state / 2 ** 32);
  return list
    .map((item) => ({ item, order: random() }))
    .sort((a, b) => a.order - b.order)
    .slice(0, count)
    .map(({ item }) => item);
}

const HANGS_AFTER_MS = 180_000;

/** A copy of the checkout, where a mutant may take the place of its original, and a process that runs jest in it. */
class Worker {
  private readonly folder = mkdtempSync(join(tmpdir(), 'virt8s-mutation-'));
  private child?: ChildProcess;
  private runs = 0;

  public constructor() {
    const files = execFileSync('git', ['ls-files', '-z'], { cwd: checkout, encoding: 'utf8' }).split('\0');
    for (const file of files.filter((each) => each && existsSync(join(checkout, each))))
      cpSync(join(checkout, file), join(this.folder, file));
    symlinkSync(join(checkout, 'node_modules'), join(this.folder, 'node_modules'));
  }

  /** Whether a test notices the mutant. */
  public async notices({ file, start, end, replacement, tests }: Trial): Promise<boolean> {
    const text = readFileSync(join(checkout, file), 'utf8');
    writeFileSync(join(this.folder, file), text.slice(0, start) + replacement + text.slice(end));
    try {
      return !(await this.passes(tests));
    } finally {
      writeFileSync(join(this.folder, file), text);
    }
  }

  /** Whether these tests pass; a run that does not end does not pass. */
  public async passes(tests: readonly string[]): Promise<boolean> {
    // jest keeps what it loaded
    if (this.runs++ % 60 === 0) this.stop();
    this.child ??= fork(join(__dirname, 'child.ts'), {
      cwd: this.folder,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      execArgv: ['--import', join(checkout, 'node_modules/tsx/dist/loader.mjs')],
    });
    const { child } = this;
    return new Promise((done) => {
      const end = (passed: boolean): void => {
        clearTimeout(timer);
        child.removeAllListeners();
        done(passed);
      };
      const stop = (): void => {
        this.stop();
        end(false);
      };
      const timer = setTimeout(stop, HANGS_AFTER_MS);
      child.once('message', ({ passed }: { passed: boolean }) => end(passed));
      child.once('exit', stop);
      child.send(tests);
    });
  }

  public stop(): void {
    this.child?.removeAllListeners();
    this.child?.kill('SIGKILL');
    this.child = undefined;
  }

  public remove(): void {
    this.stop();
    rmSync(this.folder, { recursive: true });
  }
}

async function scoreOf(room: Room, trials: readonly Trial[], workers: readonly Worker[]): Promise<number> {
  const waiting = [...trials];
  let survivors = 0;
  const tests = testsOf(room, '');
  if (tests.length === 0) throw new Error(`${room.source}: none of ${room.tests.join(', ')} exists in test/unit`);
  if (!(await workers[0]!.passes(tests))) throw new Error(`${room.source}: its unit tests fail without a mutant`);
  await Promise.all(
    workers.map(async (worker) => {
      for (let trial = waiting.shift(); trial; trial = waiting.shift()) {
        if (await worker.notices(trial)) continue;
        survivors += 1;
        console.log(`  survived  ${trial.file}:${trial.description}`);
      }
    }),
  );
  return trials.length === 0 ? 100 : ((trials.length - survivors) / trials.length) * 100;
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: {
      sample: { type: 'string' },
      seed: { type: 'string', default: '1' },
      jobs: { type: 'string', default: '2' },
    },
    allowPositionals: true,
  });
  const asked = (room: Room): boolean =>
    positionals.length === 0 || positionals.some((path) => path === room.source || path.startsWith(`${room.source}/`));
  const chosen = rooms.filter(asked);
  if (chosen.length === 0) {
    throw new Error(`${positionals.join(', ')} is in no room; the rooms are ${rooms.map((r) => r.source).join(', ')}`);
  }
  const lines: string[] = [];
  const workers = Array.from({ length: Number(values.jobs) }, () => new Worker());
  for (const room of chosen) {
    const files = filesOf(room).filter(
      (file) => positionals.length === 0 || positionals.some((path) => file.startsWith(`src/${path}`)),
    );
    const all = files.flatMap((file) =>
      mutantsOf(readFileSync(join(checkout, file), 'utf8'), file).map((mutant) => ({
        ...mutant,
        file,
        tests: testsOf(room, file),
      })),
    );
    const trials = values.sample ? sampled(all, Number(values.sample), Number(values.seed)) : all;
    console.log(`${room.source}: ${trials.length} of ${all.length} mutants`);
    const score = await scoreOf(room, trials, workers);
    lines.push(`${score.toFixed(0).padStart(4)} %  (goal ${room.goal} %)  ${room.source}, ${trials.length} mutants`);
    console.log(lines.at(-1));
    if (score < room.goal) process.exitCode = 1;
  }
  for (const worker of workers) worker.remove();
  console.log(`\n${lines.join('\n')}`);
}

void main();
