import type { Condition, core, KubeObject } from '../../../api';

/** The fields of `core/v1` Pod that launcher Pods use. */
export interface Pod extends KubeObject {
  spec: PodSpec;
  status?: PodStatus;
}

export interface PodSpec {
  affinity?: core.Affinity;
  automountServiceAccountToken?: boolean;
  containers: Container[];
  dnsConfig?: core.PodDNSConfig;
  dnsPolicy?: string;
  enableServiceLinks?: boolean;
  hostname?: string;
  imagePullSecrets?: { name: string }[];
  initContainers?: Container[];
  nodeName?: string;
  nodeSelector?: Record<string, string>;
  priorityClassName?: string;
  readinessGates?: { conditionType: string }[];
  resourceClaims?: { name: string; resourceClaimName?: string; resourceClaimTemplateName?: string }[];
  restartPolicy?: string;
  runtimeClassName?: string;
  schedulerName?: string;
  securityContext?: {
    fsGroup?: number;
    runAsGroup?: number;
    runAsNonRoot?: boolean;
    runAsUser?: number;
    seccompProfile?: SeccompProfile;
    seLinuxOptions?: SeLinuxOptions;
  };
  serviceAccountName?: string;
  subdomain?: string;
  terminationGracePeriodSeconds?: number;
  tolerations?: core.Toleration[];
  topologySpreadConstraints?: core.TopologySpreadConstraint[];
  volumes?: PodVolume[];
}

export interface Container {
  name: string;
  image?: string;
  imagePullPolicy?: string;
  command?: string[];
  args?: string[];
  env?: EnvVar[];
  ports?: { name?: string; containerPort: number; protocol: string }[];
  resources?: ResourceRequirements;
  securityContext?: ContainerSecurityContext;
  terminationMessagePolicy?: string;
  volumeMounts?: VolumeMount[];
  volumeDevices?: { name: string; devicePath: string }[];
  livenessProbe?: PodProbe;
  readinessProbe?: PodProbe;
  restartPolicy?: 'Always';
}

export interface EnvVar {
  name: string;
  value?: string;
  valueFrom?: { fieldRef: { fieldPath: string } };
}

export interface ContainerSecurityContext {
  allowPrivilegeEscalation?: boolean;
  capabilities?: { add?: string[]; drop?: string[] };
  runAsGroup?: number;
  runAsNonRoot?: boolean;
  runAsUser?: number;
  seccompProfile?: SeccompProfile;
  seLinuxOptions?: SeLinuxOptions;
}

export interface SeccompProfile {
  type: string;
  localhostProfile?: string;
}

export interface SeLinuxOptions {
  type?: string;
  level?: string;
}

export interface VolumeMount {
  name: string;
  mountPath: string;
  mountPropagation?: 'HostToContainer' | 'Bidirectional';
  readOnly?: boolean;
  subPath?: string;
}

export interface ResourceRequirements {
  claims?: { name: string; request?: string }[];
  limits?: Record<string, string>;
  requests?: Record<string, string>;
}

export interface PodProbe {
  exec?: { command?: string[] };
  httpGet?: core.HTTPGetAction;
  tcpSocket?: core.TCPSocketAction;
  failureThreshold?: number;
  initialDelaySeconds?: number;
  periodSeconds?: number;
  successThreshold?: number;
  timeoutSeconds?: number;
}

/** A volume of a Pod: a name and exactly one source. */
export interface PodVolume {
  name: string;
  configMap?: { name?: string; optional?: boolean; defaultMode?: number };
  downwardAPI?: { items?: core.DownwardAPIVolumeFile[] };
  emptyDir?: { medium?: string; sizeLimit?: string };
  hostPath?: { path: string; type: string };
  image?: { reference?: string; pullPolicy?: string };
  persistentVolumeClaim?: { claimName: string; readOnly?: boolean };
  secret?: { secretName?: string; optional?: boolean };
}

export interface PodStatus {
  phase?: 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown';
  reason?: string;
  message?: string;
  podIP?: string;
  startTime?: string;
  conditions?: Condition[];
  containerStatuses?: ContainerStatus[];
  initContainerStatuses?: ContainerStatus[];
}

export interface ContainerStatus {
  name: string;
  ready?: boolean;
  image?: string;
  imageID?: string;
  restartCount?: number;
  state?: ContainerState;
  lastState?: ContainerState;
}

export interface ContainerState {
  running?: { startedAt?: string };
  waiting?: { reason?: string; message?: string };
  terminated?: { exitCode: number; reason?: string; message?: string; finishedAt?: string };
}
