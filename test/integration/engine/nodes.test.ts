/** @needs guest */
import { existsSync } from 'node:fs';
import { eventually, isSilent, TestEngine, tinyVm } from '../../support/engine';

/** `virt8s up --nodes 3`: nodes with own networks on one machine. */
describe('several nodes', () => {
  let engine: TestEngine;
  let names: string[];
  beforeAll(async () => {
    engine = await TestEngine.start({ nodes: 3 });
    names = await eventually(async () => {
      const nodes = await engine.list('nodes');
      const ready = nodes.filter((node) => isReady(node));
      expect(ready).toHaveLength(3);
      return ready.map((node) => node.metadata.name).sort();
    });
    await engine.mustApply(names.map((node, i) => onNode(`guest-${i}`, node)));
    for (const i of [0, 1, 2]) await engine.vmBecomes(`guest-${i}`, 'Running');
  });
  afterAll(async () => {
    await engine.down();
    expect(await engine.leftovers()).toEqual([]);
    expect(existsSync(engine.stateDir)).toBe(false);
  });

  const podOf = async (vm: string): Promise<string> => {
    const [pod] = await engine.list('pods', '-l', `vm.kubevirt.io/name=${vm}`);
    return pod.metadata.name;
  };

  test('guests on all nodes answer the machine and Pods of other nodes', async () => {
    for (const i of [0, 1, 2]) {
      const vmi = await engine.get('vmi', `guest-${i}`);
      expect(vmi.status.nodeName).toBe(names[i]);
      const { hostname } = await engine.guest(`guest-${i}`);
      expect(hostname).toBe(`guest-${i}`);
    }
    for (const [from, to] of [
      [0, 1],
      [1, 0],
      [1, 2],
    ]) {
      const ip = await engine.podIp(`guest-${to}`);
      const request = `printf 'GET /cgi-bin/status HTTP/1.0\\r\\n\\r\\n' | timeout 60 nc ${ip} 80`;
      const answer = await eventually(() => engine.exec(`guest-${from}`, request));
      expect(answer).toContain(`hostname=guest-${to}`);
    }
  });

  test('a network policy opens a guest for a guest of another node only', async () => {
    await engine.mustApply({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name: 'second' },
      spec: {
        podSelector: { matchLabels: { 'vm.kubevirt.io/name': 'guest-1' } },
        ingress: [
          { from: [{ podSelector: { matchLabels: { 'vm.kubevirt.io/name': 'guest-0' } } }], ports: [{ port: 80 }] },
        ],
      },
    });
    const address = await engine.podIp('guest-1');
    const answerTo = (vm: string, seconds = 60): Promise<string> =>
      engine.exec(vm, `printf 'GET /cgi-bin/status HTTP/1.0\\r\\n\\r\\n' | timeout ${seconds} nc ${address} 80; true`);
    await eventually(async () => expect(await answerTo('guest-2', 2)).not.toContain('hostname='));
    await engine.explaining('guest-1', 'default', () =>
      eventually(async () => expect(await answerTo('guest-0')).toContain('hostname=guest-1')),
    );
    await engine.kubectl('delete', 'networkpolicy', 'second');
    await eventually(async () => expect(await answerTo('guest-2')).toContain('hostname=guest-1'));
  });

  test('a Service reaches guests of other nodes by name', async () => {
    await engine.mustApply({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'second' },
      spec: { selector: { 'vm.kubevirt.io/name': 'guest-1' }, ports: [{ port: 8080, targetPort: 80 }] },
    });
    const request = `printf 'GET /cgi-bin/status HTTP/1.0\\r\\n\\r\\n' | timeout 60 nc second 8080`;
    for (const from of ['guest-0', 'guest-2']) {
      const answer = await eventually(() => engine.exec(from, request));
      expect(answer).toContain('hostname=guest-1');
    }
  });

  test('a guest runs on while its node is disconnected', async () => {
    const before = await engine.guest('guest-1');
    const ip = await engine.podIp('guest-1');
    expect(await engine.virt8s('node', 'disconnect', names[1]!)).toMatchObject({ code: 0, stderr: '' });
    expect(await isSilent(ip)).toBe(true);
    expect((await engine.virt8s('node', 'list')).stdout).toMatch(new RegExp(`${names[1]} +on +disconnected`));
    expect(await engine.virt8s('node', 'connect', names[1]!)).toMatchObject({ code: 0, stderr: '' });
    const after = await engine.guest('guest-1');
    expect(after.boot_id).toBe(before.boot_id);
  });

  test('guests of all nodes survive SIGKILL of the engine', async () => {
    const before = await Promise.all([0, 1, 2].map((i) => engine.guest(`guest-${i}`)));
    process.kill(engine.componentPid('engine'), 'SIGKILL');
    await engine.up();
    const after = await Promise.all([0, 1, 2].map((i) => engine.guest(`guest-${i}`)));
    expect(after.map(({ boot_id }) => boot_id)).toEqual(before.map(({ boot_id }) => boot_id));
    expect(await engine.list('pods')).toHaveLength(3);
  });

  test('a stopped node ends its guest at once, and starts it again after the node is started', async () => {
    const before = await engine.guest('guest-2');
    const pod = await podOf('guest-2');
    expect(await engine.virt8s('node', 'stop', names[2]!)).toMatchObject({ code: 0 });
    await eventually(() => expect(engine.pids('qemu-system', 'guest=default_guest-2,')).toEqual([]));
    expect((await engine.virt8s('node', 'list')).stdout).toMatch(new RegExp(`${names[2]} +off`));
    expect(await engine.virt8s('node', 'start', names[2]!)).toMatchObject({ code: 0 });
    await eventually(async () => expect(await podOf('guest-2')).not.toBe(pod));
    await engine.vmBecomes('guest-2', 'Running');
    const after = await engine.guest('guest-2');
    expect(after.boot_id).not.toBe(before.boot_id);
  });

  test('Pods of a node that is not ready start on another node, and end when it is back', async () => {
    const label = (node: string): Promise<string> => engine.kubectl('label', 'node', node, 'takes=web');
    const podsOn = async (node: string): Promise<{ metadata: { deletionTimestamp?: string } }[]> =>
      (await engine.list('pods', '-l', 'app=web')).filter(
        ({ spec, status }) => spec.nodeName === node && status.phase === 'Running',
      );
    await label(names[1]!);
    await engine.mustApply(evictedAfterOneSecond('web', { takes: 'web' }));
    await eventually(async () => expect(await podsOn(names[1]!)).toHaveLength(1));
    expect(await engine.virt8s('node', 'disconnect', names[1]!)).toMatchObject({ code: 0, stderr: '' });
    await label(names[0]!);
    // the node is silent for 50 s before it is not ready
    await eventually(async () => expect(await podsOn(names[0]!)).toHaveLength(1));
    const node = await engine.get('node', names[1]!);
    expect(isReady(node)).toBe(false);
    expect(node.spec.taints).toEqual([
      expect.objectContaining({ key: 'node.kubernetes.io/unreachable', effect: 'NoSchedule' }),
      expect.objectContaining({ key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' }),
    ]);
    const [left] = await podsOn(names[1]!);
    expect(left?.metadata.deletionTimestamp).toBeDefined();
    expect(await engine.virt8s('node', 'connect', names[1]!)).toMatchObject({ code: 0, stderr: '' });
    await eventually(async () => {
      expect(isReady(await engine.get('node', names[1]!))).toBe(true);
      expect(await engine.list('pods', '-l', 'app=web')).toHaveLength(1);
    });
    expect((await engine.get('node', names[1]!)).spec.taints).toBeUndefined();
  });

  test.each([
    ['an unknown node', 'nowhere', 'no node is named "nowhere"'],
    ['this machine', undefined, 'is this machine, which cannot be stopped'],
  ])('the command rejects %s with the nodes to choose from', async (_, name, message) => {
    const { code, stderr } = await engine.virt8s('node', 'stop', name ?? names[0]!);
    expect(code).toBe(1);
    expect(stderr).toContain(message);
    expect(stderr).toContain(`${names[1]}, ${names[2]}`);
  });
});

const isReady = (node: { status?: { conditions?: { type: string; status: string }[] } }): boolean =>
  (node.status?.conditions ?? []).some(({ type, status }) => type === 'Ready' && status === 'True');

function onNode(name: string, node: string): object {
  const vm = tinyVm(name, { memory: '128Mi' }) as { spec: { template: { spec: object } } };
  Object.assign(vm.spec.template.spec, { nodeSelector: { 'kubernetes.io/hostname': node } });
  return vm;
}

/** A Deployment whose Pods leave a node one second after it was tainted. */
const evictedAfterOneSecond = (app: string, nodeSelector: object): object => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: app },
  spec: {
    selector: { matchLabels: { app } },
    template: {
      metadata: { labels: { app } },
      spec: {
        nodeSelector,
        terminationGracePeriodSeconds: 1,
        tolerations: ['not-ready', 'unreachable'].map((taint) => ({
          key: `node.kubernetes.io/${taint}`,
          operator: 'Exists',
          effect: 'NoExecute',
          tolerationSeconds: 1,
        })),
        containers: [
          { name: 'main', image: 'localhost/virt8s/virt-launcher:dev', command: ['/usr/bin/sleep', 'infinity'] },
        ],
      },
    },
  },
});
