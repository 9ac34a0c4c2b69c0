/**
 * One of several known values, or any other one that a newer platform knows.
 *
 * Each kind of choice has its known values as constants and `of(value)` as the way out.
 */
export abstract class Choice {
  /** As it is written in the manifest. */
  public readonly value: string;

  /**
   * @param value value as it is written in the manifest
   */
  protected constructor(value: string) {
    this.value = value;
  }

  /** As it is written in the manifest. */
  public toString(): string {
    return this.value;
  }
}
