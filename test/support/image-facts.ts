import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, type Stats } from 'node:fs';
import { join } from 'node:path';

/** An image whose layers are unpacked. */
export interface UnpackedImage {
  /** Folder of its root file system. */
  readonly root: string;
  readonly architecture: string;
  readonly config: { readonly User: string; readonly Entrypoint?: string[] };
}

/** Unpacks the archive of an image, beside it. */
export function unpackImage(archive: string): UnpackedImage {
  const layout = `${archive}.layout`;
  const root = `${archive}.root`;
  for (const folder of [layout, root]) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
  }
  execFileSync('tar', ['-xf', archive, '-C', layout]);
  const blob = (digest: string): string => join(layout, 'blobs', digest.replace(':', '/'));
  const json = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
  const manifest = json(blob(json(join(layout, 'index.json')).manifests[0].digest));
  for (const { digest } of manifest.layers as { digest: string }[]) {
    const attributes = ['--xattrs', '--xattrs-include=security.capability'];
    execFileSync('tar', ['-xpf', blob(digest), '-C', root, ...attributes]);
  }
  const { config, architecture } = json(blob(manifest.config.digest));
  rmSync(layout, { recursive: true });
  return { root, architecture, config };
}

/** Paths of a root file system, with their properties. */
export const pathsIn = (root: string): { readonly path: string; readonly info: Stats }[] =>
  // readdir would follow links to folders
  execFileSync('find', [root, '-mindepth', '1', '-printf', '%P\\n'], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((path) => ({ path, info: lstatSync(join(root, path)) }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));

/** Properties of an image that an attacker in its container could use. */
export interface Hardening {
  readonly user: string;
  readonly shell: boolean;
  /** Programs that run with the rights of their owner or group. */
  readonly setuid: readonly string[];
  /** Files that everyone can write. */
  readonly writableFiles: readonly string[];
  readonly writableFolders: readonly string[];
  /** Paths that do not belong to root. */
  readonly foreign: readonly string[];
  /** Programs with capabilities of their own. */
  readonly capable: readonly string[];
}

export function hardeningOf({ root, config }: UnpackedImage): Hardening {
  const paths = pathsIn(root);
  const matching = (test: (info: Stats) => boolean): string[] =>
    paths.filter(({ info }) => test(info)).map(({ path }) => path);
  const isWritable = ({ mode }: Stats): boolean => (mode & 0o002) !== 0;
  const capable = execFileSync('getcap', ['-r', root], { encoding: 'utf8' }).trim();
  return {
    user: config.User,
    shell: ['sh', 'bash', 'dash', 'busybox'].some((name) => existsSync(join(root, 'usr/bin', name))),
    setuid: matching((info) => info.isFile() && (info.mode & 0o6000) !== 0),
    writableFiles: matching((info) => !info.isDirectory() && !info.isSymbolicLink() && isWritable(info)),
    writableFolders: matching((info) => info.isDirectory() && isWritable(info)),
    foreign: matching(({ uid, gid }) => uid !== 0 || gid !== 0),
    capable: capable === '' ? [] : capable.split('\n').map((line) => line.slice(root.length + 1)),
  };
}

/** Machines in the headers of ELF files: https://refspecs.linuxfoundation.org/elf/gabi4+/ch4.eheader.html */
const MACHINES: Readonly<Record<number, string>> = { 62: 'amd64', 183: 'arm64' };

/** Architectures of all programs and libraries of an image. */
export function machinesOf({ root }: UnpackedImage): Record<string, number> {
  const found: Record<string, number> = {};
  for (const { path, info } of pathsIn(root)) {
    if (!info.isFile()) continue;
    const header = readFileSync(join(root, path)).subarray(0, 20);
    if (header.length < 20 || header.toString('latin1', 0, 4) !== '\x7fELF') continue;
    const machine = MACHINES[header.readUInt16LE(18)] ?? `other (${path})`;
    found[machine] = (found[machine] ?? 0) + 1;
  }
  return found;
}
