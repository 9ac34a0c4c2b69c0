import { awaitsUpload } from '../../api/cdi/upload';
import { keys } from '../../api/keys';
import type { Condition, KubeObject, OwnerReference } from '../../api';
import type { Node } from './instance/observed';
import { COMPUTE, RESOURCE_NAME, STATE_LABEL } from './pod';
import type { ClaimInfo, Pod, ResourceQuota } from './pod';
import type { DataVolume } from './virtual-machine/observed';

/**
 * The fields that the caches keep of each object. Decisions see no others: tests build their objects through the same
 * functions.
 */

/** Cached claim. Its `spec` has the fields that the renderer reads, including those that the API keeps in other places. */
export interface Claim extends KubeObject {
  spec?: ClaimInfo;
}

/** Keeps the object except for the parts that controllers do not read. */
export function slim<T extends KubeObject>(object: T): T {
  delete object.metadata.managedFields;
  const { annotations } = object.metadata;
  if (annotations) delete annotations['kubectl.kubernetes.io/last-applied-configuration'];
  return object;
}

export function slimPod(pod: Pod): Pod {
  const { name, namespace, uid, resourceVersion, ownerReferences, creationTimestamp, deletionTimestamp } = pod.metadata;
  const rendering = pod.metadata.annotations?.[keys.rendering];
  const { phase, reason, message, conditions, containerStatuses, initContainerStatuses } = pod.status ?? {};
  return {
    apiVersion: pod.apiVersion,
    kind: pod.kind,
    metadata: {
      name,
      namespace,
      uid,
      resourceVersion,
      ownerReferences,
      creationTimestamp,
      deletionTimestamp,
      ...(rendering && { annotations: { [keys.rendering]: rendering } }),
    },
    spec: {
      nodeName: pod.spec.nodeName,
      // read only to explain why the Pod cannot be placed
      nodeSelector: pod.spec.nodeName ? undefined : pod.spec.nodeSelector,
      containers: pod.spec.containers
        .filter(({ name: container }) => container === COMPUTE)
        .map(({ image, resources }) => ({
          name: COMPUTE,
          ...(image !== undefined && { image: shared(image) }),
          ...(!pod.spec.nodeName && { resources }),
        })),
    },
    status: { phase, reason, message, conditions, containerStatuses, initContainerStatuses },
  };
}

/** Images of launchers: few, and each is the image of many Pods. */
const images = new Map<string, string>();
const MAX_IMAGES = 100;

/** Returns the same string for equal texts, which would otherwise be kept once for each Pod. */
function shared(image: string): string {
  const known = images.get(image);
  if (known !== undefined) return known;
  if (images.size < MAX_IMAGES) images.set(image, image);
  return image;
}

/** An attachment Pod, with the annotation by which its VMI is woken. */
export function slimAttachment(pod: Pod): Pod {
  const name = pod.metadata.annotations?.[keys.ownerVmiName];
  const { metadata, ...rest } = slimPod(pod);
  return { ...rest, metadata: { ...metadata, ...(name && { annotations: { [keys.ownerVmiName]: name } }) } };
}

/** Drops the times of conditions: a node updates them every few minutes, and these updates are not changes. */
export function slimNode(node: Node): Node {
  const { name, uid, resourceVersion, labels, annotations = {} } = node.metadata;
  const kept = [keys.heartbeat, keys.kvmUnusable].filter((key) => annotations[key] !== undefined);
  const conditions = node.status?.conditions?.filter(({ type }) => type === 'DiskPressure' || type === 'Ready');
  return {
    apiVersion: node.apiVersion,
    kind: node.kind,
    metadata: {
      name,
      uid,
      resourceVersion,
      labels,
      annotations: Object.fromEntries(kept.map((key) => [key, annotations[key]])),
    },
    status: {
      allocatable: node.status?.allocatable,
      conditions: conditions?.map(({ type, status }): Condition => ({ type, status })),
      nodeInfo: { kubeletVersion: node.status?.nodeInfo?.kubeletVersion },
    },
  };
}

/** A claim in the form of the API. */
interface StoredClaim extends KubeObject {
  spec?: {
    volumeMode?: ClaimInfo['volumeMode'];
    accessModes?: string[];
    dataSource?: object;
    dataSourceRef?: object;
    resources?: { requests?: ClaimInfo['requests'] };
  };
  status?: { phase?: string; accessModes?: string[]; capacity?: ClaimInfo['capacity'] };
}

