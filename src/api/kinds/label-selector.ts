import { Finding, Path } from '../findings';
import { isLabelValue, isQualifiedName } from '../names';
import { refusal } from './refusal';

/** `meta/v1` LabelSelector. */
export interface LabelSelector {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
}

const operators = ['In', 'NotIn', 'Exists', 'DoesNotExist'];

/** Whether the selector matches these labels. A missing selector matches nothing, an empty one everything. */
export function selects(selector: LabelSelector | undefined, labels: Readonly<Record<string, string>> = {}): boolean {
  if (!selector) return false;
  const of = (key: string): string | undefined => (Object.hasOwn(labels, key) ? labels[key] : undefined);
  const equal = Object.entries(selector.matchLabels ?? {}).every(([key, value]) => of(key) === value);
  return (
    equal &&
    (selector.matchExpressions ?? []).every(({ key, operator, values = [] }) => {
      const value = of(key);
      if (operator === 'Exists') return value !== undefined;
      if (operator === 'DoesNotExist') return value === undefined;
      const listed = value !== undefined && values.includes(value);
      return operator === 'In' ? listed : !listed;
    })
  );
}

/** Text of a selector as Kubernetes writes it. */
export function selectorText({ matchLabels, matchExpressions }: LabelSelector): string {
  const equal = Object.entries(matchLabels ?? {}).map(([key, value]) => `${key}=${value}`);
  const others = (matchExpressions ?? []).map(({ key, operator, values }) => {
    if (operator === 'Exists') return key;
    if (operator === 'DoesNotExist') return `!${key}`;
    return `${key} ${operator === 'In' ? 'in' : 'notin'} (${[...(values ?? [])].sort().join(',')})`;
  });
  return [...equal, ...others].sort().join(',');
}

/** Returns the first reason why the selector is invalid, in Kubernetes' wording. */
export function selectorMistake(selector: LabelSelector | undefined): string | undefined {
  const requirements = [
    ...Object.entries(selector?.matchLabels ?? {}).map(([key, value]) => ({ key, operator: 'In', values: [value] })),
    ...(selector?.matchExpressions ?? []),
  ];
  for (const { key, operator, values = [] } of requirements) {
    if (!operators.includes(operator)) return `"${operator}" is not a valid label selector operator`;
    if (!isQualifiedName(key)) return `key: Invalid value: "${key}": not a valid label name`;
    const wanted = operator === 'In' || operator === 'NotIn';
    if (wanted && values.length === 0) {
      return "values: Invalid value: []: for 'in', 'notin' operators, values set can't be empty";
    }
    if (!wanted && values.length > 0) {
      return `values: Invalid value: ${JSON.stringify(values)}: values set must be empty for exists and does not exist`;
    }
    const bad = values.findIndex((value) => !isLabelValue(value));
    if (bad >= 0) return `values[${bad}][${key}]: Invalid value: "${values[bad]}": not a valid label value`;
  }
  return undefined;
}

/** The selector of a set must match the objects that the set creates. */
export function selectsTemplate(
  selector: LabelSelector | undefined,
  labels: Record<string, string> | undefined,
  at: Path,
): Finding[] {
  const mistake = selectorMistake(selector);
  if (mistake !== undefined) {
    return [refusal('selector', at, mistake, 'write matchLabels with the labels of the template', { value: selector })];
  }
  if (selects(selector, labels)) return [];
  return [
    refusal('selector-matches', at, 'selector does not match labels.', 'use the labels of the template', {
      value: selector,
    }),
  ];
}
