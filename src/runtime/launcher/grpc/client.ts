/** Unary gRPC calls over one connection to a unix socket, made when first needed. */
import { connect } from 'node:net';
import { ErrorCode, Http2Connection, type Stream } from './http2';
import { frameMessage, readMessage } from './message';

interface Method {
  readonly name: string;
  // invariant in the message, so the only type that every method has
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly requestType: { encode(message: any): { finish(): Uint8Array } };
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly responseType: { decode(bytes: Uint8Array): any };
}

interface Service {
  readonly fullName: string;
}

interface Waiting {
  resolve(message: Buffer): void;
  reject(error: Error): void;
}

const MAX_MESSAGE_BYTES = 1024 * 1024;

export class UnaryClient {
  private connection: Http2Connection | undefined;
  private readonly waiting = new Map<Stream, Waiting>();

  constructor(
    private readonly socketPath: string,
    /** An established connection has ended; the next call makes another. */
    private readonly onDisconnect: () => void,
  ) {}

  /** Calls a method; rejects on any status but OK. */
  async call<M extends Method>(
    service: Service,
    method: M,
    request: Parameters<M['requestType']['encode']>[0],
    timeoutMs: number,
  ): Promise<ReturnType<M['responseType']['decode']>> {
    const connection = this.connected();
    const path = `/${service.fullName}/${method.name}`;
    const stream = connection.open({
      ':method': 'POST',
      ':scheme': 'http',
      ':path': path,
      ':authority': 'localhost',
      te: 'trailers',
      'content-type': 'application/grpc+proto',
      'grpc-timeout': `${timeoutMs}m`,
    });
    const answer = new Promise<Buffer>((resolve, reject) => this.waiting.set(stream, { resolve, reject }));
    connection.sendData(stream, frameMessage(method.requestType.encode(request).finish()), true);
    const timer = setTimeout(() => {
      connection.reset(stream, ErrorCode.CANCEL);
      this.settle(stream, new Error(`${path}: no answer within ${timeoutMs} ms`));
    }, timeoutMs);
    try {
      return method.responseType.decode(await answer);
    } finally {
      clearTimeout(timer);
    }
  }

  close(): void {
    this.connection?.destroy();
  }

  private connected(): Http2Connection {
    if (this.connection && !this.connection.isClosed) return this.connection;
    const socket = connect(this.socketPath);
    let established = false;
    socket.once('connect', () => (established = true));
    const connection = new Http2Connection(socket, 'client', MAX_MESSAGE_BYTES, {
      onComplete: (stream) => this.complete(stream),
      onReset: (stream, code) =>
        this.settle(stream, new Error(`${this.socketPath}: the call was broken off (${code})`)),
      onClose: () => {
        if (this.connection === connection) this.connection = undefined;
        if (established) this.onDisconnect();
      },
    });
    this.connection = connection;
    return connection;
  }

  private complete(stream: Stream): void {
    const status = stream.trailers ?? stream.headers;
    if (status?.['grpc-status'] === '0') {
      try {
        this.settle(stream, readMessage(stream.data));
      } catch (error) {
        this.settle(stream, error as Error);
      }
      return;
    }
    const message = status?.['grpc-message'] ?? `HTTP ${stream.headers?.[':status']}`;
    this.settle(stream, new Error(`${this.socketPath}: status ${status?.['grpc-status']}: ${message}`));
  }

  private settle(stream: Stream, result: Buffer | Error): void {
    const waiting = this.waiting.get(stream);
    this.waiting.delete(stream);
    if (result instanceof Error) waiting?.reject(result);
    else waiting?.resolve(result);
  }
}
