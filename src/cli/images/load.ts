import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { imagesDir } from '../../local/engine/cache';
import { addToIndex, isNamed } from '../../local/images';
import { CliError, messageOf } from '../errors';
import { assertCanLoad } from './preflight';
import { copyImage } from './skopeo';
import { sourceOf } from './source';

export interface LoadFlags {
  readonly name?: string;
}

/** Time for which an archive without a name is kept: a node may be reading it, or another load writing it. */
const KEPT_MS = 3_600_000;

/** `virt8s images load`: prints the reference by which Pods of the local engine use the image. */
export async function runImagesLoad(given: string, flags: LoadFlags): Promise<void> {
  const { from, name } = sourceOf(given, flags.name);
  assertCanLoad();
  const index = imagesDir();
  const folder = join(index, 'loaded');
  await mkdir(folder, { recursive: true });
  await removeUnnamed(index, folder);
  const archive = join(folder, `${process.pid}-${Date.now()}.tar`);
  // rename the finished archive, so that an interrupted copy leaves no incomplete image
  const partial = `${archive}.partial`;
  try {
    await copyImage(from, `oci-archive:${partial}:${name}`);
    await rename(partial, archive);
    await addToIndex(index, name, archive);
  } catch (error) {
    for (const path of [partial, archive]) await rm(path, { force: true });
    throw new CliError(`${given} was not loaded: ${messageOf(error)}`);
  }
  console.log(name);
}

/** Removes archives of replaced images and of interrupted loads. */
async function removeUnnamed(index: string, folder: string): Promise<void> {
  for (const file of await readdir(folder)) {
    const path = join(folder, file);
    const { mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs > KEPT_MS && !(await isNamed(index, path))) await rm(path, { force: true });
  }
}
