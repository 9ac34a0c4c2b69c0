import type { IncomingMessage } from 'node:http';
import { Refusal } from './status';

/** What all requests together may hold in memory before they are answered. */
const MAX_HELD_BYTES = 128 * 1024 * 1024;

/** Reads the bodies of requests: each up to a limit, and all of them together up to another. */
export class Bodies {
  private held = 0;

  public constructor(private readonly most = MAX_HELD_BYTES) {}

  /** Calls `use` with the whole body, which counts as held until `use` has finished. */
  public async read<T>(request: IncomingMessage, limit: number, use: (body: Buffer) => Promise<T>): Promise<T> {
    const chunks: Buffer[] = [];
    let size = 0;
    try {
      // not destroyed when it is too large: its sender shall read why
      for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        size += chunk.length;
        this.held += chunk.length;
        if (size > limit) {
          throw new Refusal(413, 'RequestEntityTooLarge', `the request is too large: limit is ${limit} bytes`);
        }
        if (this.held > this.most) {
          throw new Refusal(503, 'ServiceUnavailable', 'too many large requests at once', {}, 'try again');
        }
        chunks.push(chunk);
      }
      return await use(Buffer.concat(chunks));
    } finally {
      this.held -= size;
    }
  }
}
