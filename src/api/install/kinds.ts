/** A kind of object that virt-operator installs. */
export interface InstalledKind {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

const kind = (group: string, plural: string, name: string, namespaced: boolean): InstalledKind => ({
  ...{ group, version: 'v1', plural, kind: name, namespaced },
});
const RBAC = 'rbac.authorization.k8s.io';
const ADMISSION = 'admissionregistration.k8s.io';

/** Every kind of object that virt-operator installs and repairs, by name. */
export const installedKinds = {
  CustomResourceDefinition: kind(
    'apiextensions.k8s.io',
    'customresourcedefinitions',
    'CustomResourceDefinition',
    false,
  ),
  ServiceAccount: kind('', 'serviceaccounts', 'ServiceAccount', true),
  ClusterRole: kind(RBAC, 'clusterroles', 'ClusterRole', false),
  ClusterRoleBinding: kind(RBAC, 'clusterrolebindings', 'ClusterRoleBinding', false),
  Role: kind(RBAC, 'roles', 'Role', true),
  RoleBinding: kind(RBAC, 'rolebindings', 'RoleBinding', true),
  Secret: kind('', 'secrets', 'Secret', true),
  ConfigMap: kind('', 'configmaps', 'ConfigMap', true),
  Service: kind('', 'services', 'Service', true),
  PodDisruptionBudget: kind('policy', 'poddisruptionbudgets', 'PodDisruptionBudget', true),
  ValidatingAdmissionPolicy: kind(ADMISSION, 'validatingadmissionpolicies', 'ValidatingAdmissionPolicy', false),
  ValidatingAdmissionPolicyBinding: kind(
    ADMISSION,
    'validatingadmissionpolicybindings',
    'ValidatingAdmissionPolicyBinding',
    false,
  ),
  DaemonSet: kind('apps', 'daemonsets', 'DaemonSet', true),
  Deployment: kind('apps', 'deployments', 'Deployment', true),
  APIService: kind('apiregistration.k8s.io', 'apiservices', 'APIService', false),
  MutatingWebhookConfiguration: kind(ADMISSION, 'mutatingwebhookconfigurations', 'MutatingWebhookConfiguration', false),
  ValidatingWebhookConfiguration: kind(
    ADMISSION,
    'validatingwebhookconfigurations',
    'ValidatingWebhookConfiguration',
    false,
  ),
} as const satisfies Record<string, InstalledKind>;

export type InstalledKindName = keyof typeof installedKinds;

/** Kinds of objects that `customizeComponents` can patch: virt-operator makes the Secrets from the certificates. */
export const patchableKinds: readonly string[] = Object.keys(installedKinds).filter((name) => name !== 'Secret');

export const isInstalledKind = (name: string): name is InstalledKindName => Object.hasOwn(installedKinds, name);

/** Object that virt-operator installs. */
export interface InstalledObject {
  readonly kind: InstalledKindName;
  readonly name: string;
}
