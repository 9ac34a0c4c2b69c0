import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { Zeroer } from '../../../../../src/runtime/importer/target/zeroer';

const MIB = 1 << 20;
const GIB = 1 << 30;

describe('Zeroer', () => {
  const path = process.env.PATH;
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'zeroer-'));
    process.env.PATH = `${folder}${delimiter}${path}`;
  });
  afterEach(() => {
    process.env.PATH = path;
    rmSync(folder, { recursive: true });
  });

  /** A disk on storage that supports these ways, the calls of fallocate, and the ranges that were written. */
  const disk = (supported: readonly string[]) => {
    const log = join(folder, 'log');
    writeFileSync(log, '');
    const script = `#!/bin/sh
echo "$1 $3 $5" >> ${log}
case "$1" in ${supported.join('|') || '-'}) exit 0;; esac
echo "fallocate: fallocate failed: Operation not supported" >&2
exit 1
`;
    writeFileSync(join(folder, 'fallocate'), script);
    chmodSync(join(folder, 'fallocate'), 0o755);
    const written: [start: number, end: number][] = [];
    const zeroer = new Zeroer('/dev/disk', async (data, position) => {
      const last = written.at(-1);
      if (last?.[1] === position) last[1] += data.length;
      else written.push([position, position + data.length]);
    });
    return { zeroer, written, calls: () => readFileSync(log, 'utf8').split('\n').slice(0, -1) };
  };

  test.each<[string, readonly string[], readonly string[], readonly number[][]]>([
    [
      'a hole',
      ['--punch-hole', '--zero-range'],
      [`--punch-hole 0 ${16 * MIB}`, `--punch-hole ${32 * MIB} ${16 * MIB}`],
      [],
    ],
    [
      'zeros that the kernel writes',
      ['--zero-range'],
      [`--punch-hole 0 ${16 * MIB}`, `--zero-range 0 ${16 * MIB}`, `--zero-range ${32 * MIB} ${16 * MIB}`],
      [],
    ],
    [
      'zeros that the importer writes',
      [],
      [`--punch-hole 0 ${16 * MIB}`, `--zero-range 0 ${16 * MIB}`],
      [
        [0, 16 * MIB],
        [32 * MIB, 48 * MIB],
      ],
    ],
  ])('makes a range zeros with %s, and remembers what the storage supports', async (_, supported, calls, written) => {
    const made = disk(supported);
    await made.zeroer.zero(0, 16 * MIB);
    await made.zeroer.zero(32 * MIB, 48 * MIB);
    expect(made.calls()).toEqual(calls);
    expect(made.written).toEqual(written);
  });

  test('writes what a hole cannot contain: a short range, and parts of blocks', async () => {
    const made = disk(['--punch-hole']);
    await made.zeroer.zero(0, MIB);
    await made.zeroer.zero(4 * MIB + 1, 16 * MIB - 1);
    const block = 64 << 10;
    expect(made.calls()).toEqual([`--punch-hole ${4 * MIB + block} ${12 * MIB - 2 * block}`]);
    expect(made.written).toEqual([
      [0, MIB],
      [4 * MIB + 1, 4 * MIB + block],
      [16 * MIB - block, 16 * MIB - 1],
    ]);
  });

  test('clears a large range in pieces', async () => {
    const made = disk(['--punch-hole']);
    await made.zeroer.zero(0, 2 * GIB + 16 * MIB);
    expect(made.calls()).toEqual([
      `--punch-hole 0 ${GIB}`,
      `--punch-hole ${GIB} ${GIB}`,
      `--punch-hole ${2 * GIB} ${16 * MIB}`,
    ]);
  });

  test('reports why the storage fails', async () => {
    disk([]);
    const full = new Error('ENOSPC');
    const zeroer = new Zeroer('/dev/disk', () => Promise.reject(full));
    await expect(zeroer.zero(0, 16 * MIB)).rejects.toBe(full);
  });
});
