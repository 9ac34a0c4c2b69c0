/** A field that we do not render is an error: a VM must never start without something that it asked for. */

/** The domain cannot be made of this spec. The text becomes a condition of the VMI. */
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

/** Throws if `value` has a field that is not named in `known`. */
export function only(value: object | undefined, path: string, known: readonly string[]): void {
  for (const [key, field] of Object.entries(value ?? {})) {
    if (field === undefined || field === null || known.includes(key)) continue;
    throw new DomainError(`${path}.${key}`, 'virt-launcher does not support this field', 'remove it');
  }
}

/** Throws for a field that is known, but not served by this launcher. */
export function refuse(value: unknown, path: string, problem: string, remedy: string): void {
  if (value !== undefined && value !== null) throw new DomainError(path, problem, remedy);
}
