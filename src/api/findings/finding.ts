import type { Path } from './path';
import type { RuleId } from './rules';

/** `StatusCause.reason` of the API server, so that clients can match on it. */
export type FindingType =
  // as KubeVirt answers an object of the wrong shape: only the message tells
  | ''
  | 'FieldValueRequired'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueDuplicate'
  | 'FieldValueForbidden'
  | 'FieldValueNotFound'
  | 'FieldValueTooLong';

/** One mistake in an object: data, so that webhook, synth and command line print it in one way. */
export interface Finding {
  /** Name of the rule, stable: `disk-has-volume`. Tests and docs match on it. */
  readonly rule: RuleId;
  readonly path: Path;
  /**
   * What a cause in an admission response names instead of the path: KubeVirt and CDI name some fields otherwise
   * (`spec.PVC.accessModes`), or none, and clients match on it.
   */
  readonly field?: string;
  /** Default: `FieldValueInvalid`. */
  readonly type?: FindingType;
  /** What was found there. */
  readonly value?: unknown;
  /** What would have been accepted, when it can be listed. */
  readonly allowed?: readonly string[];
  /** One sentence: what is wrong. KubeVirt's wording where its clients match on it. */
  readonly cause: string;
  /** One sentence: what to do. */
  readonly remedy: string;
}
