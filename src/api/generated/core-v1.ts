// Generated from api/schema/core_v1.json by scripts/generate.ts; edit that file.
import type { IntOrString, LabelSelector, Quantity } from './meta-v1';

/**
 * Rules for placing a Pod on nodes and relative to other Pods.
 */
export interface Affinity {
  /**
   * Rules based on node labels.
   */
  nodeAffinity?: NodeAffinity;
  /**
   * Rules for placing the Pod near other Pods.
   */
  podAffinity?: PodAffinity;
  /**
   * Rules for placing the Pod away from other Pods.
   */
  podAntiAffinity?: PodAntiAffinity;
}

/**
 * File with the value of a Pod field.
 */
export interface DownwardAPIVolumeFile {
  /**
   * Field of the Pod: labels, annotations, name, namespace or uid.
   */
  fieldRef?: ObjectFieldSelector;
  /**
   * File permissions, 0 to 0777. Default: the volume's defaultMode.
   */
  mode?: number;
  /**
   * Relative path of the file. Must not contain `..`.
   */
  path: string;
  /**
   * Request or limit of a container.
   */
  resourceFieldRef?: ResourceFieldSelector;
}

/**
 * Command that is run in the guest or container.
 */
export interface ExecAction {
  /**
   * Program and arguments, without a shell. Exit code 0 means success.
   */
  command?: string[];
}

/**
 * HTTP request. Status 200 to 399 means success.
 */
export interface HTTPGetAction {
  /**
   * Host to connect to. Default: the Pod's address.
   */
  host?: string;
  /**
   * Additional headers.
   */
  httpHeaders?: HTTPHeader[];
  /**
   * Path of the request. Default: /.
   */
  path?: string;
  /**
   * Port number, 1 to 65535, or port name.
   */
  port: IntOrString;
  /**
   * Scheme of the connection. Default: HTTP.
   */
  scheme?: 'HTTP' | 'HTTPS';
}

/**
 * Header of an HTTP request.
 */
export interface HTTPHeader {
  /**
   * Name of the header.
   */
  name: string;
  /**
   * Value of the header.
   */
  value: string;
}

/**
 * Reference to an object in the same namespace.
 */
export interface LocalObjectReference {
  /**
   * Name of the referenced object.
   */
  name?: string;
}

/**
 * Rules based on node labels.
 */
export interface NodeAffinity {
  /**
   * Preferred nodes. The weights of the matching terms are added up.
   */
  preferredDuringSchedulingIgnoredDuringExecution?: PreferredSchedulingTerm[];
  /**
   * Required nodes.
   */
  requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector;
}

/**
 * Selection of nodes. At least one term must match.
 */
export interface NodeSelector {
  /**
   * Terms of which at least one must match.
   */
  nodeSelectorTerms: NodeSelectorTerm[];
}

/**
 * Requirement on one label or field of a node.
 */
export interface NodeSelectorRequirement {
  /**
   * Name of the label or field.
   */
  key: string;
  /**
   * Comparison operator.
   */
  operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'Gt' | 'Lt';
  /**
   * Values: one or more for In and NotIn, exactly one number for Gt and Lt, none for Exists and DoesNotExist.
   */
  values?: string[];
}

/**
 * Selection of nodes; all requirements must match. An empty term matches no nodes.
 */
export interface NodeSelectorTerm {
  /**
   * Requirements on labels.
   */
  matchExpressions?: NodeSelectorRequirement[];
  /**
   * Requirements on fields. Only metadata.name is supported.
   */
  matchFields?: NodeSelectorRequirement[];
}

/**
 * Reference to a field of an object.
 */
export interface ObjectFieldSelector {
  /**
   * API version in which the path is defined. Default: v1.
   */
  apiVersion?: string;
  /**
   * Path of the field, such as `metadata.labels`.
   */
  fieldPath: string;
}

/**
 * Requested properties of a claim.
 */
