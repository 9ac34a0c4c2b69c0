import { cacheDir } from '../../../../src/local/engine/cache';

const home = (): string => '/home/me';

test.each<[string, NodeJS.ProcessEnv, string]>([
  ['in the home directory', {}, '/home/me/.cache/virt8s'],
  ["in the user's cache folder", { XDG_CACHE_HOME: '/caches' }, '/caches/virt8s'],
  ['in a folder of its own', { VIRT8S_CACHE: '/virt8s-cache', XDG_CACHE_HOME: '/caches' }, '/virt8s-cache'],
  ['not where empty variables lead', { VIRT8S_CACHE: '', XDG_CACHE_HOME: '' }, '/home/me/.cache/virt8s'],
  ['not in a relative folder', { XDG_CACHE_HOME: 'caches' }, '/home/me/.cache/virt8s'],
])('the cache is %s', (_, env, want) => {
  expect(cacheDir(env, home)).toBe(want);
});

test.each<[string, () => string]>([
  ['that is empty', () => ''],
  [
    'that the system does not know',
    () => {
      throw new Error('uv_os_homedir returned ENOENT');
    },
  ],
])('a home directory %s is an error with the remedy', (_, homeOf) => {
  expect(() => cacheDir({}, homeOf)).toThrow('set VIRT8S_CACHE to the path of a folder');
  expect(cacheDir({ VIRT8S_CACHE: '/cache' }, homeOf)).toBe('/cache');
});
