import { createHash } from 'node:crypto';
import type { Checksum } from '../checksum';
import { ImportError } from '../import-error';
import { BLOCK_BYTES } from './block-cache';
import type { Source } from './source';

const DIGEST_BYTES = 16;
/** Longest image, which needs 16 MiB of digests. */
const MOST_BYTES = 2 ** 40;

/**
 * Digests of the blocks of a source whose checksum was verified. Blocks that are read later are compared with them, so that a
 * server cannot send another file after the verification.
 */
export class BlockDigests {
  private constructor(private readonly digests: Buffer) {}

  /** Reads the whole source. @throws ImportError if its checksum is wrong */
  public static async of(source: Source, checksum: Checksum): Promise<BlockDigests> {
    if (source.size! > MOST_BYTES) {
      const message = `the source has ${source.size} bytes; a checksum is verified of at most ${MOST_BYTES}`;
      throw new ImportError('ImageTooLarge', message, 'remove the checksum, or use a raw image');
    }
    const digests = Buffer.alloc(Math.ceil(source.size! / BLOCK_BYTES) * DIGEST_BYTES);
    let hash = createHash('sha256');
    let position = 0;
    const finish = (): void => {
      hash.digest().copy(digests, Math.floor((position - 1) / BLOCK_BYTES) * DIGEST_BYTES, 0, DIGEST_BYTES);
      hash = createHash('sha256');
    };
    for await (const chunk of source.stream()) {
      checksum.add(chunk);
      for (let at = 0; at < chunk.length;) {
        const part = chunk.subarray(at, at + BLOCK_BYTES - (position % BLOCK_BYTES));
        hash.update(part);
        at += part.length;
        position += part.length;
        if (position % BLOCK_BYTES === 0) finish();
      }
    }
    if (position % BLOCK_BYTES !== 0) finish();
    checksum.verify();
    return new BlockDigests(digests);
  }

  /** @throws ImportError if the block has changed */
  public verify(block: number, data: Buffer): void {
    const digest = createHash('sha256').update(data).digest();
    const wanted = this.digests.subarray(block * DIGEST_BYTES, (block + 1) * DIGEST_BYTES);
    if (digest.compare(wanted, 0, DIGEST_BYTES, 0, DIGEST_BYTES) === 0) return;
    throw new ImportError(
      'SourceChanged',
      'the source changed after its checksum was verified',
      'use a URL whose file does not change',
    );
  }
}
