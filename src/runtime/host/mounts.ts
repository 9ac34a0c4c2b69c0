import { readFileSync } from 'node:fs';

/** One line of /proc/<pid>/mountinfo. */
export interface MountInfo {
  readonly id: string;
  readonly device: string;
  /** Path in the file system that is mounted there. */
  readonly root: string;
  readonly mountPoint: string;
  /** Of this mount; the file system may be writable elsewhere. */
  readonly readOnly: boolean;
  /** `tmpfs`, `overlay`. */
  readonly fileSystem?: string;
  /** What was mounted, in the words of who did it. */
  readonly source?: string;
}

/** Parses mountinfo; octal escapes (space, tab, newline, backslash) are undone. */
export function parseMountInfo(text: string): MountInfo[] {
  const plain = (field: string): string =>
    field.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(parseInt(octal, 8)));
  return text
    .split('\n')
    .map((line) => line.split(' '))
    .filter((fields) => fields.length > 5)
    .map((fields) => {
      const [id, , device, root, mountPoint, options] = fields;
      // behind the optional fields, which a dash ends
      const dash = fields.indexOf('-', 6);
      const [fileSystem, source] = dash < 0 ? [] : fields.slice(dash + 1);
      return {
        id,
        device,
        root: plain(root),
        mountPoint: plain(mountPoint),
        readOnly: options.split(',').includes('ro'),
        fileSystem,
        source,
      };
    });
}

/** The mounts of this process' namespace. */
export const ownMounts = (): MountInfo[] => parseMountInfo(readFileSync('/proc/self/mountinfo', 'utf8'));

/** Mounts somewhere below a directory, the deepest and latest first: the order in which they can be undone. */
export function mountsBelow(mounts: readonly MountInfo[], dir: string): MountInfo[] {
  return mounts.filter(({ mountPoint }) => mountPoint.startsWith(`${dir}/`)).reverse();
}

/** `major:minor` of a `st_dev`, as mountinfo writes it: 12 bits of major within 20 of minor (the kernel's encoding). */
export function deviceOf(dev: number): string {
  return `${(dev >>> 8) & 0xfff}:${(dev & 0xff) | ((dev >>> 12) & 0xfff00)}`;
}
