import { type Finding, type Path, root, ValidationError } from '../../api/findings';

/** The property in the user's code that makes a key of the rendered document. */
export type LocatePath = (path: Path) => string;

/**
 * Rejects the arguments of a factory: all mistakes at once, each with its property.
 *
 * @throws ValidationError `CloudInit.noCloud: runcmd[2]: …`, the remedy and the rule
 */
export function refuse(call: string, errors: readonly Finding[], locate: LocatePath = String): void {
  if (errors.length === 0) return;
  // the document is part of no manifest: its path leads nowhere that the user wrote
  throw new ValidationError(
    errors.map((error) => ({ ...error, path: root, subject: call, property: locate(error.path) })),
  );
}
