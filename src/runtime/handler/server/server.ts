import { createServer } from 'node:https';
import type { Server } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { Logger } from 'pino';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';
import { errorText } from '../../../api/error-text';
import { vmFields } from '../../../api/log-fields';
import type { Status, VirtualMachineInstance } from '../../../api';
import type { ServingTls } from '../../kube';
import { GrpcError } from '../../protocol';
import type { PodRuntime } from '../instance/pod-runtime';
import { LauncherRefusal } from '../launcher/launcher';
import { launcherPaths } from '../paths/pod-volumes';
import { callerProblem } from './identity';
import { InvalidOptions, optionsIn, readText } from './options';
import { freezeSeconds, route } from './routes';
import type { Request } from './routes';
import { connected, openPort, pipe, StreamLimits, SingleClient } from './streams';

export interface HandlerServerOptions {
  /** Our certificate, and the authority of virt-api's certificate. */
  readonly tls: ServingTls;
  readonly find: (namespace: string, name: string) => { vmi: VirtualMachineInstance; runtime: PodRuntime } | undefined;
  readonly log: Logger;
}

/** Consoles and forwarded ports at the same time: per guest, and for all guests of the node. */
const MAX_STREAMS_PER_GUEST = 64;
const MAX_STREAMS = 1_024;
/** Interval after which the kernel probes an idle caller. */
const KEEP_ALIVE_MS = 30_000;

/** Websocket subprotocol of raw bytes. */
const PLAIN = 'plain.kubevirt.io';

/** Serves virt-api: consoles, forwarded ports and operations on guests of this node, over mutual TLS. */
export class HandlerServer {
  private readonly server: Server;
  private readonly websockets = new WebSocketServer({
    noServer: true,
    handleProtocols: (offered) => (offered.has(PLAIN) ? PLAIN : false),
    maxPayload: 1 << 20,
  });
  private readonly consoles = new SingleClient();
  private readonly streamLimits = new StreamLimits(MAX_STREAMS_PER_GUEST, MAX_STREAMS);

  public constructor(private readonly options: HandlerServerOptions) {
    this.server = createServer({ ...options.tls.options, requestCert: true, rejectUnauthorized: true });
    options.tls.follow(this.server);
    this.server.on('request', (request, response) => void this.answer(request, response));
    this.server.on('upgrade', (request, socket: Duplex, head: Buffer) => void this.upgrade(request, socket, head));
    this.server.on('tlsClientError', () => {}); // for example port scanners; the connection is closed
  }

