import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDir } from '../src/local/engine/cache';
import { checkout } from './generated-files';

/** Version of Debian 13. Its schemas contain the keys of older versions, too. */
export const CLOUD_INIT_VERSION = '25.1.4-1+deb13u1';

/**
 * The files of Debian's package, from the cache or the Debian mirror. They are only unpacked: nothing is installed, and no
 * service of cloud-init ever runs on this machine.
 */
export function cloudInitPackage(): string {
  const cached = join(cacheDir(), 'cloud-init', CLOUD_INIT_VERSION);
  if (existsSync(cached)) return cached;
  const mirror = execFileSync('sh', ['-c', '. guests/lib/common.sh && mirror'], { cwd: checkout, encoding: 'utf8' });
  const partial = `${cached}.${process.pid}`;
  mkdirSync(partial, { recursive: true });
  const file = join(partial, 'cloud-init.deb');
  const pool = `${mirror.trim()}pool/main/c/cloud-init/cloud-init_${CLOUD_INIT_VERSION}_all.deb`;
  execFileSync('curl', ['-sSfL', '-o', file, pool]);
  execFileSync('dpkg-deb', ['-x', file, partial]);
  rmSync(file);
  try {
    renameSync(partial, cached);
  } catch {
    rmSync(partial, { recursive: true }); // another process was faster
  }
  return cached;
}
