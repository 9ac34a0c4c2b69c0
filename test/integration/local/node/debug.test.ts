import { spawn } from 'node:child_process';
import { resources } from '../../../../src/runtime/kube';
import type { Pod } from '../../../../src/local/core-v1';
import { eventually, IMAGE, TestNode } from './harness';

describe('debugging a Pod', () => {
  let node: TestNode;
  beforeAll(async () => {
    node = await TestNode.start();
  });
  afterAll(() => node?.close());

  const kubectl = (...args: string[]) => spawn('kubectl', ['--kubeconfig', node.api.kubeconfig, ...args]);
  const addTo = (pod: Pod, ...ephemeralContainers: object[]) =>
    node.client.patch(
      resources.pods,
      { namespace: 'default', name: pod.metadata.name ?? '', subresource: 'ephemeralcontainers' },
      { spec: { ephemeralContainers } },
      'strategic',
    );

  test('kubectl debug attaches to a container that sees the processes of its target', async () => {
    const pod = await node.run('exec sleep 1234', { image: IMAGE });
    await node.phase(pod, 'Running');
    const debug = kubectl(
      ...['debug', '-i', pod.metadata.name ?? '', `--image=${IMAGE}`, '--target=main', '--container=dbg'],
      ...['--', 'sh', '-c', 'read word; echo got $word; ps; cat /proc/1/root/etc/passwd'],
    );
    const closed = new Promise((done) => debug.on('close', done));
    let out = '';
    debug.stdout.on('data', (data: Buffer) => (out += data.toString()));
    const { status } = await node.becomes(pod, 'is debugged', ({ status: s }) =>
      s?.ephemeralContainerStatuses?.some(({ state }) => state?.running),
    );
    expect(status?.phase).toBe('Running');
    // kubectl reads it once it is attached
    debug.stdin.write('hello\n');
    await closed;
    expect(out).toContain('got hello');
    expect(out).toMatch(/ 1 root .*sleep 1234/);
    const { status: after } = await node.becomes(pod, 'is no longer debugged', ({ status: s }) =>
      s?.ephemeralContainerStatuses?.some(({ state }) => state?.terminated?.exitCode === 0),
    );
    expect(after?.phase).toBe('Running');
    expect(after?.containerStatuses?.[0]).toMatchObject({ ready: true, restartCount: 0 });
    expect(await node.logs(pod, '', 'dbg')).toContain('got hello');
    await node.delete(pod);
    await node.gone(pod);
  });

  test('a target that does not run is reported', async () => {
    const pod = await node.run('sleep 1000', { image: 'localhost:1/none:1' });
    await addTo(pod, { name: 'dbg', image: IMAGE, targetContainerName: 'main', command: ['true'] });
    // the Pod has no sandbox without its image volumes, but one without its image
    const { status } = await node.becomes(pod, 'reports', ({ status: s }) =>
      s?.ephemeralContainerStatuses?.some(({ state }) => state?.waiting?.reason === 'CreateContainerConfigError'),
    );
    expect(status?.ephemeralContainerStatuses?.[0]?.state?.waiting?.message).toBe(
      'unable to find target container main',
    );
    await node.delete(pod);
    await node.gone(pod);
  });

  test('containers that share processes see each other but nothing of the host, also after a crash', async () => {
    const pod = await node.create({
      restartPolicy: 'Always',
      shareProcessNamespace: true,
      containers: [
        { name: 'main', image: IMAGE, command: ['sh', '-c', 'sleep 0.2; exec sleep 4321'] },
        {
          name: 'side',
          image: IMAGE,
          command: ['sleep', '5432'],
          securityContext: { capabilities: { add: ['SYS_PTRACE'] } },
        },
      ],
    });
    await node.becomes(pod, 'is Ready', ({ status: s }) =>
      s?.conditions?.some(({ type, status: on }) => type === 'Ready' && on === 'True'),
    );
    const look = async (script: string) => {
      const shell = node.exec(pod, ['sh', '-c', script], 'output=1&error=1', 'side');
      await shell.closed;
      return `${shell.channels[1] ?? ''}${shell.channels[2] ?? ''}`;
    };
    await eventually('the other container', async () => /sleep 4321/.test(await look('ps')));
    const first = await look(
      'ps; ls -a /proc/1/root/ /proc/1/root/.. ; id -u; cat /proc/1/status | grep -E "^(Uid|CapPrm)"',
    );
    expect(first).toMatch(/sleep 5432/);
    expect(first).not.toMatch(/etc|node-process/);
    expect(first).toMatch(/CapPrm:\s+0000000000000000/);
    expect(first).toMatch(/Uid:\s+65535\s+65535/);
    // an orphan is reaped by the first process
    await look('(sleep 0.1 & ) ; sleep 0.3');
    expect(await look('ps')).not.toMatch(/\bZ\b/);

    await node.kill();
    await node.up();
    await eventually('the node adopts the Pod', async () => /sleep 4321/.test(await look('ps')));
    const { status } = await node.get(pod);
    expect(status?.containerStatuses?.map(({ restartCount }) => restartCount)).toEqual([0, 0]);
    await look('kill -9 $(ps | grep "sleep 4321" | grep -v grep | awk "{print \\$1}")');
    await node.becomes(pod, 'restarts one container', ({ status: s }) => s?.containerStatuses?.[0]?.restartCount === 1);
    await eventually('the shared processes remain', async () => /sleep 5432/.test(await look('ps')));
    await node.delete(pod);
    await node.gone(pod);
  });
});
