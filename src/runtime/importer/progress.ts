/** Part of its source that an import has received. */
export class Progress {
  private done = 0;
  private total?: number;
  private isDone = false;

  /** Begins with the bytes that have to arrive, if they are known, and those that an earlier start received. */
  public start(total: number | undefined, done = 0): void {
    this.total = total;
    this.done = done;
  }

  public add(bytes: number): void {
    this.done += bytes;
  }

  public finish(): void {
    this.isDone = true;
  }

  /** Bytes that have arrived, and all of them, if that is known. Neither says when the disk is complete. */
  public get bytes(): { readonly done: number; readonly total: number } | undefined {
    return this.total ? { done: Math.min(this.done, this.total), total: this.total } : undefined;
  }

  /** Percent from 0 to 100, if the size of the source is known. Blocks that are read again make it an estimate below 100. */
  public get percent(): number | undefined {
    if (this.isDone) return 100;
    return this.total ? Math.min(99, (100 * this.done) / this.total) : undefined;
  }
}
