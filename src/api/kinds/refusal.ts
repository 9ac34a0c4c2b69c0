import type { FieldError, Path } from '../field-error';

type Extra = Pick<FieldError, 'got' | 'allowed' | 'type' | 'field'>;

/** One mistake. Default type: `FieldValueInvalid`. */
export function refusal(rule: string, path: Path, message: string, remedy: string, extra: Extra = {}): FieldError {
  return { rule, path, message, remedy, type: 'FieldValueInvalid', ...extra };
}

/** A mistake of these, when the condition holds. */
export function when(condition: unknown, ...mistakes: FieldError[]): FieldError[] {
  return condition ? mistakes : [];
}

/** The first set of mistakes that is not empty: later checks would only repeat it. */
export function first(...checks: (() => FieldError[])[]): FieldError[] {
  for (const check of checks) {
    const mistakes = check();
    if (mistakes.length > 0) return mistakes;
  }
  return [];
}
