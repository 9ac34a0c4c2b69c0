import type { QueueObserver } from '../observers';
import { WorkQueue } from '../work-queue';
import type { MakeQueue } from '../work-queue';
import type { ProgramMetrics, Value } from './program-metrics';

/** Returns a function that creates work queues and reports them. */
export function queueMetrics(metrics: ProgramMetrics): MakeQueue {
  const queues = new Map<string, WorkQueue>();
  const each = (read: (queue: WorkQueue) => number) => (): Value[] =>
    Array.from(queues, ([name, queue]) => ({ labels: { name }, value: read(queue) }));
  metrics.computed(
    'kubevirt_workqueue_depth',
    each((queue) => queue.length),
  );
  metrics.computed(
    'kubevirt_workqueue_longest_running_processor_seconds',
    each((queue) => Math.max(0, ...queue.agesMs) / 1000),
  );
  metrics.computed(
    'kubevirt_workqueue_unfinished_work_seconds',
    each((queue) => queue.agesMs.reduce((sum, ms) => sum + ms, 0) / 1000),
  );
  const adds = metrics.counter('kubevirt_workqueue_adds_total');
  const retries = metrics.counter('kubevirt_workqueue_retries_total');
  const waits = metrics.histogram('kubevirt_workqueue_queue_duration_seconds');
  const work = metrics.histogram('kubevirt_workqueue_work_duration_seconds');
  return (name, options) => {
    const labels = { name };
    const observer: QueueObserver = {
      added: () => adds.inc(labels),
      retried: () => retries.inc(labels),
      started: (seconds) => waits.observe(labels, seconds),
      finished: (seconds) => work.observe(labels, seconds),
    };
    const queue = new WorkQueue({ ...options, observer });
    // a queue that is created again for the next leadership replaces the one before
    queues.set(name, queue);
    return queue;
  };
}