export interface PersistentVolumeClaimSpec {
  /**
   * Access modes.
   */
  accessModes?: ('ReadWriteOnce' | 'ReadOnlyMany' | 'ReadWriteMany' | 'ReadWriteOncePod')[];
  /**
   * VolumeSnapshot or claim from which the claim is filled.
   */
  dataSource?: TypedLocalObjectReference;
  /**
   * Object from which a volume populator fills the claim. Any kind is allowed.
   */
  dataSourceRef?: TypedObjectReference;
  /**
   * Requested size.
   */
  resources?: VolumeResourceRequirements;
  /**
   * Labels of the PersistentVolumes that the claim may be bound to.
   */
  selector?: LabelSelector;
  /**
   * Name of the StorageClass. An empty string disables dynamic provisioning. Default: the cluster's default class.
   */
  storageClassName?: string;
  /**
   * Name of the VolumeAttributesClass.
   */
  volumeAttributesClassName?: string;
  /**
   * Volume mode. Default: Filesystem.
   */
  volumeMode?: 'Filesystem' | 'Block';
  /**
   * PersistentVolume that the claim is bound to.
   */
  volumeName?: string;
}

/**
 * Claim used as a volume.
 */
export interface PersistentVolumeClaimVolumeSource {
  /**
   * Name of the claim, in the same namespace.
   */
  claimName: string;
  /**
   * Whether the volume is read-only. Default: false.
   */
  readOnly?: boolean;
}

/**
 * Rules for placing a Pod near other Pods.
 */
export interface PodAffinity {
  /**
   * Preferred placement. The weights of the matching terms are added up.
   */
  preferredDuringSchedulingIgnoredDuringExecution?: WeightedPodAffinityTerm[];
  /**
   * Terms that must all match.
   */
  requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTerm[];
}

/**
 * Selection of Pods and of the topology domain to compare.
 */
export interface PodAffinityTerm {
  /**
   * Labels of the Pods. Matches no Pods if absent.
   */
  labelSelector?: LabelSelector;
  /**
   * Labels whose values must equal those of the incoming Pod.
   */
  matchLabelKeys?: string[];
  /**
   * Labels whose values must differ from those of the incoming Pod.
   */
  mismatchLabelKeys?: string[];
  /**
   * Namespaces of the Pods, by labels. Empty matches all namespaces.
   */
  namespaceSelector?: LabelSelector;
  /**
   * Namespaces of the Pods, by name. Default: the namespace of the Pod.
   */
  namespaces?: string[];
  /**
   * Node label that defines topology domains: nodes with equal values form one domain.
   */
  topologyKey: string;
}

/**
 * Rules for placing a Pod away from other Pods.
 */
export interface PodAntiAffinity {
  /**
   * Placement to avoid. The weights of the matching terms are added up.
   */
  preferredDuringSchedulingIgnoredDuringExecution?: WeightedPodAffinityTerm[];
  /**
   * Terms of which none may match.
   */
  requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTerm[];
}

/**
 * Additions to the DNS resolver's configuration.
 */
export interface PodDNSConfig {
  /**
   * Additional name servers, by IP address.
   */
  nameservers?: string[];
  /**
   * Additional resolver options.
   */
  options?: PodDNSConfigOption[];
  /**
   * Additional search domains.
   */
  searches?: string[];
}

/**
 * Option of the DNS resolver.
 */
export interface PodDNSConfigOption {
  /**
   * Name of the option.
   */
  name?: string;
  /**
   * Value of the option, if the option takes one.
   */
  value?: string;
}

/**
 * Weighted term.
 */
export interface PreferredSchedulingTerm {
  /**
   * Term to match.
   */
  preference: NodeSelectorTerm;
  /**
   * Weight, 1 to 100.
   */
  weight: number;
}

/**
 * Reference to a claim of dynamic resource allocation.
 */
export interface ResourceClaim {
  /**
   * Name of an entry in the Pod's resourceClaims.
   */
  name: string;
  /**
   * Name of one request in the claim. Default: all requests.
   */
  request?: string;
}

/**
 * Reference to a request or limit of a container.
 */
