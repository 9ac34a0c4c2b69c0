import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { rulesOf, userRoles, type ComponentAccess, type Grant } from '../../api/access';
import { clusterObjectOf, objectOf, PLATFORM_LABELS } from './objects';

const RBAC = 'rbac.authorization.k8s.io';
const apiVersion = `${RBAC}/v1`;

/** Identity and permissions of a component: its ServiceAccount, roles and role bindings. */
export class ComponentIdentity extends Construct {
  /** @internal */
  public static _make(scope: Construct, id: string, namespace: string, access: ComponentAccess): ComponentIdentity {
    return new ComponentIdentity(scope, id, namespace, access);
  }

  /** ServiceAccount of the component. */
  public readonly serviceAccount: ApiObject;
  /** Permissions in the whole cluster, if any. */
  public readonly clusterRole?: ApiObject;
  /** Permissions in the platform's namespace, if any. */
  public readonly role?: ApiObject;

  private constructor(scope: Construct, id: string, namespace: string, access: ComponentAccess) {
    super(scope, id);
    const name = access.serviceAccount;
    const metadata = { name, labels: { ...PLATFORM_LABELS } };
    const own = { ...metadata, namespace };
    const subjects = [{ kind: 'ServiceAccount', name, namespace }];
    this.serviceAccount = objectOf(this, 'ServiceAccount', { apiVersion: 'v1', kind: 'ServiceAccount', metadata: own });
    const inside = (grant: Grant): boolean => grant.where === 'installation';
    const cluster = access.grants.filter((grant) => !inside(grant));
    const installation = access.grants.filter(inside);
    if (cluster.length > 0) {
      const kind = 'ClusterRole';
      const role = { apiVersion, kind, metadata, rules: rulesOf(cluster) };
      this.clusterRole = clusterObjectOf(this, kind, role);
      const binding = {
        apiVersion,
        kind: 'ClusterRoleBinding',
        metadata,
        roleRef: { apiGroup: RBAC, kind, name },
        subjects,
      };
      clusterObjectOf(this, 'ClusterRoleBinding', binding);
    }
    if (installation.length > 0) {
      const kind = 'Role';
      const role = { apiVersion, kind, metadata: own, rules: rulesOf(installation) };
      this.role = objectOf(this, kind, role);
      const binding = {
        apiVersion,
        kind: 'RoleBinding',
        metadata: own,
        roleRef: { apiGroup: RBAC, kind, name },
        subjects,
      };
      objectOf(this, 'RoleBinding', binding);
    }
  }

  /** Name of the ServiceAccount. */
  public get serviceAccountName(): string {
    return this.serviceAccount.name;
  }
}

/**
 * ClusterRoles for users, with KubeVirt's names: `kubevirt.io:view`, `:edit`, `:admin`, `:migrate`, and a role for
 * every authenticated user.
 */
export class PlatformUserRoles extends Construct {
  /** @internal */
  public static _make(scope: Construct, id: string, aggregate: boolean): PlatformUserRoles {
    return new PlatformUserRoles(scope, id, aggregate);
  }

  /** Names of the ClusterRoles. */
  public readonly roleNames: string[];

  private constructor(scope: Construct, id: string, aggregate: boolean) {
    super(scope, id);
    for (const { name, grants, aggregateTo, everybody } of userRoles) {
      const aggregation = aggregate && aggregateTo ? { [`${RBAC}/aggregate-to-${aggregateTo}`]: 'true' } : {};
      const labels = { ...PLATFORM_LABELS, ...aggregation };
      const kind = 'ClusterRole';
      clusterObjectOf(this, name, { apiVersion, kind, metadata: { name, labels }, rules: rulesOf(grants) });
      if (!everybody) continue;
      clusterObjectOf(this, `${name}-binding`, {
        apiVersion,
        kind: 'ClusterRoleBinding',
        metadata: { name, labels: { ...PLATFORM_LABELS } },
        roleRef: { apiGroup: RBAC, kind, name },
        subjects: [{ apiGroup: RBAC, kind: 'Group', name: 'system:authenticated' }],
      });
    }
    this.roleNames = userRoles.map(({ name }) => name);
  }
}
