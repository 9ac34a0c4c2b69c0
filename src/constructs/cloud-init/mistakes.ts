import { describe, type Finding, type Path } from '../../api/findings';
import { mistakeInCode } from '../validation';

/** The property in the user's code that makes a key of the rendered document. */
export type LocatePath = (path: Path) => string;

/**
 * Refuses what a factory was given: all mistakes at once, each with its property.
 *
 * @throws `CloudInit.noCloud: runcmd[2]: …`, then the remedy and the rule
 */
export function refuse(call: string, errors: readonly Finding[], locate: LocatePath = String): void {
  if (errors.length === 0) return;
  const mistakes = errors.map((error) => {
    const text = describe(error);
    return { property: locate(error.path), message: text.slice(0, text.length - error.remedy.length - 2), error };
  });
  const [first] = mistakes;
  if (mistakes.length === 1) {
    mistakeInCode(call, first.property, first.message, first.error.remedy, first.error.rule);
  }
  const lines = mistakes.map(
    ({ property, message, error: { remedy, rule } }) =>
      `${call}: ${property === '' ? '' : `${property}: `}${message}\n  ${remedy} [${rule}]`,
  );
  const error = new Error(`${call}: ${lines.length} mistakes\n${lines.join('\n')}`);
  error.name = 'ValidationError';
  throw error;
}
