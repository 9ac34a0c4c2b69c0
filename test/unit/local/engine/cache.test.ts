import { homedir } from 'node:os';
import { join } from 'node:path';
import { cacheDir } from '../../../../src/local/engine/cache';

const before = { ...process.env };
afterEach(() => {
  process.env = { ...before };
});

const own = join(homedir(), '.cache/virt8s');

test.each<[string, string | undefined, string | undefined, string]>([
  ['in the home directory', undefined, undefined, own],
  ["in the user's cache folder", undefined, '/caches', '/caches/virt8s'],
  ['in a folder of its own', '/virt8s-cache', '/caches', '/virt8s-cache'],
  ['not in the current folder when the variables are empty', '', '', own],
  ['not in a relative cache folder', undefined, 'caches', own],
])('the cache is %s', (_, VIRT8S_CACHE, XDG_CACHE_HOME, want) => {
  Object.assign(process.env, { VIRT8S_CACHE: VIRT8S_CACHE ?? '', XDG_CACHE_HOME: XDG_CACHE_HOME ?? '' });
  if (VIRT8S_CACHE === undefined) delete process.env.VIRT8S_CACHE;
  if (XDG_CACHE_HOME === undefined) delete process.env.XDG_CACHE_HOME;
  expect(cacheDir()).toBe(want);
});
