/**
 * Port forwarding into the guest, from the Pod's own network namespace and to the address that phase 1 gave: an address
 * that the guest reports is never dialed.
 */
import { createSocket } from 'node:dgram';
import { rmSync } from 'node:fs';
import { type Server, type Socket, connect, createServer } from 'node:net';

const MAX_LINE = 64;
const CONNECT_TIMEOUT_MS = 10_000;
const MAX_CONNECTIONS = 256;

function refuse(client: Socket, why: string): void {
  client.end(`error: ${why}\n`);
}

function forwardTcp(client: Socket, address: string, port: number, early: Buffer): void {
  const guest = connect({ host: address, port, timeout: CONNECT_TIMEOUT_MS, allowHalfOpen: true });
  guest.once('timeout', () => guest.destroy(new Error(`no answer within ${CONNECT_TIMEOUT_MS / 1000} s`)));
  guest.once('error', (error) => refuse(client, `guest port ${port}: ${error.message}`));
  guest.once('connect', () => {
    guest.setTimeout(0);
    guest.removeAllListeners('error');
    guest.on('error', () => client.destroy());
    client.write('ok\n');
    if (early.length > 0) guest.write(early);
    client.pipe(guest).pipe(client);
    client.once('close', () => guest.destroy());
    guest.once('close', () => client.destroySoon());
  });
}

function forwardUdp(client: Socket, address: string, port: number, early: Buffer): void {
  const guest = createSocket('udp4');
  guest.once('error', (error) => client.destroy(error));
  guest.connect(port, address, () => {
    client.write('ok\n');
    if (early.length > 0) guest.send(early);
    client.on('data', (chunk: Buffer) => guest.send(chunk));
    guest.on('message', (message) => client.write(message));
    client.once('close', () => guest.close());
    client.resume();
  });
}

function serve(client: Socket, addressOf: () => string | undefined): void {
  let line = Buffer.alloc(0);
  client.on('error', () => client.destroy());
  const onData = (chunk: Buffer): void => {
    line = Buffer.concat([line, chunk]);
    const end = line.indexOf(0x0a);
    if (end < 0 && line.length <= MAX_LINE) return;
    client.off('data', onData);
    client.pause();
    const match = /^(tcp|udp) (\d{1,5})$/.exec(line.toString('latin1', 0, Math.max(end, 0)));
    const port = Number(match?.[2]);
    const address = addressOf();
    if (!match || port < 1 || port > 65535)
      return refuse(client, 'the first line must be "tcp <port>" or "udp <port>"');
    if (!address) return refuse(client, 'the guest has no address on the pod network');
    const early = line.subarray(end + 1);
    if (match[1] === 'tcp') forwardTcp(client, address, port, early);
    else forwardUdp(client, address, port, early);
  };
  client.on('data', onData);
}

/** Listens on a unix socket. */
export function servePortForward(path: string, addressOf: () => string | undefined): Promise<Server> {
  rmSync(path, { force: true });
  const server = createServer({ allowHalfOpen: true }, (client) => serve(client, addressOf));
  server.maxConnections = MAX_CONNECTIONS;
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => resolve(server));
  });
}
