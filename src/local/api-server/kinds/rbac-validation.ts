import { AnyObject } from '../types';
import { Fields } from '../validation/fields';
import { isDns1123Subdomain } from '../validation/names';

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

/** Validates role and subjects of a RoleBinding (`namespaced`) or ClusterRoleBinding. */
export function validateBinding({ roleRef = {}, subjects }: AnyObject, namespaced: boolean, fields: Fields): void {
  const at = fields.child('roleRef');
  if (roleRef.apiGroup !== GROUP) at.child('apiGroup').notSupported(roleRef.apiGroup ?? '', [GROUP]);
  const kinds = namespaced ? ['Role', 'ClusterRole'] : ['ClusterRole'];
  if (!kinds.includes(roleRef.kind)) at.child('kind').notSupported(roleRef.kind ?? '', kinds);
  if (!roleRef.name) at.child('name').required();
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
