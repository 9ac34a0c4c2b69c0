import type { ComponentAccess } from '../../api/access';
import type { PlatformImages } from './images';
import { quantityOf, said } from './objects';
import type { PlatformPlacement } from './placement';
import type { ComponentSize } from './size';

/** Objects of Kubernetes, as they are written. */
type Fields = { readonly [field: string]: unknown };

/** What a component's Pod is made of. */
export interface PodParts {
  readonly name: string;
  readonly serviceAccount: string;
  readonly image: string;
  readonly images: PlatformImages;
  readonly size: ComponentSize;
  readonly args: readonly string[];
  readonly env?: readonly Fields[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly probes: Fields;
  readonly mounts: readonly Mount[];
  readonly placement?: PlatformPlacement;
  readonly labels?: { readonly [label: string]: string };
  /** The agent of a node: root, and everything that its work needs. */
  readonly privileged?: boolean;
  readonly lifecycle?: Fields;
}

/** How a component is made. */
export interface ComponentParts {
  readonly namespace: string;
  readonly access: ComponentAccess;
  readonly pod: Omit<PodParts, 'serviceAccount'>;
}

/** A volume and where it is seen. */
export interface Mount {
  readonly name: string;
  readonly path: string;
  readonly source: Fields;
  readonly readOnly?: boolean;
  readonly propagation?: 'HostToContainer' | 'Bidirectional';
}

/** Name of the class by which the platform's Pods are placed before those of users. */
export const PRIORITY_CLASS = 'kubevirt-cluster-critical';
/** Nobody in particular. */
const USER = 65532;
const HOST = 'kubernetes.io/hostname';
const ZONE = 'topology.kubernetes.io/zone';

/** Labels by which a component's Pods are found. */
export const selectorOf = (name: string): { 'kubevirt.io': string } => ({ 'kubevirt.io': name });

/** A Pod template. Pure. */
export function renderPod(parts: PodParts): { metadata: Fields; spec: Fields } {
  const { name, images, placement, privileged = false } = parts;
  const pullSecrets = images.pullSecrets.map((secret) => ({ name: secret.name }));
  return {
    metadata: { labels: { ...labelsOf(name), ...parts.labels } },
    spec: said({
      serviceAccountName: parts.serviceAccount,
      priorityClassName: PRIORITY_CLASS,
      imagePullSecrets: pullSecrets.length > 0 ? pullSecrets : undefined,
      enableServiceLinks: false,
      // launchers are looked for among all processes of the node
      hostPID: privileged || undefined,
      securityContext: privileged ? undefined : podSecurity,
      nodeSelector: { 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64', ...placement?.nodeSelector },
      tolerations: [{ key: 'CriticalAddonsOnly', operator: 'Exists' }, ...(placement?.tolerations ?? [])],
      affinity: placement?.affinity ?? (privileged ? undefined : apart(name)),
      topologySpreadConstraints: privileged ? undefined : [acrossZones(name)],
      containers: [container(parts)],
      volumes: parts.mounts.map(({ name: volume, source }) => ({ name: volume, ...source })),
    }),
  };
}

/** Labels of a component's Pods and of the object that makes them. */
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

function container({ name, image, images, size, privileged, ...parts }: PodParts): Fields {
  return said({
    name,
    image,
    imagePullPolicy: images.pullPolicy?.value,
    args: [...parts.args],
    env: parts.env && [...parts.env],
    ports: parts.ports?.map((port) => ({ ...port, protocol: 'TCP' })),
    ...parts.probes,
    lifecycle: parts.lifecycle,
    resources: resources(size),
    // mounts that containers of other Pods see can only be made by a privileged one
    securityContext: privileged ? { privileged: true, readOnlyRootFilesystem: true, runAsUser: 0 } : unprivileged,
    terminationMessagePolicy: 'FallbackToLogsOnError',
    volumeMounts: parts.mounts.map((mount) =>
      said({
        name: mount.name,
        mountPath: mount.path,
        readOnly: mount.readOnly,
        mountPropagation: mount.propagation,
      }),
    ),
  });
}

function resources({ cpuRequest, cpuLimit, memoryRequest, memoryLimit }: ComponentSize): Fields {
  const amounts = (cpu: string | undefined, memory: ComponentSize['memoryRequest']): Fields | undefined => {
    const known = said({ cpu, memory: memory && quantityOf(memory) });
    return Object.keys(known).length > 0 ? known : undefined;
  };
  return said({ requests: amounts(cpuRequest, memoryRequest), limits: amounts(cpuLimit, memoryLimit) });
}

/** No node takes all of a component's Pods with it, if that can be had. */
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
