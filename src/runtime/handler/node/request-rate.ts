import type { KubeVirt } from '../../../api';
import { Informer, rateLimitOf, resources } from '../../kube';
import type { KubeClient, RateLimit } from '../../kube';
import { slimKubeVirt } from './configuration';

/**
 * Request rate of one node's handler, unless the platform's configuration sets another. Every node runs a handler, so a faulty
 * one must not be able to overload the API server. KubeVirt's limit (5 per second, burst 10) would delay the guests of a node
 * that start together: each needs about six requests.
 */
export const OWN_LIMIT: RateLimit = { qps: 50, burst: 100 };

/**
 * Limits the requests of each client to the rate in `handlerConfiguration` of the KubeVirt object, which the first client
 * watches. Each client has a queue of its own, so that waiting requests of one do not delay those of another.
 */
export function followRateLimit(
  clients: readonly [KubeClient, ...KubeClient[]],
  namespace: string,
  onError: (error: unknown) => void,
): Informer<KubeVirt> {
  const kubeVirts = new Informer<KubeVirt>(clients[0], resources.kubeVirts, {
    namespace,
    onError,
    transform: slimKubeVirt,
  });
  const limit = (): void => {
    const rate = rateLimitOf(kubeVirts.list()[0]?.spec?.configuration?.handlerConfiguration, OWN_LIMIT);
    for (const client of clients) client.limitRate(rate);
  };
  kubeVirts.onChange({ add: limit, update: limit, delete: limit });
  limit();
  return kubeVirts;
}
