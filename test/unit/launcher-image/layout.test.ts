import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ARCHITECTURES, type ArchitectureName } from '../../../src/launcher-image/arch';
import { bomLayout, combineArchives, type Descriptor, INDEX } from '../../../src/launcher-image/layout';
import { sha256, writeArchive, writeLayer } from '../../../src/launcher-image/oci';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'virt8s-layout-'))));
afterEach(() => rmSync(folder, { recursive: true }));

async function archive(name: ArchitectureName): Promise<{ path: string; digest: string }> {
  for (const part of ['root', 'layer']) mkdirSync(join(folder, `${name}-${part}`));
  mkdirSync(join(folder, `${name}-root`, name));
  const layer = await writeLayer(join(folder, `${name}-root`), join(folder, `${name}-layer`));
  const path = join(folder, `${name}.tar`);
  const architecture = ARCHITECTURES[name];
  return { path, digest: await writeArchive(path, [layer], { architecture, env: [], user: '0:0', labels: {} }) };
}

const blobIn = (layout: string, { digest, size }: Descriptor): string => {
  const file = join(layout, 'blobs', digest.replace(':', '/'));
  expect(statSync(file).size).toBe(size);
  return file;
};
const jsonIn = <T>(layout: string, descriptor: Descriptor): T =>
  JSON.parse(readFileSync(blobIn(layout, descriptor), 'utf8')) as T;
const listIn = (layout: string): Descriptor[] =>
  (JSON.parse(readFileSync(join(layout, 'index.json'), 'utf8')) as { manifests: Descriptor[] }).manifests;

test('an archive of several architectures has an index with an image for each', async () => {
  const images = [await archive('amd64'), await archive('arm64')];
  const out = join(folder, 'all.tar');
  const digest = await combineArchives(
    out,
    images.map(({ path }) => path),
  );
  const layout = join(folder, 'layout');
  mkdirSync(layout);
  execFileSync('tar', ['-xf', out, '-C', layout]);
  const [index, ...others] = listIn(layout);
  expect(others).toEqual([]);
  expect(index).toMatchObject({ mediaType: INDEX, digest });
  const { manifests } = jsonIn<{ manifests: Descriptor[] }>(layout, index!);
  expect(manifests.map((image) => [image.digest, image.platform])).toEqual([
    [images[0]!.digest, { architecture: 'amd64', os: 'linux' }],
    [images[1]!.digest, { architecture: 'arm64', os: 'linux', variant: 'v8' }],
  ]);
  for (const image of manifests) {
    const { config, layers } = jsonIn<{ config: Descriptor; layers: Descriptor[] }>(layout, image);
    for (const blob of [config, ...layers]) {
      expect(`sha256:${await sha256(blobIn(layout, blob))}`).toBe(blob.digest);
    }
  }
  // again: the same bytes
  const before = await sha256(out);
  expect(
    await combineArchives(
      out,
      images.map(({ path }) => path),
    ),
  ).toBe(digest);
  expect(await sha256(out)).toBe(before);
});

test('a bill of materials refers to its image', async () => {
  const subject = { mediaType: 'application/x', digest: `sha256:${'a'.repeat(64)}`, size: 7 };
  const layout = join(folder, 'bom');
  const artifact = await bomLayout(layout, '{"bomFormat":"CycloneDX"}', 'virt-api.cdx.json', {
    ...subject,
    platform: { architecture: 'amd64', os: 'linux' },
  });
  const manifest = jsonIn<{ artifactType: string; subject: Descriptor; layers: Descriptor[] }>(layout, artifact);
  expect(manifest.artifactType).toBe('application/vnd.cyclonedx+json');
  expect(manifest.subject).toEqual(subject);
  expect(readFileSync(blobIn(layout, manifest.layers[0]!), 'utf8')).toBe('{"bomFormat":"CycloneDX"}');
  expect(manifest.layers[0]!.annotations).toEqual({ 'org.opencontainers.image.title': 'virt-api.cdx.json' });
  const [own, referrers] = listIn(layout);
  expect(own!.digest).toBe(artifact.digest);
  expect(jsonIn<{ manifests: Descriptor[] }>(layout, referrers!).manifests).toEqual([artifact]);
});
