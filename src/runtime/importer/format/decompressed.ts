import type { Confiner } from '../convert/confined';
import { ImportError } from '../import-error';
import { decompress } from './decompress';
import { detect, DETECT_BYTES, type Detected } from './detect';
import { peek } from './peek';

export interface Content {
  /** Kind of the bytes after decompression. */
  readonly found: Detected;
  readonly bytes: AsyncGenerator<Buffer>;
  /** Ends the stream without reading it. */
  close(): Promise<void>;
}

/** Finds out what a stream contains, and decompresses it once. @throws ImportError if it is empty */
export async function decompressed(stream: AsyncIterable<Buffer>, confiner: Confiner): Promise<Content> {
  const outer = await peek(stream, DETECT_BYTES);
  if (outer.head.length === 0) throw new ImportError('ImageInvalid', 'the source is empty', 'check the URL');
  const found = detect(outer.head);
  if (found.kind !== 'compressed') return { found, bytes: outer.all, close: outer.close };
  const inner = await peek(decompress(found.by, outer.all, confiner), DETECT_BYTES);
  return { found: detect(inner.head), bytes: inner.all, close: inner.close };
}

/** Kind of a content, for messages. */
export const nameOf = (found: Detected): string =>
  found.kind === 'compressed'
    ? `compressed twice (${found.by})`
    : found.kind === 'unsupported'
      ? `a file of type ${found.name}`
      : found.kind === 'image'
        ? `a disk image (${found.format})`
        : 'a tar archive';
