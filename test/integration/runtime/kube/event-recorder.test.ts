import type { KubeObject } from '../../../../src/api';
import { EventRecorder, resources } from '../../../../src/runtime/kube';
import { Cluster } from './cluster';

const cluster = Cluster.forThisFile();

test('the same event again raises its count, and a flood of different ones is cut off', async () => {
  const object = await cluster.client.create(resources.configMaps, cluster.configMap('subject'));
  const recorder = new EventRecorder(cluster.client, { component: 'test', flushMs: { first: 50, max: 50 } });
  for (let i = 0; i < 100; i++) recorder.warning(object, 'Same', 'the same words');
  for (let i = 0; i < 100; i++) recorder.normal(object, 'Different', `words ${i}`);
  await recorder.stop();
  const next = new EventRecorder(cluster.client, { component: 'test' });
  next.warning(object, 'Same', 'the same words');
  await next.stop();
  const { items } = await cluster.client.list(resources.events, { namespace: cluster.namespace });
  const events = items as (KubeObject & { reason: string; count: number; involvedObject: { uid: string } })[];
  expect(events.filter(({ reason }) => reason === 'Same').map(({ count: times }) => times)).toEqual([101]);
  expect(events.length).toBeLessThanOrEqual(25);
  expect(events[0].involvedObject.uid).toBe(object.metadata.uid);
});
