import { createSocket } from 'node:dgram';
import type { Socket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Server, Socket as TcpSocket } from 'node:net';
import { Forwarder, withLength } from './dns-forward';
import type { ForwardLimits } from './dns-forward';
import { parseQuery, RCODE, truncated, TYPE, writeResponse } from './dns-message';
import type { Answer, Question } from './dns-message';
import type { Zone } from './dns-zone';

export interface DnsServerOptions {
  /** Addresses to serve on. */
  readonly addresses: readonly string[];
  readonly port?: number;
  readonly zone: () => Zone;
  readonly domain: string;
  /** Upstream servers for other names. Default: the host's resolvers. */
  readonly upstreams?: () => readonly string[];
  /** @default 53 */
  readonly upstreamPort?: number;
  readonly forwardLimits?: ForwardLimits;
  readonly log: (message: string) => void;
}

const IDLE_MS = 10_000;
const MAX_TCP = 64;
/** Limit per client, so that others are still served. */
const MAX_TCP_PER_CLIENT = 8;
const MAX_CHAIN = 8;

/** DNS server that answers the cluster's names and forwards all others. */
export class DnsServer {
  private readonly udp: Socket[] = [];
  private readonly tcp: Server[] = [];
  private readonly connections = new Set<TcpSocket>();
  private readonly forwarder: Forwarder;

  public constructor(private readonly options: DnsServerOptions) {
    // if a resolver of the host is this server, it would forward to itself forever
    const upstreams = (): readonly string[] =>
      (options.upstreams ?? hostResolvers)().filter((address) => !options.addresses.includes(address));
    this.forwarder = new Forwarder(upstreams, options.upstreamPort, options.forwardLimits);
  }

  public async start(): Promise<void> {
    for (const address of this.options.addresses) {
      await this.listenUdp(address);
      await this.listenTcp(address);
    }
  }

  public async close(): Promise<void> {
    this.forwarder.close();
    for (const socket of this.udp) socket.close();
    for (const connection of this.connections) connection.destroy();
    await Promise.all(this.tcp.map((server) => new Promise((resolve) => server.close(resolve))));
  }

  private get port(): number {
    return this.options.port ?? 53;
  }

  private listenUdp(address: string): Promise<void> {
    const socket = createSocket({ type: address.includes(':') ? 'udp6' : 'udp4', reuseAddr: true });
    socket.on('message', (message, { address: from, port }) => {
      this.answer(message, from, true)
        .then((response) => response && socket.send(response, port, from, () => undefined))
        // the server has been closed meanwhile
        .catch((error: unknown) => this.options.log(`DNS: ${String(error)}`));
    });
    this.udp.push(socket);
    return new Promise((resolve, reject) => {
      socket.once('error', reject);
      socket.bind(this.port, address, () => {
        socket.off('error', reject);
        socket.on('error', (error) => this.options.log(`DNS: ${error.message}`));
        resolve();
      });
    });
  }

  private listenTcp(address: string): Promise<void> {
    const server = createServer((connection) => this.serve(connection));
    server.maxConnections = MAX_TCP;
    this.tcp.push(server);
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.port, address, () => resolve());
    });
  }

  /** Serves TCP: each message is preceded by its length. Queries are answered in order, and not before earlier responses are read. */
  private serve(connection: TcpSocket): void {
    const client = connection.remoteAddress ?? '';
    const own = [...this.connections].filter(({ remoteAddress }) => remoteAddress === client);
    connection.on('error', () => connection.destroy());
    if (own.length >= MAX_TCP_PER_CLIENT) return void connection.destroy();
    this.connections.add(connection);
    connection.setTimeout(IDLE_MS, () => connection.destroy());
    connection.on('close', () => this.connections.delete(connection));
    void this.serveAll(connection, client).catch(() => connection.destroy());
  }

  private async serveAll(connection: TcpSocket, client: string): Promise<void> {
    let buffer = Buffer.alloc(0);
    for await (const data of connection) {
      buffer = Buffer.concat([buffer, data as Buffer]);
      while (buffer.length >= 2 && buffer.length >= 2 + buffer.readUInt16BE(0)) {
        const size = buffer.readUInt16BE(0);
        const message = Buffer.from(buffer.subarray(2, 2 + size));
        buffer = buffer.subarray(2 + size);
        const response = await this.answer(message, client, false);
        if (connection.destroyed) return;
        if (response && !connection.write(withLength(response))) await once(connection, 'drain');
      }
    }
  }

  private async answer(message: Buffer, client: string, byUdp: boolean): Promise<Buffer | undefined> {
    const question = parseQuery(message);
    if (!question) return undefined;
    const { zone, domain } = this.options;
    const names = zone();
    if (!names.owns(question.name)) {
      const answer = await this.forwarder.ask(message, client, byUdp);
      return answer ?? writeResponse(question, { rcode: RCODE.failure });
    }
    const answers = await this.resolve(question, names);
    const response = writeResponse(question, {
      rcode: answers ? RCODE.ok : RCODE.noSuchName,
      answers: answers ?? [],
      zone: domain,
    });
    return byUdp && response.length > question.udpSize ? truncated(response, question) : response;
  }

  /** Records of the requested type; aliases are followed within the zone and one step out of it. */
  private async resolve(question: Question, zone: Zone): Promise<Answer[] | undefined> {
    const found = zone.lookup(question.name);
    if (!found) return undefined;
    const wanted = (list: readonly Answer[]): Answer[] =>
      list.filter(({ type }) => question.type === TYPE.ANY || TYPE[type] === question.type);
    const answers: Answer[] = [];
    let list: readonly Answer[] = found;
    for (let step = 0; step < MAX_CHAIN; step++) {
      answers.push(...wanted(list));
      const alias = list.find(({ type }) => type === 'CNAME');
      if (!alias || answers.some(({ type }) => type !== 'CNAME')) break;
      if (!answers.includes(alias)) answers.push(alias);
      list = zone.lookup(alias.value.toLowerCase()) ?? [];
    }
    return answers;
  }
}

/** Nameservers of /etc/resolv.conf; for systemd's stub resolver, its upstream servers. */
function hostResolvers(): string[] {
  const read = (path: string): string[] => {
    try {
      return [...readFileSync(path, 'utf8').matchAll(/^nameserver\s+(\S+)/gm)].map(([, address]) => address as string);
    } catch {
      return [];
    }
  };
  const servers = read('/etc/resolv.conf');
  return servers.every((server) => server.startsWith('127.0.0.53'))
    ? [...read('/run/systemd/resolve/resolv.conf'), ...servers]
    : servers;
}
