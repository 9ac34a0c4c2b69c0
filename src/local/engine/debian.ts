import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Debian package of each command that the engine runs. */
const packages: Readonly<Record<string, string>> = {
  crun: 'crun',
  conmon: 'conmon',
  nft: 'nftables',
  ip: 'iproute2',
  nsenter: 'util-linux',
  flock: 'util-linux',
  unshare: 'util-linux',
  setpriv: 'util-linux',
  hostname: 'hostname',
  mount: 'mount',
  skopeo: 'skopeo',
  'qemu-system-x86_64': 'qemu-system-x86',
  bpftool: 'bpftool',
};

/** Debian packages of the commands that the engine runs. */
export const enginePackages: readonly string[] = [...new Set(Object.values(packages))];

/**
 * Commands that a machine may lack: without QEMU, guests are emulated by the QEMU of their images, but KVM is not checked; without
 * bpftool, block devices cannot be hotplugged in version 2 of cgroups.
 */
const optional: ReadonlySet<string> = new Set(['qemu-system-x86_64', 'bpftool']);

export interface Missing {
  readonly commands: readonly string[];
  /** Debian packages that contain them. */
  readonly packages: readonly string[];
}

/** Commands that this machine lacks. Looks for the commands, because other systems have them, too. */
export function missingCommands(path = process.env.PATH ?? '', withOptional = false): Missing {
  const folders = path.split(delimiter).concat('/usr/sbin', '/sbin');
  const commands = Object.keys(packages)
    .filter((name) => withOptional || !optional.has(name))
    .filter((name) => !folders.some((dir) => isExecutable(join(dir, name))));
  return { commands, packages: [...new Set(commands.map((name) => packages[name]!))] };
}

/**
 * Installs packages with apt-get, which prints its progress to standard error.
 * @throws Error if this system has no apt-get, or it fails
 */
export async function installPackages(names: readonly string[]): Promise<void> {
  const run = (args: readonly string[]): Promise<void> =>
    new Promise((resolve, reject) => {
      const child = spawn('apt-get', args, {
        stdio: ['ignore', process.stderr, process.stderr],
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      });
      child.once('error', () =>
        reject(
          new Error(`this system has no apt-get; install these programs with its own packages: ${names.join(' ')}`),
        ),
      );
      child.once('close', (code) => {
        if (code === 0) resolve();
        else reject(new Error(`apt-get ${args.join(' ')} failed with exit code ${code}`));
      });
    });
  await run(['update', '-q']);
  await run(['install', '-q', '-y', '--no-install-recommends', ...names]);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
