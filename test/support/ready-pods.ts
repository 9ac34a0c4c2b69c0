import { Informer, isConflict, isNotFound, keyOf, type KubeClient, resources, WorkQueue } from '../../src/runtime/kube';
import type { Pod } from '../../src/local/core-v1';

export interface ReadyPods {
  /** Pods for which it returns false stay Pending. Default: all become Ready. */
  mayStart: (pod: Pod) => boolean;
  close(): Promise<void>;
}

/**
 * Replaces nodes in tests: reports each Pod (in `namespace`, or everywhere) as running and ready, and ends Pods that are
 * being deleted.
 */
export async function startReadyPods(client: KubeClient, namespace?: string): Promise<ReadyPods> {
  const pods = new Informer<Pod>(client, resources.pods, { namespace });
  const queue = new WorkQueue();
  const result: ReadyPods = {
    mayStart: () => true,
    close: async () => {
      await queue.stop();
      await working;
      await pods.stop();
    },
  };
  const wake = (pod: Pod): void => queue.add(keyOf(pod));
  pods.onChange({ add: wake, update: wake });
  await pods.start();
  const working = queue.run(4, async (key) => {
    const pod = pods.get(key);
    if (!pod) return;
    const { namespace, name = '', deletionTimestamp } = pod.metadata;
    try {
      if (deletionTimestamp) {
        await client.delete(resources.pods, { namespace, name }, { gracePeriodSeconds: 0 });
      } else if (pod.status?.phase === 'Pending' && result.mayStart(pod)) {
        await client.patch(resources.pods, { namespace, name, subresource: 'status' }, { status: running() }, 'merge');
      }
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  });
  return result;
}

const running = () => ({
  phase: 'Running',
  conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: new Date().toISOString().replace(/\.\d+/, '') }],
});
