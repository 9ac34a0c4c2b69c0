import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ARCHITECTURES, type ArchitectureName } from '../../launcher-image/arch';
import { cacheDir } from '../../local/engine/cache';

const run = promisify(execFile);

/** A release of Node.js for Linux. */
export interface NodeRelease {
  readonly version: string;
  /** Integrity of the npm package of each architecture, in the format of a lock file. */
  readonly integrity: Readonly<Record<ArchitectureName, string>>;
}

/** Node.js of the images: the release with which everything is tested. */
export const IMAGE_NODE: NodeRelease = {
  version: '24.21.0',
  integrity: {
    amd64: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
    arm64: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
};

/**
 * Program of a release, from the cache or from the npm registry of this machine (its integrity is verified). The
 * Node.js of the user may be linked with libraries that the images lack.
 *
 * @returns path of the program
 */
export async function nodeBinary(release: NodeRelease, architecture: ArchitectureName): Promise<string> {
  const { version } = release;
  const integrity = release.integrity[architecture];
  const folder = join(cacheDir(), 'node', architecture === 'amd64' ? version : `${version}-${architecture}`);
  const program = join(folder, 'bin/node');
  if (existsSync(program)) return program;
  await mkdir(join(cacheDir(), 'node'), { recursive: true });
  const work = await mkdtemp(`${folder}-`);
  try {
    const name = `${ARCHITECTURES[architecture].node}@${version}`;
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
