import { Kind } from '../registry/kind';
import { AnyObject, deepEqual } from '../types';
import { Fields } from '../validation/fields';
import { pathSegmentName } from '../validation/names';
import { define } from './define';
import { nameOnly, textPrinter } from './printers';
import { validateBinding, validateRules } from './rbac-validation';

interface Subject {
  kind: string;
  name: string;
  namespace?: string;
}

const subjects = (kind: string) => (binding: AnyObject) =>
  ((binding.subjects ?? []) as Subject[])
    .filter((subject) => subject.kind === kind)
    .map(({ name, namespace }) => (namespace ? `${namespace}/${name}` : name))
    .join(', ');

const RBAC = { group: 'rbac.authorization.k8s.io', version: 'v1', nameRule: pathSegmentName } as const;

const validateRoleRef = (namespaced: boolean) => (next: AnyObject, old: AnyObject, fields: Fields) => {
  validateBinding(next, namespaced, fields);
  if (!deepEqual(next.roleRef, old.roleRef)) fields.child('roleRef').invalid(next.roleRef, 'cannot change roleRef');
};

const bindingPrinter = textPrinter(
  { Role: ({ roleRef }) => `${roleRef?.kind}/${roleRef?.name}` },
  { Users: subjects('User'), Groups: subjects('Group'), ServiceAccounts: subjects('ServiceAccount') },
);

function defaultBinding(binding: AnyObject): void {
  if (binding.roleRef) binding.roleRef.apiGroup ||= RBAC.group;
  for (const subject of (binding.subjects ?? []) as (Subject & { apiGroup?: string })[]) {
    if (subject.kind === 'User' || subject.kind === 'Group') subject.apiGroup ??= RBAC.group;
  }
}

export const rbacKinds: Kind[] = [
  define({
    ...RBAC,
    kind: 'Role',
    plural: 'roles',
    namespaced: true,
    printer: nameOnly,
    validate: (object, fields) => validateRules(object, true, fields),
  }),
  define({
    ...RBAC,
    kind: 'ClusterRole',
    plural: 'clusterroles',
    namespaced: false,
    printer: nameOnly,
    validate: (object, fields) => validateRules(object, false, fields),
  }),
  define({
    ...RBAC,
    kind: 'RoleBinding',
    plural: 'rolebindings',
    namespaced: true,
    printer: bindingPrinter,
    defaults: defaultBinding,
    validate: (object, fields) => validateBinding(object, true, fields),
    validateUpdate: validateRoleRef(true),
  }),
  define({
    ...RBAC,
    kind: 'ClusterRoleBinding',
    plural: 'clusterrolebindings',
    namespaced: false,
    printer: bindingPrinter,
    defaults: defaultBinding,
    validate: (object, fields) => validateBinding(object, false, fields),
    validateUpdate: validateRoleRef(false),
  }),
];
