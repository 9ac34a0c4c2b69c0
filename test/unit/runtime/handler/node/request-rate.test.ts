import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { followRateLimit, OWN_LIMIT } from '../../../../../src/runtime/handler/node/request-rate';
import { KubeClient } from '../../../../../src/runtime/kube';

test('events that wait for their turn hold up no other request', async () => {
  const asked: string[] = [];
  const server = createServer((req, res) => void res.end(String(asked.push(req.url ?? '')))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = new KubeClient({ server: `http://127.0.0.1:${port}` }, { userAgent: 'test' });
  const reporting = client.separate();
  // no token comes back while time does not pass
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
  const late = new AbortController();
  try {
    followRateLimit([client, reporting], 'kubevirt', () => undefined);
    await Promise.all(Array.from({ length: OWN_LIMIT.burst }, () => reporting.request('GET', '/event')));
    const waiting = reporting.request('GET', '/late-event', undefined, { signal: late.signal });
    await client.request('GET', '/heartbeat');
    expect(asked.slice(OWN_LIMIT.burst)).toEqual(['/heartbeat']);
    late.abort();
    await expect(waiting).rejects.toThrow('abort');
  } finally {
    jest.useRealTimers();
    reporting.close();
    client.close();
    server.close();
  }
});
