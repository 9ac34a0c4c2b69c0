/** Layers that images share, and the cache of layers that do not depend on our code. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cacheDir } from '../local/engine/cache';
import { tarDirectory } from './oci';

/** Inputs of images besides Debian packages. */
export interface ImageParts {
  /** Folder of the bundles, one file per program. */
  readonly bundles: string;
  /** Folder of the launcher's own files. */
  readonly launcherFiles: string;
  /** Path of the Node.js program for the images. */
  readonly node: { readonly version: string; readonly program: string };
  /** Whether to download the Debian packages again if they are cached. */
  readonly refresh?: boolean;
}

/** Defined by the bundler, because a bundle cannot read its sources. */
declare const LAYER_MAKER: string | undefined;

/** Hash of the code that builds layers from packages. */
export function layerMaker(): string {
  if (typeof LAYER_MAKER === 'string') return LAYER_MAKER;
  const hash = createHash('sha256');
  for (const name of ['layers.ts', 'recipe.ts', 'rootfs.ts', 'capabilities.ts', 'oci.ts']) {
    hash.update(readFileSync(join(__dirname, name)));
  }
  return hash.digest('hex');
}

/** Name of a layer: derived from its recipe and the code that builds it. */
export function layerName(name: string, recipe: object): string {
  const text = JSON.stringify(recipe, (_, value: unknown) => (value instanceof RegExp ? value.source : value));
  const hash = createHash('sha256').update(layerMaker());
  return `${name}-${hash.update(text).digest('hex').slice(0, 16)}`;
}

/**
 * Returns a folder of the cache and creates it if it is missing. The folder is always complete.
 *
 * @param make - fills the given folder
 * @param refresh - whether to create it again
 */
export async function cached(name: string, make: (work: string) => Promise<void>, refresh = false): Promise<string> {
  const cache = join(cacheDir(), 'launcher-image');
  const target = join(cache, name);
  if (existsSync(target) && !refresh) return target;
  await mkdir(cache, { recursive: true });
  const work = await mkdtemp(join(cache, 'work-'));
  try {
    await make(work);
    if (refresh) await rm(target, { recursive: true, force: true });
    await rename(work, target).catch((error: unknown) => {
      // another build was quicker; the content is the same
      if (!existsSync(target)) throw error;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return target;
}

/** Creates a temporary folder for the root of a layer and deletes it afterwards. */
export async function withRoot<T>(use: (root: string) => Promise<T>): Promise<T> {
  const root = await mkdtemp(join(tmpdir(), 'virt8s-layer-'));
  try {
    // the mode of `/` in the image
    await chmod(root, 0o755);
    return await use(root);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** Tar file of the Node.js layer. */
export async function nodeLayer({ version, program }: ImageParts['node']): Promise<string> {
  const folder = await cached(`node-${version}`, (work) =>
    withRoot(async (root) => {
      await put(program, join(root, 'usr/bin/node'), 0o755);
      await tarDirectory(root, join(work, 'layer.tar'));
    }),
  );
  return join(folder, 'layer.tar');
}

/** Builds a layer of single files, by their paths in the image. */
export async function filesLayer(layer: string, files: Readonly<Record<string, string>>): Promise<string> {
  await withRoot(async (root) => {
    for (const [path, file] of Object.entries(files)) await put(file, join(root, path), 0o644);
    await tarDirectory(root, layer);
  });
  return layer;
}

async function put(file: string, target: string, mode: number): Promise<void> {
  await mkdir(dirname(target), { recursive: true });
  await cp(file, target, { dereference: true });
  await chmod(target, mode);
}
