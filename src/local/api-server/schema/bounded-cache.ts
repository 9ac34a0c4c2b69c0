/** Cache of computed values that keeps the most recently used ones. */
export class BoundedCache<V> {
  private readonly entries = new Map<string, V>();

  public constructor(
    private readonly limit: number,
    private readonly compute: (key: string) => V,
  ) {}

  public get size(): number {
    return this.entries.size;
  }

  /** The value of a key, from the cache or computed. An exception of the computation is not cached. */
  public get(key: string): V {
    const known = this.entries.get(key);
    const value = known ?? this.compute(key);
    if (known !== undefined) this.entries.delete(key);
    else if (this.entries.size >= this.limit) this.entries.delete(this.entries.keys().next().value as string);
    this.entries.set(key, value);
    return value;
  }
}
