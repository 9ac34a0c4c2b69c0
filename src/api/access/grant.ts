/** Action on the objects of a collection. */
export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';

/** Permission that a component needs, and why. The installation grants exactly these. */
export interface Grant {
  /** API group; empty for Kubernetes' core. */
  readonly group: string;
  /** `pods`, or `pods/status`. */
  readonly resources: readonly string[];
  readonly verbs: readonly Verb[];
  /** Reason, for the review of the roles. */
  readonly why: string;
  /** Scope: the whole cluster (default), or only the namespace of the installation. */
  readonly where?: 'cluster' | 'installation';
  /** Names of the only objects. `create`, `list` and `watch` cannot be limited to names. */
  readonly names?: readonly string[];
  /** Whether Kubernetes checks it for another request, although the component never sends this one. */
  readonly implied?: boolean;
}

/** Permissions of a program of the platform: the only source of its roles. */
export interface ComponentAccess {
  /** Name of its ServiceAccount and roles. KubeVirt's names, which the webhooks know. */
  readonly serviceAccount: string;
  readonly grants: readonly Grant[];
}

export const READ: readonly Verb[] = ['get', 'list', 'watch'];
export const WRITE: readonly Verb[] = [...READ, 'create', 'update', 'patch', 'delete'];

/** Rule of a Role or ClusterRole. */
export interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

/** Returns the rules for exactly these grants; grants with the same verbs share a rule. */
export function rulesOf(grants: readonly Grant[]): PolicyRule[] {
  const rules = new Map<string, { group: string; verbs: Verb[]; names?: readonly string[]; resources: Set<string> }>();
  for (const { group, resources, verbs, names } of grants) {
    const sorted = [...new Set(verbs)].sort();
    const key = JSON.stringify([group, sorted, names]);
    const rule = rules.get(key) ?? { group, verbs: sorted, names, resources: new Set() };
    for (const resource of resources) rule.resources.add(resource);
    rules.set(key, rule);
  }
  return [...rules.values()].map(({ group, verbs, names, resources }) => ({
    apiGroups: [group],
    resources: [...resources].sort(),
    ...(names ? { resourceNames: [...names] } : {}),
    verbs,
  }));
}

/** Returns the grants for leader election with a lease of this name. */
export const leads = (name: string): Grant[] => {
  const lease = {
    group: 'coordination.k8s.io',
    resources: ['leases'],
    why: 'leader election',
    where: 'installation',
  } as const;
  return [
    { ...lease, verbs: ['create'] },
    { ...lease, verbs: ['get', 'update'], names: [name] },
  ];
};
