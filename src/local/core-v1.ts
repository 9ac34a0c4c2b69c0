import type { Condition, KubeObject, ObjectMeta } from '../api/meta';

/** Types of `core/v1` and related groups that the node, network, storage and scheduler read or write. */

export type Quantity = string | number;
export type Resources = Record<string, Quantity>;
export type Labels = Record<string, string>;

export interface ResourceRequirements {
  requests?: Resources;
  limits?: Resources;
}

export interface KeyRef {
  name?: string;
  key: string;
  optional?: boolean;
}
export interface FieldRef {
  apiVersion?: string;
  fieldPath: string;
}
export interface ResourceFieldRef {
  containerName?: string;
  resource: string;
  divisor?: Quantity;
}
export interface EnvVar {
  name: string;
  value?: string;
  valueFrom?: {
    fieldRef?: FieldRef;
    resourceFieldRef?: ResourceFieldRef;
    configMapKeyRef?: KeyRef;
    secretKeyRef?: KeyRef;
  };
}
export interface EnvFrom {
  prefix?: string;
  configMapRef?: { name?: string; optional?: boolean };
  secretRef?: { name?: string; optional?: boolean };
}

export interface SeccompProfile {
  type: 'RuntimeDefault' | 'Unconfined' | 'Localhost';
  localhostProfile?: string;
}
export interface ContainerSecurityContext {
  runAsUser?: number;
  runAsGroup?: number;
  runAsNonRoot?: boolean;
  privileged?: boolean;
  readOnlyRootFilesystem?: boolean;
  allowPrivilegeEscalation?: boolean;
  capabilities?: { add?: string[]; drop?: string[] };
  seccompProfile?: SeccompProfile;
  procMount?: 'Default' | 'Unmasked';
}
export interface PodSecurityContext {
  runAsUser?: number;
  runAsGroup?: number;
  runAsNonRoot?: boolean;
  supplementalGroups?: number[];
  fsGroup?: number;
  fsGroupChangePolicy?: 'Always' | 'OnRootMismatch';
  seccompProfile?: SeccompProfile;
  sysctls?: { name: string; value: string }[];
}

export interface VolumeMount {
  name: string;
  mountPath: string;
  readOnly?: boolean;
  subPath?: string;
  subPathExpr?: string;
  mountPropagation?: 'None' | 'HostToContainer' | 'Bidirectional';
  recursiveReadOnly?: 'Disabled' | 'IfPossible' | 'Enabled';
}

export interface VolumeMountStatus {
  name: string;
  mountPath: string;
  readOnly?: boolean;
  recursiveReadOnly?: 'Disabled' | 'Enabled';
}

export interface HttpGetAction {
  path?: string;
  port: number | string;
  host?: string;
  scheme?: 'HTTP' | 'HTTPS';
  httpHeaders?: { name: string; value: string }[];
}
export interface Handler {
  exec?: { command?: string[] };
  httpGet?: HttpGetAction;
  tcpSocket?: { port: number | string; host?: string };
  grpc?: { port: number; service?: string };
  sleep?: { seconds: number };
}
export interface Probe extends Handler {
  initialDelaySeconds?: number;
  timeoutSeconds?: number;
  periodSeconds?: number;
  successThreshold?: number;
  failureThreshold?: number;
  terminationGracePeriodSeconds?: number;
}
export interface ContainerPort {
  name?: string;
  containerPort: number;
  hostPort?: number;
  hostIP?: string;
  protocol?: 'TCP' | 'UDP' | 'SCTP';
}

export interface Container {
  name: string;
  image?: string;
  command?: string[];
  args?: string[];
  workingDir?: string;
  ports?: ContainerPort[];
  env?: EnvVar[];
  envFrom?: EnvFrom[];
  resources?: ResourceRequirements;
  restartPolicy?: 'Always';
  volumeMounts?: VolumeMount[];
  volumeDevices?: { name: string; devicePath: string }[];
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  startupProbe?: Probe;
  lifecycle?: { postStart?: Handler; preStop?: Handler };
  terminationMessagePath?: string;
  terminationMessagePolicy?: 'File' | 'FallbackToLogsOnError';
  imagePullPolicy?: 'Always' | 'IfNotPresent' | 'Never';
  securityContext?: ContainerSecurityContext;
  stdin?: boolean;
  stdinOnce?: boolean;
  tty?: boolean;
}

/** Container that is added to a running Pod (`kubectl debug`). */
export interface EphemeralContainer extends Container {
  /** Container whose processes it sees. */
  targetContainerName?: string;
}

