import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Image,
  ImageStore,
  type Progress,
  type PullPolicy,
  type RegistryLogin,
} from '../../../../src/local/images';
import { Registry } from '../../package/registry';
import { pushImage, putManifest } from './push';
import { RegistryProxy } from './registry-proxy';
import { PATIENCE_MS } from '../../../support/patience';

describe('images of a registry', () => {
  let registry: Registry;
  let proxy: RegistryProxy;
  let dir: string;
  let store: ImageStore;
  beforeAll(async () => {
    registry = await Registry.start();
    proxy = await RegistryProxy.start(registry.host);
  });
  afterAll(async () => {
    await proxy?.stop();
    registry?.stop();
  });
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'virt8s-pulls-'));
    store = open();
    proxy.reset();
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  const open = (stallMs = PATIENCE_MS): ImageStore =>
    new ImageStore({ dir: join(dir, 'images'), cacheDir: dir, stallMs });
  const pull = (name: string, policy: PullPolicy = 'IfNotPresent', logins?: RegistryLogin[]): Promise<Image> =>
    store.ensure(`${proxy.host}/${name}`, policy, store.lease(), logins ? { logins } : {});
  const filesOf = ({ layers }: Image): string[] => layers.flatMap((layer) => readdirSync(join(store.layersDir, layer)));
  const push = (name: string, ...files: string[]): Promise<{ digest: string; blobs: string[] }> =>
    pushImage(
      registry.host,
      name,
      files.map((path) => [{ path, content: `content of ${path}` }]),
    );

  test('are pulled by tag and by digest, and a second pull of the same digest transfers no layer', async () => {
    const { digest } = await push('team/app', 'one', 'two');
    const image = await pull('team/app:1');
    expect(filesOf(image)).toEqual(['one', 'two']);
    expect(image.digest).toBe(digest);
    proxy.reset();
    await pull('team/app:1', 'Always');
    await pull(`team/app@${digest}`);
    expect(proxy.requests.filter((path) => path.includes('/blobs/'))).toEqual([]);
    expect(readdirSync(join(dir, 'images/pulls'))).toEqual([]);
  });

  test('with policy Always follow a tag that moved', async () => {
    await push('moving', 'old');
    await pull('moving:1');
    await push('moving', 'new');
    expect(filesOf(await pull('moving:1'))).toEqual(['old']);
    expect(filesOf(await pull('moving:1', 'Always'))).toEqual(['new']);
  });

  test('are chosen for the platform of this machine', async () => {
    const images = await Promise.all(
      ['other', 'own'].map((file) => pushImage(registry.host, 'many', [[{ path: file, content: file }]], file)),
    );
    const index = (...architectures: string[]) => ({
      schemaVersion: 2,
      mediaType: 'application/vnd.oci.image.index.v1+json',
      manifests: images.map(({ digest, size }, i) => ({
        mediaType: 'application/vnd.oci.image.manifest.v1+json',
        digest,
        size,
        platform: { os: 'linux', architecture: architectures[i] },
      })),
    });
    await putManifest(registry.host, 'many', '1', index('s390x', process.arch === 'x64' ? 'amd64' : 'arm64'));
    await putManifest(registry.host, 'many', '2', index('s390x', 'riscv64'));
    expect(filesOf(await pull('many:1'))).toEqual(['own']);
    await expect(pull('many:2')).rejects.toThrow('(has: linux/s390x, linux/riscv64)');
  });

  test('that need a login are pulled with the first accepted one; without it, the error has a remedy', async () => {
    await push('private', 'secret');
    proxy.login = 'robot:pass:word';
    await expect(pull('private:1')).rejects.toThrow(/give the Pod an imagePullSecret/);
    const wrong = { username: 'robot', password: 'old' };
    await expect(pull('private:1', 'Always', [wrong])).rejects.toMatchObject({ reason: 'ErrImagePull' });
    const image = await pull('private:1', 'Always', [wrong, { username: 'robot', password: 'pass:word' }]);
    expect(filesOf(image)).toEqual(['secret']);
  });

  test('continue after an interruption: a complete layer is not transferred again', async () => {
    const { blobs } = await push('large', 'first', 'second');
    const downloaded = join('blobs/sha256', blobs[0]!.slice('sha256:'.length));
    const isComplete = (): boolean =>
      readdirSync(join(dir, 'images/pulls'), { recursive: true }).some((file) => String(file).endsWith(downloaded));
    proxy.failWhen(blobs[1]!, isComplete);
    await expect(pull('large:1')).rejects.toMatchObject({ reason: 'ErrImagePull' });
    expect(proxy.transferred(blobs[0]!)).toBe(1);
    proxy.reset();
    // as after a restart of the engine, and a collection
    store = open();
    await store.collect(async () => new Set());
    expect(filesOf(await pull('large:1'))).toEqual(['first', 'second']);
    expect(proxy.transferred(blobs[0]!)).toBe(0);
    expect(proxy.transferred(blobs[1]!)).toBe(1);
  });

  test('of a registry that stops sending fail with the reason', async () => {
    const { blobs } = await push('slow', 'only');
    proxy.stalled = blobs[0];
    store = open(1_000);
    await expect(pull('slow:1')).rejects.toThrow('the registry sent less than 1 MiB in 1 s');
  });

  test('that are larger than their manifest declares are rejected, and progress is reported', async () => {
    const { blobs } = await push('endless', 'only');
    proxy.endless = blobs[0];
    const seen: Progress[] = [];
    const pulled = store.ensure(`${proxy.host}/endless:1`, 'IfNotPresent', store.lease(), {
      onProgress: (progress) => seen.push(progress),
    });
    await expect(pulled).rejects.toThrow(/sent \d+ bytes, but the manifest declares \d+/);
    expect(seen[0]).toEqual({ done: 0, total: expect.any(Number) });
  });

  test('come from a mirror of containers-registries.conf', async () => {
    await push('mirrored', 'copy');
    const file = join(dir, 'registries.conf');
    writeFileSync(
      file,
      `[[registry]]\nprefix = "registry.invalid"\nlocation = "registry.invalid"\n` +
        `[[registry.mirror]]\nlocation = "${proxy.host}"\ninsecure = true\n`,
    );
    process.env.VIRT8S_REGISTRIES_CONF = file;
    try {
      const image = await store.ensure('registry.invalid/mirrored:1', 'IfNotPresent', store.lease());
      expect(filesOf(image)).toEqual(['copy']);
      expect(readFileSync(join(store.layersDir, image.layers[0]!, 'copy'), 'utf8')).toBe('content of copy');
    } finally {
      delete process.env.VIRT8S_REGISTRIES_CONF;
    }
  });
});
