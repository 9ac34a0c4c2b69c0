import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { destroyNode } from '../../../../src/local/node/cleanup';
import { isComplete } from '../../../support/tier';
import { eventually, IMAGE, TestNode } from './harness';

const COUNT = 'i=0; while :; do i=$((i+1)); echo $i > /data/count; echo line $i; sleep 0.2; done';

/** The first process of the one container that counts. */
const initOf = (node: TestNode): string => /process (\d+) sh -c i=0/.exec(node.leftovers().join('\n'))?.[1] ?? '';

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

  /** Waits until all containers have ended, also without a node. */
  const noContainerRuns = (): Promise<unknown> =>
    eventually('all containers have ended', async () => !node.leftovers().some((line) => line.includes('conmon')));

  test('leaves its containers running; the next one adopts them without a restart', async () => {
    const pod = await counter();
    const before = await node.phase(pod, 'Running');
    await node.kill();
    const counted = (): number => Number(readFileSync(`/proc/${initOf(node)}/root/data/count`, 'utf8'));
    const atDeath = counted();
    await eventually('it continues without a node', async () => counted() > atDeath + 3);
    await node.up();
    // the node has looked at all its Pods when it has started one more
    await node.phase(await node.run('sleep 1000'), 'Running');
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

  test('keeps a container ready, and the next one probes it at the address of its Pod', async () => {
    const port = { tcpSocket: { port: 8080 }, periodSeconds: 1, failureThreshold: 1 };
    const pod = await node.run(
      'httpd -f -p 8080 -h /tmp & until [ -e /data/busy ]; do sleep 0.1; done; kill $!; sleep 1000',
      {
        volumeMounts: [{ name: 'data', mountPath: '/data' }],
        // has passed before the node ends, so it is not run again
        startupProbe: {
          exec: { command: ['test', '!', '-e', '/data/adopted'] },
          periodSeconds: 1,
          failureThreshold: 1,
        },
        readinessProbe: port,
      },
      { restartPolicy: 'Always', volumes: [{ name: 'data', hostPath: { path: join(node.stateDir, 'data') } }] },
    );
    const ready = (p: typeof pod): boolean => p.status?.containerStatuses?.[0]?.ready === true;
    await node.becomes(pod, 'is ready', ready);
    const unhealthy = async (): Promise<string[]> =>
      (await node.events(pod)).filter((text) => text.includes('Unhealthy'));
    const before = await unhealthy();
    await node.kill();
    writeFileSync(join(node.stateDir, 'data/adopted'), '');
    await node.up();
    // a container that is probed from now on has been probed three times
    const probed = { readinessProbe: { exec: { command: ['true'] }, periodSeconds: 1, successThreshold: 3 } };
    await node.becomes(await node.run('sleep 1000', probed), 'is ready', ready);
    const after = await node.get(pod);
    expect([ready(after), after.status?.containerStatuses?.[0]?.restartCount]).toEqual([true, 0]);
    expect(await unhealthy()).toEqual(before);
    writeFileSync(join(node.stateDir, 'data/busy'), '');
    await node.becomes(pod, 'is not ready', (p) => !ready(p));
  });

  test('does not lose the exit code of a container that ended meanwhile', async () => {
    const pod = await node.run(
      'until [ -e /data/end ]; do sleep 0.1; done; echo last words; exit 5',
      {
        volumeMounts: [{ name: 'data', mountPath: '/data' }],
      },
      { volumes: [{ name: 'data', hostPath: { path: join(node.stateDir, 'data') } }] },
    );
    await node.phase(pod, 'Running');
    await node.kill();
    writeFileSync(join(node.stateDir, 'data/end'), '');
    await noContainerRuns();
    await node.up();
    const { status } = await node.phase(pod, 'Failed');
    expect(status?.containerStatuses?.[0]?.state?.terminated).toMatchObject({ exitCode: 5, reason: 'Error' });
    expect(await node.logs(pod)).toBe('last words\n');
  });

  test('does not repeat an init container for ever that was restarted before, and ended meanwhile', async () => {
    const data = join(node.stateDir, 'data');
    const volumeMounts = [{ name: 'data', mountPath: '/data' }];
    const once = '[ -e /data/failed ] || { touch /data/failed; exit 1; }';
    const pod = await node.run(
      'sleep 1000',
      {},
      {
        restartPolicy: 'Always',
        initContainers: [
          {
            name: 'first',
            image: IMAGE,
            command: ['sh', '-c', `${once}; until [ -e /data/end ]; do sleep 0.1; done`],
            volumeMounts,
          },
        ],
        volumes: [{ name: 'data', hostPath: { path: data } }],
      },
    );
    await node.becomes(pod, 'has restarted its init container', ({ status }) => {
      const [first] = status?.initContainerStatuses ?? [];
      return first?.restartCount === 1 && first.state?.running !== undefined;
    });
    await node.kill();
    writeFileSync(join(data, 'end'), '');
    await noContainerRuns();
    await node.up();
    await node.phase(pod, 'Running');
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
    await noContainerRuns();
    expect(node.leftovers().filter((line) => line.includes('/rootfs'))).toEqual([]);
  });

  test('after any step of a start runs the container once', async () => {
    const stride = isComplete ? 1 : 3;
    // programs that do their work, and the next one then kills the node before it can continue
    const programs = join(node.stateDir, 'programs');
    const turns = join(node.stateDir, 'turns');
    const killAt = join(node.stateDir, 'kill-at');
    mkdirSync(programs);
    for (const name of ['crun', 'conmon', 'mount']) {
      const real = execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();
      // conmon continues after it has answered
      const script = `#!/bin/sh
${real} "$@"
code=$?
echo ${name} "$1" >> ${turns}
[ "$(wc -l < ${turns})" = "$(cat ${killAt})" ] && kill -9 $(cat ${node.stateDir}/pid)
exit $code
`;
      writeFileSync(join(programs, name), script, { mode: 0o755 });
    }
    const starts = { volumeMounts: [{ name: 'data', mountPath: '/data' }] };
    for (let step = 1; ; step += stride) {
      await node.kill();
      writeFileSync(killAt, String(Number.MAX_SAFE_INTEGER));
      await node.up(programs);
      writeFileSync(turns, '');
      writeFileSync(join(node.stateDir, 'pid'), String(node.pid));
      writeFileSync(killAt, String(step));
      const pod = await node.run('echo start >> /data/starts; sleep 1000', starts, {
        restartPolicy: 'Always',
        volumes: [{ name: 'data', hostPath: { path: join(node.stateDir, 'data', String(step)) } }],
      });
      const killed = await Promise.race([
        node.ended.then(() => true),
        node.phase(pod, 'Running').then(
          () => false,
          () => true,
        ),
      ]);
      // what follows is not part of the start
      writeFileSync(killAt, String(Number.MAX_SAFE_INTEGER));
      if (killed) await node.up();
      const { status } = await node.phase(pod, 'Running');
      expect([step, status?.containerStatuses?.[0]?.restartCount]).toEqual([step, 0]);
      expect(readFileSync(join(node.stateDir, 'data', String(step), 'starts'), 'utf8')).toBe('start\n');
      expect(node.leftovers().filter((line) => /conmon.*--cid=/.test(line))).toHaveLength(1);
      await node.delete(pod, 0);
      await noContainerRuns();
      // each selected step has been the last of a node once
      if (!killed) break;
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

  test('whose conmon died is reported with an unknown end of its container', async () => {
    const pod = await node.create({
      restartPolicy: 'Never',
      containers: [{ name: 'main', image: IMAGE, command: ['sleep', '100'] }],
    });
    await node.phase(pod, 'Running');
    const [, conmon] = /process (\d+) .*conmon/.exec(node.leftovers().join('\n')) ?? [];
    const [, init] = /process (\d+) sleep 100/.exec(node.leftovers().join('\n')) ?? [];
    process.kill(Number(conmon), 'SIGKILL');
    process.kill(Number(init), 'SIGKILL');
    const { status } = await node.phase(pod, 'Failed');
    expect(status?.containerStatuses?.[0]?.state?.terminated).toMatchObject({
      exitCode: 137,
      reason: 'ContainerStatusUnknown',
    });
  });
});
