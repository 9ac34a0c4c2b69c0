import { createHash, type Hash } from 'node:crypto';
import { plain, type Observe, type Readable } from './stream';

/** SHA-256 digests of disks. A disk that was sent completely is not read again. */
export class Digests {
  private readonly known = new Map<string, Promise<string>>();

  /** Observer of a transfer from a position on. It learns the digest if the transfer covers the whole disk. */
  public observer({ size, version }: Versioned, start: number): Observe {
    if (start > 0 || this.known.has(version)) return () => undefined;
    const hash: Hash = createHash('sha256');
    let at = 0;
    return (data) => {
      hash.update(data);
      at += data.length;
      if (at === size) this.known.set(version, Promise.resolve(hash.digest('hex')));
    };
  }

  /** Digest in hexadecimal digits. Requests at the same time read the disk once. */
  public of(disk: Versioned): Promise<string> {
    const known = this.known.get(disk.version) ?? digestOf(disk);
    this.known.set(disk.version, known);
    known.catch(() => this.known.delete(disk.version));
    return known;
  }
}

interface Versioned extends Readable {
  readonly version: string;
}

async function digestOf(disk: Readable): Promise<string> {
  const hash = createHash('sha256');
  for await (const _ of plain(disk, 0, disk.size, (data) => hash.update(data)));
  return hash.digest('hex');
}
