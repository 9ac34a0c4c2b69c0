import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ImageStore } from '../../../../src/local/images';
import { References } from '../../../../src/local/images/references';

describe('a store of an earlier version', () => {
  const NAME = 'docker.io/library/x:1';
  const digestOf = (digit: string): string => `sha256:${digit.repeat(64)}`;
  let dir: string;
  let store: ImageStore;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'virt8s-images-'));
    mkdirSync(join(dir, 'manifests'));
    for (const digit of ['a', 'b']) {
      const image = { ref: NAME, digest: digestOf(digit), id: digestOf('c'), config: {}, layers: [], size: 1 };
      writeFileSync(join(dir, 'manifests', `${digit.repeat(64)}.json`), JSON.stringify(image));
    }
    writeFileSync(join(dir, 'refs.json'), JSON.stringify({ [NAME]: digestOf('a') }));
    writeFileSync(join(dir, 'pull-12-1700000000000.tar'), 'half an archive');
    store = new ImageStore({ dir, cacheDir: join(dir, 'cache') });
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  test.each<[string, () => Promise<unknown>]>([
    ['is found', () => store.find('x:1')],
    ['is not collected', () => store.collect(async () => new Set())],
    ['is listed', async () => expect(await store.list()).toEqual([{ names: [NAME], sizeBytes: 1 }])],
  ])('an image that it pulled %s, and its old files are gone', async (_, first) => {
    await first();
    expect((await store.find('x:1'))?.digest).toBe(digestOf('a'));
    expect(readdirSync(dir).filter((name) => /^(refs\.json|pull-)/.test(name))).toEqual([]);
  });

  test('a name that was set since keeps its image', async () => {
    await new References(dir).set(NAME, digestOf('b'));
    expect((await store.find('x:1'))?.digest).toBe(digestOf('b'));
    expect(existsSync(join(dir, 'refs.json'))).toBe(false);
  });

  test('a torn file of names is dropped', async () => {
    writeFileSync(join(dir, 'refs.json'), '{"docker.io');
    expect(await store.find('x:1')).toBeUndefined();
    expect(existsSync(join(dir, 'refs.json'))).toBe(false);
  });
});
