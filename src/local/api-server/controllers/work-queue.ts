import { setImmediate } from 'node:timers/promises';
import { errorText } from '../../../api/error-text';
import { WorkQueue } from '../../../runtime/kube';

/** Failures of a key that are not logged: the first few are conflicts with other writers. */
const QUIET = 3;

/** A queue that processes keys one after another, each in a turn of its own after the write that added it. */
export function controllerQueue(
  handle: (key: string) => Promise<void> | void,
  log: (message: string, details?: object) => void,
): WorkQueue {
  const queue: WorkQueue = new WorkQueue({
    backoffMs: { first: 20, max: 30_000 },
    onError: (key, error) => {
      if (queue.failuresOf(key) < QUIET) return;
      log('controller retries', { key, error: errorText(error) });
    },
  });
  void queue.run(1, async (key) => {
    await setImmediate();
    await handle(key);
  });
  return queue;
}
