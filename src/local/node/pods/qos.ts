import type { Pod } from '../../core-v1';
import { quantityOf } from '../../quantity';

export type QosClass = 'Guaranteed' | 'Burstable' | 'BestEffort';

/** Quality-of-service class, derived from cpu and memory of all containers. Pure. */
export function qosClassOf({ spec }: Pod): QosClass {
  let some = false;
  let all = true;
  for (const { resources } of [...spec.containers, ...(spec.initContainers ?? [])]) {
    for (const resource of ['cpu', 'memory']) {
      const limit = quantityOf(resources?.limits?.[resource]);
      const request = quantityOf(resources?.requests?.[resource] ?? resources?.limits?.[resource]);
      if (limit > 0 || request > 0) some = true;
      if (!(limit > 0) || limit !== request) all = false;
    }
  }
  return !some ? 'BestEffort' : all ? 'Guaranteed' : 'Burstable';
}
