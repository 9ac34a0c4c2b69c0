import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { metricsServer, ProgramMetrics } from '../../../../../src/runtime/kube/metrics';
import { Turns } from '../../../../../src/runtime/kube/metrics/server';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function serve(metrics: ProgramMetrics): Promise<string> {
  server = metricsServer(metrics, { '/readyz': () => [503, 'not yet'] });
  await new Promise<void>((done) => server!.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('serves metrics in the format of Prometheus, and the given paths', async () => {
  const metrics = new ProgramMetrics();
  metrics.gauge('kubevirt_virt_api_ready_status').set(1);
  const url = await serve(metrics);
  const response = await fetch(`${url}/metrics?name[]=all`);
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(await response.text()).toContain('\nkubevirt_virt_api_ready_status 1\n');
  const answer = async (path: string): Promise<[number, string]> => {
    const got = await fetch(`${url}${path}`);
    return [got.status, await got.text()];
  };
  expect(await answer('/readyz')).toEqual([503, 'not yet']);
  expect(await answer('/constructor')).toEqual([404, 'not found: /readyz, /metrics']);
});

test('scrapes at the same time wait for each other, and more than five are rejected', async () => {
  const metrics = new ProgramMetrics();
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  let running = 0;
  let most = 0;
  metrics.computed('kubevirt_virt_api_ready_status', async () => {
    most = Math.max(most, ++running);
    await opened;
    running--;
    return [{ value: 1 }];
  });
  const url = await serve(metrics);
  const scrapes = Array.from({ length: 6 }, () => fetch(`${url}/metrics`).then((response) => response.status));
  const first = await Promise.race(scrapes);
  open();
  expect(first).toBe(503);
  expect((await Promise.all(scrapes)).sort()).toEqual([200, 200, 200, 200, 200, 503]);
  expect(most).toBe(1);
});

test('a turn that ends lets the next one begin', async () => {
  const turns = new Turns(1);
  const end = await turns.take();
  const next = turns.take();
  expect(turns.take()).toBeUndefined();
  end!();
  await next;
  expect(turns.take()).toBeDefined();
});
