import { Fields } from './fields';
import { isLabelValue, isQualifiedName } from './names';

interface Requirement {
  readonly key?: string;
  readonly operator?: string;
  readonly values?: readonly string[];
}

export interface LabelSelector {
  readonly matchLabels?: Record<string, string>;
  readonly matchExpressions?: readonly Requirement[];
}

/** Validates a selector of a spec. Returns whether it can be evaluated. */
export function validateLabelSelector(selector: LabelSelector | undefined, at: Fields): boolean {
  const before = at.causes.length;
  for (const [key, value] of Object.entries(selector?.matchLabels ?? {})) {
    const labels = at.child('matchLabels');
    labels.invalidEach(key, isQualifiedName(key)).invalidEach(value, isLabelValue(value));
  }
  selector?.matchExpressions?.forEach((requirement, i) =>
    validateRequirement(requirement, at.child('matchExpressions').index(i)),
  );
  return at.causes.length === before;
}

function validateRequirement({ key = '', operator = '', values = [] }: Requirement, at: Fields): void {
  if (operator === 'In' || operator === 'NotIn') {
    if (!values.length) at.child('values').required("must be specified when `operator` is 'In' or 'NotIn'");
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values.length) {
      at.child('values').forbidden("may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
    }
  } else at.child('operator').invalid(operator, 'not a valid selector operator');
  at.child('key').invalidEach(key, isQualifiedName(key));
  values.forEach((value, i) => at.child('values').index(i).invalidEach(value, isLabelValue(value)));
}

/** Whether a selector has no requirement: it selects everything. */
export const isEmptySelector = ({ matchLabels = {}, matchExpressions = [] }: LabelSelector): boolean =>
  !Object.keys(matchLabels).length && !matchExpressions.length;
