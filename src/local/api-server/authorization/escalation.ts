import { Attributes, Plugin } from '../admission/admission';
import { errors } from '../errors';
import { deepEqual } from '../json/values';
import { subjectOf } from '../registry/kind';
import { AnyObject, UserInfo } from '../types';
import { aggregate, Authorizer, PolicyRule, SUPERUSERS } from './authorizer';
import { RBAC_GROUP, RbacAuthorizer, RoleRef } from './rbac';
import { describeRules, uncovered } from './rules';

const EVERYTHING: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

const aggregates = (role: AnyObject | undefined) => !!role?.aggregationRule?.clusterRoleSelectors?.length;

/** Whether an update changes only metadata that the garbage collector needs. */
function isForCollectorOnly(next: AnyObject, old: AnyObject): boolean {
  const { ownerReferences, finalizers, managedFields } = old.metadata;
  const metadata = { ...next.metadata, ownerReferences, finalizers, managedFields };
  const known = { ...old.metadata, ownerReferences, finalizers, managedFields };
  return deepEqual({ ...next, metadata }, { ...old, metadata: known });
}

/**
 * Rejects roles and bindings that would grant more than their author holds, unless the author may `escalate` the role or
 * `bind` it. Runs after all mutations.
 */
export class EscalationPlugin implements Plugin {
  public readonly name = 'RBACEscalation';

  public constructor(
    private readonly rbac: RbacAuthorizer,
    private readonly authorizer: Authorizer,
  ) {}

  public mutate(attributes: Attributes): void {
    const { operation, kind, object, oldObject, user, subresource } = attributes;
    if (kind.group !== RBAC_GROUP || subresource || !object || user.groups.includes(SUPERUSERS)) return;
    if (operation !== 'CREATE' && operation !== 'UPDATE') return;
    if (oldObject && isForCollectorOnly(object, oldObject)) return;
    if (kind.plural === 'roles' || kind.plural === 'clusterroles') this.checkRole(attributes, object);
    else this.checkBinding(attributes, (object.roleRef ?? {}) as Partial<RoleRef>);
  }

  private checkRole(attributes: Attributes, role: AnyObject): void {
    const { kind, oldObject, operation } = attributes;
    // The name of a new object is not part of the request.
    const name = operation === 'CREATE' ? '' : attributes.name;
    if (this.may(attributes, 'escalate', kind.plural, name)) return;
    this.confirm(attributes, (role.rules ?? []) as PolicyRule[]);
    if (!aggregates(role) && !aggregates(oldObject)) return;
    if (uncovered(this.held(attributes.user, attributes.namespace).rules, EVERYTHING).length) {
      throw errors.forbidden(
        subjectOf(kind),
        role.metadata.name ?? '',
        'must have cluster-admin privileges to use the aggregationRule',
      );
    }
  }

  private checkBinding(attributes: Attributes, { kind = '', name = '' }: Partial<RoleRef>): void {
    const plural = { Role: 'roles', ClusterRole: 'clusterroles' }[kind];
    if (plural && this.may(attributes, 'bind', plural, name)) return;
    if (!plural) throw errors.unknown(`unsupported role reference kind: ${JSON.stringify(kind)}`);
    if (kind === 'Role' && !attributes.namespace) throw errors.badRequest('Namespace parameter required.');
    const rules = this.rbac.rulesOf({ kind, name }, attributes.namespace);
    // Kubernetes names the resource of the request.
    if (!rules) throw errors.notFound(subjectOf(attributes.kind), name);
    this.confirm(attributes, rules);
  }

  private may({ user, namespace, kind }: Attributes, verb: string, resource: string, name: string): boolean {
    const access = {
      isResource: true,
      path: '',
      verb,
      group: RBAC_GROUP,
      version: '*',
      namespace,
      resource,
      subresource: '',
      name,
    };
    return this.authorizer.authorize(user, kind.namespaced ? access : { ...access, namespace: '' }).allowed;
  }

  private held(user: UserInfo, namespace: string) {
    return this.rbac.rulesFor(user, namespace);
  }

  private confirm({ user, namespace, kind, object }: Attributes, wanted: readonly PolicyRule[]): void {
    const held = this.held(user, namespace);
    const missing = uncovered(held.rules, wanted);
    if (!missing.length) return;
    const groups = user.groups.map((group) => JSON.stringify(group)).join(' ');
    const problems = held.errors.length ? `; resolution errors: [${aggregate(held.errors)}]` : '';
    throw errors.forbidden(
      subjectOf(kind),
      object!.metadata.name ?? '',
      `user ${JSON.stringify(user.username)} (groups=[${groups}]) is attempting to grant RBAC permissions not currently held:\n${describeRules(missing).join('\n')}${problems}`,
    );
  }
}
