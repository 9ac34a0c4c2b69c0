import { Kind } from '../registry/kind';
import { deepEqual } from '../json/values';
import { AnyObject } from '../types';
import { Fields } from '../validation/fields';
import { pathSegmentName } from '../validation/names';
import { define, KindSpec } from './define';
import { nameOnly, textPrinter } from './printers';
import { validateAggregation, validateBinding, validateRules } from './rbac-validation';

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

const RBAC = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  nameRule: pathSegmentName,
  createOnUpdate: true,
} as const;

const validateRoleRef = (namespaced: boolean) => (next: AnyObject, old: AnyObject, fields: Fields) => {
  validateBinding(next, namespaced, fields);
  if (deepEqual(next.roleRef, old.roleRef)) return;
  // Go prints this type with the names of its fields.
  const { apiGroup: APIGroup, kind: Kind, name: Name } = next.roleRef;
  fields.child('roleRef').invalid({ APIGroup, Kind, Name }, 'cannot change roleRef');
};

/** Roles always have rules, perhaps null. */
function defineRole(spec: KindSpec): Kind {
  const kind = define(spec);
  return {
    ...kind,
    empty: () => ({ ...kind.empty(), rules: null }) as unknown as AnyObject,
    decode(object) {
      const isEmptyList = Array.isArray(object.rules) && !object.rules.length;
      const unknown = kind.decode(object);
      object.rules ??= isEmptyList ? [] : null;
      return unknown;
    },
    prepareForCreate(object, context) {
      kind.prepareForCreate(object, context);
      if (!object.rules?.length) object.rules = null;
    },
    prepareForUpdate(object, old, context) {
      kind.prepareForUpdate(object, old, context);
      if (!object.rules?.length) object.rules = null;
    },
  };
}

const bindingPrinter = textPrinter(
  { Role: ({ roleRef }) => `${roleRef?.kind}/${roleRef?.name}` },
  { Users: subjects('User'), Groups: subjects('Group'), ServiceAccounts: subjects('ServiceAccount') },
);

function defaultBinding(binding: AnyObject): void {
  binding.roleRef ??= {};
  binding.roleRef.apiGroup ||= RBAC.group;
  for (const subject of (binding.subjects ?? []) as (Subject & { apiGroup?: string })[]) {
    if (subject.kind === 'User' || subject.kind === 'Group') subject.apiGroup ||= RBAC.group;
  }
}

export const rbacKinds: Kind[] = [
  defineRole({
    ...RBAC,
    kind: 'Role',
    plural: 'roles',
    namespaced: true,
    printer: nameOnly,
    validate: (object, fields) => validateRules(object, true, fields),
  }),
  defineRole({
    ...RBAC,
    kind: 'ClusterRole',
    plural: 'clusterroles',
    namespaced: false,
    printer: nameOnly,
    validate: (object, fields) => {
      validateRules(object, false, fields);
      validateAggregation(object, fields);
    },
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
