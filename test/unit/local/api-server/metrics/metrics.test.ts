import { nodeMetrics, podMetrics } from '../../../../../src/local/api-server/metrics/metrics';
import type { Summary } from '../../../../../src/local/api-server/metrics/metrics';

const usage = (usageNanoCores: number, workingSetBytes: number) => ({
  cpu: { time: '2026-01-01T00:00:00.123Z', usageNanoCores },
  memory: { workingSetBytes },
});
const summary: Summary = {
  node: { nodeName: 'n', ...usage(250_000_000, 1 << 30) },
  pods: [
    {
      podRef: { name: 'p', namespace: 'ns', uid: 'u' },
      containers: [
        { name: 'main', ...usage(1234, 2047) },
        { name: 'debugger', ...usage(1, 1) },
      ],
    },
  ],
};
const pod = (uid: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', namespace: 'ns', uid, labels: { app: 'a' } },
  spec: { containers: [{ name: 'main' }] },
});

test('PodMetrics have the usage of the regular containers, in nanocores and whole KiB', () => {
  expect(podMetrics(pod('u'), summary)).toMatchObject({
    kind: 'PodMetrics',
    metadata: { name: 'p', namespace: 'ns', labels: { app: 'a' } },
    timestamp: '2026-01-01T00:00:00Z',
    containers: [{ name: 'main', usage: { cpu: '1234n', memory: '1Ki' } }],
  });
});

test('a Pod that was created again has no metrics of the former one', () => {
  expect(podMetrics(pod('other'), summary)).toBeUndefined();
});

test('NodeMetrics have the usage of the node', () => {
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } };
  expect(nodeMetrics(node, summary)).toMatchObject({
    kind: 'NodeMetrics',
    metadata: { name: 'n' },
    usage: { cpu: '250000000n', memory: '1048576Ki' },
  });
});
