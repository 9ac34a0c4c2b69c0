import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeArchive, writeLayer } from '../../../../src/launcher-image/oci';
import { addToIndex, ImageStore, isNamed } from '../../../../src/local/images';

/** Images of `virt8s images build` in the cache folder that all engines of the machine read. */
describe('the index of the cache folder', () => {
  let dir: string;
  let cacheDir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'virt8s-index-'));
    cacheDir = join(dir, 'images');
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  /** Archive outside of the cache folder of the images. */
  async function archive(name: string): Promise<{ path: string; digest: string }> {
    mkdirSync(join(dir, `${name}-root`, name), { recursive: true });
    mkdirSync(join(dir, `${name}-layer`));
    const layer = await writeLayer(join(dir, `${name}-root`), join(dir, `${name}-layer`));
    const path = join(dir, 'platform-images', `${name}.tar`);
    const config = { architecture: { name: 'amd64' as const }, env: [], user: '0:0', labels: {} };
    return { path, digest: await writeArchive(path, [layer], config) };
  }
  const index = (): object => JSON.parse(readFileSync(join(cacheDir, 'index.json'), 'utf8')) as object;

  test('lists references with their archives and digests', async () => {
    const [api, handler] = [await archive('api'), await archive('handler')];
    await addToIndex(cacheDir, 'localhost/virt8s/api:v1', api.path);
    await addToIndex(cacheDir, 'localhost/virt8s/handler:v1', handler.path);
    expect(index()).toEqual({
      'localhost/virt8s/api:v1': { archive: '../platform-images/api.tar', digest: api.digest },
      'localhost/virt8s/handler:v1': { archive: '../platform-images/handler.tar', digest: handler.digest },
    });
  });

  test('forgets references to deleted archives, and gives a reference its newest archive', async () => {
    const [before, other, after] = [await archive('before'), await archive('other'), await archive('after')];
    await addToIndex(cacheDir, 'localhost/virt8s/api:v1', before.path);
    await addToIndex(cacheDir, 'localhost/virt8s/other:v1', other.path);
    rmSync(other.path);
    await addToIndex(cacheDir, 'localhost/virt8s/api:v1', after.path);
    expect(index()).toEqual({
      'localhost/virt8s/api:v1': { archive: '../platform-images/after.tar', digest: after.digest },
    });
  });

  test('keeps the references of simultaneous builds', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const archives = await Promise.all(names.map(archive));
    await Promise.all(archives.map(({ path }, i) => addToIndex(cacheDir, names[i]!, path)));
    expect(Object.keys(index()).sort()).toEqual(names);
  });

  test('tells which archives have a name', async () => {
    const [before, after] = [await archive('before'), await archive('after')];
    expect(await isNamed(cacheDir, before.path)).toBe(false);
    await addToIndex(cacheDir, 'localhost/virt8s/api:v1', before.path);
    expect([await isNamed(cacheDir, before.path), await isNamed(cacheDir, after.path)]).toEqual([true, false]);
    await addToIndex(cacheDir, 'localhost/virt8s/api:v1', after.path);
    expect([await isNamed(cacheDir, before.path), await isNamed(cacheDir, after.path)]).toEqual([false, true]);
  });

  test.each(['IfNotPresent', 'Never', 'Always'] as const)(
    'provides its images without a registry under the pull policy %s',
    async (policy) => {
      const { path, digest } = await archive('api');
      await addToIndex(cacheDir, 'localhost/virt8s/api:v1', path);
      const store = new ImageStore({ dir: join(dir, 'store'), cacheDir });
      const lease = store.lease();
      for (const _ of ['first', 'again']) {
        expect(await store.ensure('localhost/virt8s/api:v1', policy, lease)).toMatchObject({ digest });
      }
      lease.release();
    },
  );

  test('rejects an archive that is not an image', async () => {
    await expect(addToIndex(cacheDir, 'localhost/virt8s/api:v1', __filename)).rejects.toThrow();
  });
});
