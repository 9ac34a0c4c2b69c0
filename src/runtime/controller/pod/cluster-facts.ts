import type { ClusterConfig } from '../../../api/cluster-config';
import type { Find, FindAll, KubeObject, VirtualMachineInstance } from '../../../api';
import { needsStateClaim } from './feature-volumes';
import { qualified } from './input';
import type { AttachmentDefinition, RenderInput } from './input';

/** What a Pod depends on besides its VMI, the configuration and the claims of its volumes. */
export type ClusterFacts = Pick<
  RenderInput,
  'attachmentDefinitions' | 'namespaceLabels' | 'limitedByQuota' | 'stateClaim'
>;

/** Label of a claim with the state of the VMI that it names. */
export const STATE_LABEL = 'persistent-state-for';
const RESOURCE_NAME = 'k8s.v1.cni.cncf.io/resourceName';

/** Looks up what this Pod depends on, and nothing else: most Pods depend on their namespace's quotas alone. */
export function clusterFacts(
  vmi: VirtualMachineInstance,
  config: ClusterConfig,
  { find, list }: { readonly find: Find; readonly list: FindAll },
): ClusterFacts {
  const { namespace } = vmi.metadata;
  const limitedByQuota = quotaLimits(list('ResourceQuota', namespace));
  const readsLabels = limitedByQuota.has('memory') || config.raw.autoCPULimitNamespaceLabelSelector !== undefined;
  const labels = readsLabels ? find('Namespace', undefined, namespace ?? '')?.metadata.labels : undefined;
  const stateClaim = needsStateClaim({ vmi }) ? stateClaimOf(vmi, list) : undefined;
  return {
    limitedByQuota,
    ...(labels && { namespaceLabels: labels }),
    ...(stateClaim && { stateClaim }),
    ...(!config.hasGate('ExternalNetResourceInjection') && { attachmentDefinitions: definitionsOf(vmi, find) }),
  };
}

interface ResourceQuota extends KubeObject {
  spec?: { hard?: Record<string, unknown> };
}

const quotaLimits = (quotas: readonly ResourceQuota[]): Set<string> =>
  new Set(['cpu', 'memory'].filter((name) => quotas.some(({ spec }) => spec?.hard?.[`limits.${name}`] !== undefined)));

/** That of the VMI's last run, also under a name that another controller gave it. */
function stateClaimOf({ metadata }: VirtualMachineInstance, list: FindAll): string | undefined {
  const claims = list('PersistentVolumeClaim', metadata.namespace).filter((claim) => !claim.metadata.deletionTimestamp);
  return claims.find((claim) => claim.metadata.labels?.[STATE_LABEL] === metadata.name)?.metadata.name;
}

function definitionsOf(vmi: VirtualMachineInstance, find: Find): Map<string, AttachmentDefinition> {
  const definitions = new Map<string, AttachmentDefinition>();
  for (const { multus } of vmi.spec.networks ?? []) {
    if (!multus) continue;
    const [namespace, name] = qualified(multus.networkName, vmi);
    const definition = find('NetworkAttachmentDefinition', namespace, name);
    if (!definition) continue;
    const resourceName = definition.metadata.annotations?.[RESOURCE_NAME];
    definitions.set(`${namespace}/${name}`, resourceName ? { resourceName } : {});
  }
  return definitions;
}
