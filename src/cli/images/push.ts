import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { BOM_NAMES, bomLayout, imageOf } from '../../launcher-image/layout';
import { CliError, messageOf } from '../errors';
import { copyImage, exists } from './skopeo';

export interface Destination {
  /** Registry, path and name, without tag. */
  readonly repository: string;
  readonly tag: string;
  /** Whether to accept HTTP and an unverified certificate. */
  readonly insecure: boolean;
}

/** Runs a function with a temporary folder. */
async function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'virt8s-push-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function copy(from: string, reference: string, insecure: boolean, flags: readonly string[] = []): Promise<void> {
  const tls = insecure ? ['--dest-tls-verify=false'] : [];
  try {
    await copyImage(from, `docker://${reference}`, [...tls, '--all', '--preserve-digests', ...flags]);
  } catch (error) {
    const why = messageOf(error);
    const remedy = /server gave HTTP response to HTTPS client/.test(why)
      ? '; if the registry has no trusted certificate, add --insecure-registry'
      : '';
    throw new CliError(`${reference} was not pushed: ${why}${remedy}`);
  }
}

/**
 * Copies an archive to a registry, with the login of `skopeo`, `podman` or `docker`. The registry gets the bytes of the
 * archive, so that equal builds have equal digests.
 *
 * @returns digest of the image in the registry
 */
export function push(archive: string, { repository, tag, insecure }: Destination): Promise<string> {
  return withFolder(async (work) => {
    const digest = join(work, 'digest');
    await copy(`oci-archive:${archive}`, `${repository}:${tag}`, insecure, [`--digestfile=${digest}`]);
    return (await readFile(digest, 'utf8')).trim();
  });
}

/**
 * Attaches a bill of materials to the image of an archive that was pushed. Registries with the referrers API find it by
 * the image. For others, a tag that is derived from the image's digest lists it, unless the tag exists.
 *
 * @returns reference of the bill of materials
 */
export function attachBom(archive: string, bom: string, { repository, insecure }: Destination): Promise<string> {
  return withFolder(async (work) => {
    const image = await imageOf(archive, join(work, 'image'));
    const folder = join(work, 'bom');
    const { digest } = await bomLayout(folder, await readFile(bom, 'utf8'), `${basename(repository)}.cdx.json`, image);
    const reference = `${repository}@${digest}`;
    await copy(`oci:${folder}:${BOM_NAMES.artifact}`, reference, insecure);
    const list = `${repository}:${image.digest.replace(':', '-')}`;
    if (!(await exists(list, insecure))) await copy(`oci:${folder}:${BOM_NAMES.referrers}`, list, insecure);
    return reference;
  });
}
