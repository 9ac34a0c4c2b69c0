import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '../../../support/until';

/** Server in front of a registry that asks for a login, interrupts downloads, and records them. */
export class RegistryProxy {
  /** Paths of the requests since `reset`. */
  public requests: string[] = [];
  /** `user:password` that every request needs. */
  public login?: string;
  /** Digest of a blob that is never sent. */
  public stalled?: string;
  /** Digest of a blob that has no end. */
  public endless?: string;
  private failing?: { readonly blob: string; readonly when: () => boolean };
  private readonly sent = new Map<string, number>();

  private constructor(
    private readonly target: string,
    private readonly server: Server,
  ) {}

  public static async start(target: string): Promise<RegistryProxy> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const proxy = new RegistryProxy(target, server);
    server.on('request', (incoming, response) => proxy.answer(incoming, response));
    return proxy;
  }

  public get host(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  public reset(): void {
    this.requests = [];
    this.login = this.stalled = this.endless = this.failing = undefined;
    this.sent.clear();
  }

  /** Answers 404 for a blob as soon as a condition is met. */
  public failWhen(blob: string, when: () => boolean): void {
    this.failing = { blob, when };
  }

  /** Number of times that a blob was sent. */
  public transferred(blob: string): number {
    return this.sent.get(blob) ?? 0;
  }

  public async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private answer(incoming: IncomingMessage, response: ServerResponse): void {
    const path = incoming.url ?? '';
    this.requests.push(path);
    const expected = this.login && `Basic ${Buffer.from(this.login).toString('base64')}`;
    if (expected && incoming.headers.authorization !== expected) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="test"', 'content-type': 'application/json' });
      response.end('{"errors":[{"code":"UNAUTHORIZED","message":"authentication required"}]}');
      return;
    }
    const blob = /\/blobs\/(sha256:[0-9a-f]+)$/.exec(path)?.[1];
    if (blob && blob === this.stalled) return;
    if (blob && blob === this.endless) return sendForever(response);
    if (blob && blob === this.failing?.blob) {
      void until(this.failing.when).then(() =>
        response.writeHead(404, { 'content-type': 'application/json' }).end('{"errors":[]}'),
      );
      return;
    }
    this.forward(incoming, response, blob);
  }

  private forward(incoming: IncomingMessage, response: ServerResponse, blob: string | undefined): void {
    const [hostname, port] = this.target.split(':');
    const headers = { ...incoming.headers, host: this.target };
    const outgoing = request({ hostname, port, path: incoming.url, method: incoming.method, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
      answer.on('end', () => {
        if (!blob || incoming.method !== 'GET') return;
        this.sent.set(blob, this.transferred(blob) + 1);
      });
    });
    outgoing.on('error', () => response.destroy());
    incoming.pipe(outgoing);
  }
}

/** Sends 8 MiB per 50 ms, so that the disk of this machine does not fill. */
function sendForever(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/octet-stream' });
  const chunk = Buffer.alloc(8 << 20);
  const timer = setInterval(() => response.writableNeedDrain || response.write(chunk), 50);
  response.on('close', () => clearInterval(timer));
}
