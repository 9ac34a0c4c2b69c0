import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import type { Readable, Writable, Duplex } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { GuestConnection, Kind } from './connection';
import { ClientError, messageOf } from './errors';

/** Time without data after which the connection closes, once the input has ended. A websocket cannot be half-closed. */
const QUIET_MS = 5_000;

/** Connects one or two local streams to a guest's port. The caller awaits and reports the end of the guest's side. */
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

/** Port of a guest. */
export interface GuestPort {
  readonly kind: Kind;
  readonly name: string;
  readonly namespace: string;
  readonly port: number;
}

/** Local port that is forwarded to a guest. */
export interface LocalPort {
  readonly address: string;
  readonly port: number;
  /** Closes the port and all its connections. */
  close(): void;
}

/**
 * Listens on a local port; each connection gets a stream to the guest.
 *
 * @param local port 0 is any free port
 * @param onError called when a connection fails; its client sees a reset
 * @throws ClientError if the port cannot be opened
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
      // reset the connection, so that the client does not mistake it for an empty answer
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

/** Reason why a local port cannot be opened. */
export const cannotListen = (
  { address, port }: { readonly address: string; readonly port: number },
  error: NodeJS.ErrnoException,
): ClientError =>
  new ClientError(
    error.code === 'EADDRINUSE'
      ? `port ${port} of ${address} is in use; choose another, or 0 for any free port`
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
  // the last output is still being sent; a socket that was ended could not be reset any more and would never close
  await finished(bytes, { writable: false }).catch(() => undefined);
  local.end();
}

/** Reason why a forwarded connection was lost. */
export const endedText = (
  guest: { readonly kind: Kind; readonly name: string },
  port: number,
  code: number,
  reason: string,
): string =>
  `connection to port ${port} of ${guest.kind}/${guest.name} broke off: ${reason || `websocket closed with ${code}`}`;
