import type { Task } from './tasks';

/** A place where one task runs at a time. */
export interface Worker {
  readonly name: string;
  /** Whether suites that boot guests come first, or those that do not. */
  readonly guests: boolean;
}

/** Tasks that cannot run at the same time as another one of the same need. */
const EXCLUSIVE = ['checkout'] as const;

/**
 * The task that a worker begins next, or `undefined` if none of the waiting ones may begin now: tasks of the worker's kind
 * before others, affected ones first, then the longest. A task that needs to be alone begins when nothing runs and nothing
 * else waits.
 */
export function next(worker: Worker, waiting: readonly Task[], running: readonly Task[]): Task | undefined {
  if (running.some(({ needs }) => needs.includes('alone'))) return undefined;
  const candidates = waiting.filter(
    (task) =>
      !EXCLUSIVE.some((need) => task.needs.includes(need) && running.some(({ needs }) => needs.includes(need))) &&
      (!task.needs.includes('alone') ||
        (running.length === 0 && waiting.every(({ needs }) => needs.includes('alone')))),
  );
  const rank = (task: Task): number[] => [
    Number(worker.guests === task.needs.includes('guest')),
    Number(task.affected),
    task.seconds,
  ];
  return candidates.sort((a, b) => compare(rank(b), rank(a)))[0];
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at === -1 ? 0 : a[at]! - b[at]!;
}

/** Runs all tasks on the workers, with `run`. The promise is fulfilled after the last one. */
export async function drain(
  workers: readonly Worker[],
  tasks: readonly Task[],
  run: (task: Task, worker: Worker) => Promise<void>,
): Promise<void> {
  const waiting = [...tasks];
  const running = new Map<Worker, { task: Task; ended: Promise<Worker> }>();
  const begin = (worker: Worker): void => {
    const task = next(
      worker,
      waiting,
      [...running.values()].map((entry) => entry.task),
    );
    if (!task) return;
    waiting.splice(waiting.indexOf(task), 1);
    running.set(worker, { task, ended: run(task, worker).then(() => worker) });
  };
  for (;;) {
    for (const worker of workers) if (!running.has(worker)) begin(worker);
    if (running.size === 0) break;
    running.delete(await Promise.race([...running.values()].map(({ ended }) => ended)));
  }
}
