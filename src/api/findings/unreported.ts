import type { Finding } from './finding';

/** Returns the findings of `more` about fields that no finding of `reported` is about. */
export function unreported(reported: readonly Finding[], more: readonly Finding[]): readonly Finding[] {
  if (more.length === 0 || reported.length === 0) return more;
  const paths = new Set(reported.map(({ path }) => `${path}`));
  return more.filter(({ path }) => !paths.has(`${path}`));
}
