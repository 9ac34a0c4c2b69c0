import type { ClusterConfig } from '../../../api/cluster-config';
import type { KubeObject, VirtualMachineInstance } from '../../../api';
import { defaultStateClaim, needsStateClaim } from './feature-volumes';
import { qualified } from './input';
import type { AttachmentDefinition, RenderInput } from './input';

/** Facts that a Pod depends on besides its VMI, the configuration and the claims of its volumes. */
export interface ClusterFacts extends Pick<
  RenderInput,
  'attachmentDefinitions' | 'definitionsUnknown' | 'namespaceLabels' | 'isRestricted' | 'limitedByQuota' | 'stateClaim'
> {
  /** Reason why the claim for the persistent state can be neither used nor created. */
  readonly stateClaimTaken?: string;
}

/** Source of the facts: the controller's caches, or the files that a command was given. */
export interface FactSource {
  quotas(namespace: string | undefined): readonly ResourceQuota[];
  namespace(name: string): KubeObject | undefined;
  /** Claims that may hold the state of the named VMI; the answer may contain others. */
  stateClaims(namespace: string | undefined, vmiName: string): readonly KubeObject[];
  /** Looks up by `namespace/name`. */
  definition(key: string): KubeObject | undefined;
  /** Reason why no NetworkAttachmentDefinition can be read, as the end of a sentence; undefined if they can. */
  readonly definitionsUnknown?: string;
}

export interface ResourceQuota extends KubeObject {
  spec?: { hard?: Record<string, unknown> };
}

/** Label on a claim with persistent state: the name of its VMI. */
export const STATE_LABEL = 'persistent-state-for';
/** Annotation on a NetworkAttachmentDefinition: the device that its Pods need. */
export const RESOURCE_NAME = 'k8s.v1.cni.cncf.io/resourceName';

/** Label of a namespace: the policy that its Pods must follow. */
const ENFORCED_POLICY = 'pod-security.kubernetes.io/enforce';

/** Reads only the facts that this Pod depends on; for most Pods these are the quotas of the namespace. */
export function clusterFacts(vmi: VirtualMachineInstance, config: ClusterConfig, source: FactSource): ClusterFacts {
  const { namespace } = vmi.metadata;
  const limitedByQuota = new Set(limitsOf(source.quotas(namespace)));
  const readsLabels = limitedByQuota.has('memory') || config.raw.autoCPULimitNamespaceLabelSelector !== undefined;
  const labels = source.namespace(namespace ?? '')?.metadata.labels;
  const { definitionsUnknown } = source;
  return {
    limitedByQuota,
    ...(readsLabels && labels && { namespaceLabels: labels }),
    ...(labels?.[ENFORCED_POLICY] === 'restricted' && { isRestricted: true }),
    ...(needsStateClaim({ vmi }) && stateClaimOf(vmi, source.stateClaims(namespace, vmi.metadata.name ?? ''))),
    ...(!config.hasGate('ExternalNetResourceInjection') && {
      attachmentDefinitions: definitionsOf(vmi, source),
      ...(definitionsUnknown && { definitionsUnknown }),
    }),
  };
}

/** Resources whose limits are counted by these quotas. */
export const limitsOf = (quotas: readonly ResourceQuota[]): string[] =>
  ['cpu', 'memory'].filter((name) => quotas.some(({ spec }) => spec?.hard?.[`limits.${name}`] !== undefined));

/** Name of the VMI whose state the claim may hold. */
export function stateClaimFor({ metadata }: KubeObject): string | undefined {
  const label = metadata.labels?.[STATE_LABEL];
  const prefix = defaultStateClaim('');
  return label ?? (metadata.name?.startsWith(prefix) ? metadata.name.slice(prefix.length) : undefined);
}

/**
 * Claim of the VMI's previous run, including one that another controller named. Any user may set a label, so a claim that
 * another object controls, like a deleted VM of the same name, is not used.
 */
function stateClaimOf(
  { metadata }: VirtualMachineInstance,
  claims: readonly KubeObject[],
): Pick<ClusterFacts, 'stateClaim' | 'stateClaimTaken'> {
  const name = metadata.name ?? '';
  const controllers = [metadata.uid, ...controllersOf(metadata).map(({ uid }) => uid)];
  const isForeign = (claim: KubeObject): boolean =>
    controllersOf(claim.metadata).some(({ uid }) => !controllers.includes(uid));
  const own = claims.filter(
    (claim) => stateClaimFor(claim) === name && !claim.metadata.deletionTimestamp && !isForeign(claim),
  );
  const stateClaim = (own.find(({ metadata: { labels } }) => labels?.[STATE_LABEL]) ?? own[0])?.metadata.name;
  if (stateClaim) return { stateClaim };
  const taken = claims.find((claim) => claim.metadata.name === defaultStateClaim(name));
  if (!taken) return {};
  const what = `PersistentVolumeClaim "${defaultStateClaim(name)}", which is to keep the state of this VM,`;
  const [owner] = controllersOf(taken.metadata);
  return {
    stateClaimTaken: taken.metadata.deletionTimestamp
      ? `${what} is being deleted; the VM will start when the deletion is complete`
      : `${what} belongs to ${owner?.kind} "${owner?.name}" (uid ${owner?.uid}); delete the claim, or remove its ` +
        'ownerReference to keep the state (the VM will start automatically)',
  };
}

const controllersOf = ({ ownerReferences = [] }: KubeObject['metadata']) =>
  ownerReferences.filter(({ controller }) => controller);

function definitionsOf(vmi: VirtualMachineInstance, source: FactSource): Map<string, AttachmentDefinition> {
  const definitions = new Map<string, AttachmentDefinition>();
  for (const key of definitionKeys(vmi)) {
    const definition = source.definition(key);
    if (!definition) continue;
    const resourceName = definition.metadata.annotations?.[RESOURCE_NAME];
    definitions.set(key, resourceName ? { resourceName } : {});
  }
  return definitions;
}

/** `namespace/name` of each NetworkAttachmentDefinition that the VMI refers to. */
export const definitionKeys = (vmi: VirtualMachineInstance): string[] =>
  (vmi.spec.networks ?? []).flatMap(({ multus }) => (multus ? [qualified(multus.networkName, vmi).join('/')] : []));
