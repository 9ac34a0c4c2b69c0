/** Base layer: the required files of unpacked Debian packages. */
import { chmod, copyFile, cp, lstat, mkdir, readdir, readlink, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { SUITE, type BaseRecipe } from './recipe';
import { mirror, run } from './run';

/** Lists the unpacked packages and their versions. dpkg's own list is empty, because it does not install them. */
const LIST_PACKAGES =
  'mkdir -p "$1/etc"; for deb in "$1"/var/cache/apt/archives/*.deb; do ' +
  `dpkg-deb --show --showformat='\${Package} \${Version}\\n' "$deb" || exit; done > "$1/etc/packages"`;

/** Unpacks the packages with their dependencies. No maintainer script runs, so the result does not depend on this machine. */
export async function unpackPackages(
  packages: readonly string[],
  directory: string,
  options: readonly string[] = [],
): Promise<void> {
  await run('mmdebstrap', [
    '--variant=extract',
    `--include=${packages.join(',')}`,
    '--aptopt=APT::Install-Recommends "false"',
    ...['doc', 'man', 'locale', 'info', 'lintian', 'bug'].map((d) => `--dpkgopt=path-exclude=/usr/share/${d}/*`),
    `--extract-hook=${LIST_PACKAGES}`,
    ...options,
    SUITE,
    directory,
    `deb ${await mirror()} ${SUITE} main`,
  ]);
}

/** Rejects packages with another libvirt than the one whose protocol virt-launcher uses. */
export async function requireLibvirt(version: string, directory: string): Promise<void> {
  const answer = (await run('chroot', [directory, '/usr/sbin/libvirtd', '--version'])).trim();
  const found = answer.split(' ').at(-1);
  if (found === version) return;
  throw new Error(
    `the packages of ${SUITE} contain libvirt ${found}, not ${version}: ` +
      `set LIBVIRT_VERSION in src/launcher-image/recipe.ts to ${found} and run "npm run generate"`,
  );
}

/** Copies files from one root to another, with the symbolic links on their paths. */
class Picker {
  private readonly done = new Set<string>();

  constructor(
    private readonly from: string,
    private readonly to: string,
    private readonly dropped: readonly RegExp[],
  ) {}

  /** Resolves symbolic links in the directories of a path (`/lib` to `/usr/lib`). */
  private plain(path: string): string {
    return path.replace(/^\/(bin|sbin|lib|lib64)\//, '/usr/$1/');
  }

  async pick(wanted: string): Promise<void> {
    const path = this.plain(wanted);
    if (this.done.has(path) || this.dropped.some((pattern) => pattern.test(path))) return;
    this.done.add(path);
    const info = await lstat(join(this.from, path)).catch(() => undefined);
    if (!info) throw new Error(`the packages do not contain ${path}: correct src/launcher-image/recipe.ts`);
    const target = join(this.to, path);
    await mkdir(dirname(target), { recursive: true });
    if (info.isDirectory()) {
      await mkdir(target, { recursive: true });
      for (const name of await readdir(join(this.from, path))) await this.pick(join(path, name));
    } else if (info.isSymbolicLink()) {
      const link = await readlink(join(this.from, path));
      await symlink(link, target);
      const destination = resolve(dirname(path), link);
      if (await lstat(join(this.from, this.plain(destination))).catch(() => undefined)) await this.pick(destination);
    } else {
      await cp(join(this.from, path), target);
    }
  }
}

/** Libraries of a program, as the loader of the packages finds them. */
async function libraries(root: string, program: string): Promise<string[]> {
  const loader = '/lib64/ld-linux-x86-64.so.2';
  const out = await run('chroot', [root, loader, '--list', program]).catch((error: Error) => {
    if (/statically linked|not a dynamic executable/.test(error.message)) return '';
    throw error;
  });
  if (/not found/.test(out)) throw new Error(`${program} misses libraries:\n${out}`);
  return [loader, ...[...out.matchAll(/(?:=> )?(\/\S+) \(0x/g)].map(([, path]) => path!)];
}

/** Copies the base of the image from the unpacked packages in `from` to `to`. */
export async function pickBase(recipe: BaseRecipe, from: string, to: string): Promise<void> {
  const { user } = recipe;
  await mkdir(to, { recursive: true });
  const picker = new Picker(from, to, recipe.dropped);
  for (const [path, target] of Object.entries(recipe.links)) {
    await mkdir(join(to, dirname(path)), { recursive: true });
    if (path.split('/').length === 2) await mkdir(join(to, target), { recursive: true });
    await symlink(target, join(to, path));
  }
  for (const program of recipe.programs) {
    await picker.pick(program);
    for (const library of await libraries(from, program)) await picker.pick(library);
  }
  for (const path of recipe.data) await picker.pick(path);
  for (const directory of ['run', 'tmp', 'dev', 'proc', 'sys', 'etc', 'var/lib', 'var/log', 'root']) {
    await mkdir(join(to, directory), { recursive: true });
  }
  // swtpm writes there as the image's user
  await chmod(join(to, 'tmp'), 0o1777);
  await writeFile(
    join(to, 'etc/passwd'),
    `root:x:0:0:root:/root:${user.shell}\n${user.name}:x:${user.id}:${user.id}:${user.name}:${user.home}:${user.shell}\n`,
  );
  await writeFile(join(to, 'etc/group'), `root:x:0:\n${user.name}:x:${user.id}:\n`);
  await writeFile(join(to, 'etc/nsswitch.conf'), 'passwd: files\ngroup: files\nhosts: files dns\n');
  await copyFile(join(from, 'etc/packages'), join(to, 'etc/packages'));
}

/** Program that keeps a container disk running. Static, because the image may contain nothing but the disk. */
export async function addContainerDisk(from: string, to: string): Promise<void> {
  await copyFile(join(from, 'usr/bin/catatonit'), join(to, 'usr/bin/container-disk'));
}

/** Links for all programs of busybox. */
export async function addShell(from: string, to: string): Promise<void> {
  const applets = (await run('chroot', [from, '/usr/bin/busybox', '--list'])).trim().split('\n');
  for (const applet of applets) {
    const link = join(to, 'usr/bin', basename(applet));
    if (!(await lstat(link).catch(() => undefined))) await symlink('busybox', link);
  }
}
