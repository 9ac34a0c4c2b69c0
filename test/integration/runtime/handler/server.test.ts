import { once } from 'node:events';
import { mkdirSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';
import { request } from 'node:https';
import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { connect } from 'node:tls';
import { WebSocket } from 'ws';
import { OpenedPath } from '../../../../src/runtime/handler/paths/safe-path';
import { CALLER_COMMON_NAME } from '../../../../src/runtime/handler/server/identity';
import { TestCa } from '../../../support/pki';
import type { Pair } from '../../../support/pki';
import { base, ServedHandler, UID } from './served-handler';
import type { TestLauncher } from './test-launcher';
import { until } from '../../../support/until';

/** The handler's HTTPS server with real certificates, websockets and the sockets of a Pod. */

let ca: TestCa;
let caller: Pair;
let dir: string;
let volumes: string;
let port: number;
let launcher: TestLauncher;
const cleanups: (() => unknown)[] = [];

beforeAll(async () => {
  ca = await TestCa.create('handlers');
  caller = await ca.issue([{ CN: [CALLER_COMMON_NAME] }]);
});

beforeEach(async () => {
  const handler = await ServedHandler.start(ca);
  cleanups.push(() => handler.close());
  ({ dir, volumes, port, launcher } = handler);
});

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function call(
  method: string,
  path: string,
  pair: Partial<Pair> = caller,
  options?: string,
): Promise<{ code: number; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port, method, path, ca: ca.pem, cert: pair.cert, key: pair.key, agent: false },
      (response) => {
        let body = '';
        response
          .on('data', (chunk) => (body += chunk))
          .on('end', () => resolve({ code: response.statusCode ?? 0, body }));
      },
    );
    sent.on('error', reject).end(options);
  });
}

interface Client {
  readonly websocket: WebSocket;
  /** Resolves when this text has arrived. */
  reads(text: string): Promise<void>;
  readonly closed: Promise<{ code: number; reason: string }>;
}

async function open(path: string, pair: Partial<Pair> = caller): Promise<Client> {
  const websocket = new WebSocket(`wss://127.0.0.1:${port}${base}/${path}`, ['plain.kubevirt.io'], {
    ca: ca.pem,
    cert: pair.cert,
    key: pair.key,
  });
  cleanups.push(() => websocket.terminate());
  let got = '';
  const arrived = new Set<() => void>();
  websocket.on('message', (data) => {
    got += String(data);
    for (const look of arrived) look();
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) =>
    websocket.once('close', (code, reason) => resolve({ code, reason: String(reason) })),
  );
  await new Promise<void>((resolve, reject) => {
    websocket.once('open', () => resolve());
    websocket.once('error', reject);
    websocket.once('unexpected-response', (_, response) => {
      let body = '';
      response
        .on('data', (chunk) => (body += chunk))
        .on('end', () => reject(new Error(`${response.statusCode}: ${body}`)));
    });
  });
  const reads = (text: string): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!got.includes(text)) return;
        got = '';
        arrived.delete(look);
        resolve();
      };
      arrived.add(look);
      look();
    });
  return { websocket, reads, closed };
}

/** A socket of QEMU or the launcher; serves one client at a time, as QEMU's character devices do. */
async function listen(path: string, serve: (socket: Socket) => void): Promise<Server> {
  const server = createServer((socket) => serve(socket.on('error', () => {})));
  const place = OpenedPath.trusted(dirname(path));
  await new Promise<void>((resolve) => server.listen(`${place.path}/${basename(path)}`, resolve));
  cleanups.push(() => new Promise((resolve) => (server.close(resolve), place.close())));
  return server;
}

