import { imageNames, IMAGES } from '../../../../src/cli/images/names';
import { IMAGE_NODE } from '../../../../src/cli/images/node';
import { assertCanBuild, assertCanLoad, type BuildHost } from '../../../../src/cli/images/preflight';
import { PlatformImages } from '../../../../src';
import { devDependencies } from '../../../../package.json';

test('images run the Node that everything is tested with', () => {
  expect(IMAGE_NODE.version).toBe(devDependencies.node);
});

test('each image is one that the platform deploys, by its name there', () => {
  const images = PlatformImages.of({ registry: 'registry.example', tag: 'v1' });
  expect(imageNames.map((name) => images[IMAGES[name]])).toEqual(
    imageNames.map((name) => `registry.example/${name}:v1`),
  );
});

describe('missing requirements are reported immediately', () => {
  const machine: BuildHost = { platform: 'linux', arch: 'x64', uid: 0, has: () => true };
  const without =
    (...missing: string[]) =>
    (name: string): boolean =>
      !missing.includes(name);

  test.each<[string, boolean, Partial<BuildHost>, string]>([
    ['another system', false, { platform: 'darwin', arch: 'arm64' }, 'this machine is darwin/arm64'],
    ['packages', false, { has: without('mmdebstrap', 'setcap') }, 'apt-get install mmdebstrap libcap2-bin'],
    ['the way to a registry', true, { has: without('skopeo') }, 'apt-get install skopeo'],
    ['npm', false, { has: without('npm') }, 'requires npm'],
    ['root', false, { uid: 1000 }, 'run it with sudo'],
  ])('%s', (_, pushes, part, words) => {
    expect(() => assertCanBuild(pushes, { ...machine, ...part })).toThrow(words);
  });

  test('the way from an archive', () => {
    expect(() => assertCanLoad({ has: without('skopeo') })).toThrow('images load requires packages');
    expect(() => assertCanLoad({ has: without('skopeo') })).toThrow('apt-get install skopeo');
    expect(() => assertCanLoad({ has: without('npm') })).not.toThrow();
  });

  test('nothing', () => {
    expect(() => assertCanBuild(true, machine)).not.toThrow();
    expect(() => assertCanBuild(false, { ...machine, has: without('skopeo') })).not.toThrow();
  });
});
