import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { collectAfter } from '../collect';
import { ImportError } from '../import-error';
import { shown, StatusError, type HttpClient } from './http-client';
import type { HttpLimits } from './limits';
import { PaceGuard } from './pace-guard';
import type { Source } from './source';

interface Facts {
  readonly size?: number;
  /** ETag, or the time of the last change: compared between requests. */
  readonly version?: string;
  readonly hasRanges: boolean;
}

/** Status of a URL that is no longer valid, such as a signed one that has expired. */
const GONE = [401, 403, 404, 410];

/** File of a web server. */
export class HttpSource implements Source {
  private constructor(
    private readonly client: HttpClient,
    private readonly url: string,
    /** URL after redirects. Later requests begin there, because another mirror may have another version of the file. */
    private place: string,
    private readonly facts: Facts,
    private readonly onBytes: (bytes: number) => void,
  ) {}

  /**
   * Learns size, version and support of ranges with a request for the first byte.
   * @param onBytes called with the number of bytes that have arrived
   */
  public static async open(
    client: HttpClient,
    url: string,
    onBytes: (bytes: number) => void = () => undefined,
  ): Promise<HttpSource> {
    const { message, url: place } = await retried(client.limits, () => client.get(url, { range: 'bytes=0-0' }));
    // a server that ignores the range sends everything: only its headers are of interest
    message.destroy();
    return new HttpSource(client, new URL(url).href, place, factsOf(message), onBytes);
  }

  public get size(): number | undefined {
    return this.facts.size;
  }

  public get transferBytes(): number | undefined {
    return this.facts.size;
  }

  public get version(): string | undefined {
    return this.facts.version;
  }

  public get isRandomAccess(): boolean {
    return this.facts.hasRanges && this.facts.size !== undefined;
  }

  public async *stream(from = 0): AsyncGenerator<Buffer> {
    const { size } = this;
    const { attempts, firstRetryMs, leastBytes } = this.client.limits;
    let at = from;
    for (let attempt = 0; size === undefined || at < size;) {
      const started = at;
      try {
        for await (const chunk of this.body(at)) {
          at += chunk.length;
          yield chunk;
        }
        if (size === undefined || at >= size) return;
        throw new Error(`the connection ended after ${at} of ${size} bytes`);
      } catch (error) {
        // single bytes do not count as progress: a server that stalls after each of them would occupy the importer for ever
        attempt = at - started >= leastBytes ? 1 : attempt + 1;
        if (isFinal(error)) throw error;
        if (attempt >= attempts || (at > 0 && !this.canContinue)) throw this.broken(error);
        await sleep(firstRetryMs * 2 ** (attempt - 1));
      }
    }
  }

  public async read(position: number, length: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    let got = 0;
    await retried(this.client.limits, async () => {
      for await (const chunk of this.body(position + got, position + length)) {
        parts.push(chunk);
        got += chunk.length;
      }
      if (got < length) throw this.broken(new Error(`${got} of ${length} bytes at ${position}`));
    });
    return Buffer.concat(parts);
  }

  public close(): void {
    this.client.close();
  }

  /** The same bytes can be requested again, and a change of the file would be noticed. */
  private get canContinue(): boolean {
    return this.facts.version !== undefined;
  }

