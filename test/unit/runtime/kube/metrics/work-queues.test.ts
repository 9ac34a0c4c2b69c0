import { ProgramMetrics, queueMetrics } from '../../../../../src/runtime/kube/metrics';
import { metricsText } from '../../../../support/metrics';

test('reports depth, adds, retries, waits and passes by the name of the queue', async () => {
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  const metrics = new ProgramMetrics();
  const queue = queueMetrics(metrics)('virt-controller-vm', { backoffMs: { first: 1, max: 1 } });
  const scrape = (): Promise<string> => metricsText(metrics);
  const valueOf = (text: string, name: string): number =>
    Number(new RegExp(`^kubevirt_workqueue_${name}\\{name="virt-controller-vm"\\} (\\S+)$`, 'm').exec(text)?.[1]);
  queue.add('web/a');
  queue.add('web/b');
  queue.add('web/b');
  const before = await scrape();
  expect([valueOf(before, 'depth'), valueOf(before, 'adds_total')]).toEqual([2, 2]);

  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let failures = 1;
  const running = queue.run(1, async (key) => {
    if (key === 'web/a' && failures-- > 0) throw new Error('once');
    if (key === 'web/b') {
      reach();
      await released;
    }
  });
  await reached;
  now += 20_000;
  const during = await scrape();
  expect(valueOf(during, 'retries_total')).toBe(1);
  expect(valueOf(during, 'longest_running_processor_seconds')).toBe(20);
  expect(valueOf(during, 'unfinished_work_seconds')).toBe(20);
  release();
  await queue.stop();
  await running;
  const after = await scrape();
  expect(valueOf(after, 'unfinished_work_seconds')).toBe(0);
  expect(valueOf(after, 'work_duration_seconds_count')).toBeGreaterThanOrEqual(2);
  expect(valueOf(after, 'queue_duration_seconds_count')).toBe(valueOf(after, 'work_duration_seconds_count'));
});
