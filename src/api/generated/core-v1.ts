// Generated from api/schema/core_v1.json by scripts/generate.ts; edit that file.
import type { IntOrString, LabelSelector, Quantity } from './meta-v1';

/**
 * Rules for placing a Pod on nodes and beside other Pods.
 */
export interface Affinity {
  /**
   * Rules by node labels.
   */
  nodeAffinity?: NodeAffinity;
  /**
   * Near to other Pods.
   */
  podAffinity?: PodAffinity;
  /**
   * Away from other Pods.
   */
  podAntiAffinity?: PodAntiAffinity;
}

/**
 * A file that shows a field of the Pod.
 */
export interface DownwardAPIVolumeFile {
  /**
   * A field: labels, annotations, name, namespace or uid.
   */
  fieldRef?: ObjectFieldSelector;
  /**
   * Permissions, 0 to 0777. Default: the volume's defaultMode.
   */
  mode?: number;
  /**
   * Relative path of the file, without `..`.
   */
  path: string;
  /**
   * A request or limit of a container.
   */
  resourceFieldRef?: ResourceFieldSelector;
}

/**
 * A command that is run in the guest or container.
 */
export interface ExecAction {
  /**
   * Program and arguments; no shell. Exit code 0 is success.
   */
  command?: string[];
}

/**
 * An HTTP request; 200 to 399 is success.
 */
export interface HTTPGetAction {
  /**
   * Host. Default: the Pod's address.
   */
  host?: string;
  /**
   * Further headers.
   */
  httpHeaders?: HTTPHeader[];
  /**
   * Path. Default: /.
   */
  path?: string;
  /**
   * Port, 1 to 65535, or its name.
   */
  port: IntOrString;
  /**
   * Scheme of the connection. Default: HTTP.
   */
  scheme?: 'HTTP' | 'HTTPS';
}

/**
 * A header of an HTTP request.
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
 * An object in the same namespace.
 */
export interface LocalObjectReference {
  /**
   * Name of the referenced object.
   */
  name?: string;
}

/**
 * Nodes by their labels.
 */
export interface NodeAffinity {
  /**
   * Better nodes: the weights of the terms that match are summed up.
   */
  preferredDuringSchedulingIgnoredDuringExecution?: PreferredSchedulingTerm[];
  /**
   * Possible nodes.
   */
  requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector;
}

/**
 * Nodes; one of the terms must match.
 */
export interface NodeSelector {
  /**
   * The terms.
   */
  nodeSelectorTerms: NodeSelectorTerm[];
}

/**
 * Requirement on one label or field of a node.
 */
export interface NodeSelectorRequirement {
  /**
   * The label or field.
   */
  key: string;
  /**
   * Comparison operator.
   */
  operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'Gt' | 'Lt';
  /**
   * Values: one or more for In and NotIn, exactly one number for Gt and Lt, none allowed for Exists and DoesNotExist.
   */
  values?: string[];
}

/**
 * Selection of nodes; all requirements must match. An empty term matches no nodes.
 */
export interface NodeSelectorTerm {
  /**
   * Requirements of labels.
   */
  matchExpressions?: NodeSelectorRequirement[];
  /**
   * Requirements of fields; only metadata.name exists.
   */
  matchFields?: NodeSelectorRequirement[];
}

/**
 * A field of an object.
 */
export interface ObjectFieldSelector {
  /**
   * Version in which the path is meant. Default: v1.
   */
  apiVersion?: string;
  /**
   * Path of the field: `metadata.labels`.
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
   * VolumeSnapshot or claim that it is filled from.
   */
  dataSource?: TypedLocalObjectReference;
  /**
   * Any object that a populator fills it from.
   */
  dataSourceRef?: TypedObjectReference;
  /**
   * Requested size.
   */
  resources?: VolumeResourceRequirements;
  /**
   * PersistentVolumes that it may be bound to.
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
   * Whether it holds a file system. Default: Filesystem.
   */
  volumeMode?: 'Filesystem' | 'Block';
  /**
   * The PersistentVolume that it is bound to.
   */
  volumeName?: string;
}

/**
 * A claim as a volume.
 */
export interface PersistentVolumeClaimVolumeSource {
  /**
   * The claim, in the same namespace.
   */
  claimName: string;
  /**
   * Nothing may be written. Default: false.
   */
  readOnly?: boolean;
}

/**
 * Near to which Pods.
 */
export interface PodAffinity {
  /**
   * Better places: the weights of the terms that match are summed up.
   */
  preferredDuringSchedulingIgnoredDuringExecution?: WeightedPodAffinityTerm[];
  /**
   * Terms that must all hold.
   */
  requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTerm[];
}

/**
 * Pods, and what counts as one place.
 */
