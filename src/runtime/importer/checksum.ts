import { createHash, type Hash } from 'node:crypto';
import { ImportError } from './import-error';

/** Digest of the source's bytes, as `ALGORITHM:HEX`. */
export class Checksum {
  private readonly hash: Hash;

  /** @param expected for example `sha256:5891b5b5…` */
  public constructor(private readonly expected: string) {
    this.hash = createHash(expected.slice(0, expected.indexOf(':')));
  }

  public add(data: Buffer): void {
    this.hash.update(data);
  }

  /** @throws ImportError if the bytes have another digest */
  public verify(): void {
    const [algorithm = '', wanted = ''] = this.expected.split(':');
    const got = this.hash.digest('hex');
    if (got === wanted.toLowerCase()) return;
    throw new ImportError(
      'ChecksumMismatch',
      `the ${algorithm} digest of the source is ${got}, not ${wanted}`,
      'compare the checksum with that of the publisher; if it is correct, the file is damaged',
    );
  }
}
