import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket, WebSocketServer } from 'ws';
import { connected, openPort, pipe, StreamLimits } from '../../../../../src/runtime/handler/server/streams';
import { until } from '../../../../support/until';

const MIB = 1 << 20;
const directory = mkdtempSync(join(tmpdir(), 'virt8s-streams-'));
const path = join(directory, 'sock');
const cleanups: (() => unknown)[] = [];

afterEach(() => {
  for (const cleanup of cleanups.splice(0).reverse()) cleanup();
});
afterAll(() => rmSync(directory, { recursive: true }));

/** The launcher's side: a unix socket. */
async function launcher(serve: (socket: Socket) => void): Promise<Server> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    cleanups.push(() => socket.destroy());
    serve(socket.on('error', () => {}));
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  cleanups.push(() => server.close());
  return server;
}

/** A client of the handler and the handler's end of its websocket. */
async function websockets(): Promise<{ client: WebSocket; server: WebSocket }> {
  const wss = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(wss, 'listening');
  const client = new WebSocket(`ws://127.0.0.1:${(wss.address() as { port: number }).port}`);
  cleanups.push(
    () => client.terminate(),
    () => wss.close(),
  );
  const [[server]] = (await Promise.all([once(wss, 'connection'), once(client, 'open')])) as [[WebSocket], unknown];
  return { client, server };
}

const LIMITS = { pingMs: 20, flushMs: 60_000 };

/** Waits until a side is not read any more, and two looks with many turns between them see the same number of bytes. */
async function comesToRest(isPaused: () => boolean, bytes: () => number): Promise<void> {
  let before = -1;
  const isAtRest = (): boolean => {
    const same = isPaused() && bytes() === before;
    before = bytes();
    return same;
  };
  await until(isAtRest, { everyMs: 50 });
}

describe('a pipe', () => {
  test('delivers the last bytes of the client, closes everything when it leaves, and ends', async () => {
    const heard = Promise.withResolvers<number>();
    await launcher((socket) => {
      let bytes = 0;
      socket.on('data', (chunk) => (bytes += chunk.length)).once('end', () => heard.resolve(bytes));
    });
    const { client, server } = await websockets();
    const socket = connect(path);
    const done = pipe(socket, server, LIMITS);
    client.send(Buffer.alloc(MIB));
    client.close();
    expect(await heard.promise).toBe(MIB); // the launcher never ends its side
    await done;
    expect(socket.destroyed).toBe(true);
    expect(server.readyState).toBe(server.CLOSED);
  });

  test('delivers the last bytes of the guest, and ends', async () => {
    await launcher((socket) => socket.end(Buffer.alloc(MIB)));
    const { client, server } = await websockets();
    let bytes = 0;
    client.on('message', (data: Buffer) => (bytes += data.length));
    const socket = connect(path);
    const done = pipe(socket, server, LIMITS);
    await once(client, 'close');
    expect(bytes).toBe(MIB);
    await done;
    expect(socket.destroyed).toBe(true);
  });

  test('ends when the client is cut off and the launcher does not read', async () => {
    await launcher((socket) => socket.pause());
    const { client, server } = await websockets();
    const socket = connect(path);
    const done = pipe(socket, server, { ...LIMITS, flushMs: 50 });
    client.send(Buffer.alloc(MIB), () => client.terminate());
    await done;
    expect(socket.destroyed).toBe(true);
  });

  test('without traffic stays open for a day, and the client is pinged all the time', async () => {
    const guest = Promise.withResolvers<Socket>();
    await launcher((socket) => {
      socket.resume().write('login: ');
      guest.resolve(socket);
    });
    const { client, server } = await websockets();
    const socket = connect(path);
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'setTimeout', 'clearTimeout'] });
    cleanups.push(() => jest.useRealTimers());
    const done = pipe(socket, server);
    await once(client, 'message');
    // the timeouts of sockets follow another clock, so there must be none
    expect(socket.timeout ?? 0).toBe(0);
    const ping = jest.spyOn(server, 'ping').mockImplementation();
    jest.advanceTimersByTime(24 * 3_600_000);
    expect(ping).toHaveBeenCalledTimes(24 * 120);
    const echo = once(client, 'message');
    (await guest.promise).write('still there');
    expect(String((await echo)[0])).toBe('still there');
    client.close();
    await done;
  });

  test('does not ping a client with undelivered bytes, and resumes after their delivery', async () => {
    await launcher((socket) => socket.resume());
    const { client, server } = await websockets();
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'setTimeout', 'clearTimeout'] });
    cleanups.push(() => jest.useRealTimers());
    const socket = connect(path);
    const done = pipe(socket, server);
    client.pause();
    const ping = jest.spyOn(server, 'ping').mockImplementation();
    const sent = new Promise((resolve) => server.send(Buffer.alloc(64 * MIB), resolve));
    jest.advanceTimersByTime(3_600_000);
    expect(ping).not.toHaveBeenCalled();
    client.resume();
    await sent;
    jest.advanceTimersByTime(30_000);
    expect(ping).toHaveBeenCalledTimes(1);
    client.close();
    await done;
  });

  test('stops a guest whose client does not read', async () => {
    const guest = Promise.withResolvers<Socket>();
    await launcher((socket) => {
      socket.write(Buffer.alloc(32 * MIB));
      guest.resolve(socket);
    });
    const { client, server } = await websockets();
    const first = once(client, 'message');
    const launched = connect(path);
    const done = pipe(launched, server, LIMITS);
    await first;
    client.pause();
    const socket = await guest.promise;
    const taken = (): number => socket.bytesWritten - socket.writableLength;
    await comesToRest(() => launched.isPaused(), taken);
    expect(taken()).toBeLessThan(24 * MIB);
    client.terminate();
    await done;
  });

  test('stops a client whose guest does not read, and notices that it leaves', async () => {
    await launcher((socket) => socket.pause());
    const { client, server } = await websockets();
    const done = pipe(connect(path), server, { ...LIMITS, flushMs: 50 });
    let taken = 0;
    server.on('message', () => taken++);
    for (let i = 0; i < 512; i++) client.send(Buffer.alloc(64 << 10));
    await comesToRest(
      () => server.isPaused,
      () => taken,
    );
    expect(taken).toBeLessThan(256);
    client.terminate();
    await done;
  });
});

