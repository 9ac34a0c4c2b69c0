import type { Finding, Path, RuleId } from '../findings';

type Extra = Pick<Finding, 'value' | 'allowed' | 'type' | 'field'>;

/** One mistake. Default type: `FieldValueInvalid`. */
export function refusal(rule: RuleId, path: Path, message: string, remedy: string, extra: Extra = {}): Finding {
  return { rule, path, cause: message, remedy, type: 'FieldValueInvalid', ...extra };
}

/** A mistake of these, when the condition holds. */
export function when(condition: unknown, ...mistakes: Finding[]): Finding[] {
  return condition ? mistakes : [];
}

/** The first set of mistakes that is not empty: later checks would only repeat it. */
export function first(...checks: (() => Finding[])[]): Finding[] {
  for (const check of checks) {
    const mistakes = check();
    if (mistakes.length > 0) return mistakes;
  }
  return [];
}
