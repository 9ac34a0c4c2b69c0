/**
 * Port forwarding into the guest, from the Pod's own network namespace and to the address that phase 1 gave: an address
 * that the guest reports is never dialed. A client says `tcp PORT` or `udp PORT` in its first line, and reads `ok` or
 * `error: CAUSE`; then bytes pass both ways, no faster than the slower side reads.
 */
import { createSocket } from 'node:dgram';
import { rmSync } from 'node:fs';
import { type Server, type Socket, connect, createServer } from 'node:net';
import { parseRequest } from './request';

export interface Limits {
  /** Connections at a time; further ones are closed at once. */
  readonly maxConnections: number;
  /** Between connecting and the whole first line. */
  readonly requestMs: number;
  /** For the guest's answer to a connection. */
  readonly connectMs: number;
  /**
   * A connection whose client has ended its side, and which has no traffic, ends after this time: whether the client left
   * or waits for an answer cannot be seen. Others stay open: their clients are watched by virt-handler.
   */
  readonly lingerMs: number;
  /**
   * A TCP connection whose guest takes nothing of what waits for it ends after this time: its client is not read
   * meanwhile, so that it could leave without being noticed.
   */
  readonly stalledMs: number;
}

export const LIMITS: Limits = {
  maxConnections: 256,
  requestMs: 5_000,
  connectMs: 10_000,
  lingerMs: 30_000,
  stalledMs: 300_000,
};

/** A guest that vanished without a word is noticed by the kernel. */
const KEEP_ALIVE_MS = 30_000;
/** Largest payload of a UDP packet over IPv4. */
const MAX_DATAGRAM = 65_507;

/** A client that keeps its half open loses it in time: places are few. */
function refuse(client: Socket, why: string, { lingerMs }: Limits): void {
  client.setTimeout(lingerMs, () => client.destroy());
  client.end(`error: ${why}\n`);
  client.resume();
}

/** All traffic of a connection passes its client, in one direction or the other. */
function closeWhenLeft(client: Socket, { lingerMs }: Limits): void {
  client.once('end', () => client.setTimeout(lingerMs, () => client.destroy()));
}

function forwardTcp(client: Socket, address: string, port: number, limits: Limits): void {
  const guest = connect({ host: address, port, allowHalfOpen: true });
  const late = setTimeout(
    () => guest.destroy(new Error(`no answer within ${limits.connectMs / 1_000} s`)),
    limits.connectMs,
  );
  // a client may leave at any time, also while the guest has not answered yet
  client.once('close', () => guest.destroy());
  guest.once('close', () => clearTimeout(late));
  let failed: (error: Error) => void = (error) => refuse(client, `guest port ${port}: ${error.message}`, limits);
  guest.on('error', (error) => failed(error));
  guest.once('connect', () => {
    clearTimeout(late);
    failed = () => client.destroy();
    guest.setKeepAlive(true, KEEP_ALIVE_MS);
    closeWhenLeft(client, limits);
    // without traffic; a connection where nothing waits is idle, and its next traffic begins the time again
    guest.setTimeout(limits.stalledMs, () => guest.writableNeedDrain && client.destroy());
    guest.once('close', () => client.destroySoon());
    client.write('ok\n');
    client.pipe(guest).pipe(client);
  });
}

function forwardUdp(client: Socket, address: string, port: number, limits: Limits): void {
  const guest = createSocket('udp4');
  client.once('close', () => guest.close());
  closeWhenLeft(client, limits);
  // a port without a listener refuses packets; that is the guest's answer, not the end
  guest.on('error', (error: NodeJS.ErrnoException) => error.code !== 'ECONNREFUSED' && client.destroy());
  guest.connect(port, address, () => {
    client.write('ok\n');
    // packets may be lost, so those that a slow client does not read are
    guest.on('message', (message) => !client.writableNeedDrain && client.write(message));
    client.on('data', (chunk: Buffer) => {
      client.pause();
      const packets = Array.from({ length: Math.ceil(chunk.length / MAX_DATAGRAM) }, (_, i) =>
        chunk.subarray(i * MAX_DATAGRAM, (i + 1) * MAX_DATAGRAM),
      );
      let left = packets.length;
      for (const packet of packets) guest.send(packet, () => --left === 0 && client.resume());
    });
    client.resume();
  });
}

function serve(client: Socket, addressOf: () => string | undefined, limits: Limits): void {
  let line: Buffer = Buffer.alloc(0);
  const slow = setTimeout(() => client.destroy(), limits.requestMs);
  client.once('close', () => clearTimeout(slow));
  client.on('error', () => client.destroy());
  const onEnd = (): void => void client.destroy();
  client.once('end', onEnd);
  const onData = (chunk: Buffer): void => {
    line = Buffer.concat([line, chunk]);
    const request = parseRequest(line);
    if (!request) return;
    clearTimeout(slow);
    client.off('data', onData).off('end', onEnd).pause();
    if ('error' in request) return refuse(client, request.error, limits);
    const address = addressOf();
    if (!address) return refuse(client, 'the guest has no address on the pod network', limits);
    if (request.early.length > 0) client.unshift(request.early);
    const forward = request.protocol === 'tcp' ? forwardTcp : forwardUdp;
    forward(client, address, request.port, limits);
  };
  client.on('data', onData);
}

/** Listens on a unix socket. */
export function servePortForward(
  path: string,
  addressOf: () => string | undefined,
  limits: Limits = LIMITS,
): Promise<Server> {
  rmSync(path, { force: true });
  const server = createServer({ allowHalfOpen: true }, (client) => serve(client, addressOf, limits));
  server.maxConnections = limits.maxConnections;
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => resolve(server));
  });
}
