import { errorText } from '../../api/error-text';
import { Checksum } from './checksum';
import { BlockCache } from './source/block-cache';
import { BlockDigests } from './source/block-digests';
import type { Source } from './source/source';
import type { Confiner } from './convert/confined';
import { Converter } from './convert/converter';
import { assertFits } from './convert/image-info';
import type { Served } from './convert/nbd-server';
import { decompressed, nameOf } from './format/decompressed';
import { detect, DETECT_BYTES, type Detected, type ImageFormat } from './format/detect';
import { ImportError } from './import-error';
import type { Journal } from './journal';
import type { Progress } from './progress';
import { SparseWriter } from './target/sparse-writer';
import type { Target } from './target/target';
import { Spool } from './target/spool';

/** Needs of an import besides its source and target. */
export interface ImportContext {
  readonly journal: Journal;
  readonly progress: Progress;
  /** Folder for images that cannot be read at random positions: in the claim's file system, or on the node for a device. */
  readonly spoolFolder: string;
  /** `ALGORITHM:HEX` of the source's bytes. */
  readonly checksum?: string;
  readonly confiner: Confiner;
}

type Foreign = Exclude<ImageFormat, 'raw'>;

/** Bytes between two points from which an interrupted raw import continues. */
const CHECKPOINT_BYTES = 256 << 20;

/**
 * Writes the disk of an image to the target. The image may be raw, in a format of QEMU, or either of them compressed. A disk whose
 * bytes are not those of the source is wiped, so that no VM starts from it.
 */
export async function importImage(source: Source, target: Target, context: ImportContext): Promise<void> {
  try {
    await importAny(source, target, context);
  } catch (error) {
    if (error instanceof ImportError && ['ChecksumMismatch', 'SourceChanged'].includes(error.problem)) {
      throw await wiped(target, context.journal, error);
    }
    throw error;
  }
}

/** Removes the disk. Returns the error, with the cause if the disk is still there. */
async function wiped(target: Target, journal: Journal, error: ImportError): Promise<ImportError> {
  try {
    // first: no import may continue after bytes that were removed
    await journal.clear();
    await target.wipe();
    return error;
  } catch (cause) {
    const message = `${error.message}; the bytes that were written could not be removed: ${errorText(cause)}`;
    return new ImportError(error.problem, message, error.remedy, { cause });
  }
}

async function importAny(source: Source, target: Target, context: ImportContext): Promise<void> {
  context.progress.start(source.transferBytes);
  if (!source.isRandomAccess) return importStream(source.stream(), target, context, verifier(context));
  const head = await source.read(0, Math.min(DETECT_BYTES, source.size!));
  const found = detect(head);
  if (found.kind !== 'image') return importStream(source.stream(), target, context, verifier(context));
  if (found.format === 'raw') return importRaw(source, target, context);
  return importDirect(source, found.format, target, context);
}

/** Imports bytes that arrive once, in their order. */
async function importStream(
  bytes: AsyncIterable<Buffer>,
  target: Target,
  context: ImportContext,
  checksum: Checksum | undefined,
): Promise<void> {
  const seen = observed(bytes, (chunk) => checksum?.add(chunk));
  const content = await decompressed(seen, context.confiner);
  if (content.found.kind !== 'image') {
    await content.close();
    throw unsupported(content.found);
  }
  const { format } = content.found;
  if (format === 'raw') {
    await writeRaw(content.bytes, target);
    checksum?.verify();
  } else await importSpooled(content.bytes, format, target, context, checksum);
}

function unsupported(found: Exclude<Detected, { kind: 'image' }>): ImportError {
  if (found.kind === 'tar') {
    return new ImportError(
      'FormatUnsupported',
      'the source is a tar archive',
      'set spec.contentType to archive to unpack it, or use the URL of a disk image',
    );
  }
  return new ImportError(
    'FormatUnsupported',
    `the source is ${nameOf(found)}`,
    'convert it with `qemu-img convert -O qcow2`; allowed: raw, qcow2, vmdk, vdi, vhd, vhdx, each also as gz, xz or zst',
  );
}

async function writeRaw(bytes: AsyncIterable<Buffer>, target: Target): Promise<void> {
  await target.clear();
  const writer = new SparseWriter(target);
  let position = 0;
  for await (const chunk of bytes) {
    position += chunk.length;
    assertFits(position, target.capacity);
    await writer.add(chunk);
  }
  await writer.settle();
}

/** Streams the bytes of a raw disk to the target. Continues at the last checkpoint of this version of the source. */
export async function importRaw(source: Source, target: Target, context: ImportContext): Promise<void> {
  const { journal, progress } = context;
  const { size, version } = source;
  assertFits(size!, target.capacity);
  const from = await journal.position(version, 'raw');
  const checksum = verifier(context);
  if (checksum) for await (const data of target.content(from)) checksum.add(data);
  progress.start(source.transferBytes, from);
  if (from === 0) await target.clear();
  const writer = new SparseWriter(target, from);
  let position = from;
  let checkpoint = from;
  for await (const chunk of source.stream(from)) {
    position += chunk.length;
    checksum?.add(chunk);
    await writer.add(chunk);
    if (version !== undefined && position - checkpoint >= CHECKPOINT_BYTES) {
      checkpoint = await writer.settle();
      await target.sync();
      await journal.write({ version, format: 'raw', position: checkpoint });
    }
  }
  await writer.settle();
  checksum?.verify();
}

/** Converts an image of which any part can be requested. */
export async function importDirect(
  source: Source,
  format: Foreign,
  target: Target,
  context: ImportContext,
): Promise<void> {
  const { progress, checksum } = context;
  const size = source.size!;
  progress.start(checksum ? 2 * size : size);
  // what is converted later must be what was verified
  const digests = checksum ? await BlockDigests.of(source, new Checksum(checksum)) : undefined;
  const cache = new BlockCache(source, size, (block, data) => digests?.verify(block, data));
  try {
    await convert(cache, format, source.version, target, context);
  } finally {
    await cache.close();
  }
}

/** Stores an image that arrives in one piece, and converts it from there. */
async function importSpooled(
  bytes: AsyncIterable<Buffer>,
  format: Foreign,
  target: Target,
  context: ImportContext,
  checksum: Checksum | undefined,
): Promise<void> {
  await using spool = await Spool.create(context.spoolFolder);
  await spool.fill(bytes, target.capacity);
  checksum?.verify();
  await convert(spool, format, undefined, target, context);
}

async function convert(
  image: Served,
  format: Foreign,
  version: string | undefined,
  target: Target,
  { journal, confiner }: ImportContext,
): Promise<void> {
  const converter = new Converter(image, format, target, confiner);
  const size = await converter.size();
  const from = await journal.position(version, format);
  if (from === 0) await target.clear();
  await target.resize(size);
  await converter.convert(size, from, async (position) => {
    if (version !== undefined) await journal.write({ version, format, position });
  });
}

const verifier = ({ checksum }: ImportContext): Checksum | undefined =>
  checksum === undefined ? undefined : new Checksum(checksum);

async function* observed(bytes: AsyncIterable<Buffer>, see: (chunk: Buffer) => void): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    see(chunk);
    yield chunk;
  }
}
