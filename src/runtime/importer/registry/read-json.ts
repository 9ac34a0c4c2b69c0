import { text } from 'node:stream/consumers';
import { ImportError } from '../import-error';

/** Registries accept manifests of at most 4 MiB. */
const MOST_BYTES = 4 << 20;

/** Reads the body of a response: an object of JSON, and its text. `name`: of the body, for errors. */
export async function readJson(body: AsyncIterable<Buffer>, name: string): Promise<{ value: object; text: string }> {
  const read = await text(limited(body, name));
  const value = parsed(read);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { value, text: read };
  throw new ImportError('SourceRejected', `${name} is not an object of JSON`, 'check the URL');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function* limited(bytes: AsyncIterable<Buffer>, name: string): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > MOST_BYTES) {
      throw new ImportError('SourceRejected', `${name} has more than ${MOST_BYTES} bytes`, 'check the registry');
    }
    yield chunk;
  }
}
