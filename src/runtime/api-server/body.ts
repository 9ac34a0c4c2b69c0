import type { IncomingMessage } from 'node:http';
import { Refusal } from './status';

/** What all requests together may hold in memory before they are answered. */
const MAX_HELD_BYTES = 128 * 1024 * 1024;
/** The same of one address: who sends slowly must leave room for others. */
const MAX_HELD_BYTES_OF_ONE = 32 * 1024 * 1024;

/** Reads the bodies of requests: each up to a limit, those of one address up to another, and all of them up to a third. */
export class Bodies {
  private held = 0;
  private readonly heldOf = new Map<string, number>();

  public constructor(
    private readonly most = MAX_HELD_BYTES,
    private readonly mostOfOne = MAX_HELD_BYTES_OF_ONE,
  ) {}

  /** Calls `use` with the whole body, which counts as held until `use` has finished. */
  public async read<T>(request: IncomingMessage, limit: number, use: (body: Buffer) => Promise<T>): Promise<T> {
    const from = request.socket?.remoteAddress ?? '';
    const chunks: Buffer[] = [];
    let size = 0;
    try {
      // not destroyed when it is too large: its sender shall read why
      for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        size += chunk.length;
        this.count(from, chunk.length);
        if (size > limit) {
          throw new Refusal(413, 'RequestEntityTooLarge', `the request is too large: limit is ${limit} bytes`);
        }
        if (this.held > this.most || this.heldOf.get(from)! > this.mostOfOne) {
          throw new Refusal(503, 'ServiceUnavailable', 'too many large requests at once', {}, 'try again');
        }
        chunks.push(chunk);
      }
      return await use(Buffer.concat(chunks));
    } finally {
      this.count(from, -size);
    }
  }

  private count(from: string, bytes: number): void {
    this.held += bytes;
    const now = (this.heldOf.get(from) ?? 0) + bytes;
    if (now > 0) this.heldOf.set(from, now);
    else this.heldOf.delete(from);
  }
}
