import type { KubeVirt } from '../../../api';
import { Informer, rateLimitOf, resources } from '../../kube';
import type { KubeClient, RateLimit } from '../../kube';

/**
 * Requests of one node's handler, unless the platform's configuration says otherwise. There is a handler on every node, so
 * one that runs wild must not be able to load the API server. KubeVirt's limit (5, at once 10) would hold up the guests of
 * a node that start together: each takes about six requests.
 */
export const OWN_LIMIT: RateLimit = { qps: 50, burst: 100 };

/**
 * Limits the requests of each client as `handlerConfiguration` of the KubeVirt object says, and follows its changes,
 * which the first one watches. Each has a line of its own: what waits in one holds up none of another's.
 */
export function followRateLimit(
  clients: readonly [KubeClient, ...KubeClient[]],
  namespace: string,
  onError: (error: unknown) => void,
): Informer<KubeVirt> {
  const kubeVirts = new Informer<KubeVirt>(clients[0], resources.kubeVirts, { namespace, onError, transform: slim });
  const limit = (): void => {
    const rate = rateLimitOf(kubeVirts.list()[0]?.spec?.configuration?.handlerConfiguration, OWN_LIMIT);
    for (const client of clients) client.limitRate(rate);
  };
  kubeVirts.onChange({ add: limit, update: limit, delete: limit });
  limit();
  return kubeVirts;
}

function slim({ apiVersion, kind, metadata, spec }: KubeVirt): KubeVirt {
  const { name, namespace, uid, resourceVersion } = metadata;
  const { handlerConfiguration } = spec?.configuration ?? {};
  return {
    apiVersion,
    kind,
    metadata: { name, namespace, uid, resourceVersion },
    spec: { configuration: { handlerConfiguration } },
  } as KubeVirt;
}
