import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { CliError } from '../errors';

/** Programs and files that a build requires, by the Debian package that contains them. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  mmdebstrap: ['mmdebstrap'],
  'debian-archive-keyring': ['/usr/share/keyrings/debian-archive-keyring.gpg'],
  tar: ['tar'],
  'libcap2-bin': ['setcap'],
  'util-linux': ['unshare'],
};
const NEEDED_TO_PUSH: Readonly<Record<string, readonly string[]>> = { skopeo: ['skopeo'] };

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

/** Debian packages that a build requires and this machine lacks. */
export function missingToBuild(pushes: boolean, { has }: Pick<BuildHost, 'has'> = currentHost): string[] {
  return Object.entries({ ...NEEDED, ...(pushes ? NEEDED_TO_PUSH : {}) }).flatMap(([name, files]) =>
    files.every(has) ? [] : [name],
  );
}

/** Throws an error that names everything missing for a build. Runs before the build starts. */
export function assertCanBuild(pushes: boolean, machine: BuildHost = currentHost): void {
  const { platform, arch, uid, has } = machine;
  if (platform !== 'linux' || arch !== 'x64') {
    throw new CliError(
      `images build requires Linux on x86-64, because it unpacks Debian packages; this machine is ${platform}/${arch}`,
    );
  }
  const missing = missingToBuild(pushes, machine);
  if (missing.length > 0) {
    throw new CliError(
      `images build requires packages that are not installed; on Debian 12 or 13, run: apt-get install ${missing.join(' ')}`,
    );
  }
  if (!has('npm')) throw new CliError('images build requires npm to download the Node.js of the images; install npm');
  if (uid !== 0) throw new CliError('images build requires root to unpack files with their owners; run it with sudo');
}

/** Throws an error for a Debian package that a command requires and this machine lacks. */
export function assertHas(command: string, name: string, { has }: Pick<BuildHost, 'has'> = currentHost): void {
  if (!has(name)) throw new CliError(`${command} requires ${name}; on Debian 12 or 13, run: apt-get install ${name}`);
}
