/** What cdk8s validates at synth, as data: cdk8s itself keeps texts only. */
import type { IConstruct } from 'constructs';
import { type CodeFinding, formatFinding } from '../api/findings';

/** Known to every copy of this module: libraries and bundles may each have one. */
const REPORTED = Symbol.for('virt8s.reported');

/** Findings of a construct by the text that cdk8s was given for each. */
type Reported = Map<string, CodeFinding>;

const reportedBy = (construct: IConstruct): Reported | undefined =>
  (construct as { readonly [REPORTED]?: Reported })[REPORTED];

/** Adds a check to a construct that runs at synth. Its findings remain data for {@link reportsOf}. */
export function reportOnSynth(construct: IConstruct, find: () => readonly CodeFinding[]): void {
  construct.node.addValidation({
    validate: () =>
      find().map((finding) => {
        const { subject: _, ...rest } = finding;
        // cdk8s writes the construct's path before it
        const text = formatFinding(rest);
        reported(construct).set(text, finding);
        return text;
      }),
  });
}

function reported(construct: IConstruct): Reported {
  const known = reportedBy(construct);
  if (known) return known;
  const value: Reported = new Map();
  Object.defineProperty(construct, REPORTED, { value });
  return value;
}

/** One mistake that a construct reports. */
export interface Report {
  /** Path of the construct. */
  readonly construct: string;
  readonly text: string;
  /** Undefined for a check that is not of virt8s: it has only its text. */
  readonly finding?: CodeFinding;
}

/** Returns every mistake that these constructs report, without the errors that synth makes of them. */
export function reportsOf(constructs: readonly IConstruct[]): Report[] {
  return constructs.flatMap((construct) =>
    construct.node
      .validate()
      .map((text) => ({ construct: construct.node.path, text, finding: reportedBy(construct)?.get(text) })),
  );
}
