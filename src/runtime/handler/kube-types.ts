import type { KubeObject } from '../../api';
import { keys } from '../../api/keys';
import { launcherPodName } from '../../api/launcher-name';

/** The fields of Pods and Nodes that the handler reads; the rest is dropped. */

export interface ContainerStatus {
  name: string;
  containerID?: string;
  image?: string;
  state?: {
    running?: { startedAt?: string };
    terminated?: { exitCode: number; reason?: string; message?: string };
    waiting?: { reason?: string; message?: string };
  };
}

export interface Pod extends KubeObject {
  spec: {
    nodeName?: string;
    hostNetwork?: boolean;
    containers: { name: string; image?: string; volumeDevices?: { name: string; devicePath: string }[] }[];
    initContainers?: { name: string }[];
    volumes?: { name: string; image?: unknown }[];
  };
  status?: {
    phase?: 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown';
    podIPs?: { ip: string }[];
    qosClass?: 'Guaranteed' | 'Burstable' | 'BestEffort';
    conditions?: { type: string; status: string; lastTransitionTime?: string | null }[];
    containerStatuses?: ContainerStatus[];
    initContainerStatuses?: ContainerStatus[];
  };
}

export interface Node extends KubeObject {
  status?: unknown;
}

/** Keeps only the fields that the handler reads: a node may run hundreds of Pods. */
export function trimPod(pod: Pod): Pod {
  const { name, namespace, uid, resourceVersion, labels, ownerReferences, creationTimestamp, deletionTimestamp } =
    pod.metadata;
  const { phase, podIPs, qosClass, conditions, containerStatuses, initContainerStatuses } = pod.status ?? {};
  return {
    apiVersion: pod.apiVersion,
    kind: pod.kind,
    metadata: { name, namespace, uid, resourceVersion, labels, ownerReferences, creationTimestamp, deletionTimestamp },
    spec: {
      nodeName: pod.spec.nodeName,
      hostNetwork: pod.spec.hostNetwork,
      containers: pod.spec.containers.map((c) => ({ name: c.name, image: c.image, volumeDevices: c.volumeDevices })),
      initContainers: pod.spec.initContainers?.map((c) => ({ name: c.name })),
      volumes: pod.spec.volumes?.map((v) => ({ name: v.name, image: v.image && true })),
    },
    status: { phase, podIPs, qosClass, conditions, containerStatuses, initContainerStatuses },
  };
}

/** An attachment Pod, with the annotation by which its VMI is woken. */
export function trimAttachment(pod: Pod): Pod {
  const name = pod.metadata.annotations?.[keys.ownerVmiName];
  const trimmed = trimPod(pod);
  return name ? { ...trimmed, metadata: { ...trimmed.metadata, annotations: { [keys.ownerVmiName]: name } } } : trimmed;
}

/**
 * The VMI that a launcher Pod belongs to: its controller, never its labels. Users who may create Pods can copy labels and
 * the owner reference to a Pod of another name, so the name must be the one that virt-controller derives for this owner.
 */
export function ownerOf(pod: Pod): { namespace: string; name: string; uid: string } | undefined {
  const owner = pod.metadata.ownerReferences?.find((ref) => ref.controller && ref.kind === 'VirtualMachineInstance');
  if (!owner?.apiVersion.startsWith('kubevirt.io/')) return undefined;
  if (pod.metadata.name !== launcherPodName(owner.name, owner.uid)) return undefined;
  return { namespace: pod.metadata.namespace ?? '', name: owner.name, uid: owner.uid };
}

/** Status of a container, init or not. */
export function containerStatus(pod: Pod, name: string): ContainerStatus | undefined {
  const { containerStatuses = [], initContainerStatuses = [] } = pod.status ?? {};
  return [...containerStatuses, ...initContainerStatuses].find((status) => status.name === name);
}

/** The id `abc` of `crun://abc`; only in the form that container runtimes use, since it is searched for in cgroup paths. */
export function containerId(status: ContainerStatus | undefined): string | undefined {
  return /^[a-z0-9.-]+:\/\/([A-Za-z0-9][A-Za-z0-9_.-]{7,127})$/.exec(status?.containerID ?? '')?.[1];
}
