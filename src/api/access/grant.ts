/** What may be done with the objects of a collection. */
export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';

/** One thing that a component does with the API, and why. Its installation grants exactly these. */
export interface Grant {
  /** API group; empty for Kubernetes' core. */
  readonly group: string;
  /** `pods`, or `pods/status`. */
  readonly resources: readonly string[];
  readonly verbs: readonly Verb[];
  /** For whoever reviews the roles. */
  readonly why: string;
  /** Where: everywhere (default), or only in the namespace of the installation. */
  readonly where?: 'cluster' | 'installation';
  /** Only objects of these names. `create`, `list` and `watch` cannot be limited so. */
  readonly names?: readonly string[];
  /** Kubernetes asks for it although no request of ours names it. */
  readonly implied?: boolean;
}

/** What a program of the platform does with the API: the only source of its roles. */
export interface ComponentAccess {
  /** Name of its ServiceAccount and roles: KubeVirt's, which the webhooks know. */
  readonly serviceAccount: string;
  readonly grants: readonly Grant[];
}

export const READ: readonly Verb[] = ['get', 'list', 'watch'];
export const WRITE: readonly Verb[] = [...READ, 'create', 'update', 'patch', 'delete'];

/** A rule of a Role or ClusterRole. */
export interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

/** The rules that give exactly these grants; grants of the same verbs share a rule. */
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

/** One of several processes of a program leads, by a lease of this name. */
export const leads = (name: string): Grant[] => {
  const lease = {
    group: 'coordination.k8s.io',
    resources: ['leases'],
    why: 'one of several processes leads',
    where: 'installation',
  } as const;
  return [
    { ...lease, verbs: ['create'] },
    { ...lease, verbs: ['get', 'update'], names: [name] },
  ];
};
