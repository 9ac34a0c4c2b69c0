/** Base layer: the required files of unpacked Debian packages. */
import { chmod, cp, lstat, mkdir, readdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { writePackageList, type DebianPackage, type Unpacked } from './debian';
import { Linker } from './elf';
import { plainPath } from './paths';
import type { BaseRecipe } from './recipe';

/** Copies files from one root to another, with the symbolic links on their paths. */
class Picker {
  /** Paths that were copied. */
  public readonly done = new Set<string>();

  constructor(
    private readonly from: string,
    private readonly to: string,
    private readonly dropped: readonly RegExp[],
  ) {}

  async pick(wanted: string): Promise<void> {
    const path = plainPath(wanted);
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
      if (await lstat(join(this.from, plainPath(destination))).catch(() => undefined)) await this.pick(destination);
    } else {
      await this.copy(path, path);
    }
  }

  async copy(path: string, target: string): Promise<void> {
    this.done.add(path);
    await cp(join(this.from, path), join(this.to, target));
    // no program of an image runs with the rights of its owner
    await chmod(join(this.to, target), (await lstat(join(this.from, path))).mode & 0o755);
  }
}

/**
 * Copies the base of the image from the unpacked packages in `from` to `to`.
 *
 * @returns packages of which the base contains a file
 */
export async function pickBase(
  recipe: BaseRecipe,
  unpacked: Unpacked,
  from: string,
  to: string,
): Promise<readonly DebianPackage[]> {
  const { user, architecture } = recipe;
  await mkdir(to, { recursive: true });
  const picker = new Picker(from, to, recipe.dropped);
  for (const [path, target] of Object.entries(recipe.links)) {
    await mkdir(join(to, dirname(path)), { recursive: true });
    if (path.split('/').length === 2) await mkdir(join(to, target), { recursive: true });
    await symlink(target, join(to, path));
  }
  const linker = new Linker(from, architecture.triplet);
  for (const program of recipe.programs) {
    await picker.pick(program);
    for (const library of await linker.librariesOf(program)) await picker.pick(library);
  }
  for (const path of recipe.data) await picker.pick(path);
  for (const [path, source] of Object.entries(recipe.copies ?? {})) await picker.copy(source, path);
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
  const used = new Set([...picker.done].flatMap((path) => unpacked.owners.get(path) ?? []));
  const packages = unpacked.packages.filter((_, index) => used.has(index));
  await writePackageList(to, packages);
  return packages;
}

/** Links for all programs of busybox. */
export async function addShell(from: string, to: string): Promise<void> {
  for (const applet of appletsOf(await readFile(join(from, 'usr/bin/busybox')))) {
    const link = join(to, 'usr/bin', applet);
    if (!(await lstat(link).catch(() => undefined))) await symlink('busybox', link);
  }
}

/** Names of the programs in busybox. It is not executed, because it may be one of another processor. */
export function appletsOf(busybox: Buffer): string[] {
  // its table of names is sorted, and begins with the two names of `test`
  const start = busybox.indexOf('\0[\0[[\0', 0, 'latin1') + 1;
  const end = busybox.indexOf('\0\0', start, 'latin1');
  const names = start > 0 && end > 0 ? busybox.subarray(start, end).toString('latin1').split('\0') : [];
  if (!names.includes('sh')) throw new Error('busybox of the packages has no list of programs: correct appletsOf');
  return names;
}
