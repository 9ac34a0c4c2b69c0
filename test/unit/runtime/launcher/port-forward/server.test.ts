import { createSocket, Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LIMITS, servePortForward } from '../../../../../src/runtime/launcher/port-forward/server';
import type { Limits } from '../../../../../src/runtime/launcher/port-forward/server';
import { sleep } from '../../../../support/patience';
import { until } from '../../../../support/until';

/** The guest is this machine's loopback. */

const MIB = 1 << 20;
const directory = mkdtempSync(join(tmpdir(), 'virt8s-forward-'));
const path = join(directory, 'sock');
const cleanups: (() => unknown)[] = [];
let forwarder: Server;

async function start(limits: Partial<Limits> = {}, address: string | undefined = '127.0.0.1'): Promise<void> {
  forwarder = await servePortForward(path, () => address, { ...LIMITS, ...limits });
  cleanups.push(() => forwarder.close());
}

afterEach(() => {
  for (const cleanup of cleanups.splice(0).reverse()) cleanup();
});
afterAll(() => rmSync(directory, { recursive: true }));

/** A guest's port, and the connections that it has. */
async function guest(serve: (socket: Socket) => void): Promise<{ port: number; sockets: Socket[] }> {
  const sockets: Socket[] = [];
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.push(socket.on('error', () => {}));
    cleanups.push(() => socket.destroy());
    serve(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => server.close());
  return { port: (server.address() as AddressInfo).port, sockets };
}

function client(first: string): Socket {
  const socket = connect({ path, allowHalfOpen: true }).on('error', () => {});
  cleanups.push(() => socket.destroy());
  socket.write(first);
  return socket;
}

/** Resolves when the other side has ended the connection in any way. */
const over = (socket: Socket): Promise<void> =>
  new Promise((resolve) => socket.once('end', () => resolve()).once('close', () => resolve()));

/** Everything until the other side has ended. */
async function all(socket: Socket): Promise<string> {
  let got = '';
  for await (const chunk of socket) got += String(chunk);
  return got;
}

const open = (): Promise<number> =>
  new Promise((resolve, reject) =>
    forwarder.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );

/** Resolves when the forwarder has no connections left; a leak is a test that times out. */
async function nothingOpen(): Promise<void> {
  await until(async () => (await open()) === 0, { everyMs: 5 });
}

test('bytes pass both ways, also those behind the first line, and half-closing reaches the guest', async () => {
  await start();
  const { port } = await guest((socket) => void all(socket).then((said) => socket.end(`heard ${said}`)));
  const socket = client(`tcp ${port}\nearly `);
  socket.end('late');
  expect(await all(socket)).toBe('ok\nheard early late');
  await nothingOpen();
});

test('the guest’s end arrives after its last bytes, and the client can still send', async () => {
  await start();
  const heard = Promise.withResolvers<string>();
  const { port } = await guest((socket) => {
    socket.end('y'.repeat(MIB) + 'last');
    void all(socket).then(heard.resolve);
  });
  const socket = client(`tcp ${port}\n`);
  expect((await all(socket)).slice(-4)).toBe('last');
  socket.end('bye');
  expect(await heard.promise).toBe('bye');
  await nothingOpen();
});

test.each<[string, string | undefined, (port: number) => string, string | RegExp]>([
  [
    'a port where nothing listens',
    '127.0.0.1',
    (port) => `tcp ${port}\n`,
    /^error: guest port \d+: connect ECONNREFUSED/,
  ],
  ['a guest without an address', undefined, () => 'tcp 22\n', 'error: the guest has no address on the pod network\n'],
  ['nonsense', '127.0.0.1', () => 'GET / HTTP/1.1\n', 'error: the first line must be "tcp <port>" or "udp <port>"\n'],
])('%s is rejected with the cause, and nothing stays open', async (_, address, first, cause) => {
  forwarder = await servePortForward(path, () => address);
  cleanups.push(() => forwarder.close());
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  const socket = client(first(port));
  expect(await all(socket)).toMatch(cause);
  socket.end();
  await nothingOpen();
});

