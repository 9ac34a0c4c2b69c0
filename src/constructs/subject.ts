import { findingsOf, ValidationError } from '../api/findings';

/**
 * Calls a function. Findings that it throws without a subject, such as those about a conversion, get this one: the path
 * of a construct, or the name of a call.
 */
export function withSubject<T>(subject: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    const findings = findingsOf(error);
    if (!findings?.some((finding) => !finding.subject)) throw error;
    throw new ValidationError(findings.map((finding) => ({ ...finding, subject: finding.subject || subject })));
  }
}
