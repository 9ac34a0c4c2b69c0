// Generated from api/schema/meta_v1.json by scripts/generate.ts; edit that file.

export type Duration = string;

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

export type Quantity = number | string;

export type Time = string;
