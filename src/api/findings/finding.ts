import type { FeatureGate } from '../feature-gates';
import type { Path } from './path';
import type { RuleId } from './rules';

/** `StatusCause.reason` of the API server, so that clients can match on it. */
export type FindingType =
  // KubeVirt answers an object of the wrong shape without a reason
  | ''
  | 'FieldValueRequired'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueDuplicate'
  | 'FieldValueForbidden'
  | 'FieldValueNotFound'
  | 'FieldValueTooLong';

/** `error`: the object is rejected. `warning`: it is accepted, and probably does not do what its author expects. */
export type Severity = 'error' | 'warning';

/** One mistake as data. All surfaces use the same printer. */
export interface Finding {
  readonly rule: RuleId;
  /** Default: `error`. */
  readonly severity?: Severity;
  /** Field of the object. */
  readonly path: Path;
  /** Line within the text of the field, starting at 1, where the field contains a document. */
  readonly line?: number;
  /**
   * Field of the cause in an admission response, instead of the path: KubeVirt and CDI have other names for some
   * fields (`spec.PVC.accessModes`) or leave the field empty, and clients match on them.
   */
  readonly field?: string;
  /** Default: `FieldValueInvalid`. */
  readonly type?: FindingType;
  /** Offending value. A rule about secrets leaves it out. */
  readonly value?: unknown;
  /** Values that are accepted, where they can be listed. */
  readonly allowed?: readonly string[];
  /** Feature gates, each of which permits the field. */
  readonly gates?: readonly FeatureGate[];
  /** One sentence: what is wrong. KubeVirt's wording where its clients match on it. */
  readonly cause: string;
  /** One sentence: what to do. */
  readonly remedy: string;
  /** Fields by the names that cause and remedy use. For a construct, its properties replace these names. */
  readonly fields?: Readonly<Record<string, Path>>;
  /** Field that the remedy patches, as a JSON pointer. */
  readonly patched?: string;
}

/** A finding and the code that it is about. */
export interface CodeFinding extends Finding {
  /** Path of the construct (`web/vm`), or the call (`Cpu.cores`). */
  readonly subject?: string;
  /** Property of the construct, or argument of the call: `cpu.cores`. */
  readonly property?: string;
}
