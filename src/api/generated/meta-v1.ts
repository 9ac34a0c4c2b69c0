// Generated from api/schema/meta_v1.json by scripts/generate.ts; edit that file.

/**
 * Go's notation: 1h30m.
 */
export type Duration = string;

/**
 * A number, or a name.
 */
export type IntOrString = number | string;

/**
 * Objects by labels; all parts must match. Empty matches everything.
 */
export interface LabelSelector {
  /**
   * Requirements that must all hold.
   */
  matchExpressions?: LabelSelectorRequirement[];
  /**
   * Labels that must have these values.
   */
  matchLabels?: {
    [k: string]: string;
  };
}

/**
 * Requirement on one label.
 */
export interface LabelSelectorRequirement {
  /**
   * The label.
   */
  key: string;
  /**
   * Comparison operator.
   */
  operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  /**
   * Values: one or more for In and NotIn, none allowed for Exists and DoesNotExist.
   */
  values?: string[];
}

/**
 * A number with an optional unit: 512Mi, 1.5Gi, 500m.
 */
export type Quantity = number | string;

/**
 * RFC 3339.
 */
export type Time = string;
