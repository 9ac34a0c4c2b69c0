/** Versions of Kubernetes and of container runtimes. Pure. */

export interface Version {
  readonly major: number;
  readonly minor: number;
}

/** Parses `v1.31.2-eks`, `1.7.24`; undefined for other text. */
export function parseVersion(text: string | undefined): Version | undefined {
  const [, major, minor] = /^v?(\d+)\.(\d+)/.exec(text ?? '') ?? [];
  return major === undefined ? undefined : { major: Number(major), minor: Number(minor) };
}

/** Negative if the first version is older. Patch releases do not matter here. */
export const compareVersions = (a: Version, b: Version): number => a.major - b.major || a.minor - b.minor;

/** Tag of an image; undefined for one that is referenced by its digest alone. */
export function tagOf(image: string): string | undefined {
  const [name = ''] = image.split('@', 1);
  return /:([\w][\w.-]*)$/.exec(name)?.[1] ?? (image.includes('@') ? undefined : 'latest');
}