export interface ResourceFieldSelector {
  /**
   * Name of the container. Required in volumes.
   */
  containerName?: string;
  /**
   * Unit of the value. Default: 1.
   */
  divisor?: Quantity;
  /**
   * Name of the resource, such as `requests.cpu` or `limits.memory`.
   */
  resource: string;
}

/**
 * Resources that a container requests: CPU, memory and devices.
 */
export interface ResourceRequirements {
  /**
   * Claims of dynamic resource allocation.
   */
  claims?: ResourceClaim[];
  /**
   * Upper limits of resource use.
   */
  limits?: {
    [k: string]: Quantity;
  };
  /**
   * Reserved amounts. Default: the limits.
   */
  requests?: {
    [k: string]: Quantity;
  };
}

/**
 * TCP connection. The check succeeds if the connection opens.
 */
export interface TCPSocketAction {
  /**
   * Host to connect to. Default: the Pod's address.
   */
  host?: string;
  /**
   * Port number, 1 to 65535, or port name.
   */
  port: IntOrString;
}

/**
 * Taint that the Pod tolerates.
 */
export interface Toleration {
  /**
   * Effect of the taint. Default: any effect.
   */
  effect?: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';
  /**
   * Key of the taint. Empty with Exists matches all taints.
   */
  key?: string;
  /**
   * Operator that compares the value. Default: Equal.
   */
  operator?: 'Equal' | 'Exists' | 'Lt' | 'Gt';
  /**
   * Seconds for which a NoExecute taint is tolerated. Default: forever.
   */
  tolerationSeconds?: number;
  /**
   * Value of the taint. Must be empty with Exists.
   */
  value?: string;
}

/**
 * Rule for distributing Pods over topology domains.
 */
export interface TopologySpreadConstraint {
  /**
   * Labels of the Pods that are counted.
   */
  labelSelector?: LabelSelector;
  /**
   * Labels whose values must equal those of the incoming Pod.
   */
  matchLabelKeys?: string[];
  /**
   * Maximum difference in the number of Pods between topology domains. At least 1.
   */
  maxSkew: number;
  /**
   * Minimum number of topology domains, with DoNotSchedule. Default: 1.
   */
  minDomains?: number;
  /**
   * Whether nodes that node affinity excludes are counted: Honor excludes them, Ignore counts them. Default: Honor.
   */
  nodeAffinityPolicy?: string;
  /**
   * Whether nodes with untolerated taints are counted: Honor excludes them, Ignore counts them. Default: Ignore.
   */
  nodeTaintsPolicy?: string;
  /**
   * Node label that defines topology domains: nodes with equal values form one domain.
   */
  topologyKey: string;
  /**
   * Behavior when the constraint cannot be satisfied.
   */
  whenUnsatisfiable: 'DoNotSchedule' | 'ScheduleAnyway';
}

/**
 * Reference to an object in the same namespace.
 */
export interface TypedLocalObjectReference {
  /**
   * API group of the referenced object. Default: the core group.
   */
  apiGroup?: string;
  /**
   * Kind of the referenced object.
   */
  kind: string;
  /**
   * Name of the referenced object.
   */
  name: string;
}

/**
 * Reference to an object, possibly in another namespace.
 */
export interface TypedObjectReference {
  /**
   * API group of the referenced object. Default: the core group.
   */
  apiGroup?: string;
  /**
   * Kind of the referenced object.
   */
  kind: string;
  /**
   * Name of the referenced object.
   */
  name: string;
  /**
   * Namespace of the referenced object. Another namespace requires a ReferenceGrant there.
   */
  namespace?: string;
}

/**
 * Requested size of a volume.
 */
export interface VolumeResourceRequirements {
  /**
   * Maximum size, as `storage`.
   */
  limits?: {
    [k: string]: Quantity;
  };
  /**
   * Minimum size, as `storage`.
   */
  requests?: {
    [k: string]: Quantity;
  };
}

/**
 * Weighted term.
 */
export interface WeightedPodAffinityTerm {
  /**
   * Term to match.
   */
  podAffinityTerm: PodAffinityTerm;
  /**
   * Weight, 1 to 100.
   */
  weight: number;
}