  /** Listens; resolves with the port. */
  public listen(port: number, host: string): Promise<number> {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, host, () => {
        this.server.off('error', reject);
        const address = this.server.address();
        resolve(typeof address === 'object' && address ? address.port : port);
      });
    });
  }

  public close(): Promise<void> {
    for (const client of this.websockets.clients) client.terminate();
    return new Promise((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }

  private callerProblem(socket: TLSSocket): string | undefined {
    if (!this.options.tls.believes(socket)) return 'the authority of the client certificate is no longer trusted';
    return callerProblem(socket.getPeerCertificate());
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const text = await readText(request);
      const problem = this.callerProblem(request.socket as TLSSocket);
      if (problem) return sendStatus(response, 403, 'Forbidden', problem);
      if (request.url === '/healthz') return void response.end('ok');
      const routed = route(request.method ?? '', request.url ?? '', false);
      if ('code' in routed) return sendStatus(response, routed.code, 'NotFound', routed.message);
      const found = this.options.find(routed.namespace, routed.name);
      if (!found) return sendStatus(response, 404, 'NotFound', notHere(routed.name));
      const body = await perform(routed.request, found, text);
      if (body === undefined) return void response.writeHead(202).end();
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    } catch (error) {
      const { code, reason, message } = failureOf(error);
      // the rest of a body that is too long is not read
      if (!request.complete) response.setHeader('connection', 'close');
      sendStatus(response, code, reason, message);
    }
  }

  private async upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => socket.destroy());
    const problem = this.callerProblem(request.socket as TLSSocket);
    if (problem) return rejectUpgrade(socket, 403, problem);
    const routed = route(request.method ?? '', request.url ?? '', true);
    if ('code' in routed) return rejectUpgrade(socket, routed.code, routed.message);
    const found = this.options.find(routed.namespace, routed.name);
    if (!found) return rejectUpgrade(socket, 404, notHere(routed.name));
    const free = this.streamLimits.take(found.runtime.uid);
    if (!free)
      return rejectUpgrade(socket, 429, 'too many consoles and forwarded ports are open; close some and try again');
    (socket as TLSSocket).setKeepAlive(true, KEEP_ALIVE_MS);
    try {
      await this.stream(routed.request, found, () => this.accept(request, socket, head));
    } catch (error) {
      rejectUpgrade(socket, 500, failureOf(error).message);
    } finally {
      free();
    }
  }

  /** Rejects for a client that has left, or whose handshake was rejected: ws calls no callback in these cases. */
  private accept(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<WebSocket> {
    return new Promise((resolve, reject) => {
      this.websockets.handleUpgrade(request, socket, head, resolve);
      reject(new Error('the client left before the connection was established')); // unless it was accepted
    });
  }

  private async stream(
    request: Request,
    { vmi, runtime }: { vmi: VirtualMachineInstance; runtime: PodRuntime },
    accept: () => Promise<WebSocket>,
  ): Promise<void> {
    const { launcher } = runtime;
    if (request.kind === 'portForward') {
      const port = await openPort(launcher.open(launcherPaths.portForward), request.protocol, request.port);
      try {
        return await pipe(port, await accept());
      } finally {
        port.destroy();
      }
    }
    if (request.kind !== 'stream') return;
    const paths = request.stream === 'vnc' ? launcherPaths.vnc : launcherPaths.serial;
    const at = paths(vmi.metadata.uid ?? '');
    // QEMU serves one client, so whether it answers is known only after the previous one has disconnected; a missing socket
    // is reported immediately
    launcher.check(at);
    const websocket = await accept();
    await this.consoles.take(`${runtime.uid}/${request.stream}`, websocket, async () => {
      try {
        await pipe(await connected(launcher.open(at)), websocket);
      } catch (error) {
        this.options.log.warn({ ...vmFields(vmi.metadata), err: error }, `${request.stream} failed`);
        websocket.close(1_011, closeReason(failureOf(error).message));
      }
    });
  }
}

async function perform(
  request: Request,
  { vmi, runtime }: { vmi: VirtualMachineInstance; runtime: PodRuntime },
  text: string,
): Promise<unknown> {
  if (request.kind === 'info') return runtime.launcher[request.info]();
  if (request.kind === 'freeze') await runtime.launcher.freeze(vmi, freezeSeconds(optionsIn(text)));
  if (request.kind === 'backup') await runtime.launcher.backup(vmi, JSON.stringify(optionsIn(text)));
  if (request.kind === 'action') await runtime.launcher.act(request.action, vmi);
  return undefined;
}

/** The protocol allows 123 bytes; the cut must not split a character. */
export const closeReason = (message: string): string => {
  const bytes = Buffer.from(message);
  let end = Math.min(bytes.length, 123);
  while (end < bytes.length && (bytes[end] & 0xc0) === 0x80) end--;
  return bytes.toString('utf8', 0, end);
};

const notHere = (name: string): string => `virtualmachineinstance "${name}" does not run on this node`;

function failureOf(error: unknown): { code: number; reason: string; message: string } {
  const message = error instanceof GrpcError ? error.details : errorText(error);
  if (error instanceof LauncherRefusal) return { code: 409, reason: 'Conflict', message };
  if (error instanceof InvalidOptions) return { code: error.code, reason: 'BadRequest', message };
  return { code: 500, reason: 'InternalError', message };
}

function sendStatus(response: ServerResponse, code: number, reason: string, message: string): void {
  const status: Status = { apiVersion: 'v1', kind: 'Status', metadata: {}, status: 'Failure', message, reason, code };
  response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(status));
}

function rejectUpgrade(socket: Duplex, code: number, message: string): void {
  if (socket.destroyed) return;
  const body = Buffer.from(message);
  const head = `HTTP/1.1 ${code} Refused\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`;
  socket.end(Buffer.concat([Buffer.from(head), body]));
}
