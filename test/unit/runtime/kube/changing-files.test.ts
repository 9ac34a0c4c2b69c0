import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChangingFiles } from '../../../../src/runtime/kube';

let dir: string;
let now: number;
let reads: number;
let errors: string[];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'virt8s-files-'));
  now = 0;
  reads = 0;
  errors = [];
});
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(dir, { recursive: true });
});

/** Long ago, so that its timestamp is to be trusted. */
const write = (name: string, text: string, at = 1_000): void => {
  writeFileSync(join(dir, name), text);
  utimesSync(join(dir, name), at, at);
};
/** Both files have the same content, or they are in the middle of a renewal. */
const follow = (): ChangingFiles<{ text: string }> => {
  const [a, b] = [join(dir, 'a'), join(dir, 'b')];
  const read = (): { text: string } => {
    reads += 1;
    const text = readFileSync(a, 'utf8');
    if (readFileSync(b, 'utf8') !== text) throw new Error(`${a} and ${b} differ`);
    return { text };
  };
  return new ChangingFiles([a, b], read, { now: () => now, onError: ({ message }) => errors.push(message) });
};
const renew = (text: string, at: number): void => {
  write('a', text, at);
  write('b', text, at);
};

test('unchanged files are read once and return the same object', () => {
  renew('one', 1_000);
  const files = follow();
  const first = files.get();
  now = 100_000;
  expect(files.get()).toBe(first);
  expect(reads).toBe(1);
});

test.each([
  [9_999, 'one'],
  [10_000, 'two'],
  [10_001, 'two'],
])('a change is noticed %d ms after the last check: %s', (ms, want) => {
  renew('one', 1_000);
  const files = follow();
  renew('two', 2_000);
  now = ms;
  expect(files.get().text).toBe(want);
});

test('a requested check is done immediately', () => {
  renew('one', 1_000);
  const files = follow();
  renew('two', 2_000);
  files.expire();
  expect(files.get().text).toBe('two');
});

test('a change to the same text keeps the object', () => {
  renew('one', 1_000);
  const files = follow();
  const first = files.get();
  renew('one', 2_000);
  now = 10_000;
  expect(files.get()).toBe(first);
  expect(reads).toBe(2);
});

test('a file that was written just now is read again: its next change may leave no trace', () => {
  renew('one', Date.now() / 1000);
  const files = follow();
  now = 10_000;
  files.get();
  expect(reads).toBe(2);
});

test.each([
  [1_999, 2],
  [2_000, 1],
  [2_001, 1],
])('a file that was written %d ms ago is read %d times while nothing changes', (ms, want) => {
  renew('one', 1_000);
  jest.spyOn(Date, 'now').mockReturnValue(1_000_000 + ms);
  const files = follow();
  now = 10_000;
  files.get();
  expect(reads).toBe(want);
});

test('half of a renewal changes nothing and is reported once; the whole is used', () => {
  renew('one', 1_000);
  const files = follow();
  write('a', 'two', 2_000);
  for (const at of [10_000, 20_000, 30_000]) {
    now = at;
    expect(files.get().text).toBe('one');
  }
  expect(errors).toEqual([`${join(dir, 'a')} and ${join(dir, 'b')} differ; the previous content stays in use`]);
  expect(files.problem).toContain('differ');
  write('b', 'two', 2_000);
  now = 40_000;
  expect(files.get().text).toBe('two');
  expect(files.problem).toBeUndefined();
});

test('a missing file changes nothing, is reported once, and is used when it exists again', () => {
  renew('one', 1_000);
  const files = follow();
  rmSync(join(dir, 'b'));
  for (const at of [10_000, 20_000]) {
    now = at;
    expect(files.get().text).toBe('one');
  }
  expect(errors).toHaveLength(1);
  expect(errors[0]).toContain('ENOENT');
  renew('two', 2_000);
  now = 30_000;
  expect(files.get().text).toBe('two');
});

test('a failure that comes again after a success is reported again', () => {
  renew('one', 1_000);
  const files = follow();
  for (const [at, a, b] of [
    [1, 'x', 'y'],
    [2, 'z', 'z'],
    [3, 'x', 'y'],
  ] as const) {
    write('a', a, at);
    write('b', b, at);
    now = at * 10_000;
    files.get();
  }
  expect(errors).toHaveLength(2);
});

test('a mounted Secret is renewed by swapping the link to its folder', () => {
  const version = (name: string, text: string): void => {
    mkdirSync(join(dir, name));
    for (const file of ['a', 'b']) write(`${name}/${file}`, text);
  };
  version('..1', 'one');
  symlinkSync('..1', join(dir, '..data'));
  for (const file of ['a', 'b']) symlinkSync(`..data/${file}`, join(dir, file));
  const files = follow();
  version('..2', 'two');
  symlinkSync('..2', join(dir, '..data_tmp'));
  renameSync(join(dir, '..data_tmp'), join(dir, '..data'));
  rmSync(join(dir, '..1'), { recursive: true });
  now = 10_000;
  // same size and same time, but another file
  expect(files.get().text).toBe('two');
});

test('files that cannot be used at the start are an error', () => {
  write('a', 'one');
  write('b', 'two');
  expect(follow).toThrow('differ');
});
