import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Copies an image with skopeo. This machine's trust policy is not applied, because the sources are on the machine itself.
 *
 * @throws Error with the last message of skopeo
 */
export async function copyImage(from: string, to: string, flags: readonly string[] = []): Promise<void> {
  const args = ['--insecure-policy', 'copy', '--quiet', '--retry-times=2', ...flags, from, to];
  try {
    await run('skopeo', args, { maxBuffer: 16 << 20 });
  } catch (error) {
    throw new Error(reason(error as Error & { stderr?: string }), { cause: error });
  }
}

/** Whether a registry has an image. False if it cannot be asked. */
export async function exists(reference: string, insecure: boolean): Promise<boolean> {
  const tls = insecure ? ['--tls-verify=false'] : [];
  const args = ['inspect', '--raw', ...tls, `docker://${reference}`];
  return run('skopeo', args).then(
    () => true,
    () => false,
  );
}

/** Message of the last line that skopeo logged. */
function reason({ stderr, message }: Error & { stderr?: string }): string {
  const last = (stderr || message).trim().split('\n').at(-1)!;
  return /msg="((?:[^"\\]|\\.)*)"/.exec(last)?.[1]?.replace(/\\(.)/g, '$1') ?? last;
}
