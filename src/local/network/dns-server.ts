import { createSocket } from 'node:dgram';
import type { Socket } from 'node:dgram';
import { readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import type { Server, Socket as TcpSocket } from 'node:net';
import { parseQuery, RCODE, truncated, TYPE, writeResponse } from './dns-message';
import type { Answer, Question } from './dns-message';
import type { Zone } from './dns-zone';

export interface DnsServerOptions {
  /** Addresses to serve on; port 53 unless told otherwise. */
  readonly addresses: readonly string[];
  readonly port?: number;
  readonly zone: () => Zone;
  readonly domain: string;
  /** Where other names are asked; default: the host's resolvers. */
  readonly upstreams?: () => readonly string[];
  readonly log: (message: string) => void;
}

const UPSTREAM_TIMEOUT_MS = 2_000;
const IDLE_MS = 10_000;
const MAX_TCP = 64;
const MAX_CHAIN = 8;

/** Answers the cluster's names itself and passes everything else on. */
export class DnsServer {
  private readonly udp: Socket[] = [];
  private readonly tcp: Server[] = [];
  private readonly connections = new Set<TcpSocket>();

  public constructor(private readonly options: DnsServerOptions) {}

  public async start(): Promise<void> {
    for (const address of this.options.addresses) {
      await this.listenUdp(address);
      await this.listenTcp(address);
    }
  }

  public async close(): Promise<void> {
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
      void this.answer(message, true).then((response) => {
        if (response) socket.send(response, port, from, () => undefined);
      });
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

  /** Each message is preceded by its length. */
  private serve(connection: TcpSocket): void {
    this.connections.add(connection);
    let buffer = Buffer.alloc(0);
    connection.setTimeout(IDLE_MS, () => connection.destroy());
    connection.on('close', () => this.connections.delete(connection));
    connection.on('error', () => connection.destroy());
    connection.on('data', (data: Buffer) => {
      buffer = Buffer.concat([buffer, data]);
      while (buffer.length >= 2 && buffer.length >= 2 + buffer.readUInt16BE(0)) {
        const size = buffer.readUInt16BE(0);
        const message = Buffer.from(buffer.subarray(2, 2 + size));
        buffer = buffer.subarray(2 + size);
        void this.answer(message, false).then((response) => {
          if (response && !connection.destroyed) connection.write(withLength(response));
        });
      }
    });
  }

  private async answer(message: Buffer, byUdp: boolean): Promise<Buffer | undefined> {
    const question = parseQuery(message);
    if (!question) return undefined;
    const { zone, domain } = this.options;
    const names = zone();
    if (!names.owns(question.name)) return this.forward(message, question, byUdp);
    const answers = await this.resolve(question, names);
    const response = writeResponse(question, {
      rcode: answers ? RCODE.ok : RCODE.noSuchName,
      answers: answers ?? [],
      zone: domain,
    });
    return byUdp && response.length > question.udpSize ? truncated(response, question) : response;
  }

  /** Answers of the asked type; aliases are followed within the zone and one step out of it. */
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

  private async forward(message: Buffer, question: Question, byUdp: boolean): Promise<Buffer> {
    for (const upstream of (this.options.upstreams ?? hostResolvers)()) {
      try {
        return await (byUdp ? askUdp(upstream, message) : askTcp(upstream, message));
      } catch {
        // the next one may answer
      }
    }
    return writeResponse(question, { rcode: RCODE.failure });
  }
}

/** Nameservers of /etc/resolv.conf, behind systemd's stub those that it asks itself. */
export function hostResolvers(): string[] {
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

function askUdp(upstream: string, message: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = createSocket(upstream.includes(':') ? 'udp6' : 'udp4');
    const settle = (act: () => void): void => {
      clearTimeout(timer);
      socket.close();
      act();
    };
    const timer = setTimeout(() => settle(() => reject(new Error('timeout'))), UPSTREAM_TIMEOUT_MS);
    socket.once('error', (error) => settle(() => reject(error)));
    socket.connect(53, upstream, () => socket.send(message, () => undefined));
    socket.on('message', (response) => {
      if (response.length >= 2 && response.readUInt16BE(0) === message.readUInt16BE(0)) settle(() => resolve(response));
    });
  });
}

function askTcp(upstream: string, message: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: upstream, port: 53, timeout: UPSTREAM_TIMEOUT_MS });
    let buffer = Buffer.alloc(0);
    const fail = (why: string): void => {
      socket.destroy();
      reject(new Error(why));
    };
    socket.on('connect', () => socket.write(withLength(message)));
    socket.on('timeout', () => fail('timeout'));
    socket.on('error', (error) => fail(error.message));
    socket.on('close', () => fail('closed'));
    socket.on('data', (data: Buffer) => {
      buffer = Buffer.concat([buffer, data]);
      if (buffer.length < 2 || buffer.length < 2 + buffer.readUInt16BE(0)) return;
      resolve(Buffer.from(buffer.subarray(2, 2 + buffer.readUInt16BE(0))));
      socket.destroy();
    });
  });
}

function withLength(message: Buffer): Buffer {
  const size = Buffer.alloc(2);
  size.writeUInt16BE(message.length, 0);
  return Buffer.concat([size, message]);
}
