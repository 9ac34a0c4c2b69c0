import { homedir } from 'node:os';
import { join } from 'node:path';

/** What is built once per machine and serves every engine and checkout: `VIRT8S_CACHE`, or `virt8s` in the user's cache. */
export function cacheDir(): string {
  return process.env.VIRT8S_CACHE ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'virt8s');
}
