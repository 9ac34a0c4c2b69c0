import { Parser, type ReadEntry } from 'tar';
import { ImportError } from '../import-error';

/** Folder of container disks. */
const FOLDER = /^(?:\.?\/)?disk\/([^/]+)$/;

/**
 * Yields the bytes of the disk image in a layer's tar archive, then reads the rest, so that the digest of the layer can be
 * verified. Yields nothing if the layer has none.
 */
export async function* diskInLayer(tar: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const found = Promise.withResolvers<ReadEntry | undefined>();
  let isFound = false;
  const parser = new Parser({
    strict: true,
    onReadEntry: (entry) => {
      if (isFound || !isDisk(entry)) return entry.resume();
      isFound = true;
      found.resolve(entry);
    },
  });
  const feeding = feed(tar, parser);
  feeding.then(() => found.resolve(undefined), found.reject);
  const entry = await found.promise;
  if (entry) yield* entry as AsyncIterable<Buffer>;
  await feeding;
}

/** Whiteouts hide files of other layers. */
function isDisk({ path, type }: ReadEntry): boolean {
  const name = FOLDER.exec(path)?.[1];
  if (name === undefined || name.startsWith('.wh.')) return false;
  if (type === 'File' || type === 'OldFile' || type === 'ContiguousFile') return true;
  if (type === 'Directory') return false;
  throw new ImportError(
    'ImageInvalid',
    `/disk/${name} of the image is not a regular file (${type})`,
    'add the disk as a file',
  );
}

/** Writes into the parser as fast as its entries are read. */
async function feed(tar: AsyncIterable<Buffer>, parser: Parser): Promise<void> {
  const ended = new Promise<void>((resolve, reject) => {
    parser.on('end', () => resolve());
    parser.on('error', (error: Error) => {
      reject(
        new ImportError('ImageInvalid', `a layer of the image is damaged: ${error.message}`, 'push the image again'),
      );
    });
  });
  ended.catch(() => undefined);
  for await (const chunk of tar) {
    if (!parser.write(chunk))
      await Promise.race([new Promise<void>((resolve) => parser.once('drain', resolve)), ended]);
  }
  parser.end();
  await ended;
}
