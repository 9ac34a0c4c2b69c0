import type { Check, Finding } from './finding';
import type { FactName, Facts } from './facts';

/** Result of one check. */
export interface Diagnosis {
  readonly name: string;
  /** `incomplete`: nothing was found, but not everything could be read. */
  readonly state: 'ok' | 'warning' | 'error' | 'incomplete';
  readonly findings: readonly Finding[];
  /** Reasons why facts could not be read, in words: `requires permission to list nodes`. */
  readonly unread: readonly string[];
}

/** Runs checks on facts. Pure. */
export function diagnose(
  checks: readonly Check[],
  facts: Facts,
  obstacles: Readonly<Partial<Record<FactName, string>>>,
): Diagnosis[] {
  return checks.map(({ name, reads, find }) => {
    const unread = reads.flatMap((fact) => obstacles[fact] ?? []);
    const findings = find(facts);
    return { name, state: stateOf(findings, unread.length > 0), findings, unread: [...new Set(unread)] };
  });
}

function stateOf(findings: readonly Finding[], isIncomplete: boolean): Diagnosis['state'] {
  if (findings.some(({ severity }) => severity === 'error')) return 'error';
  if (findings.length > 0) return 'warning';
  return isIncomplete ? 'incomplete' : 'ok';
}

/** Exit code of a command with these results: warnings do not count. */
export const exitCodeOf = (results: readonly Diagnosis[]): number =>
  results.some(({ state }) => state === 'error') ? 1 : 0;
