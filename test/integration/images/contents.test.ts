import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { makeImage, type Made } from '../../../src/cli/images/make';
import { imageNames } from '../../../src/cli/images/names';
import { type ArchitectureName, ARCHITECTURES } from '../../../src/launcher-image/arch';
import { cacheDir } from '../../../src/local/engine/cache';
import {
  hardeningOf,
  machinesOf,
  pathsIn,
  unpackImage,
  type Hardening,
  type UnpackedImage,
} from '../../support/image-facts';
import { isComplete } from '../../support/tier';

const checkout = resolve(__dirname, '../../..');

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'virt8s-contents-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Builds an image of this checkout, or takes it from the cache. */
async function make(name: string, architecture: ArchitectureName = 'amd64'): Promise<Made> {
  const output = join(folder, architecture);
  mkdirSync(output, { recursive: true });
  return makeImage(name, {
    bundles: join(checkout, 'build'),
    packageRoot: checkout,
    refresh: false,
    architecture,
    output,
  });
}

const restricted: Hardening = {
  user: '1001:1001',
  shell: false,
  setuid: [],
  writableFiles: [],
  writableFolders: ['tmp'],
  foreign: [],
  capable: [],
};

/** Deviations from `restricted`, each with its reason. */
const images: Readonly<Record<string, Partial<Hardening>>> = {
  'upload-proxy': {},
  'virt-api': {},
  'virt-controller': {},
  'virt-operator': {},
  // the user of guests: it writes their disks
  'virt-importer': { user: '107:107' },
  // mounts and devices of the node; the shell runs the scripts that enter a Pod's network namespace once
  'virt-handler': { user: '0:0', shell: true },
  // s6, the monitor and virt-probe are shell scripts; the copies of busybox let the DHCP server keep its port
  'virt-launcher': {
    user: '107:107',
    shell: true,
    capable: [
      'usr/lib/virt-launcher/setpriv cap_net_bind_service=p',
      'usr/lib/virt-launcher/sh cap_net_bind_service=p',
    ],
  },
};

test('the table contains every image of the platform', () => {
  expect(Object.keys(images).sort()).toEqual([...imageNames].sort());
});

test.each(Object.entries(images))('%s gives an attacker no more than it needs', async (name, deviations) => {
  const image = unpackImage((await make(name)).archive);
  expect(hardeningOf(image)).toEqual({ ...restricted, ...deviations });
  // nothing of the machine that built it
  for (const file of ['etc/hostname', 'etc/resolv.conf', 'etc/apt', 'var/lib/dpkg', 'var/lib/apt']) {
    expect([file, existsSync(join(image.root, file))]).toEqual([file, false]);
  }
});

interface Component {
  readonly name: string;
  readonly version: string;
  readonly purl: string;
}

/** A library of each program that does not log with pino. */
const libraries: Readonly<Record<string, string>> = {
  'virt-importer': '@peculiar/asn1-schema',
  'virt-launcher': '@bufbuild/protobuf',
};

test.each(imageNames)(
  'the bill of materials of %s lists the Debian packages in the image, Node.js and the program',
  async (name) => {
    const { archive, bom } = await make(name);
    const { components } = JSON.parse(readFileSync(bom, 'utf8')) as { components: Component[] };
    const { root } = unpackImage(archive);
    const debian = components.filter(({ purl }) => purl.startsWith('pkg:deb/debian/'));
    expect(debian.map((entry) => `${entry.name} ${entry.version}\n`).join('')).toBe(
      readFileSync(join(root, 'etc/packages'), 'utf8'),
    );
    expect(debian.map((entry) => entry.name)).toEqual(expect.arrayContaining(['libc6', 'libstdc++6']));
    expect(components).toContainEqual(expect.objectContaining({ name: 'node' }));
    expect(components).toContainEqual(expect.objectContaining({ name: 'virt8s' }));
    // a library of the bundle
    expect(components).toContainEqual(expect.objectContaining({ name: libraries[name] ?? 'pino' }));
  },
);

/** Sets variables of the environment for the duration of a call. */
async function within<T>(variables: Readonly<Record<string, string>>, use: () => Promise<T>): Promise<T> {
  const before = { ...process.env };
  Object.assign(process.env, variables);
  try {
    return await use();
  } finally {
    for (const name of Object.keys(variables)) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  }
}

/** Tests that download packages. */
const testIfComplete = isComplete ? test : (): void => undefined;

testIfComplete('an image that is built again, from newly downloaded packages, has the same bytes', async () => {
  const built: Buffer[] = [];
  const boms: string[] = [];
  const umask = process.umask();
  try {
    for (const [index, mask] of [0o077, 0o002].entries()) {
      const own = join(folder, `machine-${index}`);
      const [home, temporary, cache] = ['home', 'temporary', 'cache'].map((name) => join(own, name)) as [
        ...[string, string, string],
      ];
      for (const path of [home, temporary, cache]) mkdirSync(path, { recursive: true });
      // Node.js is not built, only downloaded and verified
      symlinkSync(join(cacheDir(), 'node'), join(cache, 'node'));
      process.umask(mask);
      const variables = { HOME: home, TMPDIR: temporary, VIRT8S_CACHE: cache, TZ: index ? 'Asia/Tokyo' : 'UTC' };
      const { archive, bom } = await within(variables, () => make('virt-controller'));
      built.push(readFileSync(archive));
      boms.push(readFileSync(bom, 'utf8'));
    }
  } finally {
    process.umask(umask);
  }
  expect(built[0]!.equals(built[1]!)).toBe(true);
  expect(boms[0]).toBe(boms[1]);
});

/** Paths of an image, with the names of the architecture replaced. */
const generalPaths = ({ root }: UnpackedImage, { triplet, loader }: { triplet: string; loader: string }): string[] =>
  pathsIn(root)
    .map(({ path }) => path.replaceAll(triplet, 'TRIPLET').replaceAll(loader.split('/').at(-1)!, 'LOADER'))
    // the folder of the loader that programs request
    .filter((path) => !/^(usr\/)?lib64$|^usr\/lib(64)?\/LOADER$/.test(path))
    .sort();

testIfComplete(
  'the image for arm64 contains programs for arm64 only, and the same files as that for amd64',
  async () => {
    const [amd64, arm64] = [
      unpackImage((await make('virt-api', 'amd64')).archive),
      unpackImage((await make('virt-api', 'arm64')).archive),
    ];
    expect([amd64.architecture, arm64.architecture]).toEqual(['amd64', 'arm64']);
    const programs = machinesOf(amd64).amd64!;
    expect(programs).toBeGreaterThan(8);
    expect([machinesOf(amd64), machinesOf(arm64)]).toEqual([{ amd64: programs }, { arm64: programs }]);
    expect(generalPaths(arm64, ARCHITECTURES.arm64)).toEqual(generalPaths(amd64, ARCHITECTURES.amd64));
    expect(hardeningOf(arm64)).toEqual(restricted);
    for (const [{ root }, { loader }] of [
      [amd64, ARCHITECTURES.amd64],
      [arm64, ARCHITECTURES.arm64],
    ] as const) {
      expect(existsSync(join(root, 'usr', loader))).toBe(true);
    }
  },
);
