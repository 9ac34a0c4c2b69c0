import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { CliError } from '../errors';

/** Programs and files that a build requires, by the Debian package that contains them. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  mmdebstrap: ['mmdebstrap'],
  'debian-archive-keyring': ['/usr/share/keyrings/debian-archive-keyring.gpg'],
  tar: ['tar'],
  gzip: ['gzip'],
  binutils: ['readelf'],
  'libcap2-bin': ['setcap'],
  'util-linux': ['unshare'],
};
const SKOPEO: Readonly<Record<string, readonly string[]>> = { skopeo: ['skopeo'] };

/** Machine on which images are built. */
export interface BuildHost {
  readonly platform: string;
  readonly arch: string;
  readonly uid: number;
  /** Whether a program or file exists. */
  readonly has: (name: string) => boolean;
}

/** Properties of this machine. */
const currentHost: BuildHost = {
  platform: process.platform,
  arch: process.arch,
  uid: process.getuid?.() ?? -1,
  has: (name) =>
    name.startsWith('/')
      ? existsSync(name)
      : `${process.env.PATH ?? ''}${delimiter}/usr/sbin${delimiter}/sbin`
          .split(delimiter)
          .some((folder) => folder !== '' && existsSync(join(folder, name))),
};

type Packages = Readonly<Record<string, readonly string[]>>;

const missingOf = (packages: Packages, has: BuildHost['has']): string[] =>
  Object.entries(packages).flatMap(([name, files]) => (files.every(has) ? [] : [name]));

const neededToBuild = (pushes: boolean): Packages => ({ ...NEEDED, ...(pushes ? SKOPEO : {}) });

/** Debian packages that a build requires and this machine lacks. */
export const missingToBuild = (pushes: boolean, { has }: Pick<BuildHost, 'has'> = currentHost): string[] =>
  missingOf(neededToBuild(pushes), has);

function assertInstalled(command: string, packages: Packages, has: BuildHost['has']): void {
  const missing = missingOf(packages, has);
  if (missing.length > 0) {
    throw new CliError(
      `${command} requires packages that are not installed; on Debian 12 or 13, run: apt-get install ${missing.join(' ')}`,
    );
  }
}

/** Throws an error that names everything missing for a build. Runs before the build starts. */
export function assertCanBuild(pushes: boolean, machine: BuildHost = currentHost): void {
  const { platform, arch, uid, has } = machine;
  if (platform !== 'linux' || arch !== 'x64') {
    throw new CliError(
      `images build requires Linux on x86-64, because it unpacks Debian packages; this machine is ${platform}/${arch}`,
    );
  }
  assertInstalled('images build', neededToBuild(pushes), has);
  if (!has('npm')) throw new CliError('images build requires npm to download the Node.js of the images; install npm');
  if (uid !== 0) throw new CliError('images build requires root to unpack files with their owners; run it with sudo');
}

/** Throws an error if this machine cannot copy images. */
export function assertCanLoad({ has }: Pick<BuildHost, 'has'> = currentHost): void {
  assertInstalled('images load', SKOPEO, has);
}
