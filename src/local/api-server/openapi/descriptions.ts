import { own } from '../json/values';

/*
 * Descriptions that `kubectl explain` prints: of each built-in kind, of the fields that every object has, and of its
 * metadata. They are our own; further fields have none.
 */

const KINDS: Readonly<Record<string, string>> = {
  APIService: 'A group and version of the API that another server serves.',
  ClusterRole: 'Permissions on cluster-scoped objects, or on objects of all namespaces.',
  ClusterRoleBinding: 'Grants a ClusterRole to users, groups and service accounts in the whole cluster.',
  ConfigMap: 'Configuration data for Pods, as text or bytes by key.',
  ControllerRevision: 'An immutable copy of the Pod template of a StatefulSet or DaemonSet, for rollbacks.',
  CronJob: 'Creates Jobs at the times of a schedule.',
  CustomResourceDefinition: 'Defines a kind of objects that the API server stores and serves.',
  DaemonSet: 'Keeps one Pod on each matching node.',
  Deployment: 'Keeps a number of equal Pods running, and replaces them gradually when their template changes.',
  EndpointSlice: 'A part of the network addresses behind a Service.',
  Endpoints: 'The network addresses behind a Service. Deprecated: use EndpointSlice.',
  Event: 'A report of something that happened to an object.',
  HorizontalPodAutoscaler: 'Scales a workload by its metrics.',
  Ingress: 'Routes HTTP requests to Services by host and path.',
  IngressClass: 'Names the controller of Ingresses that refer to the class.',
  Job: 'Runs Pods until a number of them has succeeded.',
  Lease: 'A lock that its holder renews, for leader election and heartbeats.',
  LimitRange: 'Limits and defaults of the resources of each Pod, container or claim in a namespace.',
  MutatingAdmissionPolicy: 'Changes objects by expressions before they are stored.',
  MutatingAdmissionPolicyBinding: 'Applies a MutatingAdmissionPolicy, with its parameters, to selected objects.',
  MutatingWebhookConfiguration: 'Webhooks that may change objects before they are stored.',
  Namespace: 'A scope for the names of objects, and for permissions and quotas.',
  NetworkPolicy: 'Limits the network connections to and from selected Pods.',
  Node: 'A machine of the cluster that runs Pods.',
  PersistentVolume: 'Storage of the cluster that a claim can be bound to.',
  PersistentVolumeClaim: 'A request for storage by a user.',
  Pod: 'One or more containers that run together on one node.',
  PodDisruptionBudget: 'Limits how many Pods of an application may be evicted at the same time.',
  PriorityClass: 'A name for a priority of Pods.',
  ReplicaSet: 'Keeps a number of equal Pods running.',
  ResourceQuota: 'Limits the sum of the resources and the number of objects in a namespace.',
  Role: 'Permissions on the objects of a namespace.',
  RoleBinding: 'Grants a Role or ClusterRole to users, groups and service accounts in a namespace.',
  Secret: 'Confidential data for Pods, as bytes by key.',
  Service: 'A stable address and name for a set of Pods.',
  ServiceAccount: 'An identity for the processes in Pods.',
  StatefulSet: 'Keeps Pods running that have stable names and storage.',
  StorageClass: 'A kind of storage, with the provisioner that creates its volumes.',
  ValidatingAdmissionPolicy: 'Accepts or rejects objects by expressions before they are stored.',
  ValidatingAdmissionPolicyBinding: 'Applies a ValidatingAdmissionPolicy, with its parameters, to selected objects.',
  ValidatingWebhookConfiguration: 'Webhooks that may reject objects before they are stored.',
};

const OBJECT: Readonly<Record<string, string>> = {
  apiVersion: 'Group and version of the kind, such as "apps/v1".',
  kind: 'Kind of the object.',
  metadata: 'Name, labels and other data that every object has.',
  spec: 'The desired state.',
  status: 'The observed state. Controllers write it; users only read it.',
};

const METADATA: Readonly<Record<string, string>> = {
  annotations: 'Data by key for tools and people. Annotations cannot be selected.',
  creationTimestamp: 'Time at which the server created the object.',
  deletionGracePeriodSeconds: 'Seconds that the object has to end after its deletion was requested.',
  deletionTimestamp: 'Time at which the object will be deleted. The server sets it when the deletion is requested.',
  finalizers: 'Names of the tasks that must be completed before the object is deleted.',
  generateName: 'Start of the name of an object without a name. The server adds random characters.',
  generation: 'Number that the server increases with each change of the desired state.',
  labels: 'Values by key, by which objects are selected.',
  managedFields: 'The fields that each user or program has set.',
  name: 'Name, which is unique among the objects of the kind in the namespace.',
  namespace: 'Namespace of the object; absent for cluster-scoped kinds.',
  ownerReferences: 'Objects with which this object is deleted.',
  resourceVersion: 'Version of the stored object. An update with an outdated version is rejected.',
  selfLink: 'Deprecated: the server does not set it.',
  uid: 'Identifier that no other object has ever had.',
};

const shortName = (type: string): string => type.split('.').at(-1) ?? '';

/** Description of a built-in type by the name of its definition, such as `io.k8s.api.core.v1.Pod`. */
export const typeDescription = (type = ''): string | undefined => own(KINDS, shortName(type));

/** Description of a field of a built-in type. */
export function fieldDescription(type = '', field: string): string | undefined {
  if (shortName(type) === 'ObjectMeta') return own(METADATA, field);
  return typeDescription(type) === undefined ? undefined : own(OBJECT, field);
}

/** Description of `apiVersion`, `kind` or `metadata` of a custom resource. */
export const objectDescription = (field: 'apiVersion' | 'kind' | 'metadata'): string => OBJECT[field]!;
