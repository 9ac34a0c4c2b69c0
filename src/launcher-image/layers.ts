/** Layers that images have in common, and the cache of those that do not change with our code. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cacheDir } from '../local/engine/cache';
import { tarDirectory } from './oci';

/** What images are made from, beside Debian's packages. */
export interface ImageParts {
  /** Folder of the bundles, one file per program. */
  readonly bundles: string;
  /** Folder of the launcher's own files. */
  readonly launcherFiles: string;
  /** The Node.js that runs in them: path of the program. */
  readonly node: { readonly version: string; readonly program: string };
  /** Takes Debian's packages anew, also when they were unpacked before. */
  readonly refresh?: boolean;
}

/** Put there by the bundler: in a bundle the sources are not there to be read. */
declare const LAYER_MAKER: string | undefined;

/** Hash of the code that makes layers from packages. */
export function layerMaker(): string {
  if (typeof LAYER_MAKER === 'string') return LAYER_MAKER;
  const hash = createHash('sha256');
  for (const name of ['layers.ts', 'recipe.ts', 'rootfs.ts', 'capabilities.ts', 'oci.ts']) {
    hash.update(readFileSync(join(__dirname, name)));
  }
  return hash.digest('hex');
}

/** Name of a layer that follows from a recipe and the code that reads it. */
export function layerName(name: string, recipe: object): string {
  const text = JSON.stringify(recipe, (_, value: unknown) => (value instanceof RegExp ? value.source : value));
  const hash = createHash('sha256').update(layerMaker());
  return `${name}-${hash.update(text).digest('hex').slice(0, 16)}`;
}

/**
 * A folder of the cache, made unless it is there; never half of one.
 *
 * @param make - fills the folder that it gets
 * @param refresh - make it in any case
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

/** A new folder that becomes the root of a layer, and is gone afterwards. */
export async function withRoot<T>(use: (root: string) => Promise<T>): Promise<T> {
  const root = await mkdtemp(join(tmpdir(), 'virt8s-layer-'));
  try {
    // the root of every process in the image
    await chmod(root, 0o755);
    return await use(root);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** The layer of Node.js: its tar file. */
export async function nodeLayer({ version, program }: ImageParts['node']): Promise<string> {
  const folder = await cached(`node-${version}`, (work) =>
    withRoot(async (root) => {
      await put(program, join(root, 'usr/bin/node'), 0o755);
      await tarDirectory(root, join(work, 'layer.tar'));
    }),
  );
  return join(folder, 'layer.tar');
}

/** A layer of single files: path in the image -> file. */
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
