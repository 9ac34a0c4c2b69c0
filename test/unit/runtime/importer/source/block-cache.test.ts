import { BlockCache, BLOCK_BYTES } from '../../../../../src/runtime/importer/source/block-cache';
import type { Source } from '../../../../../src/runtime/importer/source/source';

const SIZE = 20 * BLOCK_BYTES + 100;
/** A byte of the source depends on its position. */
const byteAt = (position: number): number => (position * 7 + (position >> 13)) & 0xff;
const bytes = (start: number, end: number): Buffer => {
  const made = Buffer.alloc(end - start);
  for (let i = 0; i < made.length; i++) made[i] = byteAt(start + i);
  return made;
};

function recorded(): Source & { requests: string[] } {
  const requests: string[] = [];
  return {
    requests,
    size: SIZE,
    isRandomAccess: true,
    read: async (position, length) => {
      requests.push(`read ${position / BLOCK_BYTES}`);
      return bytes(position, position + length);
    },
    async *stream(from = 0) {
      requests.push(`stream ${from / BLOCK_BYTES}`);
      for (let at = from; at < SIZE; at += 300_000) yield bytes(at, Math.min(SIZE, at + 300_000));
    },
    close: () => undefined,
  };
}

/** Requests for reads of these blocks, one byte each. */
async function requestsFor(blocks: readonly number[]): Promise<string[]> {
  const source = recorded();
  const cache = new BlockCache(source, SIZE);
  for (const block of blocks) {
    const position = block * BLOCK_BYTES + 5;
    expect(await cache.read(position, 1)).toEqual(bytes(position, position + 1));
  }
  return source.requests;
}

describe('BlockCache', () => {
  test.each<[string, number[], string[]]>([
    ['one read', [3], ['read 3']],
    ['the same block again', [3, 3], ['read 3']],
    ['sequential reads use one stream', [3, 4, 5, 6], ['read 3', 'stream 4']],
    ['a gap of five blocks continues the stream', [3, 4, 10], ['read 3', 'stream 4']],
    ['a larger gap does not', [3, 4, 11], ['read 3', 'stream 4', 'read 11']],
    ['a step back does not end the stream', [3, 4, 0, 5], ['read 3', 'stream 4', 'read 0']],
    ['a new sequence opens a new stream', [3, 4, 15, 16, 17], ['read 3', 'stream 4', 'read 15', 'stream 16']],
    ['the last block is short', [19, 20], ['read 19', 'stream 20']],
    ['twelve blocks are kept', [...Array(12).keys(), 0], ['read 0', 'stream 1']],
    ['the thirteenth replaces the oldest', [...Array(13).keys(), 0], ['read 0', 'stream 1', 'read 0']],
  ])('%s', async (_, blocks, wanted) => expect(await requestsFor(blocks)).toEqual(wanted));

  test.each([
    [0, 1],
    [BLOCK_BYTES - 1, 2],
    [BLOCK_BYTES, BLOCK_BYTES],
    [5, 3 * BLOCK_BYTES],
    [SIZE - 150, 150],
  ])('reads %i to the length %i', async (position, length) => {
    const cache = new BlockCache(recorded(), SIZE);
    let at = position;
    while (at < position + length) {
      const got = await cache.read(at, position + length - at);
      expect(got.equals(bytes(at, at + got.length))).toBe(true);
      at += got.length;
    }
    expect(at).toBe(position + length);
  });

  test('keeps the bytes of twelve blocks, in any order of reads', async () => {
    const cache = new BlockCache(recorded(), SIZE);
    for (const block of [...Array(21).keys(), 3, 9, 10, 2, 20, ...Array(21).keys()]) {
      const [start, end] = [block * BLOCK_BYTES, Math.min(SIZE, (block + 1) * BLOCK_BYTES)];
      const got = await cache.read(start, end - start);
      expect([got[0], got.at(-1), got.length]).toEqual([byteAt(start), byteAt(end - 1), end - start]);
    }
  });

  test('a failure of the block that is fetched ahead is reported to its reader only', async () => {
    const source = recorded();
    const failing: Source = {
      ...source,
      async *stream(from = 0) {
        yield bytes(from, from + BLOCK_BYTES);
        throw new Error('the connection ended');
      },
    };
    const cache = new BlockCache(failing, SIZE);
    for (const block of [3, 4, 9]) await cache.read(block * BLOCK_BYTES, 1);
    expect(source.requests).toEqual(['read 3', 'read 9']);
    for (const block of [11, 12]) await cache.read(block * BLOCK_BYTES, 1);
    await expect(cache.read(13 * BLOCK_BYTES, 1)).rejects.toThrow('the connection ended');
  });

  test('verifies each block once', async () => {
    const seen: [number, number][] = [];
    const cache = new BlockCache(recorded(), SIZE, (block, data) => seen.push([block, data.length]));
    await cache.read(BLOCK_BYTES - 1, 1);
    await cache.read(BLOCK_BYTES, 1);
    await cache.read(0, 1);
    await cache.read(SIZE - 1, 1);
    expect(seen).toEqual([
      [0, BLOCK_BYTES],
      [1, BLOCK_BYTES],
      [2, BLOCK_BYTES],
      [20, 100],
    ]);
  });
});
