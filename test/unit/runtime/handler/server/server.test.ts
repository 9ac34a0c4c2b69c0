import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import type { TLSSocket } from 'node:tls';
import pino from 'pino';
import { CALLER_COMMON_NAME } from '../../../../../src/runtime/handler/server/identity';
import { closeReason, HandlerServer } from '../../../../../src/runtime/handler/server/server';
import { ServingTls } from '../../../../../src/runtime/kube';
import { TestCa, writePems } from '../../../../support/pki';
import type { Pair } from '../../../../support/pki';
import { until } from '../../../../support/until';

/** Streams of clients that do not behave, down to the launcher's socket. */

const directory = mkdtempSync(join(tmpdir(), 'virt8s-handler-'));
const path = join(directory, 'portforward');
const launcherSockets: Socket[] = [];
const clients: TLSSocket[] = [];
let ca: TestCa;
let caller: Pair;
let server: HandlerServer;
let launcher: Server;
let port: number;

beforeAll(async () => {
  ca = await TestCa.create('handlers');
  caller = await ca.issue([{ CN: [CALLER_COMMON_NAME] }]);
  const own = await ca.issue([{ CN: ['handler'] }], ['127.0.0.1']);
  launcher = createServer((socket) => {
    launcherSockets.push(socket.on('error', () => {}).resume());
    socket.once('data', () => socket.write('ok\n'));
  });
  await new Promise<void>((resolve) => launcher.listen(path, resolve));
  server = new HandlerServer({
    tls: new ServingTls(writePems(directory, { ...own, ca: ca.pem }), {}),
    find: () => ({ vmi: {}, runtime: { uid: 'u', launcher: { open: () => connect(path) } } }) as never,
    log: pino({ level: 'silent' }),
  });
  port = await server.listen(0, '127.0.0.1');
});

afterAll(async () => {
  for (const client of clients) client.destroy();
  await server.close();
  launcher.close();
  rmSync(directory, { recursive: true });
});

/** Asks for a forwarded port; resolves with the status line. */
async function forward(headers: string[]): Promise<{ client: TLSSocket; status: string }> {
  const client = connectTls({ host: '127.0.0.1', port, ca: ca.pem, cert: caller.cert, key: caller.key });
  clients.push(client.on('error', () => {}));
  const url = '/v1/namespaces/ns/virtualmachineinstances/web/portforward/22';
  client.write([`GET ${url} HTTP/1.1`, 'Host: h', 'Connection: Upgrade', ...headers, '', ''].join('\r\n'));
  const [first] = (await once(client, 'data')) as [Buffer];
  return { client, status: String(first).split('\r\n')[0] };
}

const WEBSOCKET = ['Upgrade: websocket', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='];
const open = (): number => launcherSockets.filter((socket) => !socket.destroyed).length;

async function nothingOpen(): Promise<void> {
  await until(() => open() === 0, { everyMs: 5 });
}

test('a handshake that is rejected leaves no socket to the launcher', async () => {
  const { status } = await forward(['Upgrade: websocket', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: short']);
  expect(status).toBe('HTTP/1.1 400 Bad Request');
  expect(launcherSockets).toHaveLength(1);
  await nothingOpen();
});

test('a client whose connection breaks closes its socket to the launcher', async () => {
  const { client, status } = await forward(WEBSOCKET);
  expect(status).toBe('HTTP/1.1 101 Switching Protocols');
  client.destroy();
  await nothingOpen();
});

test('a guest has at most 64 streams at a time, and another once one has ended', async () => {
  const statuses: string[] = [];
  for (let i = 0; i < 64; i++) statuses.push((await forward(WEBSOCKET)).status);
  expect(new Set(statuses)).toEqual(new Set(['HTTP/1.1 101 Switching Protocols']));
  expect((await forward(WEBSOCKET)).status).toBe('HTTP/1.1 429 Refused');
  expect(open()).toBe(64);
  clients.at(-2)!.destroy();
  await until(() => open() <= 63, { everyMs: 5 });
  let last = '';
  while (!last.includes('101')) last = (await forward(WEBSOCKET)).status;
  for (const client of clients) client.destroy();
  await nothingOpen();
});

test.each([
  ['as long as allowed', 'a'.repeat(123), 'a'.repeat(123)],
  ['longer', 'a'.repeat(124), 'a'.repeat(123)],
  ['of characters of several bytes', 'ä'.repeat(62), 'ä'.repeat(61)],
  ['short', 'cause', 'cause'],
])('the reason of a close that is %s', (_, message, want) => expect(closeReason(message)).toBe(want));
