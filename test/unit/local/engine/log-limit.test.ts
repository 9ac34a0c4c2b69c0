import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { limitLogs } from '../../../../src/local/engine/log-limit';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'virt8s-logs-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ['one byte below the limit', 9, false],
  ['at the limit', 10, false],
  ['one byte above the limit', 11, true],
])('a log %s is rotated or kept', (_, size, rotated) => {
  const file = join(folder, 'audit.log');
  writeFileSync(file, 'x'.repeat(size));
  limitLogs(folder, 10);
  expect(existsSync(`${file}.1`)).toBe(rotated);
  expect(readFileSync(file, 'utf8')).toHaveLength(rotated ? 0 : size);
});

test('an open log continues after its rotation, and only two files are kept', () => {
  const file = join(folder, 'engine.log');
  const log = openSync(file, 'a');
  for (const part of ['first', 'second', 'third']) {
    writeSync(log, part.repeat(10));
    limitLogs(folder, 10);
  }
  writeSync(log, 'last');
  closeSync(log);
  expect(readFileSync(file, 'utf8')).toBe('last');
  expect(readFileSync(`${file}.1`, 'utf8')).toBe('third'.repeat(10));
});

test('other files of the folder are kept', () => {
  writeFileSync(join(folder, 'state.db'), 'x'.repeat(100));
  limitLogs(folder, 10);
  expect(readFileSync(join(folder, 'state.db'), 'utf8')).toHaveLength(100);
});
