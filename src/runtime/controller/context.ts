import type {
  KubeObject,
  KubeVirt,
  VirtualMachine,
  VirtualMachineInstance,
  VirtualMachineInstanceReplicaSet,
} from '../../api';
import { ATTACHMENT, launcherOf } from '../../api/attachment-name';
import { clusterConfig } from '../../api/cluster-config';
import type { ClusterConfig } from '../../api/cluster-config';
import { hotplugClaim } from '../../api/hotplug-volumes';
import type { VirtualMachinePool } from '../../api/generated/pool-v1beta1';
import type { ControllerReason } from '../../api/reasons';
import { Informer, resources } from '../kube';
import type { EventRecorder, Expectations, KubeClient } from '../kube';
import type { Node } from './instance/observed';
import type { Heartbeats } from './node/heartbeats';
import { definitionKeys, stateClaimFor } from './pod';
import { poolKeyOf } from './pool/observed';
import { ownerOf } from './replica-set/decide';
import type { ClaimInfo, FactSource, Pod, ResourceQuota } from './pod';
import {
  slim,
  slimAttachment,
  slimClaim,
  slimDataVolume,
  slimDefinition,
  slimNamespace,
  slimNode,
  slimPod,
  slimQuota,
} from './trim';
import type { Claim } from './trim';
import type { DataVolume } from './virtual-machine/observed';

/** Context that all controllers of this process share. */
export interface Context {
  readonly client: KubeClient;
  readonly recorder: EventRecorder<ControllerReason>;
  /** This process's own writes that the caches may not show yet, by queue and key. */
  readonly expectations: Expectations;
  readonly caches: Caches;
  readonly heartbeats: Heartbeats;
  readonly launcherImage: string;
  /** Returns the platform's current configuration. */
  config(): ClusterConfig;
  now(): number;
}

export interface Caches {
  readonly vms: Informer<VirtualMachine>;
  readonly vmis: Informer<VirtualMachineInstance>;
  readonly replicaSets: Informer<VirtualMachineInstanceReplicaSet>;
  readonly pools: Informer<VirtualMachinePool>;
  readonly pods: Informer<Pod>;
  /** Attachment Pods of hotplugged volumes. */
  readonly attachments: Informer<Pod>;
  readonly nodes: Informer<Node>;
  readonly claims: Informer<Claim>;
  /** Empty and not `installed` in a cluster without CDI. */
  readonly dataVolumes: Informer<DataVolume>;
  readonly quotas: Informer<ResourceQuota>;
  readonly namespaces: Informer<KubeObject>;
  /** NetworkAttachmentDefinitions. Empty and not `installed` in a cluster without Multus. */
  readonly definitions: Informer<KubeObject>;
  readonly kubeVirts: Informer<KubeVirt>;
}

/** Label of all launcher Pods. Other Pods are not watched. */
const LAUNCHERS = 'kubevirt.io=virt-launcher';

/** Most clusters that lack such a kind never install it, so the informer backs off further. */
const optional = { optional: true, backoffMs: { first: 200, max: 30_000 } } as const;

export function makeCaches(client: KubeClient, namespace: string, onError: (error: unknown) => void): Caches {
  return {
    vms: new Informer<VirtualMachine>(client, resources.virtualMachines, {
      onError,
      transform: slim,
      indexers: { dataVolume: templateKeys, pool: (vm) => [poolKeyOf(vm) ?? ''] },
    }),
    vmis: new Informer<VirtualMachineInstance>(client, resources.virtualMachineInstances, {
      onError,
      transform: slim,
      indexers: {
        node: ({ status }) => (status?.nodeName ? [status.nodeName] : []),
        claim: claimKeys,
        definition: definitionKeys,
        namespace: byNamespace,
        replicaSet: (vmi) => [ownerOf(vmi) ?? ''],
      },
    }),
    replicaSets: new Informer<VirtualMachineInstanceReplicaSet>(client, resources.replicaSets, {
      onError,
      transform: slim,
      indexers: { uid: ({ metadata }) => [metadata.uid ?? ''] },
    }),
    pools: new Informer<VirtualMachinePool>(client, resources.pools, { onError, transform: slim }),
    pods: new Informer<Pod>(client, resources.pods, {
      onError,
      labelSelector: LAUNCHERS,
      transform: slimPod,
    }),
    attachments: new Informer<Pod>(client, resources.pods, {
      onError,
      labelSelector: `kubevirt.io=${ATTACHMENT}`,
      transform: slimAttachment,
      indexers: { launcher: ({ metadata }) => [launcherOf(metadata)].filter((uid) => uid !== undefined) },
    }),
    nodes: new Informer<Node>(client, resources.nodes, { onError, transform: slimNode }),
    claims: new Informer<Claim>(client, resources.persistentVolumeClaims, {
      onError,
      transform: slimClaim,
      indexers: { state: stateKeys },
    }),
    dataVolumes: new Informer<DataVolume>(client, resources.dataVolumes, {
      onError,
      transform: slimDataVolume,
      ...optional,
    }),
    quotas: new Informer<ResourceQuota>(client, resources.resourceQuotas, {
      onError,
      transform: slimQuota,
      indexers: { namespace: byNamespace },
    }),
    namespaces: new Informer<KubeObject>(client, resources.namespaces, { onError, transform: slimNamespace }),
    definitions: new Informer<KubeObject>(client, resources.networkAttachmentDefinitions, {
      onError,
      transform: slimDefinition,
      ...optional,
    }),
    kubeVirts: new Informer<KubeVirt>(client, resources.kubeVirts, { onError, namespace }),
  };
}

