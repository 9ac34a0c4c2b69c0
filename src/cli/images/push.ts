import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CliError, messageOf } from '../errors';
import { copyImage } from './skopeo';

/**
 * Copies an archive to a registry, with the login of `skopeo`, `podman` or `docker`.
 *
 * @param reference - with its tag
 * @param insecure - whether to accept HTTP and an unverified certificate
 * @returns digest of the image in the registry
 */
export async function push(archive: string, reference: string, insecure: boolean): Promise<string> {
  const work = await mkdtemp(join(tmpdir(), 'virt8s-push-'));
  const digest = join(work, 'digest');
  const tls = insecure ? ['--dest-tls-verify=false'] : [];
  try {
    await copyImage(`oci-archive:${archive}`, `docker://${reference}`, [...tls, `--digestfile=${digest}`]);
    return (await readFile(digest, 'utf8')).trim();
  } catch (error) {
    const why = messageOf(error);
    const remedy = /server gave HTTP response to HTTPS client/.test(why)
      ? '; if the registry has no trusted certificate, add --insecure-registry'
      : '';
    throw new CliError(`${reference} was not pushed: ${why}${remedy}`);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
