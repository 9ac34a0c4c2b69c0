import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { connect } from 'node:net';
import { answers } from './dns-message';

/** Forwards queries for names outside of the cluster. Each query needs a socket, so their number is limited. */

export interface ForwardLimits {
  /** Concurrent queries. */
  readonly total: number;
  /** Concurrent queries per client, so that others are still served. */
  readonly perClient: number;
  /** Timeout per server. */
  readonly timeoutMs: number;
}

export const FORWARD_LIMITS: ForwardLimits = { total: 256, perClient: 32, timeoutMs: 2_000 };
/** Servers that are tried per query. */
const MAX_UPSTREAMS = 3;
const DNS_PORT = 53;

export class Forwarder {
  private readonly byClient = new Map<string, number>();
  private readonly stops = new Set<() => void>();
  private active = 0;

  public constructor(
    private readonly upstreams: () => readonly string[],
    private readonly port = DNS_PORT,
    private readonly limits = FORWARD_LIMITS,
  ) {}

  /** Response of the first server that responds; undefined if none does or too many queries are open. */
  public async ask(message: Buffer, client: string, byUdp: boolean): Promise<Buffer | undefined> {
    const own = this.byClient.get(client) ?? 0;
    if (this.active >= this.limits.total || own >= this.limits.perClient) return undefined;
    this.active++;
    this.byClient.set(client, own + 1);
    try {
      return await this.askAll(message, byUdp);
    } finally {
      this.active--;
      const left = (this.byClient.get(client) ?? 1) - 1;
      if (left > 0) this.byClient.set(client, left);
      else this.byClient.delete(client);
    }
  }

  public close(): void {
    for (const stop of this.stops) stop();
  }

  private async askAll(message: Buffer, byUdp: boolean): Promise<Buffer | undefined> {
    // random id and port: an attacker who cannot see the query must guess both
    const question = Buffer.from(message);
    question.writeUInt16BE(randomInt(0x1_0000), 0);
    for (const upstream of this.upstreams().slice(0, MAX_UPSTREAMS)) {
      const answer = await (byUdp ? this.askUdp(upstream, question) : this.askTcp(upstream, question));
      if (!answer) continue;
      message.copy(answer, 0, 0, 2);
      return answer;
    }
    return undefined;
  }

  private askUdp(upstream: string, question: Buffer): Promise<Buffer | undefined> {
    return this.once((settle) => {
      const socket = createSocket(upstream.includes(':') ? 'udp6' : 'udp4');
      socket.once('error', () => settle());
      socket.on('message', (answer) => {
        // ignore other messages: they may be forged, and the real response may still follow
        if (answers(answer, question)) settle(answer);
      });
      // a connected socket receives only from its server
      socket.connect(this.port, upstream, () => socket.send(question, () => undefined));
      return () => socket.close();
    });
  }

  private askTcp(upstream: string, question: Buffer): Promise<Buffer | undefined> {
    return this.once((settle) => {
      const socket = connect({ host: upstream, port: this.port });
      let buffer = Buffer.alloc(0);
      socket.on('connect', () => socket.write(withLength(question)));
      socket.on('error', () => settle());
      socket.on('close', () => settle());
      socket.on('data', (data: Buffer) => {
        buffer = Buffer.concat([buffer, data]);
        if (buffer.length < 2 || buffer.length < 2 + buffer.readUInt16BE(0)) return;
        const answer = Buffer.from(buffer.subarray(2, 2 + buffer.readUInt16BE(0)));
        settle(answers(answer, question) ? answer : undefined);
      });
      return () => socket.destroy();
    });
  }

  /** One attempt; ends with the response, the timeout or the server's end, and closes its socket. */
  private once(begin: (settle: (answer?: Buffer) => void) => () => void): Promise<Buffer | undefined> {
    return new Promise((resolve) => {
      let end = (): void => undefined;
      const settle = (answer?: Buffer): void => {
        if (!this.stops.delete(stop)) return;
        clearTimeout(timer);
        end();
        resolve(answer);
      };
      const stop = (): void => settle();
      this.stops.add(stop);
      const timer = setTimeout(stop, this.limits.timeoutMs);
      end = begin(settle);
    });
  }
}

export function withLength(message: Buffer): Buffer {
  const size = Buffer.alloc(2);
  size.writeUInt16BE(message.length, 0);
  return Buffer.concat([size, message]);
}
