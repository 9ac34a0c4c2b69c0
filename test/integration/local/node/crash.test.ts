import { readFileSync } from 'node:fs';
import { destroyNode } from '../../../../src/local/node';
import { eventually, IMAGE, sleep, TestNode } from './harness';

jest.setTimeout(60_000);

const COUNT = 'i=0; while :; do i=$((i+1)); echo $i > /data/count; echo line $i; sleep 0.2; done';

describe('a node that is killed', () => {
  let node: TestNode;
  beforeEach(async () => {
    node = await TestNode.start();
  });
  afterEach(() => node?.close());

  const counter = () =>
    node.run(
      COUNT,
      { volumeMounts: [{ name: 'data', mountPath: '/data' }] },
      {
        restartPolicy: 'Always',
        volumes: [{ name: 'data', emptyDir: { medium: 'Memory' } }],
      },
    );

  test('leaves its containers running; the next one adopts them without a restart', async () => {
    const pod = await counter();
    const before = await node.phase(pod, 'Running');
    await node.kill();
    await sleep(1000);
    await node.up();
    await sleep(500);
    const after = await node.get(pod);
    expect(after.status?.containerStatuses?.[0]).toMatchObject({
      containerID: before.status?.containerStatuses?.[0]?.containerID,
      restartCount: 0,
      state: before.status?.containerStatuses?.[0]?.state,
    });
    expect(after.status?.podIP).toBe(before.status?.podIP);
    const lines = (await node.logs(pod)).trim().split('\n');
    expect(lines).toEqual(lines.map((_, index) => `line ${index + 1}`));
    expect(lines.length).toBeGreaterThan(6);
    const shell = node.exec(pod, ['cat', '/data/count']);
    await shell.closed;
    expect(Number(shell.channels[1])).toBeGreaterThan(6);
  });

  test('does not lose the exit code of a container that ended meanwhile', async () => {
    const pod = await node.run('sleep 1; echo last words; exit 5');
    await node.phase(pod, 'Running');
    await node.kill();
    await sleep(1500);
    await node.up();
    const { status } = await node.phase(pod, 'Failed');
    expect(status?.containerStatuses?.[0]?.state?.terminated).toMatchObject({ exitCode: 5, reason: 'Error' });
    expect(await node.logs(pod)).toBe('last words\n');
  });

  test('removes Pods that were deleted meanwhile, also by force', async () => {
    const [gentle, forced] = [await counter(), await counter()];
    await node.phase(gentle, 'Running');
    await node.phase(forced, 'Running');
    await node.kill();
    await node.delete(gentle, 1);
    await node.delete(forced, 0);
    await node.up();
    await node.gone(gentle);
    await eventually('no container is left', async () => !node.leftovers().some((line) => line.includes('conmon')));
    expect(node.leftovers().filter((line) => line.includes('/rootfs'))).toEqual([]);
  });

  test('at any moment of a start leaves nothing double', async () => {
    for (const wait of [0, 30, 60, 90, 120]) {
      const pod = await counter();
      await sleep(wait);
      await node.kill();
      await node.up();
      await node.phase(pod, 'Running');
      const containers = node.leftovers().filter((line) => /conmon.*--cid=/.test(line));
      expect(containers).toHaveLength(1);
      await node.delete(pod, 0);
      await eventually('it is gone', async () => !node.leftovers().some((line) => line.includes('conmon')));
    }
  });

  test('is destroyed without a living engine, twice', async () => {
    await node.phase(await counter(), 'Running');
    const forwarding = readFileSync('/proc/sys/net/ipv4/ip_forward', 'utf8');
    expect(forwarding.trim()).toBe('1');
    await node.kill();
    await destroyNode(node.stateDir, node.id);
    expect(node.leftovers()).toEqual([]);
    await destroyNode(node.stateDir, node.id);
    expect(node.leftovers()).toEqual([]);
  });

  test('whose conmon died is told that the end of its container is unknown', async () => {
    const pod = await node.create({
      restartPolicy: 'Never',
      containers: [{ name: 'main', image: IMAGE, command: ['sleep', '100'] }],
    });
    await node.phase(pod, 'Running');
    const [, conmon] = /process (\d+) .*conmon/.exec(node.leftovers().join('\n')) ?? [];
    const [, init] = /process (\d+) sleep 100/.exec(node.leftovers().join('\n')) ?? [];
    process.kill(Number(conmon), 'SIGKILL');
    process.kill(Number(init), 'SIGKILL');
    const { status } = await node.phase(pod, 'Failed', 25_000);
    expect(status?.containerStatuses?.[0]?.state?.terminated).toMatchObject({
      exitCode: 137,
      reason: 'ContainerStatusUnknown',
    });
  });
});
