import { Change, Store } from '../store/store';
import { AnyObject, UserInfo } from '../types';
import { Access, aggregate, Authorizer, Decision, PolicyRule, UserRules } from './authorizer';
import { ruleAllows } from './rules';

export const RBAC_GROUP = 'rbac.authorization.k8s.io';
const ACCOUNT = 'system:serviceaccount:';

export interface RoleRef {
  readonly kind: string;
  readonly name: string;
}

interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

interface Binding {
  readonly name: string;
  /** Empty: a ClusterRoleBinding. */
  readonly namespace: string;
  readonly roleRef: RoleRef;
  readonly subjects: readonly Subject[];
}

/** Bindings of one scope by the keys of their subjects. */
type Scope = Map<string, Map<string, Binding>>;

/** Key of whom a subject means; undefined if it means nobody. */
function subjectKey({ kind, name, namespace }: Subject, scope: string): string | undefined {
  if (kind === 'User') return `u:${name}`;
  if (kind === 'Group') return `g:${name}`;
  const home = namespace || scope;
  return kind === 'ServiceAccount' && home ? `u:${ACCOUNT}${home}:${name}` : undefined;
}

const keysOf = (user: UserInfo): string[] => [`u:${user.username}`, ...user.groups.map((group) => `g:${group}`)];

function describe({ name, namespace, roleRef, subjects }: Binding, keys: readonly string[]): string {
  const subject = subjects.find((item) => keys.includes(subjectKey(item, namespace) ?? ''))!;
  const who = subject.kind === 'ServiceAccount' ? `${subject.name}/${subject.namespace || namespace}` : subject.name;
  const kind = namespace ? 'RoleBinding' : 'ClusterRoleBinding';
  const what = namespace ? `${name}/${namespace}` : name;
  return `${kind} ${JSON.stringify(what)} of ${roleRef.kind} ${JSON.stringify(roleRef.name)} to ${subject.kind} ${JSON.stringify(who)}`;
}

/** Allows what stored Roles and ClusterRoles allow to those whom stored bindings name. Follows every change of the store. */
export class RbacAuthorizer implements Authorizer {
  /** By namespace and name; the namespace of ClusterRoles is empty. */
  private readonly roles = new Map<string, readonly PolicyRule[]>();
  private readonly bindings = new Map<string, Binding>();
  private readonly scopes = new Map<string, Scope>();

  public constructor(store: Store) {
    for (const [plural, follow] of [
      ['roles', this.followRole],
      ['clusterroles', this.followRole],
      ['rolebindings', this.followBinding],
      ['clusterrolebindings', this.followBinding],
    ] as const) {
      const resource = `${RBAC_GROUP}/${plural}`;
      store.subscribe(resource, ({ key, object }: Change) => follow(key.namespace, key.name, object));
      for (const object of store.list({ resource })) {
        follow(object.metadata.namespace ?? '', object.metadata.name!, object);
      }
    }
  }

  public authorize(user: UserInfo, access: Access): Decision {
    const keys = keysOf(user);
    const missing: string[] = [];
    for (const binding of this.bindingsOf(keys, access.namespace)) {
      const rules = this.rulesOf(binding.roleRef, binding.namespace);
      if (!rules) missing.push(notFound(binding.roleRef));
      else if (rules.some((rule) => ruleAllows(rule, access))) {
        return { allowed: true, reason: `RBAC: allowed by ${describe(binding, keys)}` };
      }
    }
    return { allowed: false, ...(missing.length ? { reason: `RBAC: ${aggregate(missing)}` } : {}) };
  }

  public rulesFor(user: UserInfo, namespace: string): UserRules {
    const rules: PolicyRule[] = [];
    const errors: string[] = [];
    for (const { roleRef, namespace: scope } of new Set(this.bindingsOf(keysOf(user), namespace))) {
      const found = this.rulesOf(roleRef, scope);
      if (found) rules.push(...found);
      else errors.push(notFound(roleRef));
    }
    return { rules, incomplete: false, errors };
  }

  /** Rules of a role that a binding in `namespace` refers to; undefined if it does not exist. */
  public rulesOf({ kind, name }: RoleRef, namespace: string): readonly PolicyRule[] | undefined {
    return this.roles.get(kind === 'Role' ? `${namespace}/${name}` : `/${name}`);
  }

  private *bindingsOf(keys: readonly string[], namespace: string): Generator<Binding> {
    for (const name of namespace ? ['', namespace] : ['']) {
      const scope = this.scopes.get(name);
      if (!scope) continue;
      for (const key of keys) yield* scope.get(key)?.values() ?? [];
    }
  }

  private readonly followRole = (namespace: string, name: string, object: AnyObject | undefined): void => {
    if (object) this.roles.set(`${namespace}/${name}`, (object.rules ?? []) as PolicyRule[]);
    else this.roles.delete(`${namespace}/${name}`);
  };

  private readonly followBinding = (namespace: string, name: string, object: AnyObject | undefined): void => {
    const id = `${namespace}/${name}`;
    const scope: Scope = this.scopes.get(namespace) ?? new Map();
    for (const subject of this.bindings.get(id)?.subjects ?? []) {
      const key = subjectKey(subject, namespace);
      const bound = key === undefined ? undefined : scope.get(key);
      bound?.delete(name);
      if (bound && !bound.size) scope.delete(key!);
    }
    this.bindings.delete(id);
    if (object) {
      const { kind, name: role } = object.roleRef as RoleRef;
      const subjects = ((object.subjects ?? []) as Subject[]).map((subject) => ({
        kind: subject.kind,
        name: subject.name,
        ...(subject.namespace ? { namespace: subject.namespace } : {}),
      }));
      const binding = { name, namespace, roleRef: { kind, name: role }, subjects };
      this.bindings.set(id, binding);
      for (const subject of subjects) {
        const key = subjectKey(subject, namespace);
        if (key !== undefined) scope.set(key, (scope.get(key) ?? new Map<string, Binding>()).set(name, binding));
      }
    }
    if (scope.size) this.scopes.set(namespace, scope);
    else this.scopes.delete(namespace);
  };
}

const notFound = ({ kind, name }: RoleRef) => `${kind.toLowerCase()}.${RBAC_GROUP} ${JSON.stringify(name)} not found`;
