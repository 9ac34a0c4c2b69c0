import { AnyObject } from '../types';
import { PolicyRule } from './authorizer';
import { CLUSTER_BINDINGS, CLUSTER_ROLES, CONTROLLER_ROLES, SYSTEM_BINDINGS, SYSTEM_ROLES } from './default-rules';
import { RBAC_GROUP } from './rbac';

const CONTROLLER = 'system:controller:';
const SYSTEM = 'kube-system';

const VERBS: Readonly<Record<string, string>> = {
  read: 'get list watch',
  change: 'create delete deletecollection patch update',
  all: 'create delete deletecollection get list patch update watch',
};
const EVENTS = 'create patch update | core events.k8s.io | events';

const words = (text: string): string[] => text.trim().split(/\s+/);

function ruleOf(line: string): PolicyRule {
  const [verbs, second, third, names] = (line === 'events' ? EVENTS : line).split('|');
  const short = verbs.trim();
  const rule = { verbs: words(Object.hasOwn(VERBS, short) ? VERBS[short] : short) };
  if (third === undefined) return { ...rule, nonResourceURLs: words(second) };
  return {
    ...rule,
    apiGroups: words(second).map((group) => (group === 'core' ? '' : group)),
    resources: words(third),
    ...(names ? { resourceNames: words(names) } : {}),
  };
}

/** Rules of a role in the tables of default roles. */
export const rulesOf = (text: string): PolicyRule[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .map(ruleOf);

/** Rules of every node for resources that are not divided among nodes. */
export const nodeRules = (): PolicyRule[] => rulesOf(CLUSTER_ROLES['system:node']);

const object = (kind: string, name: string, content: object, labels: object = {}, namespace?: string): AnyObject =>
  ({
    apiVersion: `${RBAC_GROUP}/v1`,
    kind,
    metadata: {
      name,
      ...(namespace ? { namespace } : {}),
      labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults', ...labels },
      annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
    },
    ...content,
  }) as AnyObject;

const aggregateTo = (name: string) => ({ [`${RBAC_GROUP}/aggregate-to-${name}`]: 'true' });

/** Roles for users, with the next larger one that includes each. */
const AGGREGATED: Readonly<Record<string, string>> = { admin: '', edit: 'admin', view: 'edit' };

function subjectOf(text: string): object {
  const [kind, name] = words(text);
  return kind === 'ServiceAccount' ? { kind, name, namespace: SYSTEM } : { kind, name, apiGroup: RBAC_GROUP };
}

const binding = (name: string, role: string, subjects: readonly string[], namespace?: string): AnyObject =>
  object(
    namespace ? 'RoleBinding' : 'ClusterRoleBinding',
    name,
    {
      roleRef: { apiGroup: RBAC_GROUP, kind: namespace ? 'Role' : 'ClusterRole', name: role },
      ...(subjects.length ? { subjects: subjects.map(subjectOf) } : {}),
    },
    {},
    namespace,
  );

/** Kubernetes' default roles and bindings. */
export function defaultRoles(): AnyObject[] {
  return [
    ...Object.entries(CLUSTER_ROLES).map(([name, text]) => {
      const [, aggregated] = /^system:aggregate-to-(.*)$/.exec(name) ?? [];
      return object('ClusterRole', name, { rules: rulesOf(text) }, aggregated ? aggregateTo(aggregated) : {});
    }),
    ...Object.entries(AGGREGATED).map(([name, next]) =>
      object(
        'ClusterRole',
        name,
        { aggregationRule: { clusterRoleSelectors: [{ matchLabels: aggregateTo(name) }] }, rules: null },
        next ? aggregateTo(next) : {},
      ),
    ),
    ...Object.entries(CONTROLLER_ROLES).map(([name, text]) =>
      object('ClusterRole', CONTROLLER + name, { rules: rulesOf(text) }),
    ),
    ...Object.entries(SYSTEM_ROLES).map(([name, text]) => object('Role', name, { rules: rulesOf(text) }, {}, SYSTEM)),
    ...Object.entries(CLUSTER_BINDINGS).map(([name, subjects]) => binding(name, name, subjects)),
    ...Object.keys(CONTROLLER_ROLES).map((name) =>
      binding(CONTROLLER + name, CONTROLLER + name, [`ServiceAccount ${name}`]),
    ),
    ...Object.entries(SYSTEM_BINDINGS).map(([name, [role, ...subjects]]) => binding(name, role, subjects, SYSTEM)),
  ];
}
