import { keys } from '../../../api/keys';
import type { LabelSelector } from '../../../api';
import type { RenderInput } from './input';

/** A Pod gets limits that its VMI does not have where its namespace demands them. */

const RATIO_LABEL = keys.autoMemoryLimitsRatio;
/** Limit over request, when the namespace's label says nothing that can be used. */
const DEFAULT_RATIO = 2;

export const limitsMemory = (input: RenderInput): boolean => isCounted(input, 'memory');

/** By a quota, or because the configuration selects the namespace. */
export function limitsCpu(input: RenderInput): boolean {
  const selector = input.config.raw.autoCPULimitNamespaceLabelSelector;
  if (isCounted(input, 'cpu')) return true;
  if (!selector || hasLimit(input, 'cpu')) return false;
  return selects(selector, input.namespaceLabels ?? {});
}

const isCounted = (input: RenderInput, resource: string): boolean =>
  !hasLimit(input, resource) && input.limitedByQuota?.has(resource) === true;

const hasLimit = ({ vmi }: RenderInput, resource: string): boolean =>
  vmi.spec.domain.resources?.limits?.[resource] !== undefined;

export function memoryLimitRatio({ namespaceLabels = {} }: RenderInput): number {
  const label = namespaceLabels[RATIO_LABEL]?.trim();
  const ratio = Number(label);
  return label && Number.isFinite(ratio) && ratio >= 1 ? ratio : DEFAULT_RATIO;
}

/** Kubernetes' own matching: every label and every expression; an empty selector matches all. */
function selects(selector: LabelSelector, labels: Readonly<Record<string, string>>): boolean {
  const { matchLabels = {}, matchExpressions = [] } = selector;
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      switch (operator) {
        case 'Exists':
          return labels[key] !== undefined;
        case 'DoesNotExist':
          return labels[key] === undefined;
        case 'In':
          return labels[key] !== undefined && values.includes(labels[key]);
        case 'NotIn':
          return labels[key] === undefined || !values.includes(labels[key]);
        default:
          return false;
      }
    })
  );
}
