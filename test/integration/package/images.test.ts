/** @needs guest @tier all */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDir } from '../../../src/local/engine/cache';
import { PlatformImages, type PlatformImagesProps } from '../../../src';
import { unpackImage } from '../../support/image-facts';
import { pack, Project } from './packed';
import { freePort, Registry } from './registry';

const names = [
  ...['upload-proxy', 'virt-api', 'virt-controller', 'virt-handler', 'virt-importer', 'virt-launcher', 'virt-operator'],
];

/** The command of an installed package. */
let project: Project;
beforeAll(async () => {
  const tarball = await pack();
  project = Project.empty();
  project.install(process.execPath, tarball);
});
afterAll(() => project.remove());

const build = (...args: string[]): { stdout: string; stderr: string; status: number | null } =>
  spawnSync('node_modules/.bin/virt8s', ['images', 'build', ...args], { cwd: project.folder, encoding: 'utf8' });

/** Runs a program in a root that is read-only, with no network, as its Pod does. */
function runIn(root: string, user: string, command: readonly string[]): string {
  const script =
    'mount --bind "$0" "$0"; mount -o remount,ro,bind "$0"; user=$1; shift; exec chroot --userspec=$user "$0" "$@"';
  const args = ['--mount', '--net', '--pid', '--fork', '--kill-child', 'sh', '-c', script, root, user, ...command];
  const { stdout, stderr } = spawnSync('unshare', args, {
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
  });
  return `${stdout}${stderr}`;
}

describe('the images', () => {
  beforeAll(() => {
    const { status, stdout, stderr } = build('--output', 'images');
    expect([status, stderr]).toEqual([0, expect.stringMatching(/^upload-proxy: \d+ MiB, /)]);
    expect(stdout.trim().split('\n')).toEqual(names.map((name) => join(project.folder, 'images', `${name}.tar`)));
  });

  test.each([
    ['upload-proxy', '1001:1001', /--api-authority-file is missing/],
    ['virt-api', '1001:1001', /--requestheader-allowed-names/],
    ['virt-controller', '1001:1001', /--launcher-image is missing/],
    ['virt-handler', '0:0', /--node-name is missing/],
  ])('%s starts, as %s', (name, user, words) => {
    const { root, config } = unpackImage(join(project.folder, 'images', `${name}.tar`));
    expect(config.User).toBe(user);
    expect(runIn(root, user, config.Entrypoint!)).toMatch(words);
  });

  test('virt-launcher contains what a guest needs', () => {
    const { root, config } = unpackImage(join(project.folder, 'images/virt-launcher.tar'));
    expect([config.User, config.Entrypoint]).toEqual(['107:107', undefined]);
    expect(runIn(root, config.User, ['/usr/bin/qemu-system-x86_64', '--version'])).toContain('QEMU emulator version');
    expect(runIn(root, config.User, ['/usr/sbin/libvirtd', '--version'])).toContain('libvirtd (libvirt)');
    expect(existsSync(join(root, 'usr/lib/virt-launcher/virt-launcher.cjs'))).toBe(true);
    expect(runIn(root, config.User, ['/usr/bin/virt-launcher-monitor', '--version'])).not.toContain('not found');
  });

  test('virt-importer starts as 107, and contains what confines the reader of images', () => {
    const { root, config } = unpackImage(join(project.folder, 'images/virt-importer.tar'));
    expect(config.User).toBe('107:107');
    expect(runIn(root, config.User, config.Entrypoint!)).toContain('the variable VIRT8S_IMPORT is missing');
    for (const command of ['qemu-img', 'setpriv', 'prlimit', 'xz']) {
      expect(runIn(root, config.User, [`/usr/bin/${command}`, '--version'])).toMatch(/\d+\.\d+/);
    }
  });

  test('images of programs that only use the API server contain Node, one file and its dependencies', () => {
    const root = join(project.folder, 'images/virt-controller.tar.root');
    expect(readdirSync(join(root, 'usr/bin'))).toEqual(['node']);
    expect(readdirSync(join(root, 'usr/lib/virt8s'))).toEqual(['virt-controller.cjs']);
    const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.length).toBeLessThan(50);
  });
});

