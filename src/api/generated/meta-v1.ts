// Generated from api/schema/meta_v1.json by scripts/generate.ts; edit that file.

/**
 * Duration in Go's notation, such as 1h30m.
 */
export type Duration = string;

/**
 * Number or name.
 */
export type IntOrString = number | string;

/**
 * Selection of objects by labels. All requirements must match. Empty matches all objects.
 */
export interface LabelSelector {
  /**
   * Requirements that must all match.
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
   * Name of the label.
   */
  key: string;
  /**
   * Comparison operator.
   */
  operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  /**
   * Values: one or more for In and NotIn, none for Exists and DoesNotExist.
   */
  values?: string[];
}

/**
 * Number with an optional unit, such as 512Mi, 1.5Gi or 500m.
 */
export type Quantity = number | string;

/**
 * Time in RFC 3339 format.
 */
export type Time = string;
