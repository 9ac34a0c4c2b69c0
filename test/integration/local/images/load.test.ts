import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runImagesLoad } from '../../../../src/cli/images/load';
import { ImageStore } from '../../../../src/local/images';
import { writeImage } from './oci-archive';

let dir: string;
let store: ImageStore;
let log: jest.SpyInstance;
const given = process.env.VIRT8S_CACHE;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'virt8s-load-'));
  process.env.VIRT8S_CACHE = join(dir, 'cache');
  store = new ImageStore({ dir: join(dir, 'images'), cacheDir: join(dir, 'cache/images') });
  log = jest.spyOn(console, 'log').mockImplementation();
});

afterEach(() => {
  log.mockRestore();
  if (given === undefined) delete process.env.VIRT8S_CACHE;
  else process.env.VIRT8S_CACHE = given;
  rmSync(dir, { recursive: true, force: true });
});

/** Writes an OCI archive with one file, and returns its path. */
function archiveWith(content: string): string {
  const folder = mkdtempSync(join(dir, 'archive-'));
  writeImage(folder, { ref: 'localhost/source:1', layers: [[{ path: 'file', content }]] });
  return join(
    folder,
    readdirSync(folder).find((file) => file.endsWith('.tar'))!,
  );
}

const skopeo = (from: string, to: string): Buffer =>
  execFileSync('skopeo', ['--insecure-policy', 'copy', '--quiet', from, to], { stdio: ['ignore', 'pipe', 'inherit'] });

/** Content of the file in the image, as a Pod's container would see it. */
async function contentOf(ref: string): Promise<string> {
  const { layers } = await store.ensure(ref, 'Always', store.lease());
  return readFileSync(join(store.layersDir, layers[0]!, 'file'), 'utf8');
}

const loaded = (): string[] => readdirSync(join(dir, 'cache/images/loaded'));

test('a Pod gets the image of an OCI archive, of a Docker archive and of a container store', async () => {
  const archive = archiveWith('from OCI');
  await runImagesLoad(archive, { name: 'localhost/web:v1' });
  expect(log).toHaveBeenLastCalledWith('localhost/web:v1');
  expect(await contentOf('localhost/web:v1')).toBe('from OCI');

  const docker = join(dir, 'docker.tar');
  skopeo(`oci-archive:${archiveWith('from Docker')}`, `docker-archive:${docker}:web:v1`);
  await runImagesLoad(`docker-archive:${docker}`, { name: 'web' });
  expect(await contentOf('docker.io/library/web:latest')).toBe('from Docker');

  // the store of buildah and podman, in a folder of its own
  const stored = `containers-storage:[vfs@${dir}/storage+${dir}/run]localhost/stored:v1`;
  skopeo(`oci-archive:${archiveWith('from the store')}`, stored);
  await runImagesLoad(stored, {});
  expect(log).toHaveBeenLastCalledWith('localhost/stored:v1');
  expect(await contentOf('localhost/stored:v1')).toBe('from the store');
});

test('a second image replaces the first of its name, whose archive is removed by a later load', async () => {
  await runImagesLoad(archiveWith('old'), { name: 'localhost/web:v1' });
  expect(await contentOf('localhost/web:v1')).toBe('old');
  const [old] = loaded();
  await runImagesLoad(archiveWith('new'), { name: 'localhost/web:v1' });
  expect(await contentOf('localhost/web:v1')).toBe('new');
  // a node may still be reading it
  expect(loaded()).toContain(old);
  for (const file of loaded()) utimesSync(join(dir, 'cache/images/loaded', file), 0, 0);
  await runImagesLoad(archiveWith('other'), { name: 'localhost/other:v1' });
  expect(loaded()).not.toContain(old);
  expect(loaded()).toHaveLength(2);
});

test('a failed load changes nothing and says why', async () => {
  await runImagesLoad(archiveWith('old'), { name: 'localhost/web:v1' });
  const damaged = join(dir, 'damaged.tar');
  writeFileSync(damaged, 'not an archive');
  await expect(runImagesLoad(damaged, { name: 'localhost/web:v1' })).rejects.toThrow(`${damaged} was not loaded: `);
  expect(loaded()).toHaveLength(1);
  expect(await contentOf('localhost/web:v1')).toBe('old');
  await expect(runImagesLoad(`${dir}/missing.tar`, { name: 'localhost/web:v1' })).rejects.toThrow('no such file');
});

test('what an interrupted load left is removed', async () => {
  const folder = join(dir, 'cache/images/loaded');
  mkdirSync(folder, { recursive: true });
  for (const file of ['1-1.tar.partial', '2-2.tar']) {
    writeFileSync(join(folder, file), 'x');
    utimesSync(join(folder, file), 0, 0);
  }
  await runImagesLoad(archiveWith('a'), { name: 'localhost/web:v1' });
  expect(loaded()).toHaveLength(1);
});
