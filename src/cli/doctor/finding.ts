import type { FactName, Facts } from './facts';

/** `error`: something does not work. `warning`: it works, but not as well as it could, or not for long. */
export type Severity = 'error' | 'warning';

/** A problem of a cluster or an engine, with its cause and a remedy. */
export interface Finding {
  readonly severity: Severity;
  /** Object that has the problem: `Node "a"`. */
  readonly subject: string;
  /** One sentence without a period: what is wrong. */
  readonly cause: string;
  /** One sentence without a period: what to do. */
  readonly remedy: string;
}

/** A group of problems that are found from the same facts. Pure. */
export interface Check {
  /** One word for scripts, and the heading of its findings. */
  readonly name: string;
  /** Facts that it depends on. Of those that could not be read, it must not report anything. */
  readonly reads: readonly FactName[];
  readonly find: (facts: Facts) => Finding[];
}

type Words = Omit<Finding, 'severity'>;

export const error = (subject: string, cause: string, remedy: string): Finding => ({
  severity: 'error',
  ...({ subject, cause, remedy } satisfies Words),
});
export const warning = (subject: string, cause: string, remedy: string): Finding => ({
  severity: 'warning',
  ...({ subject, cause, remedy } satisfies Words),
});
