import type { Socket } from 'node:net';

/** Several API servers' webhook calls and a kubelet's probes need far fewer. */
const MOST_OF_ONE = 256;
/** Far fewer than this process can have. */
const MOST = 4096;

type Connection = Pick<Socket, 'remoteAddress' | 'destroy' | 'once'>;

/**
 * Connections without a certificate, of which one address has so many, and all together so many. One more costs the
 * connection that has been without a request for longest: who only opens connections shuts nobody out.
 */
export class Unidentified {
  /** With the number of their open requests; who was used last is last. */
  private readonly requests = new Map<Connection, number>();
  private readonly countOf = new Map<string, number>();

  public constructor(
    private readonly mostOfOne = MOST_OF_ONE,
    private readonly most = MOST,
  ) {}

  /** Another one, which is closed when all others are busy. */
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

  /** A request on a connection has begun (1) or ended (-1). Those of others are not counted. */
  public request(connection: Connection, change: 1 | -1): void {
    const open = this.requests.get(connection);
    if (open === undefined) return;
    this.requests.delete(connection);
    this.requests.set(connection, open + change);
  }

  private close(may: (connection: Connection) => boolean, otherwise: Connection): void {
    for (const [connection, open] of this.requests) {
      if (open > 0 || !may(connection)) continue;
      // its place is free at once, although it closes later
      this.forget(connection, connection.remoteAddress ?? '');
      connection.destroy();
      return;
    }
    otherwise.destroy();
  }

  private forget(connection: Connection, address: string): void {
    if (!this.requests.delete(connection)) return;
    const left = this.countOf.get(address)! - 1;
    if (left > 0) this.countOf.set(address, left);
    else this.countOf.delete(address);
  }
}
