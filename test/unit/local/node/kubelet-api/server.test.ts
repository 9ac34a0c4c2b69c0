import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { connect as connectRaw } from 'node:net';
import { connect } from 'node:tls';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Authority } from '../../../../../src/local/engine/pki';
import { KubeletServer } from '../../../../../src/local/node/kubelet-api/server';
import type { KubeletServerOptions } from '../../../../../src/local/node/kubelet-api/server';

const dir = mkdtempSync(join(tmpdir(), 'virt8s-kubelet-'));
let server: KubeletServer;
let tls: { ca: string; cert: string; key: string };

beforeAll(async () => {
  const authority = await Authority.open(dir, 'test');
  tls = { ca: authority.cert, ...(await authority.issue({ commonName: 'caller' })) };
  server = new KubeletServer({
    addresses: ['127.0.0.1'],
    port: 0,
    tls: { ...(await authority.issue({ commonName: 'node', hosts: ['127.0.0.1'] })), clientCa: authority.cert },
    // what is asked for here never reaches a Pod
    context: {} as KubeletServerOptions['context'],
    manager: { find: () => undefined, pods: () => [] } as unknown as KubeletServerOptions['manager'],
  });
  await server.start();
});
afterAll(async () => {
  await server.close();
  rmSync(dir, { recursive: true });
});

const ask = (path: string, headers: Record<string, string> = {}): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port: server.port, ...tls, path, headers, agent: false });
    call.on('response', (response) => resolve(response.resume().statusCode));
    call.on('error', reject).end();
  });
const upgrade = { Connection: 'Upgrade', Upgrade: 'websocket' };

test.each<[string, string, Record<string, string>, number]>([
  ['a path that is not encoded', '/exec/%', {}, 400],
  ['a path that is not a URL', '//', {}, 404],
  ['a websocket for a path that is not encoded', '/exec/%ff/p/c', upgrade, 400],
  ['a websocket for a path that is not a URL', '//', upgrade, 404],
  ['a websocket for an unknown Pod', '/exec/ns/p/c', upgrade, 404],
  ['an unknown endpoint', '/run/ns/p/c', {}, 404],
  ['exec without a websocket', '/exec/ns/p/c', {}, 400],
])('%s is answered, and the next request is served', async (_, path, headers, code) => {
  expect(await ask(path, headers)).toBe(code);
  expect(await ask('/healthz')).toBe(200);
});

test('a client that resets its connection while it is rejected affects no other client', async () => {
  for (let i = 0; i < 20; i++) {
    await new Promise<void>((resolve) => {
      const raw = connectRaw({ host: '127.0.0.1', port: server.port });
      const socket = connect({ socket: raw, ...tls }, () => {
        socket.write('GET /exec/% HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n', () =>
          raw.resetAndDestroy(),
        );
      });
      raw.on('error', () => undefined).on('close', () => resolve());
      socket.on('error', () => undefined);
    });
  }
  expect(await ask('/healthz')).toBe(200);
});
