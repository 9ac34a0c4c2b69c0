/** Texts of an object, for rules that read all of them. */
import { type Finding, type Path, root } from '../findings';
import type { KubeObject } from '../meta';
import { isObject, type Json } from './read';

/** Rule about each text of an object. */
export interface TextRule {
  /** Fields whose texts have a meaning of their own, at any depth. */
  readonly free: ReadonlySet<string>;
  /** Whether a text may have a finding. Decides without a path. */
  readonly mayReport: (text: string) => boolean;
  readonly findingsIn: (text: string, at: Path) => Finding[];
}

/** Returns the findings in the name, the namespace, the labels and the spec of an object. */
export function inTexts({ metadata, ...rest }: KubeObject, rule: TextRule): Finding[] {
  const { spec } = rest as { readonly spec?: unknown };
  const { name, namespace, labels } = metadata ?? {};
  const own = { name, namespace, labels };
  // paths of all fields would cost more than the rule
  if (!mayReport(own, rule) && !mayReport(spec, rule)) return [];
  return [...inValue(own, root.at('metadata'), rule), ...inValue(spec, root.at('spec'), rule)];
}

function mayReport(value: unknown, rule: TextRule): boolean {
  if (typeof value === 'string') return rule.mayReport(value);
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some((each) => mayReport(each, rule));
  for (const key in value) if (!rule.free.has(key) && mayReport((value as Json)[key], rule)) return true;
  return false;
}

function inValue(value: unknown, at: Path, rule: TextRule): Finding[] {
  if (typeof value === 'string') return rule.findingsIn(value, at);
  if (Array.isArray(value)) return value.flatMap((each, i) => inValue(each, at.at(i), rule));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, each]) => (rule.free.has(key) ? [] : inValue(each, at.at(key), rule)));
}