describe('who may call', () => {
  test('virt-api may', async () => {
    expect(await call('PUT', `${base}/pause`)).toEqual({ code: 202, body: '' });
    expect(launcher.calls).toEqual(['pause']);
  });

  test.each([
    ['another component of the same CA', [{ CN: ['kubevirt.io:system:node:virt-handler'] }]],
    ['an administrator', [{ CN: ['admin'] }, { O: ['system:masters'] }]],
    ['a name that only begins like it', [{ CN: [`${CALLER_COMMON_NAME}2`] }]],
    ['one with two names', [{ CN: [CALLER_COMMON_NAME] }, { CN: ['x'] }]],
  ])('%s may not', async (_, subject) => {
    const pair = await ca.issue(subject as { CN: string[] }[]);
    expect(await call('PUT', `${base}/pause`, pair)).toMatchObject({ code: 403 });
    await expect(open('console', pair)).rejects.toThrow('403');
    expect(launcher.calls).toEqual([]);
  });

  test('rejects a client without a certificate, or with one of another CA', async () => {
    await expect(call('PUT', `${base}/pause`, {})).rejects.toThrow();
    const other = await (await TestCa.create('handlers')).issue([{ CN: [CALLER_COMMON_NAME] }]);
    await expect(call('PUT', `${base}/pause`, other)).rejects.toThrow();
    expect(launcher.calls).toEqual([]);
  });
});

test('a client that offers HTTP/2 gets HTTP/1.1', async () => {
  const socket = connect({ host: '127.0.0.1', port, ca: ca.pem, ...caller, ALPNProtocols: ['h2', 'http/1.1'] });
  cleanups.push(() => socket.destroy());
  await once(socket, 'secureConnect');
  expect(socket.alpnProtocol).toBe('http/1.1');
});

test('operations reach the launcher, and its refusals come back as conflicts', async () => {
  expect(await call('PUT', `${base}/unpause`)).toMatchObject({
    code: 409,
    body: expect.stringContaining('the guest is not paused'),
  });
  expect(await call('GET', `${base}/userlist`)).toEqual({
    code: 200,
    body: '{"metadata":{},"items":[{"userName":"me"}]}',
  });
  expect(await call('GET', `${base}/pause`)).toMatchObject({ code: 405 });
  expect(await call('GET', '/v1/namespaces/ns/virtualmachineinstances/other/userlist')).toMatchObject({ code: 404 });
  expect(await call('GET', `${base}/console`)).toMatchObject({ code: 405 });
});

test.each([
  ['PUT', 'softreboot'],
  ['GET', 'filesystemlist'],
])('%s %s of a launcher that is too old for it names the remedy', async (method, name) => {
  expect(await call(method, `${base}/${name}`)).toMatchObject({
    code: 409,
    body: expect.stringContaining('restart the VM to update it'),
  });
});

const LONGEST = 4_096;
test.each([
  ['nothing', '', 202],
  ['an object', '{"unfreezeTimeout":"1m0s"}', 202],
  ['as many bytes as are allowed', `{}${' '.repeat(LONGEST - 2)}`, 202],
  ['one byte more', `{}${' '.repeat(LONGEST - 1)}`, 413],
  ['no JSON', '{', 400],
  ['null', 'null', 400],
  ['a list', '[]', 400],
])('options that are %s', async (_, options, code) => {
  expect(await call('PUT', `${base}/freeze`, caller, options)).toMatchObject({ code });
  expect(launcher.calls).toEqual(code === 202 ? ['freeze'] : []);
});

test('a body that is too long is refused by an action that has no options, too', async () => {
  expect(await call('PUT', `${base}/pause`, caller, ' '.repeat(LONGEST + 1))).toMatchObject({ code: 413 });
  expect(launcher.calls).toEqual([]);
});

