import { BlockCache, BLOCK_BYTES } from '../../../../../src/runtime/importer/source/block-cache';
import type { Source } from '../../../../../src/runtime/importer/source/source';

const SIZE = 20 * BLOCK_BYTES + 100;
/** A byte of the source depends on its position. */
const byteAt = (position: number): number => (position * 7 + (position >> 13)) & 0xff;
const bytes = (start: number, end: number): Buffer =>
  Buffer.from(Array.from({ length: end - start }, (_, i) => byteAt(start + i)));

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
    ['a gap of four blocks continues the stream', [3, 4, 9], ['read 3', 'stream 4']],
    ['a larger gap does not', [3, 4, 10], ['read 3', 'stream 4', 'read 10']],
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
    const got = await new BlockCache(recorded(), SIZE).read(position, length);
    expect(got.equals(bytes(position, position + length))).toBe(true);
  });

  test('verifies each block once', async () => {
    const seen: [number, number][] = [];
    const cache = new BlockCache(recorded(), SIZE, (block, data) => seen.push([block, data.length]));
    await cache.read(BLOCK_BYTES - 1, 2);
    await cache.read(0, 1);
    await cache.read(SIZE - 1, 1);
    expect(seen).toEqual([
      [0, BLOCK_BYTES],
      [1, BLOCK_BYTES],
      [20, 100],
    ]);
  });
});
