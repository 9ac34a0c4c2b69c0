/** One line of /proc/<pid>/mountinfo. */
export interface MountInfo {
  readonly device: string;
  /** Path in the file system that is mounted there. */
  readonly root: string;
  readonly mountPoint: string;
}

/** Parses mountinfo; octal escapes (space, tab, newline, backslash) are undone. */
export function parseMountInfo(text: string): MountInfo[] {
  const plain = (field: string): string =>
    field.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(parseInt(octal, 8)));
  return text
    .split('\n')
    .map((line) => line.split(' '))
    .filter((fields) => fields.length > 4)
    .map(([, , device, root, mountPoint]) => ({ device, root: plain(root), mountPoint: plain(mountPoint) }));
}

/** `major:minor` of a `st_dev`, as mountinfo writes it: 12 bits of major within 20 of minor (the kernel's encoding). */
export function deviceOf(dev: number): string {
  return `${(dev >>> 8) & 0xfff}:${(dev & 0xff) | ((dev >>> 12) & 0xfff00)}`;
}
