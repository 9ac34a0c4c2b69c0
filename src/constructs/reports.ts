/** Findings of cdk8s' validation at synth, as data: cdk8s itself keeps only their texts. */
import type { IConstruct } from 'constructs';
import { type CodeFinding, formatFinding } from '../api/findings';

/** A global symbol, because libraries and bundles may each contain a copy of this module. */
const REPORTED = Symbol.for('virt8s.reported');

/** Findings of a construct, by the text that cdk8s received for each. */
type Reported = Map<string, CodeFinding>;

const reportedBy = (construct: IConstruct): Reported | undefined =>
  (construct as { readonly [REPORTED]?: Reported })[REPORTED];

/** Returns the texts of a construct's findings for cdk8s. The findings remain data for {@link reportsOf}. */
export function reportTexts(construct: IConstruct, findings: readonly CodeFinding[]): string[] {
  return findings.map((finding) => {
    const { subject: _, ...rest } = finding;
    // cdk8s puts the construct's path before the text
    const text = formatFinding(rest);
    reported(construct).set(text, finding);
    return text;
  });
}

function reported(construct: IConstruct): Reported {
  const known = reportedBy(construct);
  if (known) return known;
  const value: Reported = new Map();
  Object.defineProperty(construct, REPORTED, { value });
  return value;
}

/** A mistake that a construct reports. */
export interface Report {
  /** Path of the construct. */
  readonly construct: string;
  readonly text: string;
  /** The finding as data; undefined for a check of another library, which returns only a text. */
  readonly finding?: CodeFinding;
}

/** Returns every mistake that these constructs report. Unlike synth, it does not throw. */
export function reportsOf(constructs: readonly IConstruct[]): Report[] {
  return constructs.flatMap((construct) =>
    construct.node
      .validate()
      .map((text) => ({ construct: construct.node.path, text, finding: reportedBy(construct)?.get(text) })),
  );
}
