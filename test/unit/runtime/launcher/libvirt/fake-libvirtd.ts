import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ArgsOf, CallName, RetOf } from '../../../../../src/runtime/launcher/libvirt/connection';
import { encodeFrame, FrameReader, MessageType } from '../../../../../src/runtime/launcher/libvirt/frame';
import { calls, events } from '../../../../../src/runtime/launcher/libvirt/generated/protocol';
import { type Codec, nothing } from '../../../../../src/runtime/launcher/libvirt/xdr';

type Handlers = { [N in CallName]?: (args: ArgsOf<N>) => RetOf<N> | Promise<RetOf<N>> };
type Pairs = [CallName, { program: number; procedure: number; args: Codec<unknown>; ret?: Codec<unknown> }][];

const KEEPALIVE = 0x6b656570;

/** libvirtd's end of the protocol, one answer per procedure. A call without an answer stays open. */
export class FakeLibvirtd {
  readonly socket: string;
  /** Names of the calls, in order. */
  readonly called: CallName[] = [];
  answersPings = true;
  private readonly directory = mkdtempSync(join(tmpdir(), 'libvirt-'));
  private readonly sockets = new Set<Socket>();
  private server: Server | undefined;

  constructor(public handlers: Handlers = {}) {
    this.socket = join(this.directory, 'sock');
    this.handlers = {
      authList: () => ({ types: [0] }),
      connectOpen: () => undefined,
      connectDomainEventCallbackRegisterAny: () => ({ callbackID: 1 }),
      ...handlers,
    };
  }

  async start(): Promise<void> {
    this.server = createServer((socket) => {
      this.sockets.add(socket);
      const reader = new FrameReader();
      socket.on('error', () => {});
      socket.on('close', () => this.sockets.delete(socket));
      socket.on('data', (bytes) => {
        for (const { header, payload } of reader.push(bytes)) {
          if (header.program === KEEPALIVE) {
            if (this.answersPings) socket.write(encodeFrame({ ...header, procedure: 2 }, () => {}));
            continue;
          }
          const found = (Object.entries(calls) as Pairs).find(
            ([, call]) => call.program === header.program && call.procedure === header.procedure,
          );
          if (!found) throw new Error(`procedure ${header.procedure} is unknown`);
          const [name, { args, ret = nothing }] = found;
          this.called.push(name);
          const handler = this.handlers[name] as ((given: unknown) => unknown) | undefined;
          if (!handler) continue;
          void Promise.resolve(handler(args.read(payload))).then((answer) => {
            socket.write(
              encodeFrame({ ...header, type: MessageType.REPLY }, (w) => (ret as Codec<unknown>).write(w, answer)),
            );
          });
        }
      });
    });
    await new Promise<void>((resolve) => this.server!.listen(this.socket, resolve));
  }

  /** Sends a lifecycle event to everybody. */
  lifecycle(event: number, detail = 0): void {
    const [number, { program, message }] = Object.entries(events).find(
      ([, each]) => each.name === 'domainEventCallbackLifecycle',
    )!;
    const header = { program, version: 1, procedure: Number(number), type: MessageType.MESSAGE, serial: 0, status: 0 };
    const bytes = encodeFrame(header, (w) =>
      (message as Codec<unknown>).write(w, { callbackID: 1, msg: { dom: fakeDomain, event, detail } }),
    );
    for (const socket of this.sockets) socket.write(bytes);
  }

  /** Its process dies: every connection ends. */
  crash(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.crash();
    await new Promise((resolve) => (this.server ? this.server.close(resolve) : resolve(undefined)));
    this.server = undefined;
    rmSync(this.directory, { recursive: true, force: true });
  }
}

export const fakeDomain = { name: 'default_tiny', uuid: Buffer.alloc(16, 1), id: 1 };
