/** The part of a socket that limits need, so that tests need no sockets. */
export interface Closable {
  destroy(): void;
}

export interface ConnectionLimits {
  /** All connections of the server. */
  readonly total: number;
  /** Connections of one authenticated user. */
  readonly perUser: number;
  /** Connections of one address whose user is not yet known. */
  readonly perAddress: number;
}

export const connectionLimits: ConnectionLimits = { total: 2_000, perUser: 600, perAddress: 250 };

interface Connection {
  readonly socket: Closable;
  /** `address 10.0.0.1` until the first request shows the user: `user alice`. */
  client: string;
  /** Requests in flight. A connection without requests may be closed to admit another one. */
  active: number;
}

/**
 * Open connections by client. Beyond a limit, the connection that has been idle for the longest time is closed: a
 * client that only holds connections open loses them, and an ordinary client's next request finds a place.
 */
export class Connections {
  private readonly bySocket = new Map<object, Connection>();
  /** Connections by client, the longest idle first. */
  private readonly clients = new Map<string, Set<Connection>>();
  /** Connections that were closed because of a limit. */
  public closedByLimit = 0;

  public constructor(private readonly limits: ConnectionLimits = connectionLimits) {}

  public get size(): number {
    return this.bySocket.size;
  }

  public countOf(client: string): number {
    return this.clients.get(client)?.size ?? 0;
  }

  /** Adds a connection. Returns false, and closes it, if no idle connection can be closed in its place. */
  public add(socket: Closable, address: string): boolean {
    const client = `address ${address}`;
    const full =
      (this.countOf(client) >= this.limits.perAddress && !this.closeIdle(client)) ||
      (this.size >= this.limits.total && !this.closeIdle(this.largest()));
    if (full) {
      this.closedByLimit++;
      socket.destroy();
      return false;
    }
    const connection = { socket, client, active: 0 };
    this.bySocket.set(socket, connection);
    this.place(connection);
    return true;
  }

  /** Starts a request of `user`. Returns false if the user has too many busy connections. */
  public begin(socket: object, user: string): boolean {
    const connection = this.bySocket.get(socket);
    if (!connection) return true;
    const client = `user ${user}`;
    if (connection.client !== client) {
      if (this.countOf(client) >= this.limits.perUser && !this.closeIdle(client)) return false;
      this.unplace(connection);
      connection.client = client;
      this.place(connection);
    }
    connection.active++;
    return true;
  }

  /** Ends a request: the connection becomes the one that was used last. */
  public end(socket: object): void {
    const connection = this.bySocket.get(socket);
    if (!connection) return;
    connection.active = Math.max(0, connection.active - 1);
    this.unplace(connection);
    this.place(connection);
  }

  public isBusy(socket: object): boolean {
    return (this.bySocket.get(socket)?.active ?? 0) > 0;
  }

  public remove(socket: object): void {
    const connection = this.bySocket.get(socket);
    if (!connection) return;
    this.bySocket.delete(socket);
    this.unplace(connection);
  }

  public closeAll(): void {
    for (const { socket } of [...this.bySocket.values()]) socket.destroy();
  }

  private place(connection: Connection): void {
    const all = this.clients.get(connection.client) ?? new Set();
    this.clients.set(connection.client, all.add(connection));
  }

  private unplace(connection: Connection): void {
    const all = this.clients.get(connection.client);
    all?.delete(connection);
    if (!all?.size) this.clients.delete(connection.client);
  }

  private largest(): string {
    let found = '';
    for (const [client, { size }] of this.clients) if (size > this.countOf(found)) found = client;
    return found;
  }

  private closeIdle(client: string): boolean {
    for (const connection of this.clients.get(client) ?? []) {
      if (connection.active) continue;
      this.closedByLimit++;
      this.remove(connection.socket);
      connection.socket.destroy();
      return true;
    }
    return false;
  }
}