test('the image of the engine contains its commands, the package and the images of launcher and importer', () => {
  const { status, stderr } = build('engine', '--output', 'images');
  expect([status, stderr]).toEqual([0, expect.stringMatching(/^engine: \d+ MiB, /)]);
  const { root, config } = unpackImage(join(project.folder, 'images/engine.tar'));
  expect(config.Entrypoint).toEqual(['/usr/bin/virt8s']);
  expect(runIn(root, '0:0', ['/usr/bin/virt8s', 'up', '--help'])).toContain('--foreground');
  for (const command of ['crun', 'conmon', 'nft', 'ip', 'skopeo', 'qemu-system-x86_64']) {
    expect(runIn(root, '0:0', ['/usr/bin/env', 'sh', '-c', `command -v ${command}`])).toMatch(/^\/usr\//);
  }
  const cache = join(root, 'var/cache/virt8s/images');
  const index = JSON.parse(readFileSync(join(cache, 'index.json'), 'utf8'));
  for (const name of ['virt-launcher', 'virt-importer']) {
    expect(existsSync(join(cache, index[`localhost/virt8s/${name}:dev`].archive))).toBe(true);
  }
});

test('up unpacks the programs, gives the engine the images of launcher and importer, and starts; down ends it', async () => {
  // a cache of its own, in which the images that were built above are not built again
  const cache = join(project.folder, 'cache');
  mkdirSync(cache);
  symlinkSync(join(cacheDir(), 'platform-images'), join(cache, 'platform-images'));
  const env = { ...process.env, VIRT8S_CACHE: cache, VIRT8S_STATE_DIR: join(project.folder, 'state') };
  const virt8s = (...args: string[]) =>
    spawnSync('node_modules/.bin/virt8s', args, { cwd: project.folder, encoding: 'utf8', env });
  try {
    const port = String(await freePort());
    const { stdout, stderr } = virt8s('up', '--port', port);
    expect(`${stdout}${stderr}`).toContain(`the engine is up at https://127.0.0.1:${port}`);
    expect(readdirSync(join(cache, 'programs'))).toHaveLength(1);
    expect(JSON.parse(virt8s('status', '--output', 'json').stdout)).toMatchObject({ running: true });
    const index = JSON.parse(readFileSync(join(cache, 'images/index.json'), 'utf8'));
    const image = (name: string): object => ({
      [`localhost/virt8s/${name}:dev`]: {
        archive: expect.stringMatching(new RegExp(`^\\.\\./platform-images/${name}-[0-9a-f]{16}\\.tar$`)),
        digest: expect.stringMatching(/^sha256:/),
      },
    });
    expect(index).toEqual({ ...image('virt-launcher'), ...image('virt-importer') });
  } finally {
    expect(virt8s('down').status).toBe(0);
  }
  expect(JSON.parse(virt8s('status', '--output', 'json').stdout)).toMatchObject({ running: false });
});

describe('pushing', () => {
  let registry: Registry;
  beforeAll(async () => void (registry = await Registry.start()));
  afterAll(() => registry.stop());

  test('fills a registry, and prints the digests by which the platform pulls the images', async () => {
    const repository = `${registry.host}/team/virt8s`;
    const push = (...args: string[]): ReturnType<typeof build> =>
      build('virt-api', 'virt-controller', '--push', repository, '--tag', 'v1', '--insecure-registry', ...args);
    const first = push('--json');
    expect([first.status, first.stderr]).toEqual([0, expect.stringContaining(`pushed as ${repository}/virt-api:v1`)]);
    const props = JSON.parse(first.stdout) as PlatformImagesProps;
    const digest = await registry.digestOf('team/virt8s/virt-api', 'v1');
    expect(digest).toMatch(/^sha256:/);
    const images = PlatformImages.of(props);
    expect(images.virtApi).toBe(`${repository}/virt-api@${digest}`);
    expect(images.virtController).toContain('@sha256:');
    expect(images.virtLauncher).toBe(`${repository}/virt-launcher:v1`);

    // again: nothing is built, and the registry has the same
    const second = push();
    expect(second.stderr.match(/unchanged/g)).toHaveLength(2);
    const lines = ['registry', 'tag', 'virtApi', 'virtController'].map(
      (property) => `  ${property}: '${props[property as keyof PlatformImagesProps] as string}',`,
    );
    expect(second.stdout).toBe(['const images = PlatformImages.of({', ...lines, '});', ''].join('\n'));
  });

  test('locks the digests, which do not depend on the registry, and attaches bills of materials', async () => {
    const repository = `${registry.host}/other`;
    const flags = ['--tag', 'v1', '--insecure-registry', '--lock', 'images.lock.json'];
    const first = build('virt-api', '--push', repository, ...flags);
    const file = join(project.folder, 'images.lock.json');
    const digest = await registry.digestOf('other/virt-api', 'v1');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      ...{ lockVersion: 1, registry: repository, tag: 'v1', images: { 'virt-api': digest } },
    });
    expect(first.stderr).toContain('still lacks upload-proxy, virt-controller');
    expect(await registry.digestOf('team/virt8s/virt-api', 'v1')).toBe(digest);

    const { groups } = /bill of materials: \S+@(?<bom>sha256:[0-9a-f]{64})/.exec(first.stderr)!;
    const artifact = await registry.manifest('other/virt-api', groups!.bom!);
    expect(artifact).toMatchObject({ artifactType: 'application/vnd.cyclonedx+json', subject: { digest } });
    const list = await registry.manifest('other/virt-api', digest!.replace(':', '-'));
    expect(list).toMatchObject({ manifests: [{ digest: groups!.bom }] });

    const rest = names.filter((name) => name !== 'virt-api');
    expect(build(...rest, '--push', repository, ...flags).stderr).toContain('PlatformImages.fromLock(');
    expect(PlatformImages.fromLock(file).virtApi).toBe(`${repository}/virt-api@${digest}`);
  });

  test('pushes the images of both architectures under one digest', async () => {
    const repository = `${registry.host}/both`;
    const flags = ['--push', repository, '--tag', 'v1', '--insecure-registry', '--json'];
    const { stdout, stderr } = build('virt-api', '--arch', 'amd64,arm64', ...flags);
    const { virtApi } = JSON.parse(stdout) as PlatformImagesProps;
    const index = await registry.manifest('both/virt-api', virtApi!.split('@')[1]!);
    const platforms = (index as { manifests: { platform: object }[] }).manifests.map(({ platform }) => platform);
    expect(platforms).toEqual([
      { architecture: 'amd64', os: 'linux' },
      { architecture: 'arm64', os: 'linux', variant: 'v8' },
    ]);
    expect(stderr.match(/bill of materials: /g)).toHaveLength(2);
  });

  test('reports why a registry cannot be reached, or that it speaks HTTP', async () => {
    const nobody = `127.0.0.1:${await freePort()}`;
    const gone = build('virt-api', '--push', `${nobody}/virt8s`, '--tag', 'v1');
    expect([gone.status, gone.stdout]).toEqual([1, '']);
    expect(gone.stderr).toMatch(/virt8s\/virt-api:v1 was not pushed: .*connection refused/);
    const http = build('virt-api', '--push', `${registry.host}/virt8s`, '--tag', 'v1');
    expect(http.stderr).toContain('add --insecure-registry');
  });
});

test.each([
  [
    ['virt-exporter'],
    'no image is named "virt-exporter" (allowed: upload-proxy, virt-api, virt-controller, virt-handler, virt-importer, virt-launcher, virt-operator, engine)',
  ],
  [['--push', 'https://registry.example'], 'registry: "https://registry.example"'],
  [['--push', 'registry.example/virt8s', '--tag', 'a b'], 'tag: "a b"'],
  [['--lock', 'images.lock.json'], '--lock requires --push'],
  [['--arch', 'riscv64'], '"riscv64" is not an architecture of the images (allowed: amd64, arm64)'],
])('%j is rejected before anything is built', (args, words) => {
  const { status, stderr } = build(...args);
  expect([status, stderr]).toEqual([1, expect.stringContaining(words)]);
});
