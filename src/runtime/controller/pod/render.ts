import type { VirtualMachineInstance } from '../../../api';
import { computeContainer, GRACE_PADDING, guestGraceSeconds } from './compute';
import { QEMU_UID, UNPAUSED_GATE } from './constants';
import { diskInitContainers, diskSideContainers, imageVolumes, pullSecrets } from './container-disks';
import type { RenderInput } from './input';
import { memoryOverhead } from './memory-overhead';
import { hostname, podAnnotations, podLabels, podName } from './metadata';
import { affinity, nodeSelector } from './node-selector';
import { consoleLogContainer, hookContainers, hookSidecars, hookVolumes } from './sidecars';
import type { Pod, PodSpec } from './types';
import { accessCredentials, baseVolumes, featureVolumes, guestVolumes, join } from './volumes';

/** The launcher Pod of a VMI. Pure: the same input gives the same Pod. */
export function renderPod(input: RenderInput): Pod {
  const { vmi, config } = input;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: podName(vmi),
      namespace: vmi.metadata.namespace,
      labels: podLabels(vmi),
      annotations: podAnnotations(vmi, memoryOverhead(vmi, config.additionalGuestMemoryOverheadRatio).bytes),
      ownerReferences: [
        {
          apiVersion: 'kubevirt.io/v1',
          kind: 'VirtualMachineInstance',
          name: vmi.metadata.name ?? '',
          uid: vmi.metadata.uid ?? '',
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: defined(renderSpec(input)),
  };
}

function renderSpec(input: RenderInput): PodSpec {
  const { vmi, config } = input;
  const { spec } = vmi;
  const pullPolicy = config.imagePullPolicy ?? 'IfNotPresent';
  const sidecars = hookSidecars(input);
  const parts = join([
    baseVolumes(input),
    ...guestVolumes(input),
    ...accessCredentials(spec.accessCredentials),
    imageVolumes(input, pullPolicy),
    ...featureVolumes(input, sidecars.length),
    { volumes: hookVolumes(sidecars), mounts: sharedWithCompute(sidecars) },
  ]);
  const consoleLog = consoleLogContainer(input, pullPolicy);
  const initContainers = [...(consoleLog ? [consoleLog] : []), ...diskInitContainers(input, pullPolicy)];
  const secrets = pullSecrets(input);
  const accountVolume = spec.volumes?.find((volume) => volume.serviceAccount)?.serviceAccount?.serviceAccountName;
  return {
    affinity: affinity(vmi),
    automountServiceAccountToken: Boolean(accountVolume) || isInMesh(vmi),
    // compute comes first: webhooks of device vendors add their resources to the first container
    containers: [
      computeContainer(input, parts, { pullPolicy, hookSidecars: sidecars.length }),
      ...diskSideContainers(input),
      ...hookContainers(input, sidecars),
    ],
    dnsConfig: spec.dnsConfig,
    dnsPolicy: spec.dnsPolicy,
    enableServiceLinks: false,
    hostname: hostname(vmi),
    imagePullSecrets: secrets.length ? secrets : undefined,
    initContainers: initContainers.length ? initContainers : undefined,
    nodeSelector: nodeSelector(input),
    priorityClassName: spec.priorityClassName || undefined,
    readinessGates: [{ conditionType: UNPAUSED_GATE }],
    resourceClaims: spec.resourceClaims,
    restartPolicy: 'Never',
    runtimeClassName: config.raw.defaultRuntimeClass || undefined,
    schedulerName: spec.schedulerName || undefined,
    securityContext: {
      fsGroup: QEMU_UID,
      runAsGroup: QEMU_UID,
      runAsNonRoot: true,
      runAsUser: QEMU_UID,
      ...seccomp(input),
    },
    serviceAccountName: spec.serviceAccountName || accountVolume || undefined,
    subdomain: spec.subdomain || undefined,
    terminationGracePeriodSeconds: guestGraceSeconds(input) + 2 * GRACE_PADDING,
    tolerations: spec.tolerations,
    topologySpreadConstraints: spec.topologySpreadConstraints,
    volumes: [...parts.volumes],
  };
}

const isInMesh = ({ metadata }: VirtualMachineInstance): boolean =>
  metadata.annotations?.['sidecar.istio.io/inject']?.toLowerCase() === 'true';

const sharedWithCompute = (sidecars: ReturnType<typeof hookSidecars>): { name: string; mountPath: string }[] =>
  sidecars.flatMap(({ pvc }) => (pvc?.sharedComputePath ? [{ name: pvc.name, mountPath: pvc.sharedComputePath }] : []));

function seccomp({ config }: RenderInput): { seccompProfile?: { type: string; localhostProfile?: string } } {
  const profile = config.raw.seccompConfiguration?.virtualMachineInstanceProfile?.customProfile;
  if (profile?.localhostProfile) {
    return { seccompProfile: { type: 'Localhost', localhostProfile: profile.localhostProfile } };
  }
  return profile?.runtimeDefaultProfile ? { seccompProfile: { type: 'RuntimeDefault' } } : {};
}

/** Without the fields that are not set: what is sent is what is compared. */
function defined<T extends object>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