test('a guest that does not read stops the client, which continues at the same byte', async () => {
  await start();
  const { port, sockets } = await guest((socket) => socket.pause());
  const socket = client(`tcp ${port}\n`);
  await once(socket, 'data');
  const total = 64 * MIB;
  let sent = 0;
  const block = Buffer.alloc(MIB);
  const send = (): void => {
    while (sent < total && socket.write(block)) sent += block.length;
    if (sent >= total) socket.end();
  };
  socket.on('drain', () => ((sent += block.length), send()));
  send();
  // a forwarder without backpressure takes everything; this one takes what the kernel's buffers and its own hold
  const other = client(`tcp ${port}\n`);
  await once(other, 'data');
  for (let i = 0; i < 50; i++) await open();
  expect(socket.bytesWritten - socket.writableLength).toBeLessThan(total / 2);
  let got = 0;
  sockets[0].on('data', (chunk: Buffer) => (got += chunk.length)).resume();
  await once(sockets[0], 'end');
  expect(got).toBe(total);
});

test.each<[string, number]>([
  ['', 0],
  [', also after it was idle for that time', 250],
])(
  'a connection without a client whose guest does not read is closed in time%s, and an idle one is not',
  async (_, idleMs) => {
    await start({ stalledMs: 200 });
    const { port, sockets } = await guest((socket) => socket.pause());
    const idle = client(`tcp ${port}\n`);
    await once(idle, 'data');
    const accepted = once(forwarder, 'connection') as Promise<[Socket]>;
    const leaving = client(`tcp ${port}\n`);
    const [connection] = await accepted;
    await once(leaving, 'data');
    // eslint-disable-next-line virt8s/patience -- it was idle for longer than its limit
    await sleep(idleMs);
    // more than all buffers on the way take; once they are full, the forwarder does not read its client any more
    leaving.write(Buffer.alloc(64 * MIB));
    let [same, last] = [0, 0];
    const isAtRest = (): boolean => {
      same = connection.bytesRead === last ? same + 1 : 0;
      last = connection.bytesRead;
      return same === 20 || connection.destroyed;
    };
    await until(isAtRest, { everyMs: 5 });
    leaving.destroy();
    await until(async () => (await open()) <= 1, { everyMs: 5 });
    // its time was over before the other's began to count
    idle.write('still here');
    const [heard] = (await once(sockets[0].resume(), 'data')) as [Buffer];
    expect(String(heard)).toBe('still here');
  },
);

test('a client that does not read stops the guest', async () => {
  await start();
  const total = 64 * MIB;
  const { port, sockets } = await guest((socket) => socket.write(Buffer.alloc(total)));
  const socket = client(`tcp ${port}\n`);
  await once(socket, 'readable');
  for (let i = 0; i < 50; i++) await open();
  expect(sockets[0].bytesWritten - sockets[0].writableLength).toBeLessThan(total / 2);
});

describe('a client that disconnects closes the guest’s connection', () => {
  test.each<[string, (socket: Socket) => unknown]>([
    ['when bytes pass', (socket) => once(socket, 'data')],
    ['before it reads the answer', (socket) => new Promise((resolve) => socket.write('x', resolve))],
  ])('%s', async (_, passes) => {
    await start({ lingerMs: 20 });
    // this guest never ends its side
    const { port, sockets } = await guest((socket) => void socket.resume().write('hello'));
    const before = handles('TCPSocketWrap');
    const socket = client(`tcp ${port}\n`);
    await passes(socket);
    socket.destroy();
    await nothingOpen();
    // only the guest's own end is left
    await until(() => handles('TCPSocketWrap') <= before + sockets.length, { everyMs: 5 });
    expect(sockets).toHaveLength(1);
  });
});

const handles = (name: string): number => process.getActiveResourcesInfo().filter((one) => one === name).length;

