import { AnyObject } from '../types';
import { Fields } from '../validation/fields';
import { isDns1123Subdomain, isLabelValue, isPathSegment, isQualifiedName } from '../validation/names';

const GROUP = 'rbac.authorization.k8s.io';

interface Rule {
  verbs?: string[];
  apiGroups?: string[];
  resources?: string[];
  resourceNames?: string[];
  nonResourceURLs?: string[];
}

interface Subject {
  kind?: string;
  apiGroup?: string;
  name?: string;
  namespace?: string;
}

/** Validates the rules of a Role (`namespaced`) or ClusterRole: each covers either resources or URLs. */
export function validateRules({ rules }: AnyObject, namespaced: boolean, fields: Fields): void {
  ((rules ?? []) as Rule[]).forEach((rule, i) => {
    const at = fields.child('rules').index(i);
    if (!rule.verbs?.length) at.child('verbs').required('verbs must contain at least one value');
    if (rule.nonResourceURLs?.length) {
      const urls = at.child('nonResourceURLs');
      if (namespaced) urls.invalid(rule.nonResourceURLs, 'namespaced rules cannot apply to non-resource URLs');
      if (rule.apiGroups?.length || rule.resources?.length || rule.resourceNames?.length) {
        urls.invalid(rule.nonResourceURLs, 'rules cannot apply to both regular resources and non-resource URLs');
      }
      return;
    }
    if (!rule.apiGroups?.length) at.child('apiGroups').required('resource rules must supply at least one api group');
    if (!rule.resources?.length) at.child('resources').required('resource rules must supply at least one resource');
  });
}

interface Selector {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key?: string; operator?: string; values?: string[] }[];
}

/** Validates the selectors of a ClusterRole that gathers the rules of others. */
export function validateAggregation({ aggregationRule }: AnyObject, fields: Fields): void {
  if (!aggregationRule) return;
  const at = fields.child('aggregationRule', 'clusterRoleSelectors');
  const selectors = (aggregationRule.clusterRoleSelectors ?? []) as Selector[];
  if (!selectors.length) at.required('at least one clusterRoleSelector required if aggregationRule is non-nil');
  selectors.forEach((selector, i) => {
    const before = at.causes.length;
    validateSelector(selector, at.index(i));
    if (at.causes.length > before) at.index(i).invalid(null, 'invalid label selector.');
  });
}

function validateSelector({ matchLabels = {}, matchExpressions = [] }: Selector, at: Fields): void {
  for (const [key, value] of Object.entries(matchLabels)) {
    at.child('matchLabels').invalidEach(key, isQualifiedName(key)).invalidEach(value, isLabelValue(value));
  }
  matchExpressions.forEach(({ key = '', operator = '', values = [] }, i) => {
    const expression = at.child('matchExpressions').index(i);
    if (operator === 'In' || operator === 'NotIn') {
      if (!values.length) expression.child('values').required("must be specified when `operator` is 'In' or 'NotIn'");
    } else if (operator !== 'Exists' && operator !== 'DoesNotExist') {
      expression.child('operator').invalid(operator, 'not a valid selector operator');
    } else if (values.length) {
      expression.child('values').forbidden("may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
    }
    expression.child('key').invalidEach(key, isQualifiedName(key));
    values.forEach((value, j) => expression.child('values').index(j).invalidEach(value, isLabelValue(value)));
  });
}

/** Validates role and subjects of a RoleBinding (`namespaced`) or ClusterRoleBinding. */
export function validateBinding({ roleRef = {}, subjects }: AnyObject, namespaced: boolean, fields: Fields): void {
  const at = fields.child('roleRef');
  if (roleRef.apiGroup !== GROUP) at.child('apiGroup').notSupported(roleRef.apiGroup ?? '', [GROUP]);
  const kinds = namespaced ? ['Role', 'ClusterRole'] : ['ClusterRole'];
  if (!kinds.includes(roleRef.kind)) at.child('kind').notSupported(roleRef.kind ?? '', kinds);
  if (!roleRef.name) at.child('name').required();
  else at.child('name').invalidEach(roleRef.name, isPathSegment(roleRef.name as string));
  ((subjects ?? []) as Subject[]).forEach((subject, i) => {
    validateSubject(subject, namespaced, fields.child('subjects').index(i));
  });
}

function validateSubject({ kind = '', apiGroup = '', name = '', namespace }: Subject, namespaced: boolean, at: Fields) {
  if (!name) at.child('name').required();
  switch (kind) {
    case 'ServiceAccount':
      if (name) at.child('name').invalidEach(name, isDns1123Subdomain(name));
      if (apiGroup) at.child('apiGroup').notSupported(apiGroup, ['']);
      if (!namespaced && !namespace) at.child('namespace').required();
      break;
    case 'User':
    case 'Group':
      if (apiGroup !== GROUP) at.child('apiGroup').notSupported(apiGroup, [GROUP]);
      break;
    default:
      at.child('kind').notSupported(kind, ['ServiceAccount', 'User', 'Group']);
  }
}
