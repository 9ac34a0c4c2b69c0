import { cpuRate } from '../../../../../src/local/node/stats/usage';
import { resourceMetrics } from '../../../../../src/local/node/stats/summary';

const sample = (time: number, cpu: number) => ({ time, cpu, memory: 0, workingSet: 0 });

test.each<[string, number, number, number]>([
  ['half a core for a second', 1000, 500_000_000, 500_000_000],
  ['a core for two seconds', 2000, 2_000_000_000, 1_000_000_000],
  ['no time', 0, 5, 0],
  ['a counter that starts again', 1000, -5, 0],
  ['more than the machine has', 1000, 9_000_000_000, 2_000_000_000],
])('the CPU use of %s', (_, elapsed, used, want) => {
  expect(cpuRate(sample(0, 10), sample(elapsed, 10 + used), 2)).toBe(want);
});

test('metrics have a line per container, per Pod and for the node', () => {
  const usage = (cpu: number, memory: number) => ({
    cpu: { time: '', usageNanoCores: 0, usageCoreNanoSeconds: cpu },
    memory: { time: '', usageBytes: 0, workingSetBytes: memory },
  });
  const text = resourceMetrics({
    node: { nodeName: 'n', startTime: '', ...usage(4e9, 400) },
    pods: [
      {
        podRef: { name: 'p', namespace: 'ns', uid: 'u' },
        startTime: '',
        containers: [{ name: 'c', startTime: '1970-01-01T00:00:02.5Z', ...usage(1.5e9, 100) }],
        ...usage(1.5e9, 100),
      },
    ],
  });
  expect(text.split('\n').filter((line) => line && !line.startsWith('#'))).toEqual([
    'container_cpu_usage_seconds_total{container="c",namespace="ns",pod="p"} 1.5',
    'container_memory_working_set_bytes{container="c",namespace="ns",pod="p"} 100',
    'container_start_time_seconds{container="c",namespace="ns",pod="p"} 2.5',
    'node_cpu_usage_seconds_total 4',
    'node_memory_working_set_bytes 400',
    'pod_cpu_usage_seconds_total{namespace="ns",pod="p"} 1.5',
    'pod_memory_working_set_bytes{namespace="ns",pod="p"} 100',
    'resource_scrape_error 0',
  ]);
});
