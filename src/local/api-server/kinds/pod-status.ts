import { parseQuantity } from '../../../api/quantity';

interface Container {
  resources?: { requests?: Record<string, string>; limits?: Record<string, string> };
}

export const isTerminal = (phase: string): boolean => phase === 'Succeeded' || phase === 'Failed';

/** Guaranteed: every container limits CPU and memory, and requests as much. BestEffort: no container sets either. */
export function podQosClass(
  spec: { containers?: Container[]; initContainers?: Container[]; resources?: Container['resources'] } = {},
): string {
  // Resources of the whole Pod count instead of those of its containers.
  const own = spec.resources?.requests ?? spec.resources?.limits;
  const all = own ? [spec as Container] : [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  let any = false;
  let guaranteed = all.length > 0;
  for (const { resources = {} } of all) {
    const { requests = {}, limits = {} } = resources;
    for (const name of ['cpu', 'memory']) {
      const [request, limit] = [requests[name], limits[name]].map((text) => (text ? parseQuantity(text).nanos : 0n));
      if (request > 0n || limit > 0n) any = true;
      if (limit === 0n || request !== limit) guaranteed = false;
    }
  }
  if (!any) return 'BestEffort';
  return guaranteed ? 'Guaranteed' : 'Burstable';
}