  /** Yields the bytes from a position up to, not including, `end`. */
  private async *body(at: number, end?: number): AsyncGenerator<Buffer> {
    const { hasRanges, version, size } = this.facts;
    const range =
      hasRanges && (at > 0 || end !== undefined) ? `bytes=${at}-${end === undefined ? '' : end - 1}` : undefined;
    const message = await this.request(range ? { range } : {});
    try {
      const now = factsOf(message);
      if (now.version !== version || (now.size !== undefined && now.size !== size)) throw this.changed();
      const isPart = message.statusCode === 206;
      if (isPart && startOf(message) !== at) throw this.wrongRange(message);
      let skip = isPart ? 0 : at;
      let left = (end ?? size ?? Infinity) - at;
      const pace = new PaceGuard(this.client.limits);
      let asked = Date.now();
      for await (const data of message as AsyncIterable<Buffer>) {
        pace.add(data.length, Date.now() - asked);
        this.onBytes(data.length);
        collectAfter(data.length);
        const chunk = data.subarray(Math.min(skip, data.length));
        skip -= data.length - chunk.length;
        if (chunk.length > left) {
          if (end === undefined) throw this.tooLong();
          yield chunk.subarray(0, left);
          return;
        }
        left -= chunk.length;
        if (chunk.length > 0) yield chunk;
        asked = Date.now();
      }
    } finally {
      // a complete body returns its connection to the agent; any other is closed
      if (!message.complete) message.destroy();
    }
  }

  /** Asks the server that answered last. The first URL names another one if that is necessary. */
  private async request(headers: OutgoingHttpHeaders): Promise<IncomingMessage> {
    const { client, url, place } = this;
    const found = await client.get(url, headers, { from: place }).catch((error: unknown) => {
      if (place === url || !isGone(error)) throw error;
      return client.get(url, headers);
    });
    this.place = found.url;
    return found.message;
  }

  private get name(): string {
    return shown(new URL(this.url));
  }

  private changed(): ImportError {
    return new ImportError(
      'SourceChanged',
      `${this.name} changed during the import`,
      'use a URL whose file does not change; the import starts again',
    );
  }

  private wrongRange({ headers }: IncomingMessage): ImportError {
    const got = String(headers['content-range']).slice(0, 80);
    return new ImportError(
      'SourceRejected',
      `${this.name}: the server sent another range (${got})`,
      'check the server',
    );
  }

  private tooLong(): ImportError {
    const message = `${this.name}: the server sent more than the ${this.size} bytes that it declared`;
    return new ImportError('SourceRejected', message, 'check the server');
  }

  private broken(error: unknown): ImportError {
    if (error instanceof ImportError) return error;
    const { message } = error as Error;
    return new ImportError('SourceUnreachable', `${this.name}: ${message}`, 'check the server and the network', {
      cause: error,
    });
  }
}

/** Whether the first URL may lead to another place where the file is. */
const isGone = (error: unknown): boolean =>
  error instanceof StatusError
    ? GONE.includes(error.status)
    : error instanceof ImportError && error.problem === 'SourceUnreachable';

/** Whether another attempt cannot help. */
const isFinal = (error: unknown): boolean =>
  error instanceof ImportError && (error.problem === 'SourceRejected' || error.problem === 'SourceChanged');

async function retried<T>({ attempts, firstRetryMs }: HttpLimits, action: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await action();
    } catch (error) {
      if (isFinal(error) || attempt >= attempts) throw error;
      await sleep(firstRetryMs * 2 ** (attempt - 1));
    }
  }
}

function factsOf({ statusCode, headers }: IncomingMessage): Facts {
  const range = /^bytes \d+-\d+\/(\d+)$/.exec(headers['content-range'] ?? '');
  const declared = statusCode === 206 ? range?.[1] : headers['content-length'];
  return {
    // a size that no number can hold is larger than any claim
    ...(declared === undefined ? {} : { size: Math.min(Number(declared), Number.MAX_SAFE_INTEGER) }),
    ...(versionOf(headers) ? { version: versionOf(headers) } : {}),
    hasRanges: statusCode === 206,
  };
}

/** A weak ETag (`W/`) does not promise equal bytes. */
function versionOf({ etag, 'last-modified': modified }: IncomingMessage['headers']): string | undefined {
  return etag && !etag.startsWith('W/') ? etag : modified;
}

function startOf({ headers }: IncomingMessage): number | undefined {
  const start = /^bytes (\d+)-/.exec(headers['content-range'] ?? '')?.[1];
  return start === undefined ? undefined : Number(start);
}
