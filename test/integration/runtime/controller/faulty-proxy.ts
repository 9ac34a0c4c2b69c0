import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Agent, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { KubeConfig } from '../../../../src/runtime/kube';

export interface Write {
  readonly method: string;
  readonly path: string;
  readonly code: number;
  readonly body: string;
}

/** What happens to a write: it passes, it never arrives, it is refused, or it is done but its answer is lost. */
export type Fault = 'pass' | 'lost request' | 'refused' | 'forbidden' | 'lost answer';

/** Proxy between one component and a real API server: counts writes, fails them, and delays watches. */
export class FaultyProxy {
  public readonly writes: Write[] = [];
  /** Paths of GET requests but watches, events and leases. */
  public readonly reads: string[] = [];
  /** Decides the fate of each write but events and leases. */
  public fate: (write: { method: string; path: string; index: number }) => Fault | Promise<Fault> = () => 'pass';
  /** Changes a body on its way, as a mutating webhook would. */
  public mutate: (method: string, path: string, body: string) => string = (_method, _path, body) => body;
  /** Requests that are never answered. */
  public hangs: (method: string, path: string) => boolean = () => false;
  /** Requests that the roles do not allow. */
  public denies: (method: string, path: string) => boolean = () => false;
  /** Milliseconds by which each watch event is late. */
  public watchLagMs = 0;
  /** Watches whose events wait for `release`. */
  public holds: (path: string) => boolean = () => false;
  private readonly held: (() => void)[] = [];
  /** The next watch gets the error that its version has expired. */
  public goneOnce = false;
  private readonly agent: Agent;
  private index = 0;

  private constructor(
    private readonly target: KubeConfig,
    private readonly server: Server,
  ) {
    this.agent = new Agent({ ca: target.ca, cert: target.cert, key: target.key, keepAlive: true });
  }

  public static async start(target: KubeConfig): Promise<FaultyProxy> {
    const server = createServer();
    const proxy = new FaultyProxy(target, server);
    server.on('request', (req, res) => void proxy.handle(req, res).catch(() => res.destroy()));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  public get config(): KubeConfig {
    return { server: `http://127.0.0.1:${(this.server.address() as AddressInfo).port}` };
  }

  /** Forgets what was counted; the next write has index 0. */
  public reset(): void {
    this.writes.length = 0;
    this.reads.length = 0;
    this.index = 0;
  }

  /** Lets held events of watches through, and holds no more. */
  public release(): void {
    this.holds = () => false;
    for (const send of this.held.splice(0)) send();
  }

  public close(): void {
    this.server.closeAllConnections();
    this.server.close();
    this.agent.destroy();
  }

  /** Ends all streams and connections, as a restart of the server would. */
  public cut(): void {
    this.server.closeAllConnections();
  }

  private async handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/' } = req;
    const path = url.split('?')[0];
    if (this.hangs(method, path)) return;
    if (this.denies(method, path)) return sendStatus(res, 403, 'Forbidden', `${method} ${path} is not allowed`);
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const body = this.mutate(method, path, Buffer.concat(chunks).toString());
    const isOwn = !/\/(events|leases)(\/|$)/.test(path);
    const counts = method !== 'GET' && isOwn;
    if (method === 'GET' && isOwn && !url.includes('watch=true')) this.reads.push(path);
    const fate = counts ? await this.fate({ method, path, index: this.index++ }) : 'pass';
    if (fate === 'lost request') return void req.socket.destroy();
    if (fate === 'refused') return sendStatus(res, 500, 'InternalError', 'injected');
    if (fate === 'forbidden') return sendStatus(res, 403, 'Forbidden', 'exceeded quota: small');
    if (this.goneOnce && url.includes('watch=true')) {
      this.goneOnce = false;
      const object = {
        kind: 'Status',
        apiVersion: 'v1',
        status: 'Failure',
        code: 410,
        reason: 'Expired',
        message: 'too old',
      };
      res.writeHead(200, { 'content-type': 'application/json' }).end(`${JSON.stringify({ type: 'ERROR', object })}\n`);
      return;
    }
    const { host: _host, ...headers } = req.headers;
    if (body) headers['content-length'] = String(Buffer.byteLength(body));
    const upstream = request(this.target.server + url, { method, agent: this.agent, headers });
    upstream.on('error', () => res.destroy());
    upstream.on('response', (answer) => {
      if (counts) this.writes.push({ method, path, code: answer.statusCode ?? 0, body });
      if (fate === 'lost answer') {
        answer.resume();
        answer.on('end', () => req.socket.destroy());
        return;
      }
      res.writeHead(answer.statusCode ?? 500, answer.headers);
      const isWatch = url.includes('watch=true');
      answer.on('data', (chunk: Buffer) => {
        const send = (): void => void res.write(chunk);
        if (isWatch && this.holds(path)) this.held.push(send);
        else if (isWatch && this.watchLagMs) setTimeout(send, this.watchLagMs);
        else send();
      });
      answer.on('end', () => (isWatch && this.watchLagMs ? setTimeout(() => res.end(), this.watchLagMs) : res.end()));
      answer.on('error', () => res.destroy());
      answer.on('aborted', () => res.destroy());
      res.on('close', () => answer.destroy());
    });
    upstream.end(body);
  }
}

function sendStatus(res: ServerResponse, code: number, reason: string, message: string): void {
  const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message };
  res.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(status));
}
