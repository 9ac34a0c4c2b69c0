import { createSocket } from 'node:dgram';
import type { RemoteInfo, Socket as UdpSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import type { WebSocket } from 'ws';
import { cannotListen, listenTcp as listenOnTcp } from '../../client/forward';
import type { Connection } from '../connection';
import { messageOf } from '../errors';
import type { Forward, Target } from '../target';

type Guest = Target & { readonly namespace: string };

/** Time without datagrams after which a sender gets a new connection. */
const UDP_IDLE_MS = 60_000;

/** Listens on all local ports and forwards until Ctrl+C. If one port fails, none is opened. */
export async function forwardPorts(
  connection: Connection,
  guest: Guest,
  forwards: readonly Forward[],
  address: string,
): Promise<void> {
  // report a wrong name now instead of at the first connection
  await connection.get(guest.kind, guest.name, guest.namespace);
  const stops = await Promise.all(
    forwards.map((forward) =>
      (forward.protocol === 'udp' ? listenUdp : listenTcp)(connection, guest, forward, address),
    ),
  );
  await new Promise<void>((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
  for (const stop of stops) stop();
}

const announce = ({ address, port }: { address: string; port: number }, { remote, protocol }: Forward): void =>
  console.log(
    `Forwarding from ${isIPv6(address) ? `[${address}]` : address}:${port} -> ${remote}${protocol === 'udp' ? ' (udp)' : ''}`,
  );

const path = ({ remote, protocol }: Forward): string => `portforward/${remote}/${protocol}`;

async function listenTcp(connection: Connection, guest: Guest, forward: Forward, address: string): Promise<() => void> {
  const local = { address, port: forward.local };
  const port = await listenOnTcp(connection, { ...guest, port: forward.remote }, local, (message) =>
    console.error(message),
  );
  announce(port, forward);
  return () => port.close();
}

async function listenUdp(connection: Connection, guest: Guest, forward: Forward, address: string): Promise<() => void> {
  const local = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
  const senders = new Map<string, UdpSender>();
  local.on('message', (datagram, from) => {
    const key = `${from.address}:${from.port}`;
    let sender = senders.get(key);
    if (!sender) {
      sender = new UdpSender(connection, guest, forward, local, from, () => senders.delete(key));
      senders.set(key, sender);
    }
    sender.send(datagram);
  });
  await new Promise<void>((resolve, reject) => {
    local.once('error', (error) => reject(cannotListen({ address, port: forward.local }, error)));
    local.bind(forward.local, address, resolve);
  });
  announce(local.address(), forward);
  return () => {
    local.close();
    for (const sender of senders.values()) sender.end();
  };
}

/** A local sender of datagrams: each websocket message is one datagram. */
class UdpSender {
  private socket?: WebSocket;
  private waiting: Buffer[] = [];
  private readonly idle: NodeJS.Timeout;

  public constructor(
    connection: Connection,
    guest: Guest,
    forward: Forward,
    local: UdpSocket,
    to: RemoteInfo,
    private readonly forget: () => void,
  ) {
    this.idle = setTimeout(() => this.end(), UDP_IDLE_MS);
    this.open(connection, guest, forward, local, to).catch((error: unknown) => {
      console.error(`cannot forward to port ${forward.remote} of ${guest.kind}/${guest.name}: ${messageOf(error)}`);
      this.end();
    });
  }

  public send(datagram: Buffer): void {
    this.idle.refresh();
    if (this.socket) this.socket.send(datagram, { binary: true });
    // UDP may drop datagrams; memory must not grow while the connection is being opened
    else if (this.waiting.length < 64) this.waiting.push(datagram);
  }

  public end(): void {
    clearTimeout(this.idle);
    this.forget();
    this.socket?.close(1000);
  }

  private async open(
    connection: Connection,
    guest: Guest,
    forward: Forward,
    local: UdpSocket,
    to: RemoteInfo,
  ): Promise<void> {
    const { kind, name, namespace } = guest;
    const { bytes, socket } = await connection.socket(kind, name, path(forward), namespace, { keepMessages: true });
    bytes.on('data', (datagram: Buffer) => {
      this.idle.refresh();
      local.send(datagram, to.port, to.address);
    });
    socket.once('close', () => this.end());
    for (const datagram of this.waiting) socket.send(datagram, { binary: true });
    this.waiting = [];
    this.socket = socket;
  }
}
