import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { UnpackSync, type ReadEntry } from 'tar';
import { Checksum } from './checksum';
import type { Confiner } from './convert/confined';
import { NOT_CONTENT } from './copy-claim';
import { TarFeed } from './feed-tar';
import { decompressed, nameOf } from './format/decompressed';
import { ImportError } from './import-error';
import type { Source } from './source/source';
import { storageError } from './target/target';

export interface UnpackOptions {
  readonly confiner: Confiner;
  /** `ALGORITHM:HEX` of the source's bytes. */
  readonly checksum?: string;
  /** Largest archive in bytes, after decompression. */
  readonly capacity: number;
}

/**
 * Unpacks a tar archive, which may be compressed, into the file system of a claim. Each attempt starts with an empty folder. Files
 * belong to the user of the importer. Entries that could reach outside of the folder, and devices, end the import.
 */
export async function unpackArchive(
  source: Source,
  folder: string,
  { confiner, checksum, capacity }: UnpackOptions,
): Promise<void> {
  await clear(folder);
  const sum = checksum === undefined ? undefined : new Checksum(checksum);
  const { found, bytes, close } = await decompressed(observed(source.stream(), sum), confiner);
  // the oldest archives have no magic number; their checksum shows what they are
  if (found.kind !== 'tar' && !(found.kind === 'image' && found.format === 'raw')) {
    await close();
    throw new ImportError(
      'FormatUnsupported',
      `the source is ${nameOf(found)}`,
      'remove spec.contentType for a disk image; allowed for archives: tar, also as gz, xz or zst',
    );
  }
  await unpack(limited(bytes, capacity), folder);
  try {
    sum?.verify();
  } catch (error) {
    await clear(folder);
    throw error;
  }
}

async function clear(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!NOT_CONTENT.includes(name)) await rm(join(folder, name), { recursive: true });
  }
}

async function* observed(bytes: AsyncIterable<Buffer>, sum: Checksum | undefined): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    sum?.add(chunk);
    yield chunk;
  }
}

/** Not every storage enforces the size of a claim. */
async function* limited(bytes: AsyncIterable<Buffer>, capacity: number): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > capacity) {
      const message = `the archive has more than the ${capacity} bytes of the claim`;
      throw new ImportError('ImageTooLarge', message, 'request a larger claim');
    }
    yield chunk;
  }
}

async function unpack(bytes: AsyncGenerator<Buffer>, folder: string): Promise<void> {
  // strict: an entry that cannot be unpacked as it is, is an error, and not left out
  // one file at a time: of small files, the other one has thousands in memory
  const archive = new UnpackSync({ cwd: folder, strict: true, preserveOwner: false });
  const feed = new TarFeed(archive, 'close');
  archive.on('error', (error: TarError) => feed.fail(problemOf(error)));
  archive.on('entry', (entry: ReadEntry) => {
    if (GNU_SPARSE.test(entry.path)) feed.fail(notSupported(entry));
  });
  archive.on('ignoredEntry', (entry: ReadEntry) => feed.fail(notSupported(entry)));
  await feed.write(bytes);
}

/** Entries that the parser would leave out, or write as something else. */
function notSupported({ path, type, size }: ReadEntry): ImportError {
  const what = GNU_SPARSE.test(path) || type === 'SparseFile' ? 'a sparse file' : `an entry of type ${type}`;
  const name = JSON.stringify(path.slice(0, SHOWN));
  const message = `the archive contains ${name}, ${what} with ${size} bytes, which is not supported`;
  return new ImportError('ArchiveUnsafe', message, 'create the archive without --sparse and with shorter names');
}

interface TarError extends Error {
  readonly tarCode?: string;
  readonly entry?: Pick<ReadEntry, 'path' | 'linkpath' | 'type'>;
}

/** Name that GNU tar gives to a sparse file, which is written as its map and its data. */
const GNU_SPARSE = /(?:^|\/)GNUSparseFile\.\d+\//;
/** Longest name of an entry in a message. */
const SHOWN = 200;

function problemOf(error: TarError): unknown {
  const stored = storageError(error);
  if (stored !== error) return stored;
  const { entry, tarCode } = error;
  if (!entry || tarCode?.startsWith('TAR_ENTRY') === false) {
    const message = `the archive is damaged: ${error.message}`;
    return new ImportError('ImageInvalid', message, 'create the archive again', { cause: error });
  }
  const link = entry.linkpath ? ` -> ${JSON.stringify(entry.linkpath.slice(0, SHOWN))}` : '';
  return new ImportError(
    'ArchiveUnsafe',
    `the archive contains ${JSON.stringify(entry.path.slice(0, SHOWN))}${link} (${entry.type}): ${error.message}`,
    'use files, folders and links with relative paths inside of the archive',
    { cause: error },
  );
}