export function slimClaim(claim: KubeObject): Claim {
  const { apiVersion, kind, metadata, spec, status } = claim as StoredClaim;
  const { name, namespace, uid, resourceVersion, deletionTimestamp, ownerReferences } = metadata;
  const state = metadata.labels?.[STATE_LABEL];
  const dataVolume = dataVolumeOf(metadata);
  return {
    apiVersion,
    kind,
    metadata: {
      name,
      namespace,
      uid,
      resourceVersion,
      deletionTimestamp,
      // read only of claims that hold the state of a VM
      ...(state !== undefined && { labels: { [STATE_LABEL]: state } }),
      ownerReferences: controllersOf(ownerReferences),
    },
    spec: {
      volumeMode: spec?.volumeMode,
      accessModes: status?.accessModes ?? spec?.accessModes,
      requests: spec?.resources?.requests,
      capacity: status?.capacity,
      isBound: status?.phase === 'Bound',
      ...(dataVolume && { dataVolume }),
      ...(awaitsUpload(claim as StoredClaim) && { awaitsUpload: true }),
      ...(isCollected(claim) && { isCollected: true }),
    },
  };
}

const CDI = 'cdi.kubevirt.io';

function dataVolumeOf({ ownerReferences, annotations = {} }: KubeObject['metadata']): ClaimInfo['dataVolume'] {
  const owner = ownerReferences?.find(
    ({ controller, kind, apiVersion }) => controller && kind === 'DataVolume' && apiVersion.startsWith(`${CDI}/`),
  );
  if (!owner) return undefined;
  const { name, uid } = owner;
  const annotationOf = (what: string): string | undefined => annotations[`${CDI}/storage.${what}`];
  // each checkpoint of a warm import has an importer that succeeds; only the last one completes the disk
  const isWhole = annotationOf('checkpoint.current') === undefined || annotationOf('checkpoint.done') === 'true';
  const saysFilled = annotationOf('populatedFor') === name || (annotationOf('pod.phase') === 'Succeeded' && isWhole);
  return { name, uid, saysFilled };
}

/** Not permanent: a controller that fills the claim again also controls it again. */
const isCollected = ({ metadata }: KubeObject): boolean => metadata.annotations?.[`${CDI}/garbageCollected`] === 'true';

const controllersOf = (owners: OwnerReference[] | undefined): OwnerReference[] | undefined =>
  owners?.some(({ controller }) => controller) ? owners.filter(({ controller }) => controller) : undefined;

/** A quota's status changes with each Pod of its namespace; only its limits are needed. */
export function slimQuota({ apiVersion, kind, metadata, spec }: ResourceQuota): ResourceQuota {
  const { name, namespace, uid, resourceVersion } = metadata;
  return { apiVersion, kind, metadata: { name, namespace, uid, resourceVersion }, spec: { hard: spec?.hard } };
}

export function slimNamespace({ apiVersion, kind, metadata }: KubeObject): KubeObject {
  const { name, uid, resourceVersion, labels } = metadata;
  return { apiVersion, kind, metadata: { name, uid, resourceVersion, labels } };
}

/** Drops the CNI configuration, which only nodes read. */
export function slimDefinition({ apiVersion, kind, metadata }: KubeObject): KubeObject {
  const { name, namespace, uid, resourceVersion, annotations } = metadata;
  const device = annotations?.[RESOURCE_NAME];
  return {
    apiVersion,
    kind,
    metadata: { name, namespace, uid, resourceVersion, ...(device && { annotations: { [RESOURCE_NAME]: device } }) },
  };
}

export function slimDataVolume({ apiVersion, kind, metadata, status }: DataVolume): DataVolume {
  const { name, namespace, uid, resourceVersion, deletionTimestamp } = metadata;
  const creator = metadata.labels?.[keys.createdBy];
  const ownerReferences = controllersOf(metadata.ownerReferences);
  return {
    apiVersion,
    kind,
    metadata: {
      name,
      namespace,
      uid,
      resourceVersion,
      // read only to find disks that an earlier VM of the same name has left
      ...(creator !== undefined && { labels: { [keys.createdBy]: creator } }),
      ...(ownerReferences && { ownerReferences }),
      ...(deletionTimestamp && { deletionTimestamp }),
    },
    status: status && { phase: status.phase, conditions: status.conditions },
  };
}
