import type { IncomingMessage } from 'node:http';
import { StringDecoder } from 'node:string_decoder';
import { BrokenStream } from './watch-failure';

/** Far above any page of a list, and below the maximum length of a string. */
const MAX_BODY_BYTES = 256 * 1024 * 1024;
/** Far above one object, of which Kubernetes stores up to 1.5 MiB. */
const MAX_LINE_CHARS = 32 * 1024 * 1024;

/** Reads the whole body as text. Throws if it is larger than `limit`, so that a response cannot exhaust memory. */
export async function readBody(response: IncomingMessage, limit = MAX_BODY_BYTES): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    // leaving the loop destroys the response
    if (size > limit) throw new Error(`the answer has more than ${limit} bytes; ask for less at a time`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * Calls `onLine` for each complete line, in order; resolves at the end of the stream or when `signal` is aborted. An error
 * of `onLine` ends the stream and is thrown. A line longer than `limit` characters is a `BrokenStream`.
 */
export function readLines(
  response: IncomingMessage,
  onLine: (line: string) => void,
  signal?: AbortSignal,
  limit = MAX_LINE_CHARS,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const decoder = new StringDecoder('utf8');
    let rest: string[] = [];
    let restChars = 0;
    let failed = false;
    const fail = (error: unknown): void => {
      if (failed) return;
      failed = true;
      response.destroy();
      if (signal?.aborted) resolve();
      else reject(error);
    };
    response.on('data', (chunk: Buffer) => {
      if (failed) return;
      const lines = decoder.write(chunk).split('\n');
      const last = lines.pop() ?? '';
      try {
        for (const line of lines) {
          const complete = rest.length ? rest.join('') + line : line;
          rest = [];
          restChars = 0;
          if (complete.trim()) onLine(complete);
        }
      } catch (error) {
        fail(error);
        return;
      }
      if (!last) return;
      rest.push(last);
      restChars += last.length;
      if (restChars > limit) fail(new BrokenStream(`a line of the stream has more than ${limit} characters`));
    });
    response.once('error', fail);
    response.once('aborted', () => fail(new Error('the API server closed the stream in the middle')));
    // a truncated last line is dropped, because the watch is resumed before it
    response.once('end', () => !failed && resolve());
    response.once('close', () => !failed && resolve());
  });
}
