import { Readable } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import type { Confiner } from '../convert/confined';
import { ImportError } from '../import-error';
import type { Compression } from './detect';

/** Memory of xz: its highest level needs 65 MiB. */
const XZ_MEMORY = '96MiB';

/** Yields the decompressed bytes. A damaged file is an ImportError. */
export async function* decompress(
  by: Compression,
  bytes: AsyncIterable<Buffer>,
  confiner: Confiner,
): AsyncGenerator<Buffer> {
  const input = Readable.from(bytes, { objectMode: false, highWaterMark: 1 << 20 });
  // an error of the source is reported by its own name, not as damaged data
  let failure: Error | undefined;
  input.on('error', (error) => (failure = error));
  try {
    yield* by === 'xz' ? xz(input, confiner) : zlib(by, input);
  } catch (error) {
    if (failure) throw failure;
    if (error instanceof ImportError) throw error;
    const message = `the ${by} file is damaged: ${(error as Error).message}`;
    throw new ImportError('ImageInvalid', message, 'check the file, or set spec.source.http.checksum', {
      cause: error,
    });
  } finally {
    input.destroy();
  }
}

async function* zlib(by: 'gzip' | 'zstd', input: Readable): AsyncGenerator<Buffer> {
  const output =
    by === 'gzip' ? createGunzip({ chunkSize: 256 << 10 }) : createZstdDecompress({ chunkSize: 256 << 10 });
  input.on('error', (error) => output.destroy(error));
  yield* input.pipe(output) as AsyncIterable<Buffer>;
}

/** xz has no decoder in Node.js: Debian's runs confined. */
async function* xz(input: Readable, confiner: Confiner): AsyncGenerator<Buffer> {
  const program = confiner.start(['xz', '--decompress', '--stdout', `--memlimit-decompress=${XZ_MEMORY}`], {
    mostBytes: 0,
    cpuSeconds: 24 * 3600,
  });
  input.on('error', () => program.kill());
  input.pipe(program.input);
  try {
    yield* program.stdout as AsyncIterable<Buffer>;
    await program.ended;
  } finally {
    program.kill();
  }
}
