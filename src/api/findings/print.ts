import type { Finding } from './finding';
import { brief } from './text';

/** `message (allowed: "a", "b"); remedy`: the text of a cause in an admission response. */
export function describe(error: Finding): string {
  const allowed = error.allowed?.length ? ` (allowed: ${listed(error.allowed)})` : '';
  // clients match on KubeVirt's words, which may end a sentence
  const end = error.cause.endsWith('.') && !allowed ? ' ' : '; ';
  return `${brief(error.cause)}${allowed}${end}${brief(error.remedy)}`;
}

/** More than any list of ours; the names of somebody's disks may be more. */
const MOST_ALLOWED = 64;

function listed(allowed: readonly string[]): string {
  const shown = allowed.slice(0, MOST_ALLOWED).map((each) => JSON.stringify(shortened(each)));
  return [...shown, ...(allowed.length > MOST_ALLOWED ? [`and ${allowed.length - MOST_ALLOWED} more`] : [])].join(', ');
}

const MAX_ALLOWED = 128;
const shortened = (text: string): string => (text.length > MAX_ALLOWED ? `${text.slice(0, MAX_ALLOWED - 1)}…` : text);

/** `spec.x: message (allowed: …); remedy [rule]`: the line that people read. */
export function formatFinding(error: Finding): string {
  return `${error.path}: ${describe(error)} [${error.rule}]`;
}
