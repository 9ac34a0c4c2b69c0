import type { VirtualMachineInstance } from '../../../api';
import { affinity } from './affinity';
import { wholeUnits } from './amounts';
import { computeContainer, GRACE_PADDING, guestGraceSeconds } from './compute';
import { consoleLogContainer } from './console-log';
import { UNPAUSED_GATE } from './constants';
import { diskInitContainers, diskSideContainers, imageVolumes, pullSecrets } from './container-disks';
import type { DiskInput } from './container-disks';
import { baseVolumes, featureVolumes, stateVolumes } from './feature-volumes';
import { memoryOverhead } from './memory-overhead';
import { controllerOf, hostname, podAnnotations, podLabels, podName } from './metadata';
import { nodeSelector } from './node-selector';
import { reservationLabels } from './reservations';
import { podSecurity, withoutCategories } from './security';
import { hookContainers, hookSidecars, hookVolumes, sharedWithCompute } from './sidecars';
import type { Container, Pod, PodSpec } from './types';
import { virtiofsContainers } from './virtiofs';
import { accessCredentials, configVolumes, guestVolumes, join } from './volumes';

/**
 * Renders the launcher Pod of a VMI. Pure: the same input gives the same Pod.
 * @throws when the VMI cannot have a Pod yet; the message has cause and remedy
 */
export function renderPod(input: DiskInput): Pod {
  const { vmi, config } = input;
  const overhead = memoryOverhead(vmi, config);
  const sidecars = hookSidecars(input);
  const { volumes, ...parts } = join([
    baseVolumes(input),
    configVolumes(input),
    ...guestVolumes(input),
    ...accessCredentials(vmi.spec.accessCredentials),
    stateVolumes(input),
    imageVolumes(input),
    ...featureVolumes(input, sidecars.length),
    { volumes: hookVolumes(sidecars), mounts: sharedWithCompute(sidecars) },
  ]);
  const containers = [
    // compute comes first: webhooks of device vendors add their resources to the first container
    computeContainer(input, { volumes, ...parts }, { overhead, hookSidecars: sidecars.length }),
    ...diskSideContainers(input),
    ...virtiofsContainers(input),
    ...hookContainers(input, sidecars),
  ];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: podName(vmi),
      namespace: vmi.metadata.namespace,
      labels: { ...podLabels(vmi), ...reservationLabels(input) },
      annotations: podAnnotations(input, wholeUnits(overhead)),
      ownerReferences: [controllerOf('kubevirt.io/v1', 'VirtualMachineInstance', vmi.metadata.name, vmi.metadata.uid)],
    },
    spec: specOf(input, withoutCategories(input, containers), [...volumes]),
  };
}

function specOf(input: DiskInput, containers: Container[], volumes: PodSpec['volumes']): PodSpec {
  const { vmi, config } = input;
  const { spec } = vmi;
  const consoleLog = consoleLogContainer(input);
  const accountVolume = spec.volumes?.find((volume) => volume.serviceAccount)?.serviceAccount?.serviceAccountName;
  return compact({
    affinity: affinity(input),
    automountServiceAccountToken: Boolean(accountVolume) || isInMesh(vmi),
    containers,
    dnsConfig: spec.dnsConfig,
    dnsPolicy: spec.dnsPolicy,
    enableServiceLinks: false,
    hostname: hostname(vmi),
    imagePullSecrets: pullSecrets(input),
    initContainers: [...(consoleLog ? [consoleLog] : []), ...diskInitContainers(input)],
    nodeSelector: nodeSelector(input),
    priorityClassName: spec.priorityClassName,
    readinessGates: [{ conditionType: UNPAUSED_GATE }],
    resourceClaims: spec.resourceClaims,
    restartPolicy: 'Never',
    runtimeClassName: config.raw.defaultRuntimeClass,
    schedulerName: spec.schedulerName,
    securityContext: podSecurity(input),
    serviceAccountName: spec.serviceAccountName || accountVolume,
    subdomain: spec.subdomain,
    terminationGracePeriodSeconds: guestGraceSeconds(input) + 2 * GRACE_PADDING,
    tolerations: spec.tolerations,
    topologySpreadConstraints: spec.topologySpreadConstraints,
    volumes,
  });
}

const isInMesh = ({ metadata }: VirtualMachineInstance): boolean =>
  metadata.annotations?.['sidecar.istio.io/inject']?.toLowerCase() === 'true';

/** Removes empty fields, so that the rendered Pod can be compared with the sent one. */
function compact(spec: PodSpec): PodSpec {
  const entries = Object.entries(spec).filter(
    ([, value]) => value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(entries) as unknown as PodSpec;
}
