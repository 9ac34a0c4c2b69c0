import type { CodeFinding } from './finding';
import { formatFinding } from './print';
import { oneLine } from './text';

/** Known to every copy of this module: libraries and bundles may each have one. */
const FINDINGS = Symbol.for('virt8s.findings');

/** Thrown for mistakes in a program. Its findings are data; {@link findingsOf} reads them. */
export class ValidationError extends Error {
  static {
    Object.defineProperty(ValidationError.prototype, 'name', { value: 'ValidationError' });
  }

  /** @param message - default: all findings, printed */
  public constructor(findings: readonly CodeFinding[], message = formatFindings(findings)) {
    super(message);
    // not enumerable, so that logging the error prints only its message, without values that the message leaves out
    Object.defineProperty(this, FINDINGS, { value: findings });
  }
}

/** Returns the findings of an error, even if another copy of the library threw it; undefined for other errors. */
export function findingsOf(error: unknown): readonly CodeFinding[] | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  return (error as { readonly [FINDINGS]?: readonly CodeFinding[] })[FINDINGS];
}

/**
 * Prints findings below each other; several about one subject have a headline.
 *
 * @param count - number of all findings, when these are only the first
 */
export function formatFindings(findings: readonly CodeFinding[], count = findings.length): string {
  const lines = findings.map(formatFinding);
  const [{ subject = '' } = {}] = findings;
  if (count === 1 || subject === '' || findings.some((each) => each.subject !== subject)) return lines.join('\n');
  const rest = count > findings.length ? [`${oneLine(subject)}: and ${count - findings.length} more`] : [];
  return [`${oneLine(subject)}: ${count} mistakes`, ...lines, ...rest].join('\n');
}
