import type { Writable } from 'node:stream';
import type { WebSocket } from 'ws';

/** The websocket protocols of exec and attach: the first byte of each message is its channel. */

export const STREAM_PROTOCOLS = ['v5.channel.k8s.io', 'v4.channel.k8s.io', 'v4.base64.channel.k8s.io'];

export const CHANNEL = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4, close: 255 } as const;

const BUFFER_LIMIT = 1 << 20;
/** Maximum bytes of the reason in a close frame. */
const MAX_REASON = 123;

export interface StreamHandlers {
  /** Destination of standard input, with back-pressure. Without one, input is dropped. */
  readonly stdin?: Writable;
  stdinEnd(): void;
  resize(columns: number, rows: number): void;
  /** Aborts when the client disconnects. */
  closed(): void;
}

/** Exec or attach session. */
export class StreamSocket {
  private readonly base64: boolean;

  public constructor(
    private readonly socket: WebSocket,
    handlers: StreamHandlers,
  ) {
    this.base64 = socket.protocol === 'v4.base64.channel.k8s.io';
    socket.on('message', (data: Buffer) => {
      const message = Buffer.isBuffer(data) ? data : Buffer.from(data as unknown as ArrayBuffer);
      const channel = this.base64 ? Number(message.toString('latin1', 0, 1)) : message[0];
      const body = this.base64 ? Buffer.from(message.toString('latin1', 1), 'base64') : message.subarray(1);
      if (channel === CHANNEL.stdin) this.feed(handlers.stdin, body);
      else if (channel === CHANNEL.resize) resize(body, handlers);
      // v5: "this channel has ended"
      else if (channel === CHANNEL.close && body[0] === CHANNEL.stdin) handlers.stdinEnd();
    });
    socket.on('close', () => handlers.closed());
    socket.on('error', () => handlers.closed());
  }

  private feed(stdin: Writable | undefined, data: Buffer): void {
    if (!stdin || stdin.destroyed || stdin.writableEnded || stdin.write(data)) return;
    pauseUntilDrained(this.socket, stdin);
  }

  /** Sends output; resolves when more may come. */
  public async send(channel: number, data: Buffer | string): Promise<void> {
    const body = Buffer.from(data as Buffer);
    await sendTo(
      this.socket,
      this.base64 ? `${channel}${body.toString('base64')}` : Buffer.concat([Buffer.from([channel]), body]),
    );
  }

  /** Sends the exit status of the command and ends the session. */
  public async finish(status: object): Promise<void> {
    await this.send(CHANNEL.error, JSON.stringify(status));
    this.socket.close(1000);
  }
}

/** Sends a message; resolves at once, or after the client has read the queued data. */
export async function sendTo(socket: WebSocket, message: Buffer | string): Promise<void> {
  if (socket.readyState !== socket.OPEN) return;
  await new Promise<void>((resolve) => {
    socket.send(message, () => resolve());
    if (socket.bufferedAmount <= BUFFER_LIMIT) resolve();
  });
}

/** Ends a failed session. The close frame contains as much of the cause as fits, in whole characters. */
export function closeFailed(socket: WebSocket, cause: string): void {
  const bytes = Buffer.from(cause);
  let end = Math.min(bytes.length, MAX_REASON);
  while (end < bytes.length && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  socket.close(1011, bytes.subarray(0, end));
}

/** Pauses reading from a client until the process has read the sent data or has ended. */
export function pauseUntilDrained(socket: WebSocket, stdin: Writable): void {
  if (socket.isPaused) return;
  socket.pause();
  const resume = (): void => {
    stdin.off('drain', resume);
    stdin.off('close', resume);
    if (socket.readyState === socket.OPEN) socket.resume();
  };
  stdin.on('drain', resume);
  stdin.on('close', resume);
}

function resize(body: Buffer, handlers: StreamHandlers): void {
  try {
    const { Width, Height } = JSON.parse(body.toString('utf8')) as { Width?: number; Height?: number };
    if (Number.isInteger(Width) && Number.isInteger(Height)) handlers.resize(Width ?? 0, Height ?? 0);
  } catch {
    // not a terminal size
  }
}

/** Kubernetes' Status for an exit code. */
export function exitStatus(code: number): object {
  if (code === 0) return { metadata: {}, status: 'Success' };
  return {
    metadata: {},
    status: 'Failure',
    message: `command terminated with non-zero exit code: exit status ${code}`,
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
  };
}

export const failureStatus = (message: string): object => ({
  metadata: {},
  status: 'Failure',
  message,
  reason: 'InternalError',
  code: 500,
});
