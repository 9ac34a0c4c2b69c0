import type { Socket } from 'node:net';
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { createWebSocketStream } from 'ws';
import type { WebSocket } from 'ws';
import { plainText } from '../../../api/plain-text';

/** Longest status line that a launcher may send before the bytes of a forwarded port. */
const MAX_LINE = 512;
const CONNECT_TIMEOUT_MS = 15_000;
/** Time that a client gets to read the remaining bytes. */
const FLUSH_MS = 2_000;

/** Interval of pings: a client that left while the guest does not read is noticed only by writing to it. */
const PING_MS = 30_000;

export interface PipeLimits {
  readonly pingMs: number;
  readonly flushMs: number;
}

/**
 * Copies bytes in both directions, no faster than the slower side reads, until either side ends: a websocket cannot be half
 * open. Then both sides are closed after their last bytes were delivered. An idle console stays open: a peer that vanished
 * is detected by pings and TCP keepalive.
 */
export async function pipe(
  socket: Socket,
  websocket: WebSocket,
  { pingMs, flushMs }: PipeLimits = { pingMs: PING_MS, flushMs: FLUSH_MS },
): Promise<void> {
  const stream = createWebSocketStream(websocket);
  const closed = (side: Duplex): Promise<void> =>
    new Promise((resolve) => (side.destroyed ? resolve() : side.on('error', () => {}).once('close', () => resolve())));
  const [socketClosed, streamClosed] = [closed(socket), closed(stream)];
  // the stream of a closed websocket stays writable, so the socket would not notice
  const left = new Promise<void>((resolve) => {
    if (websocket.readyState === websocket.CLOSED) resolve();
    else websocket.once('close', () => resolve());
  });
  void streamClosed.then(() => socket.end()); // a failed stream emits no end that the pipe would forward
  const written = new Promise<void>((resolve) => socket.once('finish', () => resolve()));
  // unsent bytes make TCP notice as well; pings would only queue behind them
  const pings = setInterval(() => {
    if (websocket.readyState === websocket.OPEN && websocket.bufferedAmount === 0) websocket.ping();
  }, pingMs);
  stream.pipe(socket);
  socket.pipe(stream);
  await Promise.race([socketClosed, streamClosed, left]);
  clearInterval(pings);
  const flushed = Promise.race(socket.destroyed ? [streamClosed, left] : [written, socketClosed]);
  if (socket.destroyed) stream.end();
  await Promise.race([flushed, pause(flushMs)]);
  socket.destroy();
  stream.destroy();
  websocket.terminate();
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref());

/** Connects to a unix socket; rejects with the cause if that fails or takes too long. */
export async function connected(socket: Socket, timeoutMs = CONNECT_TIMEOUT_MS): Promise<Socket> {
  socket.on('error', () => socket.destroy()); // the caller receives the error
  if (!socket.connecting) return socket;
  const timer = setTimeout(() => socket.destroy(new Error('the launcher does not answer')), timeoutMs);
  try {
    await once(socket, 'connect');
    return socket;
  } finally {
    clearTimeout(timer);
  }
}

/** Requests a port of the guest from the launcher; resolves with the socket after its `ok`. */
export async function openPort(
  socket: Socket,
  protocol: 'tcp' | 'udp',
  port: number,
  timeoutMs = CONNECT_TIMEOUT_MS,
): Promise<Socket> {
  const timer = setTimeout(() => socket.destroy(new Error('the launcher does not answer')), timeoutMs);
  try {
    await connected(socket);
    socket.write(`${protocol} ${port}\n`);
    const line = await readLine(socket);
    if (line === 'ok') return socket;
    const cause = line.startsWith('error: ') ? line.slice('error: '.length) : `unexpected answer "${line}"`;
    throw new Error(plainText(cause, MAX_LINE));
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Reads one line; the following bytes stay in the socket. */
function readLine(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let got = Buffer.alloc(0);
    const settle = (): void => {
      socket.off('readable', onReadable).off('error', onError).off('end', onEnd).off('close', onEnd);
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
    socket.on('readable', onReadable).on('error', onError).on('end', onEnd).on('close', onEnd);
  });
}

/** Counts open streams, by key and in total, and rejects those above the limits. */
export class StreamLimits {
  private readonly taken = new Map<string, number>();
  private total = 0;

  public constructor(
    private readonly perKey: number,
    private readonly most: number,
  ) {}

  /** Reserves a slot; returns the function that releases it, or undefined if none is free. */
  public take(key: string): (() => void) | undefined {
    const now = this.taken.get(key) ?? 0;
    if (now >= this.perKey || this.total >= this.most) return undefined;
    this.taken.set(key, now + 1);
    this.total++;
    let free = false;
    return () => {
      if (free) return;
      free = true;
      this.total--;
      const left = (this.taken.get(key) ?? 1) - 1;
      if (left > 0) this.taken.set(key, left);
      else this.taken.delete(key);
    };
  }
}

/** At most one client per console: a new client closes the previous one. */
export class SingleClient {
  private readonly current = new Map<string, { websocket: WebSocket; closed: Promise<void> }>();

  /** Runs `serve` as the only client of `key`; the previous client is closed with a reason and has finished before `serve` starts. */
  public async take(key: string, websocket: WebSocket, serve: () => Promise<void>): Promise<void> {
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    const before = this.current.get(key);
    this.current.set(key, { websocket, closed });
    try {
      if (before) {
        before.websocket.close(4_409, 'another client connected');
        setTimeout(() => before.websocket.terminate(), 500).unref();
        await before.closed;
      }
      if (websocket.readyState === websocket.OPEN) await serve();
    } finally {
      resolve();
      if (this.current.get(key)?.websocket === websocket) this.current.delete(key);
    }
  }
}