describe('the console', () => {
  const serial = (): string => join(volumes, 'private', UID, 'virt-serial0');

  /** Echoes, and accepts one client at a time. */
  const startSerial = async (): Promise<{ clients: () => number }> => {
    let clients = 0;
    const waiting: Socket[] = [];
    const serve = (socket: Socket): void => {
      if (clients > 0) return void waiting.push(socket);
      clients++;
      socket.write('login: ');
      socket.on('data', (data) => socket.write(`[${data}]`));
      socket.once('close', () => {
        clients--;
        const next = waiting.shift();
        if (next) serve(next);
      });
    };
    await listen(serial(), serve);
    return { clients: () => clients };
  };

  test('carries bytes both ways', async () => {
    await startSerial();
    const client = await open('console');
    await client.reads('login: ');
    client.websocket.send(Buffer.from('root\r'));
    await client.reads('[root\r]');
  });

  test('a new client closes the previous one', async () => {
    const qemu = await startSerial();
    const first = await open('console');
    await first.reads('login: ');
    const second = await open('console');
    expect(await first.closed).toEqual({ code: 4409, reason: 'another client connected' });
    await second.reads('login: ');
    second.websocket.send('x');
    await second.reads('[x]');
    expect(qemu.clients()).toBe(1);
    second.websocket.close();
    await second.closed;
    await until(() => qemu.clients() === 0);
  });

  test('that does not exist yet is an error without a wait', async () => {
    await expect(open('vnc')).rejects.toThrow('virt-vnc does not exist');
  });
});

test.each([
  ['the console', 'console', `private/${UID}/virt-serial0`],
  ['the display', 'vnc', `private/${UID}/virt-vnc`],
  ['port forwarding', 'portforward/22/tcp', 'sockets/portforward-sock'],
])('a socket of %s that was swapped for a link to a socket of the host is not opened', async (_, stream, place) => {
  let reached = false;
  const reach = (connection: Socket): void => {
    reached = true;
    connection.destroy();
  };
  const socket = join(volumes, place);
  await listen(join(dir, 'cri.sock'), reach);
  symlinkSync(join(dir, 'cri.sock'), socket);
  await expect(open(stream)).rejects.toThrow(`500: ${socket}: is a symbolic link`);
  unlinkSync(socket);
  rmSync(dirname(socket), { recursive: true });
  mkdirSync(join(dir, 'host'));
  await listen(join(dir, 'host', basename(socket)), reach);
  symlinkSync(join(dir, 'host'), dirname(socket));
  await expect(open(stream)).rejects.toThrow('is a symbolic link');
  expect(reached).toBe(false);
});

describe('port forwarding', () => {
  const at = (): string => join(volumes, 'sockets', 'portforward-sock');

  test('requests the port from the launcher and copies all bytes, including those immediately after its answer', async () => {
    const asked: string[] = [];
    await listen(at(), (socket) => {
      socket.once('data', (line) => {
        asked.push(String(line));
        socket.write('ok\nSSH-2.0-');
        socket.write('dropbear');
        socket.on('data', (data) => socket.write(data));
      });
    });
    const client = await open('portforward/22/tcp');
    await client.reads('SSH-2.0-dropbear');
    const large = 'x'.repeat(300_000) + 'end';
    client.websocket.send(large);
    await client.reads('end');
    expect(asked).toEqual(['tcp 22\n']);
    client.websocket.close();
  });

  test('the guest’s last bytes arrive before the end', async () => {
    await listen(at(), (socket) => socket.once('data', () => socket.end('ok\n' + 'y'.repeat(200_000) + 'last')));
    const client = await open('portforward/80');
    await client.reads('last');
    await client.closed;
  });

  test('a refusal of the launcher is the answer to the upgrade', async () => {
    await listen(at(), (socket) => socket.once('data', () => socket.end('error: connect ECONNREFUSED 10.0.2.2:80\n')));
    await expect(open('portforward/80/tcp')).rejects.toThrow('500: connect ECONNREFUSED 10.0.2.2:80');
  });

  test('a launcher that talks without end is cut off', async () => {
    await listen(at(), (socket) => socket.resume().write('x'.repeat(10_000)));
    await expect(open('portforward/80/udp')).rejects.toThrow('500: the launcher answered without end');
  });
});
