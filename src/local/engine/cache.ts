import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** Cache that all engines and checkouts of a user share: `VIRT8S_CACHE`, or `virt8s` in the user's cache folder. */
export function cacheDir(): string {
  const { VIRT8S_CACHE, XDG_CACHE_HOME = '' } = process.env;
  // the XDG specification has programs ignore an empty or relative path
  return VIRT8S_CACHE || join(isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : join(homedir(), '.cache'), 'virt8s');
}
