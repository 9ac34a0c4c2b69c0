import type { ComponentAccess } from '../../api/access';
import type { PlatformImages } from './images';
import { defined, definedOrNone } from '../defined';
import { quantityOf } from './objects';
import type { PlatformPlacement } from './placement';
import type { ComponentSize } from './size';

/** Kubernetes object as it is written. */
type Fields = { readonly [field: string]: unknown };

/** Parts of a component's Pod. */
export interface PodParts {
  readonly name: string;
  readonly serviceAccount: string;
  readonly image: string;
  /** Pull policy and Secrets of virt-operator; it adds those of the KubeVirt object to the others. */
  readonly pull?: PlatformImages;
  readonly size: ComponentSize;
  readonly args: readonly string[];
  readonly env?: readonly Fields[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly probes: Fields;
  readonly mounts: readonly Mount[];
  readonly placement?: PlatformPlacement;
  readonly labels?: { readonly [label: string]: string };
  /** Whether the component is the node agent, which runs as root with full privileges. */
  readonly privileged?: boolean;
  readonly lifecycle?: Fields;
  /** Containers that run before the component, one after the other. */
  readonly initContainers?: readonly Fields[];
}

/** Parts of a component. */
export interface ComponentParts {
  readonly namespace: string;
  readonly access: ComponentAccess;
  readonly pod: Omit<PodParts, 'serviceAccount'>;
  /** Whether users reach the Pods through a Service of the same name, at port 443. */
  readonly hasService?: boolean;
  /** Names of further Services of the Pods. */
  readonly aliases?: readonly string[];
}

/** Volume and its mount point. */
export interface Mount {
  readonly name: string;
  readonly path: string;
  readonly source: Fields;
  readonly readOnly?: boolean;
  readonly propagation?: 'HostToContainer' | 'Bidirectional';
}

/** Priority class of the platform's Pods, which are scheduled before those of users. */
export const PRIORITY_CLASS = 'kubevirt-cluster-critical';
/** Unprivileged user that no other program uses. */
const USER = 65532;
const HOST = 'kubernetes.io/hostname';
const ZONE = 'topology.kubernetes.io/zone';

/** Returns the labels that select a component's Pods. */
export const selectorOf = (name: string): { 'kubevirt.io': string } => ({ 'kubevirt.io': name });

/** Renders a Pod template. Pure. */
export function renderPod(parts: PodParts): { metadata: Fields; spec: Fields } {
  const { name, pull, placement, privileged = false } = parts;
  const pullSecrets = (pull?.pullSecrets ?? []).map((secret) => ({ name: secret.name }));
  return {
    metadata: { labels: { ...labelsOf(name), ...parts.labels } },
    spec: defined({
      serviceAccountName: parts.serviceAccount,
      priorityClassName: PRIORITY_CLASS,
      imagePullSecrets: pullSecrets.length > 0 ? pullSecrets : undefined,
      enableServiceLinks: false,
      // virt-handler looks for launchers among all processes of the node
      hostPID: privileged || undefined,
      securityContext: privileged ? undefined : podSecurity,
      nodeSelector: { 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64', ...placement?.nodeSelector },
      tolerations: [{ key: 'CriticalAddonsOnly', operator: 'Exists' }, ...(placement?.tolerations ?? [])],
      affinity: placement?.affinity ?? (privileged ? undefined : apart(name)),
      topologySpreadConstraints: privileged ? undefined : [acrossZones(name)],
      initContainers: parts.initContainers && [...parts.initContainers],
      containers: [container(parts)],
      volumes: parts.mounts.map(({ name: volume, source }) => ({ name: volume, ...source })),
    }),
  };
}

/** Returns the labels of a component's Pods and of the object that creates them. */
export function labelsOf(name: string): { [label: string]: string } {
  return { ...selectorOf(name), 'app.kubernetes.io/name': name, 'app.kubernetes.io/component': 'kubevirt' };
}

const podSecurity = {
  runAsNonRoot: true,
  runAsUser: USER,
  runAsGroup: USER,
  fsGroup: USER,
  seccompProfile: { type: 'RuntimeDefault' },
};

const unprivileged = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  privileged: false,
  readOnlyRootFilesystem: true,
};

function container({ name, image, pull, size, privileged, ...parts }: PodParts): Fields {
  return defined({
    name,
    image,
    imagePullPolicy: pull?.pullPolicy?.value,
    args: [...parts.args],
    env: parts.env && [...parts.env],
    ports: parts.ports?.map((port) => ({ ...port, protocol: 'TCP' })),
    ...parts.probes,
    lifecycle: parts.lifecycle,
    resources: resources(size),
    // only a privileged container can create mounts that containers of other Pods see
    securityContext: privileged ? { privileged: true, readOnlyRootFilesystem: true, runAsUser: 0 } : unprivileged,
    terminationMessagePolicy: 'FallbackToLogsOnError',
    volumeMounts: parts.mounts.map((mount) =>
      defined({
        name: mount.name,
        mountPath: mount.path,
        readOnly: mount.readOnly,
        mountPropagation: mount.propagation,
      }),
    ),
  });
}

function resources({ cpuRequest, cpuLimit, memoryRequest, memoryLimit }: ComponentSize): Fields {
  const amounts = (cpu: string | undefined, memory: ComponentSize['memoryRequest']): Fields | undefined =>
    definedOrNone({ cpu, memory: memory && quantityOf(memory) });
  return defined({ requests: amounts(cpuRequest, memoryRequest), limits: amounts(cpuLimit, memoryLimit) });
}

/** Prefers different nodes for a component's Pods, so that no node failure stops all of them. */
function apart(name: string): Fields {
  const podAffinityTerm = { labelSelector: { matchLabels: selectorOf(name) }, topologyKey: HOST };
  return { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, podAffinityTerm }] } };
}

function acrossZones(name: string): Fields {
  return {
    maxSkew: 1,
    topologyKey: ZONE,
    whenUnsatisfiable: 'ScheduleAnyway',
    labelSelector: { matchLabels: selectorOf(name) },
  };
}
