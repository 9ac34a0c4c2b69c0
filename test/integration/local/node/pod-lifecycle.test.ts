import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { resources } from '../../../../src/runtime/kube';
import { Registry } from '../../package/registry';
import { busybox } from '../images/oci-archive';
import { pushImage } from '../images/push';
import { RegistryProxy } from '../images/registry-proxy';
import { TestNode } from './harness';

describe('a Pod on the local node', () => {
  let node: TestNode;
  beforeAll(async () => {
    node = await TestNode.start();
  });
  afterAll(() => node?.close());

  test('runs from a local OCI archive: network, log, exit code, status, events', async () => {
    const pod = await node.run('echo hello; echo oops >&2; ip -4 addr show eth0 | grep inet; exit 3');
    const { status } = await node.phase(pod, 'Failed');
    expect(status?.containerStatuses?.[0]?.state?.terminated).toMatchObject({ exitCode: 3, reason: 'Error' });
    const log = await node.logs(pod);
    expect(log).toContain('hello\n');
    expect(log).toContain('oops\n');
    expect(log).toContain(`inet ${status?.podIP}/24`);
    expect(await node.events(pod)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(
          /^Normal Pulled: Successfully pulled image "localhost.virt8s-test.busybox:1" in .* Image size: \d+ bytes\.$/,
        ),
        'Normal Created: Created container: main',
        'Normal Started: Started container main',
      ]),
    );
  });

  test('becomes Ready with all conditions, responds to exec, and ends by SIGTERM within its grace period', async () => {
    const pod = await node.run(
      'trap "echo bye > /data/end; exit 0" TERM; while :; do sleep 0.1; done',
      { volumeMounts: [{ name: 'data', mountPath: '/data' }] },
      {
        restartPolicy: 'Always',
        volumes: [{ name: 'data', hostPath: { path: join(node.stateDir, 'sigterm') } }],
        // longer than this test may last: only its own end can make it go
        terminationGracePeriodSeconds: 600,
      },
    );
    const { status } = await node.becomes(pod, 'is Ready', ({ status: s }) =>
      s?.conditions?.some(({ type, status: on }) => type === 'Ready' && on === 'True'),
    );
    expect(Object.fromEntries((status?.conditions ?? []).map(({ type, status: on }) => [type, on]))).toMatchObject({
      PodReadyToStartContainers: 'True',
      Initialized: 'True',
      Ready: 'True',
      ContainersReady: 'True',
      PodScheduled: 'True',
    });
    expect(status).toMatchObject({ phase: 'Running', qosClass: 'BestEffort', hostIP: node.gateway.ipv4 });
    expect(status?.podIPs).toHaveLength(2);
    expect(status?.containerStatuses?.[0]).toMatchObject({ ready: true, started: true, restartCount: 0 });
    expect(status?.containerStatuses?.[0]?.containerID).toMatch(/^crun:\/\/[0-9a-f]{64}$/);

    const shell = node.exec(pod, ['sh', '-c', 'echo out; echo err >&2; exit 7']);
    await shell.closed;
    expect(shell.channels[1]).toBe('out\n');
    expect(shell.channels[2]).toBe('err\n');
    expect(JSON.parse(shell.channels[3] ?? '{}')).toMatchObject({
      reason: 'NonZeroExitCode',
      details: { causes: [{ message: '7' }] },
    });

    await node.delete(pod);
    await node.gone(pod);
    expect(readFileSync(join(node.stateDir, 'sigterm/end'), 'utf8')).toBe('bye\n');
  });

  test('a process that ignores SIGTERM is killed after the grace period', async () => {
    const pod = await node.run('trap "" TERM; while :; do sleep 0.2; done');
    await node.phase(pod, 'Running');
    const startedAt = Date.now();
    await node.delete(pod, 1);
    await node.gone(pod);
    expect(Date.now() - startedAt).toBeGreaterThan(900);
  });

  test('user, groups, capabilities and limits of the kernel are those of the spec', async () => {
    const out = await node.output(
      [
        'id',
        'grep -E "^(Cap|NoNewPrivs|Seccomp:)" /proc/self/status',
        'cat /sys/fs/cgroup/memory/memory.limit_in_bytes /sys/fs/cgroup/cpu/cpu.cfs_quota_us /sys/fs/cgroup/cpu/cpu.shares',
        'touch /x; touch /tmp/x; echo rc $?',
        'hostname',
        'cat /dev/kvm; mknod /tmp/k c 10 232',
        'echo x | nc -l -p 67 -w 1 & sleep 0.1; netstat -tln 2>/dev/null | grep :67; cat /proc/net/tcp6 /proc/net/tcp | grep -i ":0043"',
      ].join('\n'),
      {
        resources: { limits: { memory: '64Mi', cpu: '250m' }, requests: { cpu: '100m' } },
        securityContext: {
          runAsUser: 107,
          runAsGroup: 107,
          runAsNonRoot: true,
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'], add: ['NET_BIND_SERVICE'] },
          seccompProfile: { type: 'RuntimeDefault' },
        },
      },
      { securityContext: { fsGroup: 1234, supplementalGroups: [77] }, hostname: 'short' },
    );
    expect(out).toContain('uid=107(qemu) gid=107(qemu) groups=');
    expect(out).toMatch(/groups=.*108\(kvm\)/);
    expect(out).toMatch(/groups=.*1234/);
    expect(out).toMatch(/groups=.*77/);
    expect(out).toContain('CapBnd:\t0000000000000400');
    expect(out).toContain('NoNewPrivs:\t1');
    expect(out).toContain('Seccomp:\t2');
    expect(out).toContain('67108864\n25000\n102\n');
    expect(out).toContain('touch: /x: Read-only file system');
    expect(out).toContain('short\n');
    expect(out).toMatch(/(can't open|No such).*\/dev\/kvm|\/dev\/kvm.*No such/);
    expect(out).toMatch(/:0043 .* 0A /);
  });

  test('init containers run in order, sidecars around the main container, which sees their files', async () => {
    const mounts = [{ name: 'shared', mountPath: '/shared' }];
    const image = 'localhost/virt8s-test/busybox:1';
    const pod = await node.create({
      restartPolicy: 'Never',
      volumes: [{ name: 'shared', emptyDir: {} }],
      initContainers: [
        { name: 'first', image, command: ['sh', '-c', 'echo first >> /shared/log'], volumeMounts: mounts },
        {
          name: 'side',
          image,
          restartPolicy: 'Always',
          command: ['sh', '-c', 'echo side >> /shared/log; trap "sleep 0.3; exit 0" TERM; while :; do sleep 0.1; done'],
          volumeMounts: mounts,
        },
        { name: 'last', image, command: ['sh', '-c', 'sleep 0.3; echo last >> /shared/log'], volumeMounts: mounts },
      ],
      containers: [{ name: 'main', image, command: ['sh', '-c', 'cat /shared/log; sleep 0.3'], volumeMounts: mounts }],
    });
    const { status } = await node.phase(pod, 'Succeeded');
    expect(await node.logs(pod)).toBe('first\nside\nlast\n');
    const ends = status?.initContainerStatuses?.map(({ state }) => state?.terminated?.exitCode);
    expect(ends).toEqual([0, 0, 0]);
    expect(status?.conditions?.find(({ type }) => type === 'Ready')?.reason).toBe('PodCompleted');
  });

  test('a failing container is restarted with back-off and its last state is reported', async () => {
    const pod = await node.run('echo try; exit 1', {}, { restartPolicy: 'Always' });
    const { status } = await node.becomes(
      pod,
      'backs off',
      ({ status: s }) => s?.containerStatuses?.[0]?.state?.waiting?.reason === 'CrashLoopBackOff',
    );
    const [container] = status?.containerStatuses ?? [];
    expect(container?.state?.waiting?.message).toMatch(/^back-off 10s restarting failed container=main pod=/);
    expect(container?.lastState?.terminated).toMatchObject({ exitCode: 1, reason: 'Error' });
    expect(container?.restartCount).toBe(1);
    expect(await node.logs(pod, '?previous=true')).toBe('try\n');
    expect(await node.events(pod)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^Warning BackOff: Back-off restarting failed/)]),
    );
    await node.delete(pod);
    await node.gone(pod);
  });

  test('a missing image is reported with its cause, and the Pod starts once it exists', async () => {
    const pod = await node.run('true', { image: 'localhost:1/none:1' });
    const { status } = await node.becomes(
      pod,
      'tells',
      ({ status: s }) => s?.containerStatuses?.[0]?.state?.waiting?.message,
    );
    expect(status?.containerStatuses?.[0]?.state?.waiting).toMatchObject({
      reason: expect.stringMatching(/ErrImagePull|ImagePullBackOff/),
      message: expect.stringMatching(/not in .*index\.json/),
    });
    await node.delete(pod);
    await node.gone(pod);
  });

  test('an image of a private registry is pulled with the login of the Pod', async () => {
    const registry = await Registry.start();
    const proxy = await RegistryProxy.start(registry.host);
    try {
      await pushImage(registry.host, 'private', busybox().layers);
      proxy.login = 'robot:secret';
      const namespace = 'default';
      const logins = { auths: { [proxy.host]: { username: 'robot', password: 'secret' } } };
      const data = { '.dockerconfigjson': Buffer.from(JSON.stringify(logins)).toString('base64') };
      const secret = { metadata: { name: 'login', namespace }, type: 'kubernetes.io/dockerconfigjson', data };
      await node.client.create(resources.secrets, { apiVersion: 'v1', kind: 'Secret', ...secret });
      const image = `${proxy.host}/private:1`;
      const pod = await node.run('true', { image }, { imagePullSecrets: [{ name: 'login' }, { name: 'absent' }] });
      await node.phase(pod, 'Succeeded');
      expect(await node.events(pod)).toContain(
        'Warning FailedToRetrieveImagePullSecret: Unable to retrieve some image pull secrets (absent); attempting to pull the image may not succeed.',
      );
    } finally {
      await proxy.stop();
      registry.stop();
    }
  });

  test('memory beyond the limit ends as OOMKilled, a message is read from its file', async () => {
    const pod = await node.run('head -c 100000000 /dev/zero | tail', { resources: { limits: { memory: '16Mi' } } });
    const spoken = await node.run('echo said > /dev/termination-log; exit 2');
    const logged = await node.run('echo from the log; exit 2', { terminationMessagePolicy: 'FallbackToLogsOnError' });
    const end = async (p: typeof pod) =>
      (await node.phase(p, 'Failed')).status?.containerStatuses?.[0]?.state?.terminated;
    expect(await end(pod)).toMatchObject({ reason: 'OOMKilled', exitCode: 137 });
    expect(await end(spoken)).toMatchObject({ message: 'said\n', exitCode: 2 });
    expect(await end(logged)).toMatchObject({ message: expect.stringContaining('from the log') });
  });
});
