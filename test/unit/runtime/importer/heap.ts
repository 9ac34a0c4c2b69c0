import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const MIB = 1 << 20;

/** Chunks in which a transfer of about a GiB arrives. */
export const CHUNKS = 65_536;
/** Far less than an object for each of them needs. */
export const MOST_HEAP_MIB = 8;

/** Yields chunks, and calls `onGrowth` with the MiB that the heap has grown since the first one. */
export async function* measured(
  chunk: Buffer,
  count: number,
  onGrowth: (heapMiB: number) => void,
): AsyncGenerator<Buffer> {
  const used = (): number => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = used();
  for (let sent = 0; sent < count; sent++) {
    yield chunk;
    // the event loop has to turn for streams
    if (sent % 1024 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  onGrowth((used() - before) / MIB);
}
