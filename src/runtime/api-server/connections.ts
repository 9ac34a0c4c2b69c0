import type { Socket } from 'node:net';

/** Limit per address. Webhook calls of several API servers and a kubelet's probes need far fewer. */
const MOST_OF_ONE = 256;
/** Limit for all addresses, well below the file descriptors of this process. */
const MOST = 4096;

type Connection = Pick<Socket, 'remoteAddress' | 'destroy' | 'once'>;

/**
 * Connections without a certificate, limited per address and in total. A new one above the limit closes the connection that
 * has had no request for the longest time, so a client that only opens connections does not exclude the others.
 */
export class Unidentified {
  /** Connections with the number of their open requests; the last used one is last. */
  private readonly requests = new Map<Connection, number>();
  private readonly countOf = new Map<string, number>();

  public constructor(
    private readonly mostOfOne = MOST_OF_ONE,
    private readonly most = MOST,
  ) {}

  /** Adds a connection, which is closed if all others are busy. */
  public add(connection: Connection): void {
    const { remoteAddress: address = '' } = connection;
    if ((this.countOf.get(address) ?? 0) >= this.mostOfOne) {
      this.close(({ remoteAddress = '' }) => remoteAddress === address, connection);
    } else if (this.requests.size >= this.most) {
      this.close(() => true, connection);
    }
    this.requests.set(connection, 0);
    this.countOf.set(address, (this.countOf.get(address) ?? 0) + 1);
    connection.once('close', () => this.forget(connection, address));
  }

  /** A request on a connection has begun (1) or ended (-1). Unknown connections are not counted. */
  public request(connection: Connection, change: 1 | -1): void {
    const open = this.requests.get(connection);
    if (open === undefined) return;
    this.requests.delete(connection);
    this.requests.set(connection, open + change);
  }

  private close(may: (connection: Connection) => boolean, fallback: Connection): void {
    for (const [connection, open] of this.requests) {
      if (open > 0 || !may(connection)) continue;
      // its slot is free immediately, although the connection closes later
      this.forget(connection, connection.remoteAddress ?? '');
      connection.destroy();
      return;
    }
    fallback.destroy();
  }

  private forget(connection: Connection, address: string): void {
    if (!this.requests.delete(connection)) return;
    const left = this.countOf.get(address)! - 1;
    if (left > 0) this.countOf.set(address, left);
    else this.countOf.delete(address);
  }
}
