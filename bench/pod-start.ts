import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { IMAGE, TestNode } from '../test/integration/local/node/harness';
import type { Pod } from '../src/local/core-v1';
import type { ContainerRecord } from '../src/local/node/pods/record';
import { Informer, resources } from '../src/runtime/kube';
import { type Figure, figure, median } from './figure';

/** Time from the request that creates a Pod until its container runs, alone on an idle node. */
export async function benchPodStart(count: number): Promise<Figure[]> {
  const node = await TestNode.start();
  const informer = new Informer<Pod>(node.client, resources.pods, { namespace: 'default' });
  try {
    await informer.start();
    const running: number[] = [];
    const started: number[] = [];
    const stages: Record<string, number[]> = { prepare: [], create: [], start: [] };
    for (let i = 0; i <= count; i++) {
      const asked = Date.now();
      const pod = await node.run('exec sleep 1000', { image: IMAGE });
      await seen(informer, pod, ({ status }) => Boolean(status?.containerStatuses?.[0]?.state?.running));
      const reported = Date.now();
      const record = recordOf(node, pod);
      await node.delete(pod, 0);
      await node.gone(pod);
      // the first Pod unpacks the image
      if (i === 0) continue;
      const at = (time: string | undefined): number => Date.parse(time ?? '');
      running.push(reported - asked);
      started.push(at(record.startingAt) - asked);
      stages.prepare?.push(at(record.createdAt) - asked);
      stages.create?.push(at(record.startingAt) - at(record.createdAt));
      stages.start?.push(reported - at(record.startingAt));
    }
    const parts = Object.entries(stages).map(([name, values]) => `${name} ${median(values)} ms`);
    return [
      figure(
        'pod-start',
        median(running),
        'ms',
        120,
        `median of ${count} Pods from the request to the status Running; ${parts.join(', ')}; ` +
          `container created after ${median(started)} ms, slowest ${Math.max(...running)} ms`,
      ),
    ];
  } finally {
    await informer.stop();
    await node.close();
  }
}

function recordOf(node: TestNode, pod: Pod): ContainerRecord {
  const containers = join(node.stateDir, 'nodes', node.nodeName, 'containers');
  const records = readdirSync(containers).map(
    (id) => JSON.parse(readFileSync(join(containers, id, 'record.json'), 'utf8')) as ContainerRecord,
  );
  const found = records.find(({ podUid }) => podUid === pod.metadata.uid);
  if (!found) throw new Error(`Pod ${pod.metadata.name} has no container`);
  return found;
}

function seen(informer: Informer<Pod>, pod: Pod, check: (pod: Pod) => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`Pod ${pod.metadata.name} did not start`)), 20_000);
    const look = (now: Pod): void => {
      if (now.metadata.uid !== pod.metadata.uid || !check(now)) return;
      clearTimeout(timer);
      resolve();
    };
    informer.onChange({ add: look, update: look, delete: () => undefined });
    informer.list().forEach(look);
  });
}
