import type { KubeVirt, VirtualMachine, VirtualMachineInstance } from '../../api';
import { clusterConfig } from '../../api/cluster-config';
import type { ClusterConfig } from '../../api/cluster-config';
import type { KubeObject } from '../../api';
import { Informer, resources } from '../kube';
import type { EventRecorder, Expectations, KubeClient } from '../kube';
import type { Node } from './instance/observed';
import type { ClaimInfo, Pod } from './pod';
import { COMPUTE } from './pod';
import type { DataVolume } from './virtual-machine/observed';

/** What is kept of a claim: its `spec` here is what the renderer reads, whatever part of the claim it comes from. */
export interface Claim extends KubeObject {
  spec?: ClaimInfo;
}

/** What every controller of this process shares. */
export interface Context {
  readonly client: KubeClient;
  readonly recorder: EventRecorder;
  /** Own writes that the caches may not show yet, by queue and key. */
  readonly expectations: Expectations;
  readonly caches: Caches;
  readonly launcherImage: string;
  /** The platform's configuration now. */
  config(): ClusterConfig;
  now(): number;
}

export interface Caches {
  readonly vms: Informer<VirtualMachine>;
  readonly vmis: Informer<VirtualMachineInstance>;
  readonly pods: Informer<Pod>;
  readonly nodes: Informer<Node>;
  readonly claims: Informer<Claim>;
  /** Empty, and not `installed`, in a cluster without CDI. */
  readonly dataVolumes: Informer<DataVolume>;
  readonly kubeVirts: Informer<KubeVirt>;
}

/** The label that all launcher Pods carry; no other Pod is watched. */
const LAUNCHERS = 'kubevirt.io=virt-launcher';

export function makeCaches(client: KubeClient, namespace: string, onError: (error: unknown) => void): Caches {
  return {
    vms: new Informer<VirtualMachine>(client, resources.virtualMachines, {
      onError,
      transform: slim,
      indexers: { dataVolume: templateKeys },
    }),
    vmis: new Informer<VirtualMachineInstance>(client, resources.virtualMachineInstances, {
      onError,
      transform: slim,
      indexers: { node: ({ status }) => (status?.nodeName ? [status.nodeName] : []), claim: claimKeys },
    }),
    pods: new Informer<Pod>(client, resources.pods, {
      onError,
      labelSelector: LAUNCHERS,
      transform: slimPod,
      indexers: { vmi: (pod) => ownerUid(pod), node: ({ spec }) => (spec.nodeName ? [spec.nodeName] : []) },
    }),
    nodes: new Informer<Node>(client, resources.nodes, { onError, transform: slimNode }),
    claims: new Informer<Claim>(client, resources.persistentVolumeClaims, { onError, transform: slimClaim }),
    dataVolumes: new Informer<DataVolume>(client, resources.dataVolumes, {
      onError,
      transform: slimDataVolume,
      optional: true,
      // most clusters without the kind never get it
      backoffMs: { first: 200, max: 30_000 },
    }),
    kubeVirts: new Informer<KubeVirt>(client, resources.kubeVirts, { onError, namespace }),
  };
}

/** The configuration follows from the one KubeVirt object; it is worked out again only when that changes. */
export function configReader(kubeVirts: Informer<KubeVirt>, namespace: string): () => ClusterConfig {
  let known: { from: KubeVirt | undefined; config: ClusterConfig } | undefined;
  return () => {
    const all = kubeVirts.list();
    const from = all.find(({ metadata }) => metadata.name === 'kubevirt') ?? all[0];
    if (!known || known.from !== from) {
      const config = clusterConfig(from);
      known = { from, config: from ? config : { ...config, installNamespace: namespace } };
    }
    return known.config;
  };
}

/** uid of the VMI that controls the Pod. Labels do not count: any user can set them. */
export function ownerUid(pod: Pod): string[] {
  const owner = pod.metadata.ownerReferences?.find((ref) => ref.controller);
  return owner?.kind === 'VirtualMachineInstance' && owner.apiVersion.startsWith('kubevirt.io/') ? [owner.uid] : [];
}

