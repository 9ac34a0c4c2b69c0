import type { KubeObject } from '../../api';
import { findCondition } from '../../api/conditions';
import { operatorSecrets } from '../../api/install/certificates';
import { resources, type Resource } from '../../client/kube';
import type { CertificateSecret, ClusterObjects, ObjectName } from './facts';
import { definitionNames } from './checks/definitions';

/** Sources of the facts of checks. */

export interface Source<T extends KubeObject> {
  readonly resource: Resource;
  /** `platform`: its namespace. `users`: the namespace that the user names, else all. */
  readonly scope: 'cluster' | 'platform' | 'users';
  /** Names of objects that are requested one by one: a list would contain large or secret objects that no check needs. */
  readonly names?: readonly string[];
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** Number of objects after which no further page is requested. */
  readonly most: number;
  /** Returns the parts of an object that checks need; undefined if none of them needs it. */
  readonly keep: (object: T) => T | undefined;
}

const MANY = 20_000;
const FEW = 2_000;
/** Labels of Pods that run, fill, or serve VMs. */
const OUR_PODS = ['kubevirt.io', 'cdi.kubevirt.io'];
const IMPORTER = 'containerized-data-importer';

const of = <T extends KubeObject>(
  resource: Resource,
  scope: Source<T>['scope'],
  more: Partial<Source<T>> = {},
): Source<T> => ({ resource, scope, most: FEW, keep: withoutHistory, ...more });

const policy = (plural: string, kind: string): Resource => ({
  ...{ group: 'admissionregistration.k8s.io', version: 'v1', plural, kind, namespaced: false },
});

/** The source of each fact that is a list of objects. */
export const sources: { readonly [K in ObjectName]: Source<ClusterObjects[K]> } = {
  kubeVirts: of(resources.kubeVirts, 'cluster'),
  nodes: of(resources.nodes, 'cluster', { most: MANY, keep: withoutImages }),
  deployments: of(resources.deployments, 'platform'),
  daemonSets: of(resources.daemonSets, 'platform'),
  platformPods: of(resources.pods, 'platform', { most: MANY, labelSelector: 'kubevirt.io' }),
  leases: of(resources.leases, 'platform', { names: ['virt-controller', 'virt-operator'] }),
  services: of(resources.services, 'platform'),
  endpointSlices: of(resources.endpointSlices, 'platform', { labelSelector: 'kubernetes.io/service-name=virt-api' }),
  secrets: of(resources.secrets, 'platform', { names: Object.values(operatorSecrets), keep: withoutKey }),
  definitions: of(resources.customResourceDefinitions, 'cluster', { names: definitionNames, keep: withoutSchemas }),
  mutatingWebhooks: of(resources.mutatingWebhookConfigurations, 'cluster'),
  validatingWebhooks: of(resources.validatingWebhookConfigurations, 'cluster'),
  apiServices: of(resources.apiServices, 'cluster'),
  policies: of(policy('validatingadmissionpolicies', 'ValidatingAdmissionPolicy'), 'cluster'),
  policyBindings: of(policy('validatingadmissionpolicybindings', 'ValidatingAdmissionPolicyBinding'), 'cluster'),
  namespaces: of(resources.namespaces, 'cluster', { most: MANY }),
  storageClasses: of(resources.storageClasses, 'cluster'),
  snapshotClasses: of(resources.volumeSnapshotClasses, 'cluster'),
  storageProfiles: of(resources.storageProfiles, 'cluster'),
  virtualMachines: of(resources.virtualMachines, 'users', { most: MANY }),
  instances: of(resources.virtualMachineInstances, 'users', {
    most: MANY,
    keep: (vmi) =>
      findCondition(vmi.status?.conditions as never, 'Synchronized')?.status === 'False'
        ? withoutHistory(vmi)
        : undefined,
  }),
  claims: of(resources.persistentVolumeClaims, 'users', {
    most: MANY,
    keep: (claim) => (claim.status?.phase === 'Bound' ? undefined : withoutHistory(claim)),
  }),
  waitingPods: of(resources.pods, 'users', {
    most: MANY,
    fieldSelector: 'status.phase=Pending',
    keep: (pod) => (isOurs(pod) ? withoutHistory(pod) : undefined),
  }),
};

const isOurs = ({ metadata: { labels = {} } }: KubeObject): boolean =>
  labels.app === IMPORTER || OUR_PODS.some((label) => label in labels);

function withoutHistory<T extends KubeObject>(object: T): T {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** A node lists every image that it has. */
function withoutImages(node: ClusterObjects['nodes']): ClusterObjects['nodes'] {
  const { images: _, ...status } = node.status ?? {};
  return withoutHistory({ ...node, status });
}

function withoutKey(secret: KubeObject & { data?: Record<string, string> }): CertificateSecret {
  const certificate = secret.data?.['tls.crt'];
  const { name, namespace } = secret.metadata;
  return {
    ...{ apiVersion: secret.apiVersion, kind: secret.kind, metadata: { name, namespace } },
    ...(certificate ? { certificate: Buffer.from(certificate, 'base64').toString('utf8') } : {}),
  };
}

function withoutSchemas(definition: ClusterObjects['definitions']): ClusterObjects['definitions'] {
  const versions = definition.spec.versions.map(({ name, storage }) => ({ name, storage }));
  return withoutHistory({ ...definition, spec: { versions } });
}
