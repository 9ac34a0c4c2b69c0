/** OCI archives of the cache as directories: layers unpacked one over another, once per digest. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheDir } from '../../../../src/local/engine/cache';

const images = join(cacheDir(), 'images');

interface Index {
  [ref: string]: { archive: string; digest: string } | undefined;
}

/** The image's root file system; `remedy` is in the error when it was not built. */
export function unpackedImage(ref: string): string {
  const index = JSON.parse(readFileSync(join(images, 'index.json'), 'utf8')) as Index;
  const entry = index[ref];
  if (!entry) throw new Error(`${ref} is not built: run \`tsx scripts/images.ts\``);
  const target = join(tmpdir(), 'virt8s-test-images', entry.digest.replace(':', '-'));
  if (existsSync(target)) return target;
  mkdirSync(join(target, '..'), { recursive: true });
  const layout = mkdtempSync(join(tmpdir(), 'virt8s-layout-'));
  const root = `${target}.${process.pid}`;
  mkdirSync(root);
  try {
    execFileSync('tar', ['-xf', join(images, entry.archive), '-C', layout]);
    const blob = (digest: string): string => join(layout, 'blobs', digest.replace(':', '/'));
    const json = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
    const manifest = json(blob(json(join(layout, 'index.json')).manifests[0].digest));
    for (const layer of manifest.layers as { digest: string }[]) {
      execFileSync('tar', ['-xf', blob(layer.digest), '-C', root, '--xattrs', '--xattrs-include=security.capability']);
    }
    try {
      renameSync(root, target);
    } catch (error) {
      if (!existsSync(target)) throw error; // else another worker was quicker
    }
  } finally {
    rmSync(layout, { recursive: true, force: true });
    rmSync(root, { recursive: true, force: true });
  }
  return target;
}
