import type { ClusterConfig } from '../../../api';
import { decideEviction } from '../../../api/kinds/eviction';
import type { EvictedPod, EvictionDecision } from '../../../api/kinds/eviction';
import { decideWith } from '../../kube';
import type { Source } from '../../kube';
import type { AdmissionRequest, Verdict } from './review';

const CODES = { Forbidden: 403, TooManyRequests: 429 } as const;

/** Answers evictions of launcher Pods. The requesting user is not authenticated here, so nothing is written. */
export async function admitEviction(
  { namespace, name = '' }: AdmissionRequest,
  source: Source,
  config: ClusterConfig,
): Promise<Verdict> {
  const decision = await decideWith<EvictionDecision>(source, ({ find }) => {
    // the API server answers the eviction of a Pod that does not exist, or has no name
    const pod = (namespace && name ? find('Pod', namespace, name) : undefined) as EvictedPod | undefined;
    return pod ? decideEviction(pod, { config, find }) : { allowed: true };
  });
  if (decision.allowed) return {};
  const { reason, message } = decision;
  return { refused: { code: CODES[reason], reason, message } };
}
