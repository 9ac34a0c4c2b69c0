import { type ChildProcess, fork } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Order } from './child';
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

function filesOf({ source }: Room): string[] {
  const path = join(checkout, 'src', source);
  if (statSync(path).isFile()) return [path];
  return globSync(`${path}/**/*.ts`).filter((file) => !file.includes('/generated/') && basename(file) !== 'index.ts');
}

/** The tests of a room; the one that mirrors the file is first, because it fails first. */
function testsOf({ tests }: Room, file: string): string[] {
  const all = tests.flatMap((test) => {
    const path = join(checkout, 'test/unit', test);
    if (!existsSync(path)) return [];
    return statSync(path).isFile() ? [path] : globSync(`${path}/**/*.test.ts`);
  });
  const mirrored = file.replace('/src/', '/test/unit/').replace(/\.ts$/, '.test.ts');
  const first = [...new Set(all)].filter((test) => test === mirrored);
  return [...first, ...all.filter((test) => test !== mirrored)];
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

/** A process that runs jest again and again; a mutant that never ends, ends it. */
class Worker {
  private child?: ChildProcess;
  private runs = 0;

  public async run(order: Order): Promise<boolean> {
    // jest keeps what it loaded
    if (this.runs++ % 60 === 0) this.close();
    this.child ??= fork(join(__dirname, 'child.ts'), { cwd: checkout, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    const { child } = this;
    return new Promise((done) => {
      const end = (noticed: boolean): void => {
        clearTimeout(timer);
        child.removeAllListeners();
        done(noticed);
      };
      const timer = setTimeout(() => {
        this.close();
        end(true);
      }, HANGS_AFTER_MS);
      child.once('message', ({ noticed }: { noticed: boolean }) => end(noticed));
      child.once('exit', () => {
        this.child = undefined;
        end(true);
      });
      child.send(order);
    });
  }

  public close(): void {
    this.child?.removeAllListeners();
    this.child?.kill('SIGKILL');
    this.child = undefined;
  }
}

async function scoreOf(room: Room, trials: readonly Trial[], jobs: number): Promise<number> {
  const waiting = [...trials];
  const survivors: string[] = [];
  const workers = Array.from({ length: jobs }, () => new Worker());
  const clean = { tests: testsOf(room, '') };
  if (clean.tests.length === 0) throw new Error(`${room.source}: none of ${room.tests.join(', ')} exists in test/unit`);
  if (await workers[0]!.run(clean)) throw new Error(`${room.source}: its unit tests fail without a mutant`);
  await Promise.all(
    workers.map(async (worker) => {
      for (let trial = waiting.shift(); trial; trial = waiting.shift()) {
        const { tests, ...mutant } = trial;
        if (await worker.run({ mutant, tests })) continue;
        survivors.push(trial.description);
        console.log(`  survived  ${trial.file.slice(join(checkout, 'src/').length)}:${trial.description}`);
      }
      worker.close();
    }),
  );
  return trials.length === 0 ? 100 : ((trials.length - survivors.length) / trials.length) * 100;
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
  for (const room of chosen) {
    const files = filesOf(room).filter(
      (file) => positionals.length === 0 || positionals.some((path) => file.startsWith(join(checkout, 'src', path))),
    );
    const all = files.flatMap((file) =>
      mutantsOf(readFileSync(file, 'utf8'), file).map((mutant) => ({ ...mutant, file, tests: testsOf(room, file) })),
    );
    const trials = values.sample ? sampled(all, Number(values.sample), Number(values.seed)) : all;
    console.log(`${room.source}: ${trials.length} of ${all.length} mutants`);
    const score = await scoreOf(room, trials, Number(values.jobs));
    lines.push(`${score.toFixed(0).padStart(4)} %  (goal ${room.goal} %)  ${room.source}, ${trials.length} mutants`);
    console.log(lines.at(-1));
    if (score < room.goal) process.exitCode = 1;
  }
  console.log(`\n${lines.join('\n')}`);
}

void main();
