import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import type { Readable, Writable, Duplex } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { GuestConnection, Kind } from './connection';
import { ClientError, messageOf } from './errors';

/** Input has ended: answers are awaited until there are none for this long. A websocket cannot be closed by halves. */
const QUIET_MS = 5_000;

/** Joins a local stream, or two, with a guest's port. The end of the guest's side is the caller's to await, and to tell. */
export function joinGuest(input: Readable, output: Writable, guest: Duplex): void {
  input.pipe(guest, { end: false });
  guest.pipe(output, { end: false });
  input.once('end', () => {
    const timer = setTimeout(() => guest.end(), QUIET_MS);
    guest.on('data', () => timer.refresh());
    guest.once('close', () => clearTimeout(timer));
  });
  output.on('error', () => guest.destroy());
}

/** A port of a guest. */
export interface GuestPort {
  readonly kind: Kind;
  readonly name: string;
  readonly namespace: string;
  readonly port: number;
}

/** A local port that leads to one of a guest. */
export interface LocalPort {
  readonly address: string;
  readonly port: number;
  /** Ends the port and all its connections. */
  close(): void;
}

/**
 * Listens on a local port; each connection gets a stream to the guest.
 *
 * @param local port 0: any free one
 * @param onError told when one connection fails; its client sees a reset
 * @throws ClientError when the port cannot be had
 */
export async function listenTcp(
  connection: GuestConnection,
  guest: GuestPort,
  local: { readonly address: string; readonly port: number },
  onError: (message: string) => void,
): Promise<LocalPort> {
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    socket.on('error', () => socket.destroy());
    forward(connection, guest, socket).catch((error: unknown) => {
      onError(`cannot forward to port ${guest.port} of ${guest.kind}/${guest.name}: ${messageOf(error)}`);
      // a reset, so that the client does not take it for an empty answer
      socket.resetAndDestroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(cannotListen(local, error)));
    server.listen({ host: local.address, port: local.port }, resolve);
  });
  const { address, port } = server.address() as AddressInfo;
  return {
    address,
    port,
    close: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

/** Why a local port cannot be had. */
export const cannotListen = (
  { address, port }: { readonly address: string; readonly port: number },
  error: NodeJS.ErrnoException,
): ClientError =>
  new ClientError(
    error.code === 'EADDRINUSE'
      ? `port ${port} of ${address} is in use; name another, or 0 for any free one`
      : `cannot listen on port ${port} of ${address}: ${messageOf(error)}`,
  );

async function forward(connection: GuestConnection, guest: GuestPort, local: Socket): Promise<void> {
  const { kind, name, namespace, port } = guest;
  const { bytes, ended, socket } = await connection.socket(kind, name, `portforward/${port}/tcp`, namespace);
  local.once('close', () => socket.close(1000));
  joinGuest(local, local, bytes);
  const { code, reason } = await ended;
  const regular = code === 1000 || code === 1005 || local.destroyed;
  if (!regular) throw new ClientError(endedText(guest, port, code, reason));
  // what came last is still on its way; a socket that was ended could not be reset any more, and would never close
  await finished(bytes, { writable: false }).catch(() => undefined);
  local.end();
}

/** Why a forwarded connection broke off. */
export const endedText = (
  guest: { readonly kind: Kind; readonly name: string },
  port: number,
  code: number,
  reason: string,
): string =>
  `connection to port ${port} of ${guest.kind}/${guest.name} broke off: ${reason || `websocket closed with ${code}`}`;
