import type { IncomingMessage } from 'node:http';
import { isObject } from '../../../api/lint/read';
import type { Json } from '../../../api/lint/read';

/** Longest body of a request: the options of an action. */
const MAX_BYTES = 4_096;

/** A body that is not the options of an action. */
export class InvalidOptions extends Error {
  public constructor(
    public readonly code: 400 | 413,
    message: string,
  ) {
    super(message);
  }
}

/** Reads the body of a request. Throws InvalidOptions if it is too long; the caller can still be answered. */
export async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new InvalidOptions(413, `the options of an action have at most ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Parses the options of an action: a JSON object, or nothing. Throws InvalidOptions. */
export function optionsIn(body: string): Json {
  if (body === '') return {};
  let options: unknown;
  try {
    options = JSON.parse(body);
  } catch {
    throw new InvalidOptions(400, 'the options of an action are not JSON');
  }
  if (isObject(options)) return options;
  throw new InvalidOptions(400, 'the options of an action are not a JSON object');
}
