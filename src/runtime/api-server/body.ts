import type { IncomingMessage } from 'node:http';
import { Refusal } from './status';

/** Bytes that all requests together may hold in memory before they are answered. */
const MAX_HELD_BYTES = 128 * 1024 * 1024;
/** The same limit for one address, so that a slow sender leaves memory for others. */
const MAX_HELD_BYTES_OF_ONE = 32 * 1024 * 1024;

/** Reads request bodies with three limits: per request, per address and for all together. */
export class Bodies {
  private held = 0;
  private readonly heldOf = new Map<string, number>();

  public constructor(
    private readonly most = MAX_HELD_BYTES,
    private readonly mostOfOne = MAX_HELD_BYTES_OF_ONE,
  ) {}

  /** Calls `use` with the whole body, which counts as held in memory until `use` has finished. */
  public async read<T>(request: IncomingMessage, limit: number, use: (body: Buffer) => Promise<T>): Promise<T> {
    const from = request.socket?.remoteAddress ?? '';
    const chunks: Buffer[] = [];
    let size = 0;
    try {
      // a request that is too large is not destroyed, so that its sender can read the cause
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