/** `namespace/claim` of each claim or DataVolume that a VMI names. */
function claimKeys({ metadata, spec }: VirtualMachineInstance): string[] {
  return (spec.volumes ?? []).flatMap(({ persistentVolumeClaim, dataVolume, ephemeral }) => {
    const name =
      persistentVolumeClaim?.claimName ?? dataVolume?.name ?? ephemeral?.persistentVolumeClaim?.claimName ?? undefined;
    return name ? [`${metadata.namespace}/${name}`] : [];
  });
}

function slim<T extends KubeObject>(object: T): T {
  delete object.metadata.managedFields;
  const { annotations } = object.metadata;
  if (annotations) delete annotations['kubectl.kubernetes.io/last-applied-configuration'];
  return object;
}

function slimPod(pod: Pod): Pod {
  const { name, namespace, uid, resourceVersion, ownerReferences, creationTimestamp, deletionTimestamp } = pod.metadata;
  const rendering = pod.metadata.annotations?.['virt8s.io/rendering'];
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
      ...(rendering && { annotations: { 'virt8s.io/rendering': rendering } }),
    },
    spec: {
      nodeName: pod.spec.nodeName,
      // read only to explain why it cannot be placed
      nodeSelector: pod.spec.nodeName ? undefined : pod.spec.nodeSelector,
      containers: pod.spec.nodeName
        ? []
        : pod.spec.containers.filter((c) => c.name === COMPUTE).map((c) => ({ name: c.name, resources: c.resources })),
    },
    status: { phase, reason, message, conditions, containerStatuses, initContainerStatuses },
  };
}

function slimNode(node: Node): Node {
  const { name, uid, resourceVersion, labels, annotations = {} } = node.metadata;
  const kept = ['kubevirt.io/heartbeat', 'virt8s.io/kvm-unusable'].filter((key) => annotations[key] !== undefined);
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
    spec: { unschedulable: node.spec?.unschedulable },
    status: { allocatable: node.status?.allocatable },
  };
}

function slimClaim(claim: Claim): Claim {
  const { apiVersion, kind, metadata } = claim;
  const { spec, status } = claim as unknown as {
    spec?: {
      volumeMode?: ClaimInfo['volumeMode'];
      accessModes?: string[];
      resources?: { requests?: ClaimInfo['requests'] };
    };
    status?: { phase?: string; accessModes?: string[]; capacity?: ClaimInfo['capacity'] };
  };
  const { name, namespace, uid, resourceVersion } = metadata;
  return {
    apiVersion,
    kind,
    metadata: { name, namespace, uid, resourceVersion },
    spec: {
      volumeMode: spec?.volumeMode,
      accessModes: status?.accessModes ?? spec?.accessModes,
      requests: spec?.resources?.requests,
      capacity: status?.capacity,
      isBound: status?.phase === 'Bound',
    },
  };
}

function slimDataVolume({ apiVersion, kind, metadata, status }: DataVolume): DataVolume {
  const { name, namespace, uid, resourceVersion } = metadata;
  return {
    apiVersion,
    kind,
    metadata: { name, namespace, uid, resourceVersion },
    status: status && { phase: status.phase, conditions: status.conditions },
  };
}

/** `namespace/name` of each DataVolume that a VM has a template for. */
function templateKeys({ metadata, spec }: VirtualMachine): string[] {
  const names = (spec.dataVolumeTemplates ?? []).flatMap((template) => template?.metadata?.name ?? []);
  return names.map((name) => `${metadata.namespace}/${name}`);
}

/** The claims of these names that exist. */
export function findClaims(
  { caches }: Context,
  namespace: string | undefined,
  names: readonly string[],
): Map<string, ClaimInfo> {
  const found = new Map<string, ClaimInfo>();
  for (const name of names) {
    const claim = caches.claims.get(`${namespace}/${name}`);
    if (claim) found.set(name, { uid: claim.metadata.uid, ...claim.spec });
  }
  return found;
}
