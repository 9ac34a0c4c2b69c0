/** Path of a field: `spec.domain.devices.disks[0].name`. Immutable. */
export class Path {
  /** Rules make paths for mistakes that most objects do not have: the parts are joined when they are read. */
  private constructor(
    private readonly above: Path | undefined,
    private readonly own: readonly (string | number)[],
  ) {}

  public static of(...parts: (string | number)[]): Path {
    return new Path(undefined, parts);
  }

  private whole?: readonly (string | number)[];
  private text?: string;

  /** Field names, and indexes of list items. */
  public get parts(): readonly (string | number)[] {
    return (this.whole ??= this.above ? [...this.above.parts, ...this.own] : this.own);
  }

  public at(...parts: (string | number)[]): Path {
    return new Path(this, parts);
  }

  public toString(): string {
    return (this.text ??= this.own.reduce<string>((text, part) => {
      if (typeof part === 'number') return `${text}[${part}]`;
      return text === '' ? part : `${text}.${part}`;
    }, this.above?.toString() ?? ''));
  }
}

/** The root of an object: paths start with its own fields (`spec`, `metadata`). */
export const root = Path.of();
