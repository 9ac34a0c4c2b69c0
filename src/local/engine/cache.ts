import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/**
 * Cache that all engines and checkouts of a user share: `VIRT8S_CACHE`, or `virt8s` in the user's cache folder.
 *
 * @throws Error if neither names a folder
 */
export function cacheDir(env: NodeJS.ProcessEnv = process.env, homeOf: () => string = homedir): string {
  const { VIRT8S_CACHE, XDG_CACHE_HOME = '' } = env;
  // the XDG specification has programs ignore an empty or relative path
  return VIRT8S_CACHE || join(isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : join(home(homeOf), '.cache'), 'virt8s');
}

/** Folder of the images that all engines of a user find: `index.json` and OCI archives. */
export const imagesDir = (): string => join(cacheDir(), 'images');

function home(homeOf: () => string): string {
  let found = '';
  try {
    found = homeOf();
  } catch {
    // a user that the system does not know
  }
  if (isAbsolute(found)) return found;
  throw new Error('this user has no home directory for the cache: set VIRT8S_CACHE to the path of a folder');
}