test.each<[string, Partial<Limits>, string]>([
  ['a client that never sends its request', { requestMs: 20 }, 'tcp 2'],
  ['a client that ends before its request', {}, ''],
  ['a refused client that keeps its half open', { lingerMs: 20 }, 'nonsense\n'],
])('%s is closed', async (_, limits, first) => {
  await start(limits);
  const { port } = await guest((socket) => socket.resume());
  const socket = client(first.replace('PORT', String(port)));
  if (first === '') socket.end();
  socket.resume();
  await over(socket);
  if (first !== 'nonsense\n') socket.end();
  await nothingOpen();
});

test('no more connections than allowed are open', async () => {
  await start({ maxConnections: 2 });
  const { port } = await guest(() => {});
  const two = [client(`tcp ${port}\n`), client(`tcp ${port}\n`)];
  for (const socket of two) await once(socket, 'data');
  const third = client(`tcp ${port}\n`).resume();
  await over(third);
  expect(await open()).toBe(2);
});

describe('UDP', () => {
  async function udpGuest(): Promise<{ port: number; received: Buffer[] }> {
    const received: Buffer[] = [];
    const socket = createSocket('udp4', (packet, from) => {
      received.push(packet);
      socket.send(Buffer.concat([Buffer.from('re:'), packet.subarray(0, 10)]), from.port);
    });
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    cleanups.push(() => socket.close());
    return { port: socket.address().port, received };
  }

  test('packets pass both ways until the client leaves', async () => {
    await start({ lingerMs: 20 });
    const { port } = await udpGuest();
    const before = handles('UDPWrap');
    const socket = client(`udp ${port}\nquery`);
    let got = '';
    socket.on('data', (chunk) => (got += String(chunk)));
    while (!got.includes('re:query')) await once(socket, 'data');
    expect(got).toBe('ok\nre:query');
    socket.destroy();
    await nothingOpen();
    await until(() => handles('UDPWrap') <= before, { everyMs: 5 });
  });

  test('more bytes than fit into a packet are several packets', async () => {
    await start();
    const { port, received } = await udpGuest();
    const socket = client(`udp ${port}\n`).resume();
    await once(socket, 'data');
    socket.write(Buffer.alloc(200_000));
    const bytes = (): number => received.reduce((sum, packet) => sum + packet.length, 0);
    await until(() => bytes() >= 200_000, { everyMs: 5 });
    expect(Math.max(...received.map(({ length }) => length))).toBeLessThanOrEqual(65_507);
  });

  test('a port where nothing listens yet refuses packets, and answers once something does', async () => {
    await start();
    const closed = createSocket('udp4');
    await new Promise<void>((resolve) => closed.bind(0, '127.0.0.1', resolve));
    const { port } = closed.address();
    await new Promise<void>((resolve) => closed.close(resolve));
    const socket = client(`udp ${port}\n`);
    await once(socket, 'data');
    const emit = jest.spyOn(UdpSocket.prototype, 'emit');
    cleanups.push(() => emit.mockRestore());
    const isRefused = (): boolean =>
      emit.mock.calls.some((call: unknown[]) => call[0] === 'error' && /ECONNREFUSED/.test(String(call[1])));
    await until(
      () => {
        socket.write('anybody?');
        return isRefused();
      },
      { everyMs: 5 },
    );
    const late = createSocket('udp4', (_, from) => late.send('here', from.port));
    await new Promise<void>((resolve) => late.bind(port, '127.0.0.1', resolve));
    cleanups.push(() => late.close());
    const again = setInterval(() => socket.write('anybody?'), 5);
    cleanups.push(() => clearInterval(again));
    expect(String(await Promise.race([once(socket, 'data'), over(socket)]))).toContain('here');
    clearInterval(again);
  });
});

test.each(['tcp', 'udp'])(
  'a %s connection without traffic stays open, until its client has ended its side',
  async (protocol) => {
    await start({ lingerMs: 20 });
    const accepted = once(forwarder, 'connection') as Promise<[Socket]>;
    const { port } = await guest((socket) => socket.resume());
    const socket = client(`${protocol} ${port}\n`);
    const [connection] = await accepted;
    await once(socket, 'data');
    // the timeouts of sockets follow no clock that a test can set, so there must be none
    expect(connection.timeout ?? 0).toBe(0);
    socket.end();
    await nothingOpen();
  },
);
