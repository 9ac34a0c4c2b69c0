import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Header } from 'tar';
import type { Confiner } from '../../../../src/runtime/importer/convert/confined';
import { diskInLayer } from '../../../../src/runtime/importer/registry/disk-in-layer';
import type { Source } from '../../../../src/runtime/importer/source/source';
import { unpackArchive } from '../../../../src/runtime/importer/unpack-archive';
import { CHUNKS, measured, MOST_HEAP_MIB } from './heap';

const BLOCK = 512;
const END = Buffer.alloc(2 * BLOCK);

const headerOf = (path: string, size: number): Buffer => {
  const block = Buffer.alloc(BLOCK);
  new Header({ path, size, type: 'File', mode: 0o644, mtime: new Date(0) }).encode(block);
  return block;
};

/** An archive with one file that arrives in many chunks. */
async function* archive(path: string, onGrowth: (heapMiB: number) => void): AsyncGenerator<Buffer> {
  yield headerOf(path, CHUNKS * BLOCK);
  yield* measured(Buffer.alloc(BLOCK, 'x'), CHUNKS, onGrowth);
  yield END;
}

/** Reads the disk, in turns with the other work of the event loop. */
async function sizeOf(disk: AsyncIterable<Buffer>): Promise<number> {
  let size = 0;
  for await (const chunk of disk) {
    size += chunk.length;
    await undefined;
  }
  return size;
}

describe('archives', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'archives-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  test.each<[string, (bytes: AsyncIterable<Buffer>) => Promise<number>]>([
    ['disk/disk.img', (bytes) => sizeOf(diskInLayer(bytes))],
    [
      'file',
      async (bytes) => {
        const source = { stream: () => bytes } as unknown as Source;
        await unpackArchive(source, folder, { confiner: {} as Confiner, capacity: Infinity });
        return statSync(join(folder, 'file')).size;
      },
    ],
  ])('with a long file (%s) need no memory for each chunk', async (path, read) => {
    let grownMiB = Infinity;
    expect(await read(archive(path, (mib) => (grownMiB = mib)))).toBe(CHUNKS * BLOCK);
    expect(grownMiB).toBeLessThan(MOST_HEAP_MIB);
  });

  test('a layer that breaks off in its disk ends with the cause', async () => {
    async function* broken(): AsyncGenerator<Buffer> {
      yield headerOf('disk/disk.img', 8 * BLOCK);
      yield Buffer.alloc(BLOCK);
      await new Promise((resolve) => setImmediate(resolve));
      throw new Error('the connection broke');
    }
    await expect(sizeOf(diskInLayer(broken()))).rejects.toThrow('the connection broke');
  });
});
