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
 * @param insecure - the registry speaks HTTP, or its certificate is not to be checked
 * @returns digest of the image there
 */
export async function push(archive: string, reference: string, insecure: boolean): Promise<string> {
  const work = await mkdtemp(join(tmpdir(), 'virt8s-push-'));
  const digest = join(work, 'digest');
  const tls = insecure ? ['--dest-tls-verify=false'] : [];
  try {
    // nothing of the machine's own trust policy decides about an archive that was just built here
    const args = ['--insecure-policy', 'copy', '--quiet', '--retry-times=2', ...tls, `--digestfile=${digest}`];
    await run('skopeo', [...args, `oci-archive:${archive}`, `docker://${reference}`], { maxBuffer: 16 << 20 });
    return (await readFile(digest, 'utf8')).trim();
  } catch (error) {
    throw new CliError(`${reference} was not pushed: ${reason(error as Error & { stderr?: string })}`);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** skopeo logs: the message of its last line. */
function reason({ stderr, message }: Error & { stderr?: string }): string {
  const last = (stderr || message).trim().split('\n').at(-1)!;
  const said = /msg="((?:[^"\\]|\\.)*)"/.exec(last)?.[1]?.replace(/\\(.)/g, '$1') ?? last;
  return /server gave HTTP response to HTTPS client/.test(said) ? `${said}; is it --insecure-registry?` : said;
}
