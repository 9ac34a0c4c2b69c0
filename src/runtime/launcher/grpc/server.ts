/** A server of unary gRPC calls on a unix socket. */
import { rmSync } from 'node:fs';
import { type Server, createServer } from 'node:net';
import type { Headers } from './hpack';
import { Http2Connection, type Stream } from './http2';
import { frameMessage, readMessage } from './message';

/** What ts-proto generates for a method. */
interface Method {
  readonly name: string;
  // invariant in the message, so the only type that every method has
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly requestType: { decode(bytes: Uint8Array): any };
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly responseType: { encode(message: any): { finish(): Uint8Array } };
}

interface Service {
  readonly fullName: string;
  readonly methods: { readonly [key: string]: Method };
}

type RequestOf<M extends Method> = ReturnType<M['requestType']['decode']>;
type ResponseOf<M extends Method> = Parameters<M['responseType']['encode']>[0];
export type UnaryHandlers<S extends Service> = {
  [K in keyof S['methods']]?: (
    request: RequestOf<S['methods'][K]>,
  ) => ResponseOf<S['methods'][K]> | Promise<ResponseOf<S['methods'][K]>>;
};

const MAX_CONNECTIONS = 8;
const Status = { OK: 0, UNKNOWN: 2, UNIMPLEMENTED: 12 };

export class UnaryServer {
  private readonly routes = new Map<string, { method: Method; handle: (request: unknown) => unknown }>();
  private readonly connections = new Set<Http2Connection>();
  private server: Server | undefined;

  constructor(private readonly maxMessageBytes: number) {}

  /** Adds a service; a method without handler answers UNIMPLEMENTED. */
  add<S extends Service>(service: S, handlers: UnaryHandlers<S>): void {
    for (const [key, method] of Object.entries(service.methods)) {
      const handle = handlers[key as keyof S['methods']] as ((request: unknown) => unknown) | undefined;
      if (handle) this.routes.set(`/${service.fullName}/${method.name}`, { method, handle });
    }
  }

  /** Listens; a socket left by an earlier life is replaced. */
  listen(path: string, mode: number): Promise<void> {
    rmSync(path, { force: true });
    const server = createServer((socket) => {
      const connection = new Http2Connection(socket, 'server', this.maxMessageBytes, {
        onComplete: (stream) => void this.serve(connection, stream),
        onReset: () => {},
        onClose: () => this.connections.delete(connection),
      });
      this.connections.add(connection);
    });
    server.maxConnections = MAX_CONNECTIONS;
    this.server = server;
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      const umask = process.umask(0o777 & ~mode);
      try {
        server.listen(path, resolve);
      } finally {
        process.umask(umask);
      }
    });
  }

  close(): void {
    this.server?.close();
    for (const connection of this.connections) connection.destroy();
  }

  private async serve(connection: Http2Connection, stream: Stream): Promise<void> {
    const trailers = (status: number, message: string): Headers => ({
      'grpc-status': String(status),
      ...(message ? { 'grpc-message': encodeURIComponent(message.slice(0, 2048)) } : {}),
    });
    const head = { ':status': '200', 'content-type': 'application/grpc+proto' };
    const route = this.routes.get(stream.headers?.[':path'] ?? '');
    try {
      if (!route) {
        connection.sendHeaders(
          stream,
          { ...head, ...trailers(Status.UNIMPLEMENTED, `no method ${stream.headers?.[':path']}`) },
          true,
        );
        return;
      }
      const request: unknown = route.method.requestType.decode(readMessage(stream.data));
      const response = route.method.responseType.encode(await route.handle(request)).finish();
      connection.sendHeaders(stream, head, false);
      connection.sendData(stream, frameMessage(response), false);
      connection.sendHeaders(stream, trailers(Status.OK, ''), true);
    } catch (error) {
      connection.sendHeaders(stream, { ...head, ...trailers(Status.UNKNOWN, (error as Error).message) }, true);
    }
  }
}
