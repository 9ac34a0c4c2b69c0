import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { CliError } from '../errors';

/** Programs and files that a build needs, by the Debian package that has them. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  mmdebstrap: ['mmdebstrap'],
  'debian-archive-keyring': ['/usr/share/keyrings/debian-archive-keyring.gpg'],
  tar: ['tar'],
  'libcap2-bin': ['setcap'],
  'util-linux': ['unshare'],
};
const NEEDED_TO_PUSH: Readonly<Record<string, readonly string[]>> = { skopeo: ['skopeo'] };

/** What is known of the machine. */
export interface Machine {
  readonly platform: string;
  readonly arch: string;
  readonly uid: number;
  /** Whether there is such a program or file. */
  readonly has: (name: string) => boolean;
}

/** This machine. */
export const thisMachine: Machine = {
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

/** Throws what is missing to build images, before anything is half done. */
export function assertCanBuild(pushes: boolean, machine: Machine = thisMachine): void {
  const { platform, arch, uid, has } = machine;
  if (platform !== 'linux' || arch !== 'x64') {
    throw new CliError(`images are built on Linux and x86-64, of Debian's packages; this is ${platform}/${arch}`);
  }
  const missing = Object.entries({ ...NEEDED, ...(pushes ? NEEDED_TO_PUSH : {}) }).flatMap(([name, files]) =>
    files.every(has) ? [] : [name],
  );
  if (missing.length > 0) {
    throw new CliError(
      `images build needs what is not installed here; on Debian 12 or 13: apt-get install ${missing.join(' ')}`,
    );
  }
  if (!has('npm')) throw new CliError('images build needs npm, which brings the Node.js of the images');
  if (uid !== 0) throw new CliError('images build unpacks packages with their owners: run it as root (sudo)');
}
