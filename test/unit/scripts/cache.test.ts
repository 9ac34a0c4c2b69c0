import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ensure, hashOf, type Origin, requireDeclared, type Work } from '../../../scripts/cache';
import { checkFiles } from '../../../scripts/checks/unchecked';

const folder = mkdtempSync(join(tmpdir(), 'virt8s-cache-'));
afterAll(() => rmSync(folder, { recursive: true }));

let cache: string;
let count = 0;
const newFolder = (): string => {
  const path = join(folder, String(count++));
  mkdirSync(path);
  return path;
};
beforeEach(() => void (cache = newFolder()));

const write = (root: string, path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
const read = (root: string, path: string): string => readFileSync(join(root, path), 'utf8');

/** A checkout whose work copies `in/` in capitals to `out/`. */
function newCheckout(text = 'a'): string {
  const root = newFolder();
  write(root, 'in/text', text);
  return root;
}
const workIn = (root: string, more: Partial<Work> = {}): Work => ({
  name: 'capitals',
  inputs: ['in', 'absent'],
  outputs: ['out'],
  make: () => {
    write(root, `out/${read(root, 'in/text')}`, read(root, 'in/text').toUpperCase());
    chmodSync(join(root, `out/${read(root, 'in/text')}`), 0o755);
  },
  ...more,
});
const run = (root: string, more?: Partial<Work>): Promise<Origin> => ensure(workIn(root, more), { root, cache });
const entries = (): string[] =>
  readdirSync(join(cache, 'results/capitals')).map((name) => join('results/capitals', name));

test('does the work once, and leaves a checkout that has the result alone', async () => {
  const root = newCheckout();
  expect([await run(root), await run(root)]).toEqual(['work', 'checkout']);
  expect(read(root, 'out/a')).toBe('A');
});

test('a checkout in another folder gets the result from the cache, with modes and without other files', async () => {
  await run(newCheckout());
  const other = newCheckout();
  write(other, 'out/stale', 'of an earlier build');
  expect(await run(other)).toBe('cache');
  expect(readdirSync(join(other, 'out'))).toEqual(['a']);
  expect(read(other, 'out/a')).toBe('A');
  expect(statSync(join(other, 'out/a')).mode & 0o777).toBe(0o755);
});

test.each([
  ['content', (root: string) => write(root, 'in/text', 'b')],
  ['name', (root: string) => write(root, 'in/another', '')],
  ['mode', (root: string) => chmodSync(join(root, 'in/text'), 0o755)],
])('a change of the %s of an input causes the work', async (_, change) => {
  const root = newCheckout();
  await run(root);
  change(root);
  expect(await run(root)).toBe('work');
});

test('a checkout that returns to an earlier state gets its result from the cache', async () => {
  const root = newCheckout();
  await run(root);
  write(root, 'in/text', 'b');
  await run(root);
  write(root, 'in/text', 'a');
  expect(await run(root)).toBe('cache');
  expect(read(root, 'out/a')).toBe('A');
});

test.each([
  ['changed', (root: string) => write(root, 'out/a', 'edited')],
  ['removed', (root: string) => rmSync(join(root, 'out'), { recursive: true })],
  ['added', (root: string) => write(root, 'out/b', 'B')],
])('an output that was %s is restored', async (_, change) => {
  const root = newCheckout();
  await run(root);
  change(root);
  expect(await run(root)).toBe('cache');
  expect([readdirSync(join(root, 'out')), read(root, 'out/a')]).toEqual([['a'], 'A']);
});

test.each([
  ['cut off', (path: string) => truncateSync(path, statSync(path).size - 1)],
  ['empty', (path: string) => truncateSync(path)],
  [
    'damaged',
    (path: string) => {
      const bytes = readFileSync(path);
      bytes[bytes.length - 8]! ^= 1;
      writeFileSync(path, bytes);
    },
  ],
])('an entry that is %s is made again', async (_, damage) => {
  await run(newCheckout());
  entries().forEach((entry) => damage(join(cache, entry)));
  expect(await run(newCheckout())).toBe('work');
  expect(await run(newCheckout())).toBe('cache');
});

test('a failed work, or one whose inputs change meanwhile, is not kept', async () => {
  const root = newCheckout();
  const fail = () => Promise.reject(new Error('no capitals'));
  await expect(run(root, { make: fail })).rejects.toThrow('no capitals');
  expect(await run(root, { make: () => write(root, 'in/text', 'b') })).toBe('work');
  expect(existsSync(join(cache, 'results'))).toBe(false);
  expect(await run(root)).toBe('work');
});

test('a work that continues begins with the newest result of the cache', async () => {
  await run(newCheckout('a'));
  await run(newCheckout('b'));
  const root = newCheckout('c');
  const seen: string[][] = [];
  await run(root, { continues: true, make: () => void seen.push(readdirSync(join(root, 'out'))) });
  expect(seen).toEqual([['b']]);
});

test('keeps the newest eight results of a work', async () => {
  for (const text of 'abcdefghij') await run(newCheckout(text));
  expect(entries()).toHaveLength(8);
  expect(await run(newCheckout('j'))).toBe('cache');
});

test('two processes do not work at the same time', async () => {
  const root = newCheckout();
  const origins = await Promise.all([run(root), run(root)]);
  expect(origins.sort()).toEqual(['checkout', 'work']);
});

test('rejects a file that was read without being declared', () => {
  expect(() =>
    requireDeclared(['src/api', 'a.json'], ['src/api/x.ts', 'a.json', 'node_modules/ws/x.js']),
  ).not.toThrow();
  expect(() => requireDeclared(['src/api'], ['src/apis/x.ts'])).toThrow('src/apis/x.ts: add to the inputs');
});

describe('checks of single files', () => {
  const check = (root: string, files: string[], run: (files: readonly string[]) => void): number =>
    checkFiles({ name: 'style', configuration: ['rules'], files, run }, { root, cache });

  test('checks only what has not passed with this content, in any folder', () => {
    const seen: (readonly string[])[] = [];
    const run = (files: readonly string[]): void => void seen.push(files);
    const root = newFolder();
    for (const name of ['a', 'b']) write(root, name, name);
    check(root, ['a', 'b'], run);
    const other = newFolder();
    for (const name of ['a', 'b']) write(other, name, name);
    check(other, ['a', 'b'], run);
    write(other, 'b', 'changed');
    check(other, ['a', 'b'], run);
    write(other, 'rules', 'strict');
    check(other, ['a', 'b'], run);
    expect(seen).toEqual([['a', 'b'], ['b'], ['a', 'b']]);
  });

  test('checks a file that failed again, and no other', () => {
    const seen: number[] = [];
    const root = newFolder();
    const files = Array.from({ length: 500 }, (_, index) => `f${index}`);
    for (const name of files) write(root, name, name);
    const failAtLast = (files: readonly string[]): void => {
      seen.push(files.length);
      if (files.includes('f499')) throw new Error('f499');
    };
    expect(() => check(root, files, failAtLast)).toThrow('style found mistakes');
    expect(() => check(root, files, failAtLast)).toThrow('style found mistakes');
    expect(seen).toEqual([400, 100, 100]);
  });
});

test('hashes depend on paths', () => {
  const root = newFolder();
  write(root, 'a', 'x');
  write(root, 'b', 'x');
  expect(hashOf(['a'], [], root)).not.toBe(hashOf(['b'], [], root));
});
