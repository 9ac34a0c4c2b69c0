import { drain, next, type Worker } from '../../../../scripts/test-run/queue';
import type { Task } from '../../../../scripts/test-run/tasks';

const guests: Worker = { name: '1', guests: true };
const light: Worker = { name: '3', guests: false };

const task = (name: string, values: Partial<Task> = {}): Task => ({
  name,
  stage: 'integration',
  needs: [],
  seconds: 10,
  affected: false,
  ...values,
});
const boots = (name: string, values: Partial<Task> = {}): Task => task(name, { needs: ['guest'], ...values });

test.each<[string, Worker, Task[], Task[], string | undefined]>([
  ['the longest first', light, [task('short', { seconds: 9 }), task('long', { seconds: 11 })], [], 'long'],
  [
    'affected ones before longer ones',
    light,
    [task('long', { seconds: 99 }), task('hit', { affected: true })],
    [],
    'hit',
  ],
  ['guests first, where guests may boot', guests, [task('long', { seconds: 99 }), boots('guest')], [], 'guest'],
  [
    'work without guests first, on the other worker',
    light,
    [boots('guest', { affected: true }), task('light')],
    [],
    'light',
  ],
  ['guests, when nothing else waits', light, [boots('guest')], [], 'guest'],
  ['work without guests, when no guest waits', guests, [task('light')], [], 'light'],
  [
    'nothing that uses what another one uses',
    guests,
    [task('b', { needs: ['checkout'] })],
    [task('a', { needs: ['checkout'] })],
    undefined,
  ],
  ['what nothing else uses', guests, [task('b', { needs: ['checkout'] })], [task('a')], 'b'],
  ['nothing alone beside another one', guests, [task('b', { needs: ['alone'] })], [task('a')], undefined],
  ['nothing alone while others wait', guests, [task('b', { needs: ['alone'], seconds: 99 }), task('a')], [], 'a'],
  ['one alone at the end', light, [task('b', { needs: ['alone'] })], [], 'b'],
  ['nothing beside one that is alone', light, [task('b')], [task('a', { needs: ['alone'] })], undefined],
])('chooses %s', (_, worker, waiting, running, name) => expect(next(worker, waiting, running)?.name).toBe(name));

describe('a queue', () => {
  /** Runs the tasks; each ends when all workers that can run one have begun theirs. */
  async function order(tasks: Task[]): Promise<string[]> {
    const log: string[] = [];
    await drain([guests, light], tasks, async ({ name }) => {
      log.push(name);
      await Promise.resolve();
    });
    return log;
  }

  test('runs every task once', async () => {
    const tasks = [boots('a'), boots('b'), task('c'), task('d', { needs: ['alone'] })];
    expect((await order(tasks)).sort()).toEqual(['a', 'b', 'c', 'd']);
  });

  test('ends with the error of a run that throws', async () => {
    await expect(drain([light], [task('a')], () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  });
});
