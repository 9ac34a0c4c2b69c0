import type { KubeObject } from '../../api';
import {
  identityObjects,
  uploadProxyAccess,
  userRoleObjects,
  virtApiAccess,
  virtControllerAccess,
  virtHandlerAccess,
} from '../../api/access';
import { SNAPSHOT_GROUP } from '../storage/snapshots/types';

const RBAC = 'rbac.authorization.k8s.io';
const LABELS = { 'kubevirt.io': '' };

/** User names of the parts of the engine that have no user in Kubernetes. */
export const engineUsers = { storage: 'system:local-storage', ingress: 'system:local-ingress' } as const;

const write = { verbs: ['create', 'patch'] };
const follow = { verbs: ['list', 'watch'] };

/** Permissions of local storage, a provisioner and binder in one. */
const storageRules = [
  { apiGroups: [''], resources: ['persistentvolumeclaims'], verbs: ['get', ...follow.verbs, 'patch'] },
  { apiGroups: [''], resources: ['persistentvolumeclaims/status', 'persistentvolumes/status'], verbs: ['patch'] },
  { apiGroups: [''], resources: ['persistentvolumes'], verbs: ['get', ...follow.verbs, ...write.verbs, 'delete'] },
  { apiGroups: ['storage.k8s.io'], resources: ['storageclasses'], verbs: [...follow.verbs, 'create'] },
  { apiGroups: [''], resources: ['pods'], verbs: ['list'] },
  { apiGroups: [''], resources: ['events'], verbs: write.verbs },
  { apiGroups: [SNAPSHOT_GROUP], resources: ['volumesnapshots'], verbs: [...follow.verbs, 'patch'] },
  { apiGroups: [SNAPSHOT_GROUP], resources: ['volumesnapshotclasses'], verbs: [...follow.verbs, ...write.verbs] },
  {
    apiGroups: [SNAPSHOT_GROUP],
    resources: ['volumesnapshotcontents'],
    verbs: [...follow.verbs, ...write.verbs, 'delete'],
  },
  {
    apiGroups: [SNAPSHOT_GROUP],
    resources: ['volumesnapshots/status', 'volumesnapshotcontents/status'],
    verbs: ['patch'],
  },
];

/** Permissions of the front end for Ingresses. Its informer of Secrets selects those with certificates. */
const ingressRules = [
  { apiGroups: ['networking.k8s.io'], resources: ['ingresses', 'ingressclasses'], verbs: follow.verbs },
  { apiGroups: ['networking.k8s.io'], resources: ['ingresses/status'], verbs: ['patch'] },
  { apiGroups: [''], resources: ['services', 'secrets'], verbs: follow.verbs },
  { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: follow.verbs },
  { apiGroups: [''], resources: ['events'], verbs: write.verbs },
];

/** Permissions of the node part that enforces network policies. Kubernetes has no role for it. */
const networkPolicyRules = [
  { apiGroups: ['networking.k8s.io'], resources: ['networkpolicies'], ...follow },
  { apiGroups: [''], resources: ['pods', 'namespaces'], ...follow },
];

/** Rules for what the engine's controllers patch and those of Kubernetes replace: the roles of Kubernetes allow update there. */
const controllerRules = [
  {
    apiGroups: ['apps'],
    resources: ['deployments/status', 'replicasets/status', 'statefulsets/status', 'daemonsets/status'],
    verbs: ['patch'],
  },
  { apiGroups: ['batch'], resources: ['jobs/status', 'cronjobs/status'], verbs: ['patch'] },
  { apiGroups: ['policy'], resources: ['poddisruptionbudgets/status'], verbs: ['patch'] },
  { apiGroups: ['autoscaling'], resources: ['horizontalpodautoscalers/status'], verbs: ['patch'] },
];

/** Kubernetes' roles of the controllers that run with one identity, as `kube-controller-manager` does. */
const controllers = [
  'cronjob-controller',
  'daemon-set-controller',
  'deployment-controller',
  'disruption-controller',
  'horizontal-pod-autoscaler',
  'job-controller',
  'node-controller',
  'pod-garbage-collector',
  'replicaset-controller',
  'resourcequota-controller',
  'statefulset-controller',
  'ttl-after-finished-controller',
];

const NETWORK_POLICIES = 'system:local-network-policies';
const CONTROLLERS = 'system:kube-controller-manager';

const user = (name: string): object => ({ apiGroup: RBAC, kind: 'User', name });

const role = (name: string, rules: readonly object[]): KubeObject =>
  ({ apiVersion: `${RBAC}/v1`, kind: 'ClusterRole', metadata: { name }, rules }) as KubeObject;

const binding = (name: string, role: string, userName: string): KubeObject =>
  ({
    apiVersion: `${RBAC}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: role },
    subjects: [user(userName)],
  }) as KubeObject;

/** Objects that give the platform's programs exactly the permissions that they declare, and users the platform's roles. */
export function platformAccess(namespace: string): KubeObject[] {
  const programs = [virtApiAccess, virtControllerAccess, virtHandlerAccess, uploadProxyAccess];
  return [
    ...programs.flatMap((access) => Object.values(identityObjects(access, namespace, LABELS)) as KubeObject[]),
    ...userRoleObjects(true, true, LABELS).flatMap(({ role, binding: bound }) => [role, ...(bound ? [bound] : [])]),
  ];
}

/** Objects that give the engine's parts their permissions. */
export function engineAccess(): KubeObject[] {
  return [
    role(engineUsers.storage, storageRules),
    binding(engineUsers.storage, engineUsers.storage, engineUsers.storage),
    role(engineUsers.ingress, ingressRules),
    binding(engineUsers.ingress, engineUsers.ingress, engineUsers.ingress),
    role(NETWORK_POLICIES, networkPolicyRules),
    binding(NETWORK_POLICIES, NETWORK_POLICIES, 'system:kube-proxy'),
    role('system:local-controllers', controllerRules),
    binding('system:local-controllers', 'system:local-controllers', CONTROLLERS),
    ...controllers.map((name) => binding(`system:local-controllers:${name}`, `system:controller:${name}`, CONTROLLERS)),
  ];
}