export interface PodAffinityTerm {
  /**
   * Labels of the Pods. Matches no Pods if absent.
   */
  labelSelector?: LabelSelector;
  /**
   * Labels whose values must be those of the incoming Pod.
   */
  matchLabelKeys?: string[];
  /**
   * Labels whose values must not be those of the incoming Pod.
   */
  mismatchLabelKeys?: string[];
  /**
   * Namespaces of the Pods, by labels; empty matches all.
   */
  namespaceSelector?: LabelSelector;
  /**
   * Namespaces of the Pods, by name. Default: the Pod's own.
   */
  namespaces?: string[];
  /**
   * Label of nodes; equal values are one place.
   */
  topologyKey: string;
}

/**
 * Away from which Pods.
 */
export interface PodAntiAffinity {
  /**
   * Worse places: the weights of the terms that match are summed up.
   */
  preferredDuringSchedulingIgnoredDuringExecution?: WeightedPodAffinityTerm[];
  /**
   * Terms that must not match.
   */
  requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTerm[];
}

/**
 * Additions to the resolver's configuration.
 */
export interface PodDNSConfig {
  /**
   * Further name servers, by address.
   */
  nameservers?: string[];
  /**
   * Further options.
   */
  options?: PodDNSConfigOption[];
  /**
   * Further search domains.
   */
  searches?: string[];
}

/**
 * An option of the resolver.
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
 * A term with a weight.
 */
export interface PreferredSchedulingTerm {
  /**
   * The term.
   */
  preference: NodeSelectorTerm;
  /**
   * 1 to 100.
   */
  weight: number;
}

/**
 * A claim of dynamic resource allocation.
 */
export interface ResourceClaim {
  /**
   * Name of an entry in the Pod's resourceClaims.
   */
  name: string;
  /**
   * One request of it. Default: all.
   */
  request?: string;
}

/**
 * A request or limit of a container.
 */
export interface ResourceFieldSelector {
  /**
   * The container; needed in volumes.
   */
  containerName?: string;
  /**
   * Unit of the value. Default: 1.
   */
  divisor?: Quantity;
  /**
   * `requests.cpu`, `limits.memory`, …
   */
  resource: string;
}

/**
 * CPU, memory and devices.
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
 * A TCP connection; success when it opens.
 */
export interface TCPSocketAction {
  /**
   * Host. Default: the Pod's address.
   */
  host?: string;
  /**
   * Port, 1 to 65535, or its name.
   */
  port: IntOrString;
}

/**
 * A taint that the Pod may run in spite of.
 */
export interface Toleration {
  /**
   * Effect of the taint. Default: any.
   */
  effect?: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';
  /**
   * Key of the taint; empty with Exists matches all.
   */
  key?: string;
  /**
   * Operator that compares the value. Default: Equal.
   */
  operator?: 'Equal' | 'Exists' | 'Lt' | 'Gt';
  /**
   * Seconds for which a NoExecute taint is borne. Default: for ever.
   */
  tolerationSeconds?: number;
  /**
   * Value of the taint; empty with Exists.
   */
  value?: string;
}

/**
 * Rule for distributing Pods over topology domains.
 */
export interface TopologySpreadConstraint {
  /**
   * The Pods that are counted.
   */
  labelSelector?: LabelSelector;
  /**
   * Labels whose values must be those of the incoming Pod.
   */
  matchLabelKeys?: string[];
  /**
   * Largest difference between the places, at least 1.
   */
  maxSkew: number;
  /**
   * Least number of places, with DoNotSchedule. Default: 1.
   */
  minDomains?: number;
  /**
   * Whether nodes that node affinity rules out count: Honor or Ignore. Default: Honor.
   */
  nodeAffinityPolicy?: string;
  /**
   * Whether taints rule nodes out: Honor or Ignore. Default: Ignore.
   */
  nodeTaintsPolicy?: string;
  /**
   * Label of nodes; equal values are one place.
   */
  topologyKey: string;
  /**
   * Behavior when the constraint cannot be satisfied.
   */
  whenUnsatisfiable: 'DoNotSchedule' | 'ScheduleAnyway';
}

/**
 * An object in the same namespace.
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
 * An object, maybe in another namespace.
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
 * Size of a volume.
 */
export interface VolumeResourceRequirements {
  /**
   * Largest size: `storage`.
   */
  limits?: {
    [k: string]: Quantity;
  };
  /**
   * Least size: `storage`.
   */
  requests?: {
    [k: string]: Quantity;
  };
}

/**
 * A term with a weight.
 */
export interface WeightedPodAffinityTerm {
  /**
   * The term.
   */
  podAffinityTerm: PodAffinityTerm;
  /**
   * 1 to 100.
   */
  weight: number;
}
