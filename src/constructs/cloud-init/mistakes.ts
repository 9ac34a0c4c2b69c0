import { type Finding, type Path, root, ValidationError } from '../../api/findings';

/** Returns the property in the user's code that sets a key of the rendered document. */
export type LocatePath = (path: Path) => string;

/**
 * Rejects the arguments of a factory. The error lists all mistakes, each with its property.
 *
 * @throws ValidationError `CloudInit.noCloud: runcmd[2]: …`, followed by the remedy and the rule
 */
export function refuse(call: string, errors: readonly Finding[], locate: LocatePath = String): void {
  if (errors.length === 0) return;
  // a path within the rendered document means nothing to the user, who wrote properties
  throw new ValidationError(
    errors.map((error) => ({ ...error, path: root, subject: call, property: locate(error.path) })),
  );
}
