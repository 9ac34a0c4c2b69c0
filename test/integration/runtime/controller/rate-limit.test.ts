import type { KubeObject } from '../../../../src/api';
import { KubeClient, resources } from '../../../../src/runtime/kube';
import { World } from './world';

test('the KubeVirt object limits the rate of requests, and takes the limit back', async () => {
  const limits = jest.spyOn(KubeClient.prototype, 'limitRate');
  const world = await World.start();
  try {
    world.startController();
    const tokenBucketRateLimiter = { qps: 50, burst: 70 };
    await world.client.create(resources.kubeVirts, {
      apiVersion: 'kubevirt.io/v1',
      kind: 'KubeVirt',
      metadata: { name: 'kubevirt', namespace: 'kubevirt' },
      spec: {
        configuration: { controllerConfiguration: { restClient: { rateLimiter: { tokenBucketRateLimiter } } } },
      },
    } as KubeObject);
    const last = async () => limits.mock.lastCall?.[0];
    await world.until(last, (limit) => limit?.qps === 50 && limit.burst === 70, 'the limit holds');
    await world.client.delete(resources.kubeVirts, { namespace: 'kubevirt', name: 'kubevirt' });
    await world.until(last, (limit) => limit === undefined, 'the limit is gone');
  } finally {
    await world.stop();
  }
});
