/**
 * One of several known values, or a value that only a newer platform knows.
 *
 * Each subclass offers its known values as constants, and `of(value)` for every other value.
 */
export abstract class Choice {
  /** Value as it is written in the manifest. */
  public readonly value: string;

  /**
   * @param value value as it is written in the manifest
   */
  protected constructor(value: string) {
    this.value = value;
  }

  /** Returns the value as it is written in the manifest. */
  public toString(): string {
    return this.value;
  }
}
