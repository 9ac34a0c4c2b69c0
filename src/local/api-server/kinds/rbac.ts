import { Kind } from '../registry/kind';
import { AnyObject, deepEqual } from '../types';
import { pathSegmentName } from '../validation/names';
import { define } from './define';
import { nameOnly, textPrinter } from './printers';

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

function validateRoleRef(next: AnyObject, old: AnyObject, fields: Parameters<Kind['validateUpdate']>[2]): void {
  if (!deepEqual(next.roleRef, old.roleRef)) fields.child('roleRef').invalid(next.roleRef, 'cannot change roleRef');
}

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
  define({ ...RBAC, kind: 'Role', plural: 'roles', namespaced: true, printer: nameOnly }),
  define({ ...RBAC, kind: 'ClusterRole', plural: 'clusterroles', namespaced: false, printer: nameOnly }),
  define({
    ...RBAC,
    kind: 'RoleBinding',
    plural: 'rolebindings',
    namespaced: true,
    printer: bindingPrinter,
    defaults: defaultBinding,
    validateUpdate: validateRoleRef,
  }),
  define({
    ...RBAC,
    kind: 'ClusterRoleBinding',
    plural: 'clusterrolebindings',
    namespaced: false,
    printer: bindingPrinter,
    defaults: defaultBinding,
    validateUpdate: validateRoleRef,
  }),
];
