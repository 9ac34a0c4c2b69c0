import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CliError } from '../errors';

const run = promisify(execFile);

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
    // the archive was just built here: the trust policy of this machine does not apply to it
    const args = ['--insecure-policy', 'copy', '--quiet', '--retry-times=2', ...tls, `--digestfile=${digest}`];
    await run('skopeo', [...args, `oci-archive:${archive}`, `docker://${reference}`], { maxBuffer: 16 << 20 });
    return (await readFile(digest, 'utf8')).trim();
  } catch (error) {
    throw new CliError(`${reference} was not pushed: ${reason(error as Error & { stderr?: string })}`);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Message of the last line that skopeo logged. */
function reason({ stderr, message }: Error & { stderr?: string }): string {
  const last = (stderr || message).trim().split('\n').at(-1)!;
  const said = /msg="((?:[^"\\]|\\.)*)"/.exec(last)?.[1]?.replace(/\\(.)/g, '$1') ?? last;
  return /server gave HTTP response to HTTPS client/.test(said)
    ? `${said}; if the registry has no trusted certificate, add --insecure-registry`
    : said;
}
