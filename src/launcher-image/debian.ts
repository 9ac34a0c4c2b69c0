/** Debian packages of an image: downloaded, unpacked and recorded. */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ArchitectureName } from './arch';
import { sha256 } from './oci';
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

/** Folder of the root for the files of the packages, until they are recorded. */
const ARCHIVES = '.packages';

/** mmdebstrap deletes the files of the packages after it ran this. */
const KEEP_PACKAGES = `mv "$1"/var/cache/apt/archives/*.deb "$1/${ARCHIVES}/"`;

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
  await run('mmdebstrap', [
    '--variant=extract',
    `--architectures=${architecture}`,
    // only needed to run programs of another processor
    '--skip=check/qemu',
    `--include=${packages.join(',')}`,
    '--aptopt=APT::Install-Recommends "false"',
    ...[...UNUSED, ...excluded].map((path) => `--dpkgopt=path-exclude=${path}`),
    `--extract-hook=mkdir "$1/${ARCHIVES}"; ${KEEP_PACKAGES}`,
    SUITE,
    directory,
    `deb ${await mirror()} ${SUITE} main`,
  ]);
  const archives = join(directory, ARCHIVES);
  const unpacked = await readPackages(archives);
  for (const path of [archives, ...OF_THIS_MACHINE.map((file) => join(directory, file))]) {
    await rm(path, { recursive: true, force: true });
  }
  return unpacked;
}

const FIELDS = ['Package', 'Version', 'Architecture', 'source:Package', 'source:Version'];

/** Reads the files of packages in a folder. */
export async function readPackages(folder: string): Promise<Unpacked> {
  const found: { readonly described: DebianPackage; readonly paths: readonly string[] }[] = [];
  for (const name of await readdir(folder)) {
    const file = join(folder, name);
    // the paths of a package are stored only in its compressed content
    const paths = await run('sh', ['-c', 'dpkg-deb --fsys-tarfile "$1" | tar --list', 'sh', file]);
    found.push({ described: await describe(file), paths: paths.split('\n').filter((path) => /[^/]$/.test(path)) });
  }
  found.sort((a, b) => (a.described.name < b.described.name ? -1 : 1));
  const owners = found.flatMap(({ paths }, index) =>
    paths.map((path): [string, number] => [plainPath(path.replace(/^\./, '')), index]),
  );
  return { packages: found.map(({ described }) => described), owners: new Map(owners) };
}

async function describe(file: string): Promise<DebianPackage> {
  const format = FIELDS.map((field) => `\${${field}}`).join('\\t');
  const text = await run('dpkg-deb', ['--show', `--showformat=${format}`, file]);
  const [name = '', version = '', architecture = '', source = '', sourceVersion = ''] = text.split('\t');
  return { name, version, architecture, source, sourceVersion, sha256: await sha256(file) };
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
