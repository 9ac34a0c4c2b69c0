import type { ClusterConfig } from '../../../api';
import { decideEviction } from '../../../api/kinds/eviction';
import type { EvictedPod, Eviction, EvictionDecision } from '../../../api/kinds/eviction';
import { decideWith, resources } from '../../kube';
import type { KubeClient, Source } from '../../kube';
import type { AdmissionRequest, Verdict } from './review';

/** Answers the eviction of a Pod. */
export type Evict = (request: AdmissionRequest, config: ClusterConfig) => Promise<Verdict>;

const EVICTION_SOURCE = 'kubevirt.io/eviction-source';
/** Who evicts shall try again. */
const TOO_MANY_REQUESTS = 429;

/** Evictions of launcher Pods: a guest that can move is told to leave its node, and its Pod stays until it has. */
export function evictions(client: KubeClient, cluster: (request: AdmissionRequest) => Source): Evict {
  return async (request, config): Promise<Verdict> => {
    const { namespace, name = '', dryRun = false } = request;
    const decision = await decideWith<EvictionDecision>(cluster(request), ({ find }) => {
      const pod = find('Pod', namespace, name) as EvictedPod | undefined;
      // an eviction of what is not there is the API server's to answer
      return pod
        ? decideEviction(pod, (request.object ?? {}) as Eviction, dryRun, { config, find })
        : { allowed: true };
    });
    if (decision.allowed) return {};
    if (decision.evacuate) await evacuate(client, decision.evacuate);
    return { refused: { code: TOO_MANY_REQUESTS, reason: 'TooManyRequests', message: decision.message } };
  };
}

async function evacuate(
  client: KubeClient,
  { vmi, nodeName, byDescheduler, dryRun }: NonNullable<Extract<EvictionDecision, { allowed: false }>['evacuate']>,
): Promise<void> {
  const { namespace, name = '' } = vmi.metadata;
  const mark = {
    status: { evacuationNodeName: nodeName },
    ...(byDescheduler ? { metadata: { annotations: { [EVICTION_SOURCE]: 'descheduler' } } } : {}),
  };
  await client.patch(resources.virtualMachineInstances, { namespace, name }, mark, 'merge', { dryRun });
}
