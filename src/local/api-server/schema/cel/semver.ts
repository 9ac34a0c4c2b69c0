const PATTERN =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/;

/** A semantic version (2.0.0). */
export class Semver {
  private constructor(
    public readonly major: bigint,
    public readonly minor: bigint,
    public readonly patch: bigint,
    private readonly pre: readonly string[],
  ) {}

  /** Parses a version. Throws if the text is not valid. */
  public static parse(text: string, normalize = false): Semver {
    const plain = normalize ? normalized(text) : text;
    const [, major, minor, patch, pre] = PATTERN.exec(plain) ?? [];
    if (major === undefined || minor === undefined || patch === undefined)
      throw new Error(`No Major.Minor.Patch elements found: ${text}`);
    return new Semver(BigInt(major), BigInt(minor), BigInt(patch), pre?.split('.') ?? []);
  }

  public static isValid(text: string, normalize = false): boolean {
    return PATTERN.test(normalize ? normalized(text) : text);
  }

  public compareTo(other: Semver): bigint {
    const fields = ['major', 'minor', 'patch'] as const;
    for (const field of fields) if (this[field] !== other[field]) return this[field] < other[field] ? -1n : 1n;
    if (this.pre.length === 0 || other.pre.length === 0)
      return BigInt(Number(this.pre.length === 0) - Number(other.pre.length === 0));
    for (let i = 0; ; i++) {
      const [a, b] = [this.pre[i], other.pre[i]];
      if (a === undefined || b === undefined) return BigInt(Number(b === undefined) - Number(a === undefined));
      if (a !== b) return comparePart(a, b);
    }
  }
}

function comparePart(a: string, b: string): bigint {
  const numeric = (s: string) => /^\d+$/.test(s);
  if (numeric(a) !== numeric(b)) return numeric(a) ? -1n : 1n;
  return (numeric(a) ? BigInt(a) < BigInt(b) : a < b) ? -1n : 1n;
}

/** `v1.02` -> `1.2.0` */
function normalized(text: string): string {
  const [, core = '', rest = ''] = /^v?([^-+]*)(.*)$/.exec(text) ?? [];
  const parts = core.split('.').map((p) => p.replace(/^0+(?=\d)/, ''));
  while (parts.length < 3) parts.push('0');
  return parts.join('.') + rest;
}