/** Returns the KubeVirt object that counts, should there be several. */
export function theKubeVirt(kubeVirts: Pick<Informer<KubeVirt>, 'list'>): KubeVirt | undefined {
  const all = kubeVirts.list();
  return all.find(({ metadata }) => metadata.name === 'kubevirt') ?? all[0];
}

/** Returns a reader of the configuration in the one KubeVirt object. It is computed again only when that object changes. */
export function configReader(kubeVirts: Informer<KubeVirt>, namespace: string): () => ClusterConfig {
  let known: { from: KubeVirt | undefined; config: ClusterConfig } | undefined;
  return () => {
    const from = theKubeVirt(kubeVirts);
    if (!known || known.from !== from) {
      const config = clusterConfig(from);
      known = { from, config: from ? config : { ...config, installNamespace: namespace } };
    }
    return known.config;
  };
}

/** `namespace/name` of each claim or DataVolume that a VMI refers to. */
export function claimKeys({ metadata, spec }: VirtualMachineInstance): string[] {
  const ofVolumes = (spec.volumes ?? []).map(
    (volume) => hotplugClaim(volume) ?? volume.ephemeral?.persistentVolumeClaim?.claimName,
  );
  const ofLauncher = (spec.utilityVolumes ?? []).map(({ claimName }) => claimName);
  return [...ofVolumes, ...ofLauncher].flatMap((name) => (name ? [`${metadata.namespace}/${name}`] : []));
}

/** `namespace/name` of each DataVolume that a VM has a template for. */
function templateKeys({ metadata, spec }: VirtualMachine): string[] {
  const names = (spec.dataVolumeTemplates ?? []).flatMap((template) => template?.metadata?.name ?? []);
  return names.map((name) => `${metadata.namespace}/${name}`);
}

/** `namespace/name` of the VMI whose persistent state the claim may hold. */
export function stateKeys(claim: Claim): string[] {
  const name = stateClaimFor(claim);
  return name === undefined ? [] : [`${claim.metadata.namespace}/${name}`];
}

const byNamespace = ({ metadata }: KubeObject): string[] => [metadata.namespace ?? ''];

/** Facts that a launcher Pod depends on, read from the caches so that a pass sends no request. */
export function factSource({ quotas, namespaces, claims, definitions }: Caches): FactSource {
  const unknown = notListed(definitions);
  return {
    quotas: (namespace) => quotas.byIndex('namespace', namespace ?? ''),
    namespace: (name) => namespaces.get(name),
    stateClaims: (namespace, vmiName) => claims.byIndex('state', `${namespace}/${vmiName}`),
    definition: (key) => definitions.get(key),
    ...(!definitions.installed && {
      definitionsUnknown:
        (unknown && `cannot be looked up: ${unknown}`) ??
        'cannot exist: the cluster has no NetworkAttachmentDefinition (k8s.cni.cncf.io/v1); install Multus and create the definition',
    }),
  };
}

/** Returns why an optional kind could not be listed, as the end of a sentence; undefined once it is listed. */
export function notListed({
  listed,
  resource,
  failure,
}: Pick<Informer<KubeObject>, 'listed' | 'resource' | 'failure'>): string | undefined {
  if (listed) return undefined;
  return (
    `virt-controller cannot list ${resource.plural}.${resource.group} (${failure ?? 'no answer yet'}); check the API ` +
    'server and the roles of virt-controller'
  );
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
