/** Digests that must not be collected although no file on disk refers to them yet: partial pulls, and images about to be used. */
export class Holds {
  private readonly counts = new Map<string, number>();
  private keepers = 0;
  private kept: string[] = [];

  public has(name: string): boolean {
    return this.counts.has(name);
  }

  public lease(): Lease {
    return new Lease(
      (name) => this.counts.set(name, (this.counts.get(name) ?? 0) + 1),
      (name) => (this.keepers ? this.kept.push(name) : this.drop(name)),
    );
  }

  /** Defers all releases until the returned function is called, so that a concurrent search misses no user. */
  public keepAll(): () => void {
    this.keepers++;
    return () => {
      if (--this.keepers) return;
      for (const name of this.kept.splice(0)) this.drop(name);
    };
  }

  private drop(name: string): void {
    const count = (this.counts.get(name) ?? 0) - 1;
    if (count > 0) this.counts.set(name, count);
    else this.counts.delete(name);
  }
}

/** Protects parts of the store until it is released. */
export class Lease implements Disposable {
  private readonly names = new Set<string>();
  private released = false;

  public constructor(
    private readonly take: (name: string) => void,
    private readonly give: (name: string) => void,
  ) {}

  public hold(names: readonly string[]): void {
    if (this.released) return;
    for (const name of names) {
      if (this.names.has(name)) continue;
      this.names.add(name);
      this.take(name);
    }
  }

  public release(): void {
    this.released = true;
    for (const name of this.names) this.give(name);
    this.names.clear();
  }

  public [Symbol.dispose](): void {
    this.release();
  }
}
