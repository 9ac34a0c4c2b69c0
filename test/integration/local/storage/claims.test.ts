import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { KubeObject } from '../../../../src/api/meta';
import { resources } from '../../../../src/runtime/kube';
import type { PersistentVolumeClaim, Pod } from '../../../../src/local/core-v1';
import { eventually, IMAGE, TestNode } from '../node/harness';

describe('claims and scheduling on the local node', () => {
  let node: TestNode;
  beforeAll(async () => {
    node = await TestNode.start();
  });
  afterAll(() => node?.close());

  const claim = (name: string, spec: object = {}) =>
    node.client.create(resources.persistentVolumeClaims, {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name, namespace: 'default' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '16Mi' } }, ...spec },
    } as KubeObject);
  const getClaim = (name: string) =>
    node.client.find<PersistentVolumeClaim>(resources.persistentVolumeClaims, { namespace: 'default', name });
  /** A Pod that the scheduler has to place. */
  const uses = (name: string, script: string, container: object = { volumeMounts: [{ name: 'v', mountPath: '/v' }] }) =>
    node.create({
      nodeName: undefined,
      restartPolicy: 'Never',
      volumes: [{ name: 'v', persistentVolumeClaim: { claimName: name } }],
      containers: [{ name: 'main', image: IMAGE, command: ['sh', '-c', script], ...container }],
    });
  const volumes = () => readdirSync(join(node.stateDir, 'storage'));

  test('a claim waits for its first Pod, keeps its data between Pods, and its deletion removes them', async () => {
    await claim('data');
    await eventually('it waits', async () => (await getClaim('data'))?.status?.phase === 'Pending');
    const first = await uses('data', 'echo kept > /v/file');
    await node.phase(first, 'Succeeded');
    expect((await getClaim('data'))?.status).toMatchObject({
      phase: 'Bound',
      capacity: { storage: '16Mi' },
      accessModes: ['ReadWriteOnce'],
    });
    const second = await uses('data', 'cat /v/file; sleep 1');
    await node.phase(second, 'Running');
    await node.client.delete(resources.persistentVolumeClaims, { namespace: 'default', name: 'data' });
    expect((await getClaim('data'))?.metadata.deletionTimestamp).toBeDefined();
    await node.phase(second, 'Succeeded');
    expect(await node.logs(second)).toBe('kept\n');
    await eventually('the data are gone', async () => !volumes().length);
    expect(await getClaim('data')).toBeUndefined();
    expect(await node.events(first)).toContainEqual(
      expect.stringMatching(/^Normal Scheduled: Successfully assigned default\//),
    );
  });

  test('a block claim is a device of its size, for a user who is not root', async () => {
    await claim('block', { volumeMode: 'Block' });
    const pod = await uses(
      'block',
      'id -u; echo raw | dd of=/dev/disk conv=notrunc 2>/dev/null; head -c 3 /dev/disk; wc -c < /dev/disk; ls -l /dev/disk',
      {
        volumeDevices: [{ name: 'v', devicePath: '/dev/disk' }],
        securityContext: { runAsUser: 107, runAsGroup: 107 },
      },
    );
    await node.phase(pod, 'Succeeded');
    const out = await node.logs(pod);
    expect(out).toContain('107\nraw');
    expect(out).toContain('16777216');
    expect(node.leftovers().some((line) => line.includes('/dev/loop'))).toBe(true);
    await node.delete(pod, 0);
    await node.client.delete(resources.persistentVolumeClaims, { namespace: 'default', name: 'block' });
    await eventually(
      'the loop device is gone',
      async () => !node.leftovers().some((line) => line.includes('/dev/loop')),
    );
    expect(existsSync(join(node.stateDir, 'storage'))).toBe(true);
  });

  test("a Pod that fits nowhere reports why in Kubernetes' words, and starts when it fits", async () => {
    const condition = (pod: Pod) => pod.status?.conditions?.find(({ type }) => type === 'PodScheduled');
    const waiting = await uses('later', 'true');
    const large = await node.create({
      nodeName: undefined,
      containers: [{ name: 'main', image: IMAGE, resources: { requests: { memory: '100Ti' } } }],
    });
    const lost = await node.create({
      nodeName: undefined,
      nodeSelector: { no: 'where' },
      containers: [{ name: 'main', image: IMAGE }],
    });
    const reported = async (pod: Pod) => condition(await node.becomes(pod, 'reports why', condition));
    expect(await reported(waiting)).toMatchObject({
      status: 'False',
      reason: 'Unschedulable',
      message: '0/1 nodes are available: persistentvolumeclaim "later" not found.',
    });
    expect(await reported(large)).toMatchObject({ message: '0/1 nodes are available: 1 Insufficient memory.' });
    expect(await reported(lost)).toMatchObject({
      message: "0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector.",
    });
    expect(await node.events(large)).toEqual([
      'Warning FailedScheduling: 0/1 nodes are available: 1 Insufficient memory.',
    ]);
    await claim('later');
    await node.phase(waiting, 'Succeeded');
    await node.client.patch(
      resources.nodes,
      { name: node.nodeName },
      { metadata: { labels: { no: 'where' } } },
      'merge',
    );
    await node.becomes(lost, 'gets its node', ({ spec }) => spec.nodeName);
    await node.delete(large);
    await node.gone(large);
  });
});
