import { resources } from '../../../../src/runtime/kube';
import { IMAGE, TestNode } from './harness';

describe('health and ends of Pods', () => {
  let node: TestNode;
  beforeAll(async () => {
    node = await TestNode.start();
  });
  afterAll(() => node?.close());

  test('a container starts, becomes ready, and is restarted when its liveness probe fails', async () => {
    const pod = await node.run(
      'sleep 0.5; touch /tmp/started; sleep 2.5; touch /tmp/ready; sleep 2; touch /tmp/dead; sleep 100',
      {
        startupProbe: { exec: { command: ['test', '-e', '/tmp/started'] }, periodSeconds: 1, failureThreshold: 10 },
        readinessProbe: { exec: { command: ['test', '-e', '/tmp/ready'] }, periodSeconds: 1 },
        livenessProbe: { exec: { command: ['test', '!', '-e', '/tmp/dead'] }, periodSeconds: 1, failureThreshold: 1 },
      },
      { restartPolicy: 'Always' },
    );
    const state = (name: 'started' | 'ready') => (p: typeof pod) => p.status?.containerStatuses?.[0]?.[name];
    const started = await node.becomes(pod, 'has started', state('started'));
    expect(state('ready')(started)).toBe(false);
    await node.becomes(pod, 'is ready', state('ready'));
    const restarted = await node.becomes(
      pod,
      'is restarted',
      ({ status }) => status?.containerStatuses?.[0]?.restartCount === 1,
    );
    expect(restarted.status?.containerStatuses?.[0]?.lastState?.terminated?.exitCode).toBe(137);
    const events = await node.events(pod);
    expect(events).toContain('Normal Killing: Container main failed liveness probe, will be restarted');
    expect(events.some((text) => text.startsWith('Warning Unhealthy: Liveness probe failed'))).toBe(true);
    await node.delete(pod, 0);
  });

  test('a readiness gate keeps a Pod from being Ready, whose conditions of others stay', async () => {
    const gates = { readinessGates: [{ conditionType: 'example.com/open' }] };
    const pod = await node.run('sleep 100', {}, gates);
    const of = (p: typeof pod, wanted: string) => p.status?.conditions?.find(({ type }) => type === wanted);
    const closed = await node.becomes(pod, 'runs', (p) => of(p, 'ContainersReady')?.status === 'True');
    expect(of(closed, 'Ready')).toMatchObject({ status: 'False', reason: 'ReadinessGatesNotReady' });
    const condition = { type: 'example.com/open', status: 'True' };
    await node.client.patch(
      resources.pods,
      { namespace: 'default', name: pod.metadata.name ?? '', subresource: 'status' },
      { status: { conditions: [condition] } },
      'strategic',
    );
    const open = await node.becomes(pod, 'is Ready', (p) => of(p, 'Ready')?.status === 'True');
    expect(of(open, 'example.com/open')?.status).toBe('True');
    expect(of(open, 'Ready')?.reason).toBeUndefined();
    await node.delete(pod, 0);
  });

  test('a Pod that somebody else marks as not Ready becomes Ready again', async () => {
    const pod = await node.run('sleep 100');
    const ready = (p: typeof pod) => p.status?.conditions?.find(({ type }) => type === 'Ready')?.status;
    await node.becomes(pod, 'is Ready', (p) => ready(p) === 'True');
    // as the controller of nodes does it for a node that is silent
    const marked = await node.client.patch<typeof pod>(
      resources.pods,
      { namespace: 'default', name: pod.metadata.name ?? '', subresource: 'status' },
      { status: { conditions: [{ type: 'Ready', status: 'False' }] } },
      'strategic',
    );
    expect(ready(marked)).toBe('False');
    await node.becomes(pod, 'is Ready again', (p) => ready(p) === 'True');
    await node.delete(pod, 0);
  });

  test('a Pod past its deadline fails', async () => {
    const pod = await node.run('sleep 100', {}, { activeDeadlineSeconds: 1 });
    const { status } = await node.phase(pod, 'Failed');
    expect(status).toMatchObject({ reason: 'DeadlineExceeded' });
  });

  test('hooks run after the start and before the end', async () => {
    const volumes = [{ name: 'd', hostPath: { path: `${node.stateDir}/hooks` } }];
    const pod = await node.run(
      'sleep 100',
      {
        volumeMounts: [{ name: 'd', mountPath: '/d' }],
        lifecycle: {
          postStart: { exec: { command: ['sh', '-c', 'echo post >> /d/log'] } },
          preStop: { exec: { command: ['sh', '-c', 'echo pre >> /d/log'] } },
        },
      },
      { volumes },
    );
    await node.phase(pod, 'Running');
    await node.delete(pod);
    await node.gone(pod);
    const { readFileSync } = await import('node:fs');
    expect(readFileSync(`${node.stateDir}/hooks/log`, 'utf8')).toBe('post\npre\n');
  });

  test('hooks that sleep delay the readiness and the end', async () => {
    const sleeping = { sleep: { seconds: 2 } };
    const pod = await node.run('sleep 100', { lifecycle: { postStart: sleeping, preStop: sleeping } });
    const { status } = await node.becomes(pod, 'is ready', ({ status: s }) => s?.containerStatuses?.[0]?.ready);
    const readyAt = status?.conditions?.find(({ type }) => type === 'Ready')?.lastTransitionTime;
    const startedAt = status?.containerStatuses?.[0]?.state?.running?.startedAt;
    expect(Date.parse(readyAt ?? '') - Date.parse(startedAt ?? '')).toBeGreaterThan(0);
    const before = Date.now();
    await node.delete(pod);
    await node.gone(pod);
    expect(Date.now() - before).toBeGreaterThanOrEqual(2_000);
  });

  test('the network and the processes of the host are shared on request', async () => {
    const out = await node.output('ip addr; ps | grep -c node-process', {}, { hostNetwork: true, hostPID: true });
    expect(out).toContain(`v8s-${node.id}`);
    expect(Number(out.trim().split('\n').at(-1))).toBeGreaterThan(1);
  });

  test('a setting of the host is rejected, one of the Pod is set', async () => {
    const of = (name: string) => ({ securityContext: { sysctls: [{ name, value: '1' }] } });
    const refused = await node.run('true', {}, of('kernel.panic'));
    expect((await node.phase(refused, 'Failed')).status).toMatchObject({
      reason: 'SysctlForbidden',
      message: 'forbidden sysctl: "kernel.panic" not allowlisted',
    });
    expect(await node.output('cat /proc/sys/net/ipv4/ip_forward', {}, of('net.ipv4.ip_forward'))).toBe('1\n');
  });

  test('a command that does not exist is reported, and ends a Pod that is never restarted', async () => {
    const pod = await node.create({
      restartPolicy: 'Never',
      containers: [{ name: 'main', image: IMAGE, command: ['/nothing'] }],
    });
    const { status } = await node.phase(pod, 'Failed');
    expect(status?.containerStatuses?.[0]?.state?.terminated).toMatchObject({
      exitCode: 128,
      reason: 'StartError',
      message: expect.stringContaining('/nothing'),
    });
  });
});