describe('asking the launcher for a port', () => {
  test.each([
    ['error: connect ECONNREFUSED\n', 'connect ECONNREFUSED'],
    ['error: \u001b[2J\u202egone\n', '?[2J?gone'],
    ['no\u0007\n', 'unexpected answer "no?"'],
    [`${'x'.repeat(600)}`, 'the launcher answered without end'],
  ])('the answer %j is a refusal', async (answer, message) => {
    await launcher((socket) => socket.resume().write(answer));
    const socket = connect(path);
    await expect(openPort(socket, 'tcp', 22)).rejects.toThrow(message);
    expect(socket.destroyed).toBe(true);
  });

  test('a launcher that closes, or is silent, is a failure', async () => {
    await launcher((socket) => socket.resume().end());
    await expect(openPort(connect(path), 'tcp', 22)).rejects.toThrow('the launcher closed the connection');
    cleanups
      .splice(0)
      .reverse()
      .forEach((cleanup) => cleanup());
    await launcher(() => {});
    await expect(openPort(connect(path), 'tcp', 22, 30)).rejects.toThrow('the launcher does not answer');
  });

  test('a socket without a listener is a failure with its cause', async () => {
    await expect(connected(connect(join(directory, 'nobody')))).rejects.toThrow('ENOENT');
    await expect(openPort(connect(join(directory, 'nobody')), 'udp', 53)).rejects.toThrow('ENOENT');
  });
});

test('places are limited by key and in all, and are free again once', () => {
  const places = new StreamLimits(2, 3);
  const [a1, a2] = [places.take('a'), places.take('a')];
  expect(places.take('a')).toBeUndefined();
  expect(places.take('b')).toBeDefined();
  expect(places.take('b')).toBeUndefined();
  a1!();
  a1!();
  expect(places.take('a')).toBeDefined();
  expect(places.take('a')).toBeUndefined();
  a2!();
  expect(places.take('c')).toBeDefined();
});
