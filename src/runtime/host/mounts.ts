import { readFileSync } from 'node:fs';

/** One line of /proc/<pid>/mountinfo. */
export interface MountInfo {
  readonly id: string;
  readonly device: string;
  /** Path in the mounted file system. */
  readonly root: string;
  readonly mountPoint: string;
  /** Flags of this mount; the file system may be writable through another one. */
  readonly readOnly: boolean;
  /** `tmpfs`, `overlay`. */
  readonly fileSystem?: string;
  /** The mounted source, as given to mount(2). */
  readonly source?: string;
}

/** Parses mountinfo and decodes octal escapes (space, tab, newline, backslash). */
export function parseMountInfo(text: string): MountInfo[] {
  const plain = (field: string): string =>
    field.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(parseInt(octal, 8)));
  return text
    .split('\n')
    .map((line) => line.split(' '))
    .filter((fields) => fields.length > 5)
    .map((fields) => {
      const [id, , device, root, mountPoint, options] = fields;
      // after the optional fields, which end with a dash
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

/** Mounts of this process's namespace. */
export const ownMounts = (): MountInfo[] => parseMountInfo(readFileSync('/proc/self/mountinfo', 'utf8'));

/** Mounts below a directory, the deepest and latest first: the order in which they can be unmounted. */
export function mountsBelow(mounts: readonly MountInfo[], dir: string): MountInfo[] {
  return mounts.filter(({ mountPoint }) => mountPoint.startsWith(`${dir}/`)).reverse();
}

/** `major:minor` of a `st_dev`, as in mountinfo: 12 bits of major within 20 of minor (the kernel's encoding). */
export function deviceOf(dev: number): string {
  return `${(dev >>> 8) & 0xfff}:${(dev & 0xff) | ((dev >>> 12) & 0xfff00)}`;
}
