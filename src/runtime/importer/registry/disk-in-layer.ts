import { Parser, type ReadEntry } from 'tar';
import { TarFeed } from '../feed-tar';
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
  const feed = new TarFeed(parser, 'end');
  parser.on('error', ({ message }: Error) =>
    feed.fail(new ImportError('ImageInvalid', `a layer of the image is damaged: ${message}`, 'push the image again')),
  );
  const feeding = feed.write(tar);
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
