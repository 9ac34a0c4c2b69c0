/**
 * Port forwarding into the guest, from the Pod's own network namespace and to the address that phase 1 assigned: an address
 * that the guest reports is never dialed. A client sends `tcp PORT` or `udp PORT` as its first line and receives `ok` or
 * `error: CAUSE`; then bytes are copied in both directions, no faster than the slower side reads.
 */
import { createSocket } from 'node:dgram';
import { rmSync } from 'node:fs';
import { type Server, type Socket, connect, createServer } from 'node:net';
import { parseRequest } from './request';

export interface Limits {
  /** Concurrent connections; further ones are closed immediately. */
  readonly maxConnections: number;
  /** Time between connecting and the complete first line. */
  readonly requestMs: number;
  /** Time for the guest's answer to a connection. */
  readonly connectMs: number;
  /**
   * Idle time after which a connection ends whose client has closed its side: the launcher cannot distinguish a client that left
   * from one that waits for an answer. Other connections stay open, because virt-handler watches their clients.
   */
  readonly lingerMs: number;
  /**
   * Time after which a TCP connection ends whose guest reads none of the waiting data: its client is not read in that time, so
   * it could leave without being noticed.
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

/** Interval after which the kernel probes a silent guest. */
const KEEP_ALIVE_MS = 30_000;
/** Largest payload of a UDP packet over IPv4. */
const MAX_DATAGRAM = 65_507;

/** Rejects a client, and closes its half after a time: the number of connections is limited. */
function reject(client: Socket, why: string, { lingerMs }: Limits): void {
  client.setTimeout(lingerMs, () => client.destroy());
  client.end(`error: ${why}\n`);
  client.resume();
}

/** All traffic of a connection passes through its client, in one direction or the other. */
function closeWhenLeft(client: Socket, { lingerMs }: Limits): void {
  client.once('end', () => client.setTimeout(lingerMs, () => client.destroy()));
}

function forwardTcp(client: Socket, address: string, port: number, limits: Limits): void {
  const guest = connect({ host: address, port, allowHalfOpen: true });
  const late = setTimeout(
    () => guest.destroy(new Error(`no answer within ${limits.connectMs / 1_000} s`)),
    limits.connectMs,
  );
  // a client may leave at any time, even before the guest has answered
  client.once('close', () => guest.destroy());
  guest.once('close', () => clearTimeout(late));
  let failed: (error: Error) => void = (error) => reject(client, `guest port ${port}: ${error.message}`, limits);
  guest.on('error', (error) => failed(error));
  guest.once('connect', () => {
    clearTimeout(late);
    failed = () => client.destroy();
    guest.setKeepAlive(true, KEEP_ALIVE_MS);
    closeWhenLeft(client, limits);
    // a connection without waiting data is idle; the next traffic restarts the time, which may pass many times
    guest.setTimeout(limits.stalledMs).on('timeout', () => guest.writableNeedDrain && client.destroy());
    guest.once('close', () => client.destroySoon());
    client.write('ok\n');
    client.pipe(guest).pipe(client);
  });
}

function forwardUdp(client: Socket, address: string, port: number, limits: Limits): void {
  const guest = createSocket('udp4');
  client.once('close', () => guest.close());
  closeWhenLeft(client, limits);
  // a port without a listener rejects packets, which is the guest's answer and not the end
  guest.on('error', (error: NodeJS.ErrnoException) => error.code !== 'ECONNREFUSED' && client.destroy());
  guest.connect(port, address, () => {
    client.write('ok\n');
    // UDP allows loss, so packets that a slow client does not read are dropped
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
    if ('error' in request) return reject(client, request.error, limits);
    const address = addressOf();
    if (!address) return reject(client, 'the guest has no address on the pod network', limits);
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
