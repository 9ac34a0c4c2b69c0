/** Error for an evaluation whose cost exceeds its limit. */
export class CostLimitError extends Error {
  public constructor() {
    super('operation cancelled: actual cost limit exceeded');
  }
}

/** Maximum length of a string that an expression makes: reading it would cost more than one evaluation may. */
const MAX_STRING = 10_000_000;

/** @throws CostLimitError */
export function limitLength(length: number): void {
  if (length > MAX_STRING) throw new CostLimitError();
}