export interface KeyToPath {
  key: string;
  path: string;
  mode?: number;
}
export interface ConfigMapSource {
  name?: string;
  items?: KeyToPath[];
  defaultMode?: number;
  optional?: boolean;
}
export interface SecretSource {
  secretName?: string;
  items?: KeyToPath[];
  defaultMode?: number;
  optional?: boolean;
}
export interface DownwardItem {
  path: string;
  fieldRef?: FieldRef;
  resourceFieldRef?: ResourceFieldRef;
  mode?: number;
}
export interface ProjectedSource {
  secret?: { name?: string; items?: KeyToPath[]; optional?: boolean };
  configMap?: { name?: string; items?: KeyToPath[]; optional?: boolean };
  downwardAPI?: { items?: DownwardItem[] };
  serviceAccountToken?: { audience?: string; expirationSeconds?: number; path: string };
  clusterTrustBundle?: object;
  podCertificate?: object;
}
export interface Volume {
  name: string;
  emptyDir?: { medium?: string; sizeLimit?: Quantity };
  hostPath?: { path: string; type?: string };
  configMap?: ConfigMapSource;
  secret?: SecretSource;
  downwardAPI?: { items?: DownwardItem[]; defaultMode?: number };
  projected?: { sources?: ProjectedSource[]; defaultMode?: number };
  persistentVolumeClaim?: { claimName: string; readOnly?: boolean };
  csi?: { driver: string };
  ephemeral?: { volumeClaimTemplate?: Pick<PersistentVolumeClaim, 'spec'> & { metadata?: ObjectMeta } };
  image?: { reference?: string; pullPolicy?: 'Always' | 'IfNotPresent' | 'Never' };
}

export interface LabelSelector {
  matchLabels?: Labels;
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
}
export interface NodeSelectorRequirement {
  key: string;
  operator: string;
  values?: string[];
}
export interface NodeSelectorTerm {
  matchExpressions?: NodeSelectorRequirement[];
  matchFields?: NodeSelectorRequirement[];
}
export interface PodAffinityTerm {
  labelSelector?: LabelSelector;
  namespaces?: string[];
  namespaceSelector?: LabelSelector;
  topologyKey: string;
}
export interface Affinity {
  nodeAffinity?: {
    requiredDuringSchedulingIgnoredDuringExecution?: { nodeSelectorTerms: NodeSelectorTerm[] };
    preferredDuringSchedulingIgnoredDuringExecution?: { weight: number; preference: NodeSelectorTerm }[];
  };
  podAffinity?: PodAffinity;
  podAntiAffinity?: PodAffinity;
}
export interface PodAffinity {
  requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTerm[];
  preferredDuringSchedulingIgnoredDuringExecution?: { weight: number; podAffinityTerm: PodAffinityTerm }[];
}
export interface Toleration {
  key?: string;
  operator?: 'Exists' | 'Equal';
  value?: string;
  effect?: string;
  tolerationSeconds?: number;
}
export interface TopologySpreadConstraint {
  maxSkew: number;
  topologyKey: string;
  whenUnsatisfiable: 'DoNotSchedule' | 'ScheduleAnyway';
  labelSelector?: LabelSelector;
}

export interface PodSpec {
  nodeName?: string;
  schedulerName?: string;
  nodeSelector?: Labels;
  affinity?: Affinity;
  tolerations?: Toleration[];
  topologySpreadConstraints?: TopologySpreadConstraint[];
  schedulingGates?: { name: string }[];
  containers: Container[];
  initContainers?: Container[];
  ephemeralContainers?: EphemeralContainer[];
  volumes?: Volume[];
  restartPolicy?: 'Always' | 'OnFailure' | 'Never';
  terminationGracePeriodSeconds?: number;
  activeDeadlineSeconds?: number;
  serviceAccountName?: string;
  imagePullSecrets?: { name?: string }[];
  automountServiceAccountToken?: boolean;
  securityContext?: PodSecurityContext;
  hostname?: string;
  subdomain?: string;
  setHostnameAsFQDN?: boolean;
  hostAliases?: { ip: string; hostnames?: string[] }[];
  hostNetwork?: boolean;
  hostPID?: boolean;
  hostIPC?: boolean;
  shareProcessNamespace?: boolean;
  dnsPolicy?: string;
  dnsConfig?: { nameservers?: string[]; searches?: string[]; options?: { name: string; value?: string }[] };
  enableServiceLinks?: boolean;
  readinessGates?: { conditionType: string }[];
  overhead?: Resources;
  priority?: number;
}

