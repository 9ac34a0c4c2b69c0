import { type Finding, type Message, type Path, type RuleId, wordsOf } from '../findings';

type Extra = Pick<Finding, 'value' | 'allowed' | 'type' | 'field' | 'gates'>;

/** Returns a finding. Default type: `FieldValueInvalid`. */
export function refusal(
  rule: RuleId,
  path: Path,
  message: string | Message,
  remedy: string | Message,
  extra: Extra = {},
): Finding {
  return { rule, path, ...wordsOf(message, remedy), type: 'FieldValueInvalid', ...extra };
}

/** Returns these findings when the condition holds. */
export function when(condition: unknown, ...mistakes: Finding[]): Finding[] {
  return condition ? mistakes : [];
}

/** Returns the findings of the first check that has any: later checks would only repeat them. */
export function first(...checks: (() => Finding[])[]): Finding[] {
  for (const check of checks) {
    const mistakes = check();
    if (mistakes.length > 0) return mistakes;
  }
  return [];
}
