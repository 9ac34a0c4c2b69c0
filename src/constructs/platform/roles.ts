import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { identityObjects, userRoleObjects, type ComponentAccess } from '../../api/access';
import { clusterObjectOf, objectOf, PLATFORM_LABELS } from './objects';

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
    const objects = identityObjects(access, namespace, PLATFORM_LABELS);
    this.serviceAccount = objectOf(this, 'ServiceAccount', objects.serviceAccount);
    if (objects.clusterRole) this.clusterRole = clusterObjectOf(this, 'ClusterRole', objects.clusterRole);
    if (objects.clusterRoleBinding) clusterObjectOf(this, 'ClusterRoleBinding', objects.clusterRoleBinding);
    if (objects.role) this.role = objectOf(this, 'Role', objects.role);
    if (objects.roleBinding) objectOf(this, 'RoleBinding', objects.roleBinding);
  }

  /** Name of the ServiceAccount. */
  public get serviceAccountName(): string {
    return this.serviceAccount.name;
  }
}

/**
 * ClusterRoles for users, with KubeVirt's names: `kubevirt.io:view`, `:edit`, `:admin`, `:migrate`, and a role for
 * every authenticated user. If the platform imports disks, CDI's as well: `cdi.kubevirt.io:view`, `:edit`, `:admin`.
 */
export class PlatformUserRoles extends Construct {
  /** @internal */
  public static _make(scope: Construct, id: string, importer: boolean): PlatformUserRoles {
    return new PlatformUserRoles(scope, id, importer);
  }

  /** Names of the ClusterRoles. */
  public readonly roleNames: string[];

  private constructor(scope: Construct, id: string, importer: boolean) {
    super(scope, id);
    // virt-operator removes the labels of the aggregation if the configuration requires it
    const objects = userRoleObjects(true, importer, PLATFORM_LABELS);
    for (const { role, binding } of objects) {
      clusterObjectOf(this, role.metadata.name, role);
      if (binding) clusterObjectOf(this, `${role.metadata.name}-binding`, binding);
    }
    this.roleNames = objects.map(({ role }) => role.metadata.name);
  }
}
