import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DomainRef, LibvirtClient } from '../../../../../src/runtime/launcher/libvirt/client';
import { MemoryDump } from '../../../../../src/runtime/launcher/vm/memory-dump';

let directory: string;
let calls: string[];
let end: () => void;
let fail: (error: Error) => void;
let ended: Promise<void>;
let dump: MemoryDump;

const fileOf = (name: string): string => join(directory, 'memory', name);

beforeEach(() => {
  jest.spyOn(console, 'error').mockImplementation();
  directory = mkdtempSync(join(tmpdir(), 'dump-'));
  mkdirSync(join(directory, 'memory'));
  calls = [];
  const client = {
    abortJob: () => (calls.push('abort'), Promise.resolve()),
    dumpMemory: (_: DomainRef, to: string) => {
      calls.push('dump');
      writeFileSync(to, 'ELF');
      return new Promise<void>((resolve, reject) => ([end, fail] = [resolve, reject]));
    },
  } as unknown as LibvirtClient;
  ended = new Promise((resolve) => {
    const domain = () => Promise.resolve({ client, dom: {} as DomainRef });
    dump = new MemoryDump({ directory, domain, onEnd: resolve, now: () => 0 });
  });
});

afterEach(() => {
  rmSync(directory, { recursive: true });
  jest.restoreAllMocks();
});

const isCalled = async (name: string): Promise<void> => {
  while (!calls.includes(name)) await new Promise(setImmediate);
};

test('replaces the last dump, and is reported while and after it is written', async () => {
  writeFileSync(fileOf('old.memory.dump'), '');
  writeFileSync(fileOf('notes'), '');
  dump.begin(fileOf('a.memory.dump'), 1);
  expect(dump.state).toEqual({ volume: 'memory', fileName: 'a.memory.dump', startedAt: '1970-01-01T00:00:00.000Z' });
  await isCalled('dump');
  dump.begin(fileOf('a.memory.dump'), 1);
  expect(() => dump.begin(fileOf('b.memory.dump'), 1)).toThrow('is still being written');
  end();
  await ended;
  expect(dump.state).toMatchObject({ endedAt: '1970-01-01T00:00:00.000Z' });
  expect(dump.state).not.toHaveProperty('failure');
  expect(readdirSync(join(directory, 'memory'))).toEqual(['a.memory.dump', 'notes']);
  expect(calls.filter((name) => name === 'dump')).toHaveLength(1);
});

test.each<[string, string, RegExp]>([
  ['full storage', 'write: No space left on device', /the claim is full; remove the dump and use a larger claim/],
  ['another failure', 'QEMU said no', /QEMU said no; request the dump again/],
])('%s leaves no part of a dump', async (_, words, message) => {
  dump.begin(fileOf('a.memory.dump'), 1);
  await isCalled('dump');
  fail(new Error(words));
  await ended;
  expect(dump.state!.failure).toMatch(message);
  expect(existsSync(fileOf('a.memory.dump'))).toBe(false);
});

test('is not begun without space for it', async () => {
  dump.begin(fileOf('a.memory.dump'), 2 ** 60);
  await ended;
  expect(dump.state!.failure).toMatch(/MiB free, the dump needs/);
  expect(calls).not.toContain('dump');
});

test('is aborted when its volume is to be detached', async () => {
  dump.begin(fileOf('a.memory.dump'), 1);
  await isCalled('dump');
  calls = [];
  await dump.keepOnly(new Set(['memory']));
  expect(calls).toEqual([]);
  await dump.keepOnly(new Set());
  expect(calls).toEqual(['abort']);
});

test.each([
  '../memory/a.memory.dump',
  'memory/../../a.memory.dump',
  'a.memory.dump',
  'memory/disk.img',
  'memory/x/a.memory.dump',
])('rejects the path %s', (path) => {
  expect(() => dump.begin(`${directory}/${path}`, 1)).toThrow('is not a dump in a volume');
});
