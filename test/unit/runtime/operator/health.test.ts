import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { ProgramMetrics } from '../../../../src/runtime/kube/metrics';
import { serveHealth } from '../../../../src/runtime/operator/health';

const PROBLEM = 'secrets: forbidden';

async function answers(unready: string[], isLeader: boolean): Promise<Record<string, string>> {
  const server = serveHealth(
    0,
    () => unready,
    () => isLeader,
    new ProgramMetrics(),
  );
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const get = async (path: string): Promise<string> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    return `${response.status} ${await response.text()}`;
  };
  const texts = {
    health: await get('/healthz'),
    ready: await get('/readyz'),
    metrics: await get('/metrics'),
    other: await get('/'),
  };
  server.closeAllConnections();
  server.close();
  return texts;
}

test.each([
  ['a leader', [], true, '200 ok', 1, 1],
  ['a leader that cannot read everything', [PROBLEM], true, `503 ${PROBLEM}`, 1, 0],
  ['a replica that waits, and therefore reads nothing', [PROBLEM], false, '200 ok', 0, 1],
])('%s', async (_, unready, isLeader, ready, leading, isReady) => {
  const texts = await answers(unready, isLeader);
  expect(texts).toMatchObject({ health: '200 ok', ready, other: '404 not found: /healthz, /readyz, /metrics' });
  expect(texts.metrics).toContain(`\nkubevirt_virt_operator_leading_status ${leading}\n`);
  expect(texts.metrics).toContain(`\nkubevirt_virt_operator_ready_status ${isReady}\n`);
});
