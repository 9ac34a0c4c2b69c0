import { createServer } from 'node:https';
import type { Server } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';
import { errorText } from '../../../api/error-text';
import type { NodeContext } from '../pods/context';
import { containersOf } from '../pods/decide';
import type { PodManager } from '../pods/manager';
import type { ContainerRecord } from '../pods/record';
import type { PodWorker } from '../pods/worker';
import { attach } from './attach';
import { closeFailed, STREAM_PROTOCOLS } from './channels';
import { exec } from './exec';
import { sendLog } from './logs';
import { until } from './until';
import { HttpError, logOptions, routeOf } from './request';
import { resourceMetrics, Stats } from '../stats/summary';
import { forwardPorts, PORT_FORWARD_PROTOCOLS, SPDY_PROTOCOL, tunnelPorts } from './port-forward';

export interface KubeletTls {
  readonly cert: string;
  readonly key: string;
  /** Authority of accepted client certificates. */
  readonly clientCa: string;
}

export interface KubeletServerOptions {
  readonly addresses: readonly string[];
  readonly port: number;
  readonly tls: KubeletTls;
  readonly context: NodeContext;
  readonly manager: PodManager;
}

interface Target {
  readonly worker: PodWorker;
  readonly record: ContainerRecord;
}

const HEARTBEAT_MS = 15_000;

/** HTTPS API of the kubelet for the API server: logs, exec, attach, port-forward and the list of Pods. */
export class KubeletServer {
  private readonly servers: Server[] = [];
  private readonly sockets = new Set<TLSSocket>();
  private readonly websockets = new WebSocketServer({ noServer: true, handleProtocols: chooseProtocol });
  private readonly stats: Stats;
  private readonly tunnels = new WeakSet<IncomingMessage>();
  private heartbeat?: NodeJS.Timeout;
  private boundPort = 0;

  public constructor(private readonly options: KubeletServerOptions) {
    this.stats = new Stats(options.context, options.manager);
    this.websockets.on('headers', (headers, request) => {
      if (this.tunnels.has(request)) headers.push(`Sec-WebSocket-Protocol: ${SPDY_PROTOCOL}`);
    });
  }

  public get port(): number {
    return this.boundPort;
  }

  public async start(): Promise<void> {
    this.boundPort = this.options.port;
    for (const address of this.options.addresses) await this.listen(address);
    // a session that waits for its container does not read; only a write shows that its client has disconnected
    this.heartbeat = setInterval(() => {
      for (const client of this.websockets.clients) client.ping();
    }, HEARTBEAT_MS).unref();
  }

  public async close(): Promise<void> {
    clearInterval(this.heartbeat);
    for (const client of this.websockets.clients) client.terminate();
    for (const socket of this.sockets) socket.destroy();
    await Promise.all(this.servers.map((server) => new Promise((resolve) => server.close(resolve))));
  }

