/**
 * The routing layer: one socket, many concurrent calls, each with a deadline; events; keepalive.
 */
import { type Socket, connect } from 'node:net';
import { LibvirtConnectionError, readError } from './errors';
import { type Frame, FrameReader, MessageStatus, MessageType, encodeFrame } from './frame';
import { QEMU_PROGRAM, QEMU_VERSION, REMOTE_VERSION, calls, events } from './generated/protocol';
import { type Codec, type Decoded, nothing } from './xdr';

export type CallName = keyof typeof calls;
export type ArgsOf<N extends CallName> = Decoded<(typeof calls)[N]['args']>;
export type RetOf<N extends CallName> = Decoded<(typeof calls)[N]['ret']>;
type Events = typeof events;
/** Every event, by its name. */
export type LibvirtEvent = {
  [K in keyof Events]: { name: Events[K]['name']; body: Decoded<Events[K]['message']> };
}[keyof Events];

/** 'keep': the program that both sides answer pings on. */
const KEEPALIVE_PROGRAM = 0x6b656570;
const KEEPALIVE = { PING: 1, PONG: 2 } as const;

/**
 * Calls that may take long without a fault of libvirtd: a start waits for all guest memory, a dump writes it, and the others
 * wait for the guest agent.
 */
const MAY_LAST: ReadonlySet<CallName> = new Set([
  'domainCoreDumpWithFormat',
  'domainCreateWithFlags',
  'domainFsfreeze',
  'domainFsthaw',
  'domainReboot',
  'qemuDomainAgentCommand',
]);

/** A call that libvirtd has accepted and not answered. */
export interface Unanswered {
  readonly name: CallName;
  /** Time by the clock of `now`. */
  readonly sentAt: number;
}

interface Pending extends Unanswered {
  ret: Codec<unknown>;
  resolve(value: unknown): void;
  reject(error: Error): void;
  timer: NodeJS.Timeout;
}

export interface ConnectionOptions {
  /** Deadline of a call. Default 30 s. */
  deadlineMs?: number;
  /** Milliseconds of a monotonic clock. */
  now?: () => number;
  onEvent?(event: LibvirtEvent): void;
  /** Called once, when the socket is closed for any reason. */
  onClose?(error: Error): void;
}

/** A connection to libvirtd. Once closed, it stays closed. */
export class Connection {
  private readonly reader = new FrameReader();
  private readonly pending = new Map<number, Pending>();
  /** Calls that have missed their deadline, until libvirtd answers them. */
  private readonly late = new Map<number, Unanswered>();
  private serial = 0;
  private closed: Error | undefined;
  private pong: ((isAlive: boolean) => void) | undefined;

  private constructor(
    private readonly socket: Socket,
    private readonly options: ConnectionOptions,
  ) {
    socket.on('data', (chunk) => this.receive(chunk));
    socket.on('error', (error) => this.fail(new LibvirtConnectionError(`libvirt: ${error.message}`)));
    socket.on('close', () => this.fail(new LibvirtConnectionError('libvirt closed the connection')));
  }

  /** Connects to libvirtd's unix socket. */
  static async open(path: string, options: ConnectionOptions = {}): Promise<Connection> {
    const socket = connect(path);
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', (error) => reject(new LibvirtConnectionError(`libvirt at ${path}: ${error.message}`)));
    });
    socket.removeAllListeners('error');
    return new Connection(socket, options);
  }

  /** Calls a procedure and waits for its reply. */
  call<N extends CallName>(
    name: N,
    args: ArgsOf<N>,
    deadlineMs = this.options.deadlineMs ?? 30_000,
  ): Promise<RetOf<N>> {
    if (this.closed) return Promise.reject(this.closed);
    const { program, procedure, args: codec, ret } = calls[name];
    const version = program === QEMU_PROGRAM ? QEMU_VERSION : REMOTE_VERSION;
    this.serial = (this.serial % 0xffffffff) + 1;
    const serial = this.serial;
    const sentAt = (this.options.now ?? performance.now.bind(performance))();
    const header = { program, version, procedure, type: MessageType.CALL, serial, status: MessageStatus.OK };
    const bytes = encodeFrame(header, (w) => (codec as Codec<unknown>).write(w, args));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        if (!MAY_LAST.has(name)) this.late.set(serial, this.pending.get(serial)!);
        this.pending.delete(serial);
        reject(new LibvirtConnectionError(`libvirt ${name}: no answer within ${deadlineMs} ms`));
      }, deadlineMs);
      const settle = resolve as (value: unknown) => void;
      const reply = (ret ?? nothing) as Codec<unknown>;
      this.pending.set(serial, { name, sentAt, ret: reply, resolve: settle, reject, timer });
      this.socket.write(bytes);
    });
  }

  /** The calls that wait for a worker of the daemon and should be answered soon. Each is always the same object. */
  get unanswered(): Unanswered[] {
    return [...this.late.values(), ...[...this.pending.values()].filter(({ name }) => !MAY_LAST.has(name))];
  }

  /** Pings the daemon, which answers from its event loop without a worker. */
  async ping(deadlineMs: number): Promise<boolean> {
    if (this.closed) return false;
    this.keepalive(KEEPALIVE.PING);
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), deadlineMs);
      this.pong = (isAlive) => {
        clearTimeout(timer);
        resolve(isAlive);
      };
    });
  }

  close(): void {
    this.fail(new LibvirtConnectionError('the connection to libvirt was closed'));
  }

  private keepalive(procedure: number): void {
    const header = {
      program: KEEPALIVE_PROGRAM,
      version: 1,
      procedure,
      type: MessageType.MESSAGE,
      serial: 0,
      status: 0,
    };
    this.socket.write(encodeFrame(header, () => {}));
  }

  private receive(chunk: Buffer): void {
    try {
      for (const frame of this.reader.push(chunk)) this.route(frame);
    } catch (error) {
      this.fail(error as Error);
    }
  }

  private route({ header, payload }: Frame): void {
    if (header.program === KEEPALIVE_PROGRAM) {
      if (header.procedure === KEEPALIVE.PING) this.keepalive(KEEPALIVE.PONG);
      else this.pong?.(true);
      return;
    }
    if (header.type === MessageType.MESSAGE) {
      const known = events[header.procedure as keyof Events];
      if (!known || known.program !== header.program) return; // not subscribed
      this.options.onEvent?.({ name: known.name, body: known.message.read(payload) } as LibvirtEvent);
      return;
    }
    this.late.delete(header.serial);
    const waiting = this.pending.get(header.serial);
    if (!waiting || header.type !== MessageType.REPLY) return; // its deadline has passed
    this.pending.delete(header.serial);
    clearTimeout(waiting.timer);
    try {
      if (header.status === MessageStatus.OK) waiting.resolve(waiting.ret.read(payload));
      else waiting.reject(readError(waiting.name, payload));
    } catch (error) {
      waiting.reject(error as Error);
    }
  }

  private fail(error: Error): void {
    if (this.closed) return;
    this.closed = error;
    this.socket.destroy();
    for (const waiting of this.pending.values()) {
      clearTimeout(waiting.timer);
      waiting.reject(error);
    }
    this.pending.clear();
    this.late.clear();
    this.pong?.(false);
    this.options.onClose?.(error);
  }
}
