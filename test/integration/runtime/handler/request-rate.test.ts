import type { KubeObject } from '../../../../src/api';
import { platformDefinitions } from '../../../../src/api/crds';
import { followRateLimit } from '../../../../src/runtime/handler/node/request-rate';
import type { RateLimit } from '../../../../src/runtime/kube';
import { KubeClient, loadKubeConfig, resources } from '../../../../src/runtime/kube';
import { startTestApiServer } from '../../../support/api-server';

test('virt-handler has a limit of requests before anything is known, then that of the KubeVirt object', async () => {
  const api = await startTestApiServer();
  const options = { userAgent: 'test' };
  const client = new KubeClient(loadKubeConfig(api.kubeconfig), options);
  const limited = new KubeClient(loadKubeConfig(api.kubeconfig), options);
  const definition = platformDefinitions.find(({ metadata }) => metadata.name === 'kubevirts.kubevirt.io');
  await client.create(resources.customResourceDefinitions, definition!);
  await client.create(resources.namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kubevirt' } });
  const limits: (RateLimit | undefined)[] = [];
  let changed = Promise.withResolvers<void>();
  jest.spyOn(limited, 'limitRate').mockImplementation((limit) => {
    limits.push(limit);
    changed.resolve();
  });
  const next = async (): Promise<RateLimit | undefined> => {
    await changed.promise;
    changed = Promise.withResolvers();
    return limits.at(-1);
  };
  const kubeVirts = followRateLimit([limited], 'kubevirt', () => undefined);
  try {
    expect(await next()).toEqual({ qps: 50, burst: 100 });
    await kubeVirts.start();
    const tokenBucketRateLimiter = { qps: 5, burst: 10 };
    await client.create(resources.kubeVirts, {
      apiVersion: 'kubevirt.io/v1',
      kind: 'KubeVirt',
      metadata: { name: 'kubevirt', namespace: 'kubevirt' },
      spec: { configuration: { handlerConfiguration: { restClient: { rateLimiter: { tokenBucketRateLimiter } } } } },
    } as KubeObject);
    expect(await next()).toEqual({ qps: 5, burst: 10 });
    await client.delete(resources.kubeVirts, { namespace: 'kubevirt', name: 'kubevirt' });
    expect(await next()).toEqual({ qps: 50, burst: 100 });
  } finally {
    await kubeVirts.stop();
    limited.close();
    client.close();
    await api.close();
  }
});