  private listen(address: string): Promise<void> {
    const { cert, key, clientCa } = this.options.tls;
    const server = createServer(
      { cert, key, ca: clientCa, requestCert: true, rejectUnauthorized: true, minVersion: 'TLSv1.2' },
      (request, response) => void this.handle(request, response).catch(() => response.destroy()),
    );
    server.on('secureConnection', (socket) => {
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
    });
    server.on('upgrade', (request, socket, head) => this.upgrade(request, socket, head));
    this.servers.push(server);
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host: address, port: this.boundPort }, () => {
        this.boundPort = (server.address() as AddressInfo).port;
        resolve();
      });
    });
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const { room, rest, query } = routeOf(request);
      if (room === 'healthz' && !rest.length) return void response.end('ok');
      if (room === 'stats' && rest.join('/') === 'summary') {
        return sendText(response, 'application/json', JSON.stringify(await this.stats.summary()));
      }
      if (room === 'metrics' && rest.join('/') === 'resource') {
        return sendText(response, 'text/plain; version=0.0.4', resourceMetrics(await this.stats.summary()));
      }
      if (room === 'pods') return this.pods(response);
      if (room === 'containerLogs') return await this.logs(rest, query, request, response);
      if (room === 'exec' || room === 'attach' || room === 'portForward') {
        throw new HttpError(400, 'you must upgrade to a websocket');
      }
      throw new HttpError(404, '404 page not found');
    } catch (error) {
      const code = error instanceof HttpError ? error.code : 500;
      if (response.headersSent) return void response.destroy();
      response.writeHead(code, { 'Content-Type': 'text/plain; charset=utf-8' });
      response.end(`${errorText(error)}\n`);
    }
  }

  private pods(response: ServerResponse): void {
    const items = this.options.manager.pods();
    const list = { kind: 'PodList', apiVersion: 'v1', metadata: {}, items };
    sendText(response, 'application/json', JSON.stringify(list));
  }

  private async logs(
    target: readonly string[],
    query: URLSearchParams,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const { record } = this.target(target, query.get('previous') === 'true');
    const options = logOptions(query, Date.now());
    const stop = new AbortController();
    response.on('close', () => stop.abort());
    request.resume();
    response.writeHead(200, { 'Content-Type': 'text/plain' });
    // send the headers before the first line, so that the client knows that it is connected
    response.flushHeaders();
    const write = async (_line: unknown, text: Buffer): Promise<boolean> => {
      if (!response.write(text)) await until(response, 'drain', stop.signal);
      return !stop.signal.aborted;
    };
    const path = this.options.context.paths.container(record.id, 'log');
    await sendLog(path, options, write, () => record.exit !== undefined, stop.signal);
    response.end();
  }

  private upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // without a listener, an error before the handshake would end the process
    socket.on('error', () => socket.destroy());
    try {
      const serve = this.session(request);
      this.websockets.handleUpgrade(request, socket, head, (client) => {
        try {
          serve(client);
        } catch (error) {
          closeFailed(client, errorText(error));
        }
      });
    } catch (error) {
      const code = error instanceof HttpError ? error.code : 500;
      const text = `${errorText(error)}\n`;
      socket.end(
        `HTTP/1.1 ${code} Error\r\nContent-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(text)}\r\n` +
          `Connection: close\r\n\r\n${text}`,
      );
    }
  }

  /** Handler of the websocket that a request opens. */
  private session(request: IncomingMessage): (client: WebSocket) => void {
    const { room, rest, query } = routeOf(request);
    const { runtime, paths } = this.options.context;
    if (room === 'portForward') {
      const worker = this.worker(rest[0], rest[1]);
      const ports = query.getAll('port').flatMap((text) => text.split(',').map(Number));
      const where = worker.current.spec.hostNetwork ? undefined : paths.sandbox(worker.uid, 'net');
      const spdy = request.headers['sec-websocket-protocol'] === SPDY_PROTOCOL;
      // ws accepts only tokens, and this name has a slash: ws responds without the header, so it is added here
      if (spdy) delete request.headers['sec-websocket-protocol'];
      if (spdy) this.tunnels.add(request);
      return (client) => (spdy ? tunnelPorts(where, client) : forwardPorts(where, ports, client));
    }
    if (room !== 'exec' && room !== 'attach') throw new HttpError(404, '404 page not found');
    const flag = (...names: string[]): boolean => names.some((name) => /^(1|true)$/.test(query.get(name) ?? ''));
    const { record } = this.running(rest);
    const streams = {
      stdin: flag('input', 'stdin'),
      stdout: flag('output', 'stdout'),
      stderr: flag('error', 'stderr'),
    };
    if (room === 'attach') return (client) => attach(paths, record, streams, client);
    const command = query.getAll('command');
    if (!command.length) throw new HttpError(400, 'the query requires "command"');
    const options = { ...streams, command, tty: flag('tty') };
    return (client) => exec(runtime, paths.container(record.id), record.id, options, client);
  }

  private worker(namespace = '', name = ''): PodWorker {
    const worker = this.options.manager.find(namespace, name);
    if (!worker) throw new HttpError(404, `pod "${name}" not found in namespace "${namespace}" on this node`);
    return worker;
  }

  /** Path: namespace, Pod, (uid,) container. */
  private target(path: readonly string[], previous = false): Target {
    const worker = this.worker(path[0], path[1]);
    const name = path.at(-1) ?? '';
    if (!containersOf(worker.current).some(({ container }) => container.name === name)) {
      throw new HttpError(404, `container "${name}" not found in pod "${path[1]}"`);
    }
    const record = this.options.manager.container(worker, name, previous);
    if (record) return { worker, record };
    if (previous) {
      throw new HttpError(400, `previous terminated container "${name}" in pod "${path[1]}" not found`);
    }
    const status = [
      ...(worker.current.status?.containerStatuses ?? []),
      ...(worker.current.status?.initContainerStatuses ?? []),
      ...(worker.current.status?.ephemeralContainerStatuses ?? []),
    ].find((entry) => entry.name === name);
    const reason = status?.state?.waiting?.reason ?? 'ContainerCreating';
    throw new HttpError(400, `container "${name}" in pod "${path[1]}" is waiting to start: ${reason}`);
  }

  private running(path: readonly string[]): Target {
    const target = this.target(path);
    if (!target.record.startedAt || target.record.exit) {
      throw new HttpError(400, `container "${path.at(-1)}" in pod "${path[1]}" is not running`);
    }
    return target;
  }
}

function sendText(response: ServerResponse, type: string, text: string): void {
  response.writeHead(200, { 'Content-Type': type });
  response.end(text);
}

function chooseProtocol(offered: Set<string>): string | false {
  return [...STREAM_PROTOCOLS, ...PORT_FORWARD_PROTOCOLS].find((protocol) => offered.has(protocol)) ?? false;
}
