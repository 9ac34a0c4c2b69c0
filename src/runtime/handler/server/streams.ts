import type { Socket } from 'node:net';
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { createWebSocketStream } from 'ws';
import type { WebSocket } from 'ws';

/** Longest status line that a launcher may answer before the bytes of a forwarded port. */
const MAX_LINE = 512;
const CONNECT_TIMEOUT_MS = 15_000;
/** How long a client may take to read the rest. */
const FLUSH_MS = 2_000;

/** Copies bytes both ways, with backpressure, until either side ends; then both are gone. */
export async function pipe(socket: Socket, websocket: WebSocket): Promise<void> {
  const stream = createWebSocketStream(websocket);
  const closed = (side: Duplex): Promise<void> =>
    new Promise((resolve) => (side.destroyed ? resolve() : side.on('error', () => {}).once('close', () => resolve())));
  const [socketClosed, streamClosed] = [closed(socket), closed(stream)];
  stream.pipe(socket);
  socket.pipe(stream);
  await Promise.race([socketClosed, streamClosed]);
  if (!stream.destroyed) {
    // what the guest said last goes out before the end does
    stream.end();
    await Promise.race([streamClosed, pause(FLUSH_MS)]);
  }
  socket.destroy();
  stream.destroy();
  websocket.terminate();
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref());

/** Waits until a unix socket is connected, or tells why it is not. */
export async function connected(socket: Socket): Promise<Socket> {
  if (socket.connecting) await once(socket, 'connect');
  return socket;
}

/** Asks the launcher for a port of the guest: resolves with the socket once it said `ok`. */
export async function openPort(socket: Socket, protocol: 'tcp' | 'udp', port: number): Promise<Socket> {
  const timer = setTimeout(() => socket.destroy(new Error('the launcher does not answer')), CONNECT_TIMEOUT_MS);
  try {
    await connected(socket);
    socket.write(`${protocol} ${port}\n`);
    const line = await readLine(socket);
    if (line === 'ok') return socket;
    throw new Error(line.startsWith('error: ') ? line.slice('error: '.length) : `unexpected answer "${line}"`);
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** One line; what follows it stays in the socket. */
function readLine(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let got = Buffer.alloc(0);
    const settle = (): void => {
      socket.off('readable', onReadable).off('error', onError).off('end', onEnd);
    };
    const onError = (error: Error): void => {
      settle();
      reject(error);
    };
    const onEnd = (): void => onError(new Error('the launcher closed the connection'));
    const onReadable = (): void => {
      for (let chunk = socket.read() as Buffer | null; chunk; chunk = socket.read() as Buffer | null) {
        got = Buffer.concat([got, chunk]);
        const end = got.indexOf('\n');
        if (end < 0 && got.length <= MAX_LINE) continue;
        settle();
        if (end < 0) return reject(new Error('the launcher answered without end'));
        if (end + 1 < got.length) socket.unshift(got.subarray(end + 1));
        return resolve(got.subarray(0, end).toString().trim());
      }
    };
    socket.on('readable', onReadable).on('error', onError).on('end', onEnd);
  });
}

/** At most one client per console: a new one ends the one before. */
export class SingleClient {
  private readonly current = new Map<string, { websocket: WebSocket; gone: Promise<void> }>();

  /** Runs `serve` as the only client of `key`; the one before is told, and has let go when `serve` starts. */
  public async take(key: string, websocket: WebSocket, serve: () => Promise<void>): Promise<void> {
    const { promise: gone, resolve } = Promise.withResolvers<void>();
    const before = this.current.get(key);
    this.current.set(key, { websocket, gone });
    try {
      if (before) {
        before.websocket.close(4_409, 'another client connected');
        setTimeout(() => before.websocket.terminate(), 500).unref();
        await before.gone;
      }
      if (websocket.readyState === websocket.OPEN) await serve();
    } finally {
      resolve();
      if (this.current.get(key)?.websocket === websocket) this.current.delete(key);
    }
  }
}
