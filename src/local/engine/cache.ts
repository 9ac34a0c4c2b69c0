import { homedir } from 'node:os';
import { join } from 'node:path';

/** Cache that all engines and checkouts of a user share: `VIRT8S_CACHE`, or `virt8s` in the user's cache folder. */
export function cacheDir(): string {
  return process.env.VIRT8S_CACHE ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'virt8s');
}
