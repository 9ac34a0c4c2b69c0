/** The images of the platform, made on this machine. A bundle of its own: few commands need it. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { buildComponent } from '../../component-image/image';
import { buildHandler } from '../../handler-image/image';
import { buildLauncher } from '../../launcher-image/image';
import type { ImageParts } from '../../launcher-image/layers';
import { cacheDir } from '../../local/engine/cache';
import { IMAGE_NODE, nodeBinary } from './node';

type Build = (out: string, parts: ImageParts) => Promise<string>;

const recipes: Readonly<Record<string, Build>> = {
  'virt-api': (out, parts) => buildComponent('virt-api', out, parts),
  'virt-controller': (out, parts) => buildComponent('virt-controller', out, parts),
  'virt-handler': buildHandler,
  'virt-launcher': buildLauncher,
};

/** An image that is there now. */
export interface Made {
  /** OCI archive. */
  readonly archive: string;
  /** False when it was there already, of the same parts. */
  readonly built: boolean;
}

export interface MakeOptions {
  /** Folder of the bundles: build/ of the package. */
  readonly bundles: string;
  /** Takes Debian's packages anew. */
  readonly refresh: boolean;
  /** Also copies the archive there. */
  readonly output?: string;
}

/** Makes an image, unless it was made of the same parts before. */
export async function makeImage(name: string, options: MakeOptions): Promise<Made> {
  const { bundles, refresh, output } = options;
  const launcherFiles = join(bundles, 'images/virt-launcher');
  const folder = join(cacheDir(), 'platform-images');
  const archive = join(folder, `${name}-${await parts(name, bundles, launcherFiles)}.tar`);
  const built = refresh || !existsSync(archive);
  if (built) {
    await mkdir(folder, { recursive: true });
    const node = { version: IMAGE_NODE.version, program: await nodeBinary(IMAGE_NODE) };
    // built beside and renamed: an interrupted build leaves no half image
    const partial = join(folder, `.${name}.${process.pid}.partial`);
    try {
      await recipes[name]!(partial, { bundles, launcherFiles, node, refresh });
      await rename(partial, archive);
    } finally {
      for (const rest of [partial, `${partial}.layout`, `${partial}.tmp`])
        await rm(rest, { recursive: true, force: true });
    }
    const stale = (await readdir(folder)).filter(
      (file) => file.startsWith(`${name}-`) && join(folder, file) !== archive,
    );
    for (const file of stale) await rm(join(folder, file), { force: true });
  }
  if (!output) return { archive, built };
  await mkdir(output, { recursive: true });
  await copyFile(archive, join(output, `${name}.tar`));
  return { archive: join(output, `${name}.tar`), built };
}

/** All that an image follows from: its program, the files of the launcher, Node, and the code that puts them together. */
async function parts(name: string, bundles: string, launcherFiles: string): Promise<string> {
  const hash = createHash('sha256').update(`${IMAGE_NODE.version}\0`);
  const files = name === 'virt-launcher' ? await readdir(launcherFiles, { recursive: true, withFileTypes: true }) : [];
  const own = files.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  for (const file of [join(bundles, `${name}.cjs`), join(bundles, 'images.cjs'), ...own.sort()]) {
    hash.update(`${file.slice(bundles.length)}\0`).update(await readFile(file));
  }
  return hash.digest('hex').slice(0, 16);
}
