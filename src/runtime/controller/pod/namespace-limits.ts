import { keys } from '../../../api/keys';
import type { LabelSelector } from '../../../api';
import type { RenderInput } from './input';

/** Limits that a Pod gets because its namespace requires them, although its VMI has none. */

const RATIO_LABEL = keys.autoMemoryLimitsRatio;
/** Ratio of limit to request when the namespace's label has no valid value. */
const DEFAULT_RATIO = 2;

export const limitsMemory = (input: RenderInput): boolean => isCounted(input, 'memory');

/** Whether a quota or the configuration requires limits. */
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

/** Kubernetes' label matching: all labels and all expressions must match; an empty selector matches every object. */
function selects(selector: LabelSelector, labels: Readonly<Record<string, string>>): boolean {
  const { matchLabels = {}, matchExpressions = [] } = selector;
  // a key such as `constructor` is not a label of every namespace
  const labelOf = (key: string): string | undefined => (Object.hasOwn(labels, key) ? labels[key] : undefined);
  return (
    Object.entries(matchLabels).every(([key, value]) => labelOf(key) === value) &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      const label = labelOf(key);
      switch (operator) {
        case 'Exists':
          return label !== undefined;
        case 'DoesNotExist':
          return label === undefined;
        case 'In':
          return label !== undefined && values.includes(label);
        case 'NotIn':
          return label === undefined || !values.includes(label);
        default:
          return false;
      }
    })
  );
}
