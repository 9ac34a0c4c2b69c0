import type { KubeObject } from '../meta';
import { type ComponentAccess, type Grant, rulesOf } from './grant';
import { userRoles } from './users';

const RBAC = 'rbac.authorization.k8s.io';
const apiVersion = `${RBAC}/v1`;

type AccessObject = KubeObject & Record<string, unknown> & { readonly apiVersion: string; readonly kind: string };
type Labels = Readonly<Record<string, string>>;

/** Objects that give a program its identity and permissions. */
export interface IdentityObjects {
  readonly serviceAccount: AccessObject;
  readonly clusterRole?: AccessObject;
  readonly clusterRoleBinding?: AccessObject;
  readonly role?: AccessObject;
  readonly roleBinding?: AccessObject;
}

/** Returns the ServiceAccount, roles and bindings of a program that is installed in `namespace`. */
export function identityObjects(access: ComponentAccess, namespace: string, labels: Labels): IdentityObjects {
  const name = access.serviceAccount;
  const metadata = { name, labels: { ...labels } };
  const own = { ...metadata, namespace };
  const subjects = [{ kind: 'ServiceAccount', name, namespace }];
  const inside = (grant: Grant): boolean => grant.where === 'installation';
  const cluster = access.grants.filter((grant) => !inside(grant));
  const installation = access.grants.filter(inside);
  const bind = (kind: string): { roleRef: object; subjects: object[] } => ({
    roleRef: { apiGroup: RBAC, kind, name },
    subjects,
  });
  return {
    serviceAccount: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: own },
    ...(cluster.length > 0
      ? {
          clusterRole: { apiVersion, kind: 'ClusterRole', metadata, rules: rulesOf(cluster) },
          clusterRoleBinding: { apiVersion, kind: 'ClusterRoleBinding', metadata, ...bind('ClusterRole') },
        }
      : {}),
    ...(installation.length > 0
      ? {
          role: { apiVersion, kind: 'Role', metadata: own, rules: rulesOf(installation) },
          roleBinding: { apiVersion, kind: 'RoleBinding', metadata: own, ...bind('Role') },
        }
      : {}),
  };
}

/** Role for users, and the binding that gives it to everybody. */
export interface UserRoleObjects {
  readonly role: AccessObject & { readonly metadata: { readonly name: string } };
  readonly binding?: AccessObject;
}

/**
 * Returns the roles for users.
 * @param aggregate Whether Kubernetes' own roles for users include them
 * @param importer Whether the platform imports disks itself, and installs CDI's roles
 */
export function userRoleObjects(aggregate: boolean, importer: boolean, labels: Labels): UserRoleObjects[] {
  const installed = userRoles.filter(({ ofImporter }) => importer || !ofImporter);
  return installed.map(({ name, grants, aggregateTo, everybody }) => {
    const aggregation = aggregate && aggregateTo ? { [`${RBAC}/aggregate-to-${aggregateTo}`]: 'true' } : {};
    const metadata = { name, labels: { ...labels, ...aggregation } };
    const binding = {
      apiVersion,
      kind: 'ClusterRoleBinding',
      metadata: { name, labels: { ...labels } },
      roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name },
      subjects: [{ apiGroup: RBAC, kind: 'Group', name: 'system:authenticated' }],
    };
    return {
      role: { apiVersion, kind: 'ClusterRole', metadata, rules: rulesOf(grants) },
      ...(everybody ? { binding } : {}),
    };
  });
}

/** Whether a label of a ClusterRole adds it to one of Kubernetes' roles for users. */
export const isAggregationLabel = (name: string): boolean => name.startsWith(`${RBAC}/aggregate-to-`);
