/** Builds the images of the platform. A separate bundle, because few commands need it. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { buildComponent } from '../../component-image/image';
import { IMPORTER } from '../../component-image/importer';
import { buildEngine } from '../../engine-image/image';
import { buildHandler } from '../../handler-image/image';
import { buildLauncher, LAUNCHER_PROGRAMS } from '../../launcher-image/image';
import type { ImageParts } from '../../launcher-image/layers';
import { cacheDir, imagesDir } from '../../local/engine/cache';
import { ENGINE_IMAGES } from '../../local/engine/images';
import { addToIndex, isNamed } from '../../local/images';
import { IMAGE_NODE, nodeBinary } from './node';

/** Inputs of a recipe. */
interface Parts extends ImageParts {
  readonly packageRoot: string;
}

type Build = (out: string, parts: Parts) => Promise<string>;

const recipes: Readonly<Record<string, Build>> = {
  'upload-proxy': (out, parts) => buildComponent('upload-proxy', out, parts),
  'virt-api': (out, parts) => buildComponent('virt-api', out, parts),
  'virt-controller': (out, parts) => buildComponent('virt-controller', out, parts),
  'virt-handler': buildHandler,
  'virt-importer': (out, parts) => buildComponent('virt-importer', out, parts, IMPORTER),
  'virt-launcher': buildLauncher,
  'virt-operator': (out, parts) => buildComponent('virt-operator', out, parts),
  engine: async (out, parts) => {
    const { bundles, packageRoot } = parts;
    const images: Record<string, string> = {};
    for (const [name, reference] of Object.entries(ENGINE_IMAGES)) {
      images[reference] = (await makeImage(name, { bundles, packageRoot, refresh: false })).archive;
    }
    return buildEngine(out, { ...parts, images });
  },
};

/** A built image. */
export interface Made {
  /** OCI archive. */
  readonly archive: string;
  /** Whether it was built now. False if an image of the same parts existed. */
  readonly built: boolean;
}

export interface MakeOptions {
  /** Folder of the bundles: `build/` of the package. */
  readonly bundles: string;
  /** Folder of the package. */
  readonly packageRoot: string;
  /** Whether to download the Debian packages again. */
  readonly refresh: boolean;
  /** Reference by which the local engine finds the image. Default: none. */
  readonly localName?: string;
  /** Folder to which the archive is also copied. */
  readonly output?: string;
}

const folder = (): string => join(cacheDir(), 'platform-images');
const launcherFilesIn = (bundles: string): string => join(bundles, 'images/virt-launcher');

async function archiveOf(name: string, bundles: string): Promise<string> {
  return join(folder(), `${name}-${await parts(name, bundles, launcherFilesIn(bundles))}.tar`);
}

/** Whether an image of the same parts exists. */
export const isMade = async (name: string, bundles: string): Promise<boolean> =>
  existsSync(await archiveOf(name, bundles));

/** Builds an image, unless an image of the same parts exists. */
export async function makeImage(name: string, options: MakeOptions): Promise<Made> {
  const { bundles, packageRoot, refresh, localName, output } = options;
  const launcherFiles = launcherFilesIn(bundles);
  const archive = await archiveOf(name, bundles);
  const built = refresh || !existsSync(archive);
  if (built) {
    await mkdir(folder(), { recursive: true });
    const node = { version: IMAGE_NODE.version, program: await nodeBinary(IMAGE_NODE) };
    // rename the finished archive, so that an interrupted build leaves no incomplete image
    const partial = join(folder(), `.${name}.${process.pid}.partial`);
    try {
      await recipes[name]!(partial, { bundles, packageRoot, launcherFiles, node, refresh });
      await rename(partial, archive);
    } finally {
      for (const rest of [partial, `${partial}.layout`, `${partial}.tmp`])
        await rm(rest, { recursive: true, force: true });
    }
  }
  const index = imagesDir();
  if (localName) await addToIndex(index, localName, archive);
  if (built) {
    // an older archive stays while a name leads to it, such as that of another version
    const others = (await readdir(folder()))
      .filter((file) => file.startsWith(`${name}-`))
      .map((file) => join(folder(), file));
    for (const file of others) if (file !== archive && !(await isNamed(index, file))) await rm(file, { force: true });
  }
  if (!output) return { archive, built };
  await mkdir(output, { recursive: true });
  await copyFile(archive, join(output, `${name}.tar`));
  return { archive: join(output, `${name}.tar`), built };
}

/** Digest of all inputs of an image: its program, the files of the launcher, Node.js and the code that assembles them. */
async function parts(name: string, bundles: string, launcherFiles: string): Promise<string> {
  const hash = createHash('sha256').update(`${IMAGE_NODE.version}\0`);
  const files = name === 'virt-launcher' ? await readdir(launcherFiles, { recursive: true, withFileTypes: true }) : [];
  const own = files.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const programs = await programsOf(name, bundles);
  for (const file of [...programs.map((file) => join(bundles, file)), join(bundles, 'images.cjs'), ...own.sort()]) {
    hash.update(`${file.slice(bundles.length)}\0`).update(await readFile(file));
  }
  return hash.digest('hex').slice(0, 16);
}

/** Bundles in an image. */
async function programsOf(name: string, bundles: string): Promise<readonly string[]> {
  if (name === 'virt-launcher') return LAUNCHER_PROGRAMS;
  // the engine's image contains all programs
  return name === 'engine' ? (await readdir(bundles)).filter((file) => file.endsWith('.cjs')).sort() : [`${name}.cjs`];
}
