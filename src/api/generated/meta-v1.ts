// Generated from api/schema/meta_v1.json by scripts/generate.ts; edit that file.

/** Go's notation: 1h30m. */
export type Duration = string;

/** A number, or a name. */
export type IntOrString = number | string;

export interface LabelSelector {
  matchExpressions?: LabelSelectorRequirement[];
  matchLabels?: Record<string, string>;
}

export interface LabelSelectorRequirement {
  key: string;
  operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  values?: string[];
}

/** A number with an optional unit: 512Mi, 1.5Gi, 500m. */
export type Quantity = number | string;

/** RFC 3339. */
export type Time = string;
