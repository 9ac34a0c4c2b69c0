/** Layers that images share, and the cache of layers that do not depend on our code. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cacheDir } from '../local/engine/cache';
import type { Architecture } from './arch';
import type { DebianPackage } from './debian';
import { readLayer, writeLayer, type Layer } from './oci';
import { withImageUmask } from './umask';

/** Inputs of images besides Debian packages. */
export interface ImageParts {
  readonly architecture: Architecture;
  /** Folder of the bundles, one file per program. */
  readonly bundles: string;
  /** Folder of the launcher's own files. */
  readonly launcherFiles: string;
  /** Path of the Node.js program for the images. */
  readonly node: { readonly version: string; readonly program: string };
  /** Whether to download the Debian packages again if they are cached. */
  readonly refresh?: boolean;
}

/** A layer of Debian packages. */
export interface PackageLayer extends Layer {
  /** Folder of the cache. It may contain more than the layer. */
  readonly folder: string;
  readonly packages: readonly DebianPackage[];
}

/** An image archive. */
export interface Image {
  /** Digest of the manifest. */
  readonly digest: string;
  /** Debian packages of which the image contains files. */
  readonly packages: readonly DebianPackage[];
}

/** Defined by the bundler, because a bundle cannot read its sources. */
declare const LAYER_MAKER: string | undefined;

/** Files of this folder with that code. */
const MAKERS = [
  'arch',
  'capabilities',
  'debian',
  'elf',
  'layers',
  'oci',
  'paths',
  'recipe',
  'recipe-layer',
  'rootfs',
  'run',
  'umask',
];

/** Hash of the code that builds layers from packages. */
export function layerMaker(): string {
  if (typeof LAYER_MAKER === 'string') return LAYER_MAKER;
  const hash = createHash('sha256');
  for (const name of MAKERS) hash.update(readFileSync(join(__dirname, `${name}.ts`)));
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

/**
 * Returns a layer of Debian packages from the cache, or builds it.
 *
 * @param name - prefix of its folder in the cache
 * @param recipe - everything that the layer depends on
 * @param fill - fills the given root, may add files to the folder of the cache, and returns the packages
 * @param refresh - whether to download the packages again
 */
export async function packageLayer(
  name: string,
  recipe: object,
  fill: (root: string, folder: string) => Promise<readonly DebianPackage[]>,
  refresh?: boolean,
): Promise<PackageLayer> {
  const make = (work: string): Promise<void> =>
    withRoot(async (root) => {
      await writeFile(join(work, PACKAGES), JSON.stringify(await fill(root, work)));
      await writeLayer(root, work);
    });
  const folder = await cached(layerName(name, recipe), make, refresh);
  const packages = JSON.parse(await readFile(join(folder, PACKAGES), 'utf8')) as DebianPackage[];
  return { ...(await readLayer(folder)), folder, packages };
}

const PACKAGES = 'packages.json';

/** Creates a temporary folder for the root of a layer and deletes it afterwards. */
export function withRoot<T>(use: (root: string) => Promise<T>): Promise<T> {
  return withImageUmask(async () => {
    const root = await mkdtemp(join(tmpdir(), 'virt8s-layer-'));
    try {
      // the mode of `/` in the image
      await chmod(root, 0o755);
      return await use(root);
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  });
}

/** The Node.js layer. */
export async function nodeLayer({ node, architecture }: ImageParts): Promise<Layer> {
  const { version, program } = node;
  const folder = await cached(layerName('node', { version, architecture: architecture.name }), (work) =>
    withRoot(async (root) => {
      await put(program, join(root, 'usr/bin/node'), 0o755);
      await writeLayer(root, work);
    }),
  );
  return readLayer(folder);
}

/** Builds a layer of single files, by their paths in the image, in a folder. */
export function filesLayer(folder: string, files: Readonly<Record<string, string>>): Promise<Layer> {
  return withRoot(async (root) => {
    for (const [path, file] of Object.entries(files)) await put(file, join(root, path), 0o644);
    return writeLayer(root, folder);
  });
}

async function put(file: string, target: string, mode: number): Promise<void> {
  await mkdir(dirname(target), { recursive: true });
  await cp(file, target, { dereference: true });
  await chmod(target, mode);
}