export interface StateWaiting {
  reason?: string;
  message?: string;
}
export interface StateRunning {
  startedAt?: string;
}
export interface StateTerminated {
  exitCode: number;
  signal?: number;
  reason?: string;
  message?: string;
  startedAt?: string | null;
  finishedAt?: string | null;
  containerID?: string;
}
export interface ContainerState {
  waiting?: StateWaiting;
  running?: StateRunning;
  terminated?: StateTerminated;
}
export interface ContainerStatus {
  name: string;
  state?: ContainerState;
  lastState?: ContainerState;
  ready: boolean;
  started?: boolean;
  restartCount: number;
  image: string;
  imageID: string;
  containerID?: string;
  volumeMounts?: VolumeMountStatus[];
}
export interface PodCondition extends Condition {
  observedGeneration?: number;
}
export type PodPhase = 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown';
export interface PodStatus {
  phase?: PodPhase;
  reason?: string;
  message?: string;
  conditions?: PodCondition[];
  hostIP?: string;
  hostIPs?: { ip: string }[];
  podIP?: string;
  podIPs?: { ip: string }[];
  startTime?: string;
  qosClass?: string;
  initContainerStatuses?: ContainerStatus[];
  containerStatuses?: ContainerStatus[];
  ephemeralContainerStatuses?: ContainerStatus[];
  observedGeneration?: number;
}
export interface Pod extends KubeObject {
  spec: PodSpec;
  status?: PodStatus;
}

export interface Taint {
  key: string;
  value?: string;
  effect: string;
  timeAdded?: string;
}
export interface Node extends KubeObject {
  spec?: { unschedulable?: boolean; taints?: Taint[]; podCIDR?: string; podCIDRs?: string[]; providerID?: string };
  status?: {
    capacity?: Resources;
    allocatable?: Resources;
    conditions?: Condition[];
    addresses?: { type: string; address: string }[];
    daemonEndpoints?: { kubeletEndpoint?: { Port: number } };
    nodeInfo?: Record<string, string>;
    images?: { names?: string[]; sizeBytes?: number }[];
  };
}

export interface ConfigMap extends KubeObject {
  data?: Record<string, string>;
  binaryData?: Record<string, string>;
}
export interface Secret extends KubeObject {
  data?: Record<string, string>;
  type?: string;
}
export interface ServicePort {
  name?: string;
  port: number;
  protocol?: string;
  targetPort?: number | string;
  nodePort?: number;
}
export interface Service extends KubeObject {
  spec?: {
    type?: string;
    clusterIP?: string;
    clusterIPs?: string[];
    externalName?: string;
    externalIPs?: string[];
    ports?: ServicePort[];
    selector?: Labels;
    sessionAffinity?: string;
    sessionAffinityConfig?: { clientIP?: { timeoutSeconds?: number } };
    publishNotReadyAddresses?: boolean;
    ipFamilies?: string[];
    ipFamilyPolicy?: string;
  };
}
export interface Endpoint {
  addresses: string[];
  conditions?: { ready?: boolean; serving?: boolean; terminating?: boolean };
  hostname?: string;
  nodeName?: string;
  targetRef?: { kind?: string; namespace?: string; name?: string; uid?: string };
}
export interface EndpointSlice extends KubeObject {
  addressType: 'IPv4' | 'IPv6' | 'FQDN';
  endpoints?: Endpoint[];
  ports?: { name?: string; port?: number; protocol?: string; appProtocol?: string }[];
}
export interface PersistentVolumeClaim extends KubeObject {
  spec?: {
    accessModes?: string[];
    resources?: ResourceRequirements;
    storageClassName?: string;
    volumeMode?: 'Filesystem' | 'Block';
    volumeName?: string;
    selector?: LabelSelector;
    dataSource?: { kind: string; name: string; apiGroup?: string };
    dataSourceRef?: { kind: string; name: string; apiGroup?: string };
  };
  status?: { phase?: string; accessModes?: string[]; capacity?: Resources; conditions?: Condition[] };
}
export interface PersistentVolume extends KubeObject {
  spec?: {
    capacity?: Resources;
    accessModes?: string[];
    volumeMode?: 'Filesystem' | 'Block';
    persistentVolumeReclaimPolicy?: string;
    storageClassName?: string;
    claimRef?: {
      apiVersion?: string;
      kind?: string;
      namespace?: string;
      name?: string;
      uid?: string;
      resourceVersion?: string;
    };
    local?: { path: string; fsType?: string };
    hostPath?: { path: string; type?: string };
    nodeAffinity?: { required?: { nodeSelectorTerms: NodeSelectorTerm[] } };
  };
  status?: { phase?: string; reason?: string; message?: string };
}
export interface StorageClass extends KubeObject {
  provisioner: string;
  reclaimPolicy?: string;
  volumeBindingMode?: 'Immediate' | 'WaitForFirstConsumer';
  allowVolumeExpansion?: boolean;
  parameters?: Record<string, string>;
}

export type { ObjectMeta };
