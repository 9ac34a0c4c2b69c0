import { clone, deepEqual } from '../json/values';
import { AnyObject } from '../types';
import { PolicyRule } from './authorizer';
import { uncovered } from './rules';

const AUTOUPDATE = 'rbac.authorization.kubernetes.io/autoupdate';

/**
 * A stored default role or binding with what it lacks of `wanted`: labels, annotations, rules and subjects. What users have
 * added is kept. Undefined if nothing is missing, or if its annotation excludes it from updates.
 */
export function reconciled(stored: AnyObject, wanted: AnyObject): AnyObject | undefined {
  if (stored.metadata.annotations?.[AUTOUPDATE] === 'false') return undefined;
  const next = clone(stored);
  for (const field of ['labels', 'annotations'] as const) {
    next.metadata[field] = { ...wanted.metadata[field], ...stored.metadata[field] };
  }
  if (wanted.roleRef) {
    const known = (stored.subjects ?? []) as object[];
    const missing = ((wanted.subjects ?? []) as object[]).filter(
      (subject) => !known.some((other) => deepEqual(subject, other)),
    );
    if (missing.length) next.subjects = [...known, ...missing];
  } else if (wanted.aggregationRule) {
    // The controller writes its rules.
    const known = (stored.aggregationRule?.clusterRoleSelectors ?? []) as object[];
    const missing = (wanted.aggregationRule.clusterRoleSelectors as object[]).filter(
      (selector) => !known.some((other) => deepEqual(selector, other)),
    );
    if (missing.length) next.aggregationRule = { clusterRoleSelectors: [...known, ...missing] };
  } else {
    const known = (stored.rules ?? []) as PolicyRule[];
    const missing = uncovered(known, (wanted.rules ?? []) as PolicyRule[]);
    if (missing.length) next.rules = [...known, ...missing];
  }
  return deepEqual(next, stored) ? undefined : next;
}
