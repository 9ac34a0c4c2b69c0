import { own } from '../api-server/json/values';
import type { LabelSelector, Labels, Node, NodeSelectorTerm, Taint, Toleration } from '../core-v1';

/** Matches labels, node selectors and taints. Pure. */

export function matchesLabels(selector: LabelSelector | undefined, labels: Labels = {}): boolean {
  if (!selector) return false;
  const { matchLabels = {}, matchExpressions = [] } = selector;
  return (
    Object.entries(matchLabels).every(([key, value]) => own(labels, key) === value) &&
    matchExpressions.every(({ key, operator, values }) => matchesRequirement(own(labels, key), operator, values))
  );
}

function matchesRequirement(value: string | undefined, operator: string, values: readonly string[] = []): boolean {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
      return value !== undefined && Number(value) > Number(values[0]);
    case 'Lt':
      return value !== undefined && Number(value) < Number(values[0]);
    default:
      return false;
  }
}

/** Whether one of the terms matches; a term without requirements matches nothing. */
export function matchesNodeTerms(terms: readonly NodeSelectorTerm[], node: Node): boolean {
  return terms.some((term) => matchesNodeTerm(term, node));
}

export function matchesNodeTerm({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm, node: Node): boolean {
  if (!matchExpressions.length && !matchFields.length) return false;
  return (
    matchExpressions.every(({ key, operator, values }) =>
      matchesRequirement(own(node.metadata.labels, key), operator, values),
    ) &&
    matchFields.every(
      ({ key, operator, values }) =>
        key === 'metadata.name' && matchesRequirement(node.metadata.name, operator, values),
    )
  );
}

export function tolerates(tolerations: readonly Toleration[] | undefined, taint: Taint): boolean {
  return (tolerations ?? []).some(({ key, operator = 'Equal', value = '', effect }) => {
    if (effect && effect !== taint.effect) return false;
    if (!key) return operator === 'Exists';
    return key === taint.key && (operator === 'Exists' || value === (taint.value ?? ''));
  });
}
