import fs, { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readAtMost } from '../../../../src/runtime/host/files';

const directory = mkdtempSync(join(tmpdir(), 'host-files-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** Bytes that identify their position. */
const content = Buffer.from(Array.from({ length: 300_000 }, (_, i) => (i * 7 + (i >> 8)) % 256));

test.each([
  ['less than a chunk', 100, 0, 100],
  ['exactly the file', 300_000, 0, 300_000],
  ['one byte less', 299_999, 0, 299_999],
  ['not more than there is', 300_001, 0, 300_000],
  ['nothing', 0, 0, 0],
  ['the end', 1_000, 299_000, 1_000],
  ['nothing behind the end', 10, 300_000, 0],
])('%s is read', (_, limit, position, bytes) => {
  const path = join(directory, 'file');
  writeFileSync(path, content);
  const fd = openSync(path, 'r');
  try {
    expect(readAtMost(fd, limit, position).equals(content.subarray(position, position + bytes))).toBe(true);
  } finally {
    closeSync(fd);
  }
});

test('reads a file that reports size 0 to its end', () => {
  const fd = openSync('/proc/self/mountinfo', 'r');
  try {
    expect(readAtMost(fd, 1 << 20).toString()).toMatch(/^\d+ [^]*\n$/);
  } finally {
    closeSync(fd);
  }
});

test.each([
  ['a file that returns all requested bytes', Infinity, [4_096, 8_192, 16_384, 32_768, 65_536, 65_536]],
  ['one that gives a page at a time', 4_000, [4_096, 4_096, 4_096, 4_096, 4_096, 4_096]],
])('of %s, no more is requested than it may return', (_, most, want) => {
  const asked: number[] = [];
  const give = (_fd: number, _buffer: unknown, _offset: number, length: number): number => {
    asked.push(length);
    return asked.length > 6 ? 0 : Math.min(length, most);
  };
  const read = jest.spyOn(fs, 'readSync').mockImplementation(give as typeof fs.readSync);
  try {
    readAtMost(0, 1 << 20);
  } finally {
    read.mockRestore();
  }
  expect(asked.slice(0, 6)).toEqual(want);
});
