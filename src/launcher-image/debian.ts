/** Debian packages of an image: downloaded, unpacked and recorded. */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ArchitectureName } from './arch';
import { plainPath } from './paths';
import { SUITE } from './recipe';
import { mirror, run } from './run';

/** A package, with all that is needed to find the same one again. */
export interface DebianPackage {
  readonly name: string;
  readonly version: string;
  readonly architecture: string;
  /** Source package, from which Debian built it. */
  readonly source: string;
  readonly sourceVersion: string;
  /** Digest of the package's file. */
  readonly sha256: string;
}

/** Packages that were unpacked. */
export interface Unpacked {
  readonly packages: readonly DebianPackage[];
  /** Index of the package in `packages` that contains a path. */
  readonly owners: ReadonlyMap<string, number>;
}

export interface UnpackOptions {
  readonly architecture: ArchitectureName;
  /** Patterns of paths that are not unpacked. */
  readonly excluded?: readonly string[];
}

/** Folder of the root for the files of the packages, until they are unpacked. */
const ARCHIVES = '.packages';

/** File of that folder with apt's descriptions of the packages. */
const INDEX = 'index';

/** Hook of mmdebstrap that downloads packages with their dependencies, with the signatures that it set up. */
const download = (packages: readonly string[]): string => `set -e
export APT_CONFIG="$MMDEBSTRAP_APT_CONFIG"
mkdir "$1/${ARCHIVES}"
apt-get install --yes --download-only -o Debug::NoLocking=true ${packages.join(' ')}
mv "$1"/var/cache/apt/archives/*.deb "$1/${ARCHIVES}/"
cd "$1/${ARCHIVES}"
apt-cache show $(ls *.deb | sed 's/_/=/; s/_.*//; s/%3a/:/') >${INDEX}`;

/** Files with which mmdebstrap describes this machine: name, resolver and mirror. */
const OF_THIS_MACHINE = ['etc/hostname', 'etc/resolv.conf', 'etc/apt/sources.list', 'etc/apt/apt.conf.d/99mmdebstrap'];

/** Documentation and translations. */
const UNUSED = ['doc', 'man', 'locale', 'info', 'lintian', 'bug'].map((name) => `/usr/share/${name}/*`);

/** Unpacks packages with their dependencies. No maintainer script runs, so the result does not depend on this machine. */
export async function unpackPackages(
  packages: readonly string[],
  directory: string,
  { architecture, excluded = [] }: UnpackOptions,
): Promise<Unpacked> {
  // it only downloads: its filter of paths takes ten times as long as tar's
  await run('mmdebstrap', [
    '--variant=extract',
    `--architectures=${architecture}`,
    // only needed to run programs of another processor
    '--skip=check/qemu',
    '--aptopt=APT::Install-Recommends "false"',
    `--extract-hook=${download(packages)}`,
    SUITE,
    directory,
    `deb ${await mirror()} ${SUITE} main`,
  ]);
  const archives = join(directory, ARCHIVES);
  const unpacked = await unpackArchives(archives, directory, [...UNUSED, ...excluded]);
  for (const path of [archives, ...OF_THIS_MACHINE.map((file) => join(directory, file))]) {
    await rm(path, { recursive: true, force: true });
  }
  return unpacked;
}

/** Unpacks the packages whose files it reads. Prints each file's name, then the paths in it, which begin with a point. */
const UNPACK = `set -e -o pipefail
cd "$1"; shift
while read -r file; do
  echo "$file"
  dpkg-deb --fsys-tarfile "$file" | tar --extract --verbose --anchored --keep-directory-symlink "$@"
done`;

/** Unpacks the files of packages in a folder, which also contains apt's index of them. */
export async function unpackArchives(
  folder: string,
  directory: string,
  excluded: readonly string[] = [],
): Promise<Unpacked> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.deb')).sort();
  const options = [`--directory=${directory}`, ...excluded.map((path) => `--exclude=.${path}`)];
  const lines = await run(
    'bash',
    ['-c', UNPACK, 'bash', folder, ...options],
    files.map((name) => `${name}\n`).join(''),
  );
  const packages = parseIndex(await readFile(join(folder, INDEX), 'utf8'));
  const owners = new Map<string, number>();
  let owner = -1;
  for (const line of lines.split('\n')) {
    if (line.startsWith('.')) {
      if (!line.endsWith('/')) owners.set(plainPath(line.slice(1)), owner);
    } else if (line !== '') {
      owner = packages.findIndex(({ name }) => line.startsWith(`${name}_`));
      if (owner === -1) throw new Error(`apt does not describe ${line}`);
    }
  }
  return { packages, owners };
}

/** Parses apt's descriptions of packages, and sorts them by name. */
export function parseIndex(text: string): DebianPackage[] {
  const packages = text.split('\n\n').flatMap((stanza): DebianPackage[] => {
    const field = (name: string): string => new RegExp(`^${name}: (.*)$`, 'm').exec(stanza)?.[1] ?? '';
    const [name, version] = [field('Package'), field('Version')];
    if (!name) return [];
    // the version follows in brackets if it is another one
    const [source = '', sourceVersion = ''] = field('Source').split(/[ ()]+/);
    return [
      {
        ...{ name, version, architecture: field('Architecture') },
        ...{ source: source || name, sourceVersion: sourceVersion || version },
        sha256: field('SHA256'),
      },
    ];
  });
  return packages.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Writes the list of packages into an image, for people. dpkg's own list is empty, because it does not install them. */
export async function writePackageList(root: string, packages: readonly DebianPackage[]): Promise<void> {
  await mkdir(join(root, 'etc'), { recursive: true });
  await writeFile(join(root, 'etc/packages'), packages.map(({ name, version }) => `${name} ${version}\n`).join(''));
}

/** Rejects packages with another libvirt than the one whose protocol virt-launcher uses. */
export function requireLibvirt(version: string, packages: readonly DebianPackage[]): void {
  const has = packages.find(({ name }) => name === 'libvirt-daemon')?.version;
  const found = has && /^(?:\d+:)?([^-]+)/.exec(has)?.[1];
  if (found === version) return;
  throw new Error(
    `the packages of ${SUITE} contain libvirt ${found ?? '(none)'}, not ${version}: ` +
      `set LIBVIRT_VERSION in src/launcher-image/recipe.ts to ${found ?? 'the new version'} and run "npm run generate"`,
  );
}
