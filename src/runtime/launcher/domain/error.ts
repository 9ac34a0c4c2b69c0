/** The spec cannot be rendered as a domain. The text becomes a condition of the VMI. */
export class DomainError extends Error {
  override readonly name = 'DomainError';

  constructor(
    readonly path: string,
    problem: string,
    remedy: string,
  ) {
    super(`${path}: ${problem}; ${remedy}`);
  }
}
