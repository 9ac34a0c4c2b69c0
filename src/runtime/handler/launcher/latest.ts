import { spend } from '../../protocol/rate';
import type { Bucket, Rate } from '../../protocol/rate';

/** Delivers values no faster than a rate. Of several waiting values, only the last one is delivered. */
export class Latest<T> {
  private bucket?: Bucket;
  private waiting?: { value: T; timer: NodeJS.Timeout };

  public constructor(
    private readonly rate: Rate,
    private readonly deliver: (value: T) => void,
  ) {}

  public offer(value: T): void {
    if (this.waiting) {
      this.waiting.value = value;
      return;
    }
    const { bucket, waitMs } = spend(this.bucket, this.rate, 1, performance.now());
    this.bucket = bucket;
    if (waitMs === 0) this.deliver(value);
    else this.waiting = { value, timer: setTimeout(() => this.flush(), waitMs) };
  }

  /** Delivers the waiting value immediately. */
  public flush(): void {
    const { waiting } = this;
    this.drop();
    if (waiting) this.deliver(waiting.value);
  }

  /** Drops the waiting value. */
  public drop(): void {
    clearTimeout(this.waiting?.timer);
    this.waiting = undefined;
  }
}
