import type { IncomingMessage } from 'node:http';

/** Longest body of a request. */
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

/** Reads the options of an action: a JSON object, or nothing. Throws InvalidOptions; the caller can still be answered. */
export async function readOptions(request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new InvalidOptions(413, `the options of an action have at most ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return parsed(Buffer.concat(chunks).toString('utf8'));
}

function parsed(body: string): Readonly<Record<string, unknown>> {
  if (body === '') return {};
  let options: unknown;
  try {
    options = JSON.parse(body);
  } catch {
    throw new InvalidOptions(400, 'the options of an action are not JSON');
  }
  if (typeof options === 'object' && options !== null && !Array.isArray(options))
    return options as Readonly<Record<string, unknown>>;
  throw new InvalidOptions(400, 'the options of an action are not a JSON object');
}
