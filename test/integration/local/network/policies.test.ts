import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { networkPolicies, type NetworkPolicy } from '../../../../src/local/network/policy/networking-v1';
import type { Pod, Service } from '../../../../src/local/core-v1';
import { resources } from '../../../../src/runtime/kube';
import { eventually, IMAGE, TestNode } from '../node/harness';
import { PATIENCE_MS } from '../../../support/patience';
import { until } from '../../../support/until';

/** Counts requests to a Pod and to the DNS server of its node, before and after the policies of the node. */
class SeenPackets {
  public constructor(
    private readonly table: string,
    [ipv4, ipv6]: readonly [string, string],
    dns: string,
  ) {
    const syn = 'tcp flags & (syn | ack) == syn tcp dport { 8080, 9090 }';
    const chain = (name: 'before' | 'after', hook: string, priority: number, rules: readonly string[]): string =>
      [
        `add chain inet ${table} ${hook}_${name} { type filter hook ${hook} priority ${priority} ; }`,
        ...rules.map((rule) => `add rule inet ${table} ${hook}_${name} ${rule} counter name ${name}`),
      ].join('\n');
    const chains = [['before', -5] as const, ['after', 5] as const].flatMap(([name, priority]) => [
      `add counter inet ${table} ${name}`,
      chain(name, 'forward', priority, [`ip daddr ${ipv4} ${syn}`, `ip6 daddr ${ipv6} ${syn}`]),
      chain(name, 'input', priority, [`ip daddr ${dns} udp dport 53`]),
    ]);
    const input = [`add table inet ${table}`, ...chains, ''].join('\n');
    execFileSync('nft', ['-f', '-'], { input });
  }

  /** Number of packets since the last call. */
  public take(): { readonly before: number; readonly after: number } {
    const { nftables } = JSON.parse(
      execFileSync('nft', ['-j', 'reset', 'counters', 'table', 'inet', this.table], { encoding: 'utf8' }),
    ) as { nftables: { counter?: { name: string; packets: number } }[] };
    const packetsOf = (name: string): number =>
      nftables.find(({ counter }) => counter?.name === name)!.counter!.packets;
    return { before: packetsOf('before'), after: packetsOf('after') };
  }

  public remove(): void {
    execFileSync('nft', ['delete', 'table', 'inet', this.table]);
  }
}

describe('network policies on the local node', () => {
  let node: TestNode;
  /** Serves on two ports. */
  let web: Pod;
  let friend: Pod;
  /** Pod of another namespace, which serves as well. */
  let stranger: Pod;
  let service: string;
  let seen: SeenPackets;

  const start = (name: string, namespace = 'default'): Promise<Pod> =>
    node.create(
      {
        containers: [
          {
            name: 'main',
            image: IMAGE,
            command: ['sh', '-c', 'mkdir /w; echo hello > /w/index.html; httpd -p 9090 -h /w; httpd -f -p 8080 -h /w'],
            readinessProbe: {
              httpGet: { path: '/', port: 8080 },
              periodSeconds: 1,
            },
            ports: [{ name: 'web', containerPort: 8080 }],
          },
        ],
      },
      { name, namespace, labels: { app: name } },
    );
  const ready = (pod: Pod): Promise<Pod> =>
    node.becomes(pod, 'is Ready', ({ status }) =>
      status?.conditions?.some(({ type, status: on }) => type === 'Ready' && on === 'True'),
    );

  beforeAll(async () => {
    node = await TestNode.start();
    await node.client.create(resources.namespaces, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'other', labels: { team: 'other' } },
    });
    const pods = await Promise.all([start('web'), start('friend'), start('stranger', 'other')]);
    [web, friend, stranger] = (await Promise.all(pods.map(ready))) as [Pod, Pod, Pod];
    const created = await node.client.create<Service>(resources.services, {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web', namespace: 'default' },
      spec: {
        selector: { app: 'web' },
        ports: [{ port: 80, targetPort: 8080 }],
      },
    } as Service);
    service = created.spec?.clusterIP ?? '';
    seen = new SeenPackets(`virt8s_${node.id}_seen`, [ip(web), ip(web, 1)], node.gateway.ipv4);
  });
  afterAll(() => {
    seen?.remove();
    return node?.close();
  });

  const apply = (name: string, app: string, spec: NetworkPolicy['spec']): Promise<unknown> =>
    node.client.create(networkPolicies, {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name, namespace: 'default' },
      spec: { podSelector: { matchLabels: { app } }, ...spec },
    } as NetworkPolicy);
  const remove = (name: string): Promise<unknown> =>
    node.client.delete(networkPolicies, { namespace: 'default', name });

  const command = async (pod: Pod, ...argv: string[]): Promise<string> => {
    const shell = node.exec(pod, argv);
    await shell.closed;
    return shell.channels[1] ?? '';
  };
  const ip = (pod: Pod, family = 0): string => pod.status?.podIPs?.[family]?.ip ?? '';
  const ask = async (from: Pod, host: string, port: number, seconds: number): Promise<boolean> =>
    (await command(from, 'busybox', 'timeout', `${seconds}`, 'wget', '-qO-', `http://${host}:${port}/`)) === 'hello\n';
  // a packet that is sent again after the change arrives
  const opens = (what: string, from: Pod, host: string, port = 8080): Promise<unknown> =>
    eventually(what, () => ask(from, host, port, 60));
  /** Whether the policies drop all packets of an attempt: the time without an answer shows nothing on a slow machine. */
  const isDropped = async (attempt: () => Promise<boolean>): Promise<boolean> => {
    const [answered, packets] = await until(async () => {
      seen.take();
      const answer = await attempt();
      const counted = seen.take();
      return counted.before > 0 && ([answer, counted] as const);
    });
    return !answered && packets.after === 0;
  };
  const isClosed = (from: Pod, host: string, port = 8080): Promise<boolean> =>
    isDropped(() => ask(from, host, port, 1));
  const closes = (what: string, from: Pod, host: string): Promise<unknown> =>
    eventually(what, () => isClosed(from, host));
  const hostReaches = (host: string): Promise<boolean> =>
    new Promise((done) => {
      get(`http://${host}:8080/`, { agent: false, timeout: PATIENCE_MS }, (response) => {
        response.resume();
        done(true);
      })
        .on('error', () => done(false))
        .on('timeout', function (this: { destroy(): void }) {
          this.destroy();
        });
    });
  const table = (): string => {
    try {
      return execFileSync('nft', ['list', 'table', 'inet', `virt8s_${node.id}_policies`], { stdio: 'pipe' }).toString();
    } catch {
      return '';
    }
  };

  test('a policy without rules closes a Pod for others, but not for its node', async () => {
    expect(table()).toBe('');
    await opens('open', friend, ip(web));
    await apply('deny', 'web', { policyTypes: ['Ingress'] });
    await closes('closed', friend, ip(web));
    expect(await isClosed(friend, `[${ip(web, 1)}]`)).toBe(true);
    expect(await isClosed(friend, service, 80)).toBe(true);
    await opens('open', web, service, 80);
    await opens('open', web, ip(friend));
    await eventually('open', () => hostReaches(ip(web)));
  });

  test('further policies open it by label, namespace and port', async () => {
    await apply('label', 'web', {
      ingress: [{ from: [{ podSelector: { matchLabels: { app: 'friend' } } }] }],
    });
    await opens('open for the label', friend, ip(web));
    await opens('open', friend, `[${ip(web, 1)}]`);
    await opens('open', friend, service, 80);
    expect(await isClosed(stranger, ip(web))).toBe(true);
    await apply('namespace', 'web', {
      ingress: [
        {
          from: [{ namespaceSelector: { matchLabels: { team: 'other' } } }],
          ports: [{ port: 'web' }],
        },
      ],
    });
    await opens('open for the namespace', stranger, ip(web));
    expect(await isClosed(stranger, ip(web), 9090)).toBe(true);
    await opens('open', friend, ip(web), 9090);
    await remove('label');
    await closes('closed for the label', friend, ip(web));
  });

  test('rules stay in force while the node is down, and follow changes after it is up again', async () => {
    await node.kill();
    const before = table();
    expect(before).toContain('chain ingress-1');
    await remove('namespace');
    // a program that fails while a file exists
    const programs = join(node.stateDir, 'programs');
    mkdirSync(programs);
    const script = `#!/bin/sh\n[ ! -e ${programs}/fail ] || exit 1\nPATH="${process.env.PATH}" exec nft "$@"\n`;
    writeFileSync(join(programs, 'nft'), script, { mode: 0o755 });
    await node.up(programs);
    await closes('closed for the namespace', stranger, ip(web));
    expect(await isClosed(friend, ip(web))).toBe(true);
    await remove('deny');
    await opens('open', friend, ip(web));
    expect(table()).toBe('');
  });

  test('egress follows blocks and their exceptions, and DNS needs a rule', async () => {
    const cidr = ip(web).replace(/\d+$/, '0/24');
    const except = [`${node.gateway.ipv4}/32`, `${ip(web)}/32`];
    await apply('egress', 'friend', {
      policyTypes: ['Egress'],
      egress: [{ to: [{ ipBlock: { cidr, except } }] }],
    });
    await closes('closed for the exception', friend, ip(web));
    await opens('open', friend, ip(stranger));
    await opens('open', web, ip(friend));
    const resolves = async (seconds: number): Promise<boolean> =>
      (await command(friend, 'busybox', 'timeout', `${seconds}`, 'nslookup', 'web.default.svc.cluster.local')).includes(
        service,
      );
    expect(await isDropped(() => resolves(2))).toBe(true);
    const dns = {
      namespaceSelector: {},
      podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } },
    };
    await apply('dns', 'friend', {
      policyTypes: ['Egress'],
      egress: [{ to: [dns], ports: [{ protocol: 'UDP', port: 53 }] }],
    });
    await eventually('names', () => resolves(60));
  });

  test('a new Pod does not start before its policies are in force', async () => {
    const script = `busybox timeout 1 wget -qO- http://${ip(web)}:8080/ || echo denied; wget -qO- http://${ip(stranger)}:8080/`;
    const fail = join(node.stateDir, 'programs/fail');
    writeFileSync(fail, '');
    const pod = await node.create(
      {
        restartPolicy: 'Never',
        containers: [{ name: 'main', image: IMAGE, command: ['sh', '-c', script] }],
      },
      { name: 'first-packet', labels: { app: 'friend' } },
    );
    await eventually('the event', async () => {
      const events = await node.events(pod);
      return events.some((text) => /^Warning FailedCreatePodSandBox: .*nft/.test(text));
    });
    seen.take();
    rmSync(fail);
    await node.phase(pod, 'Succeeded');
    expect((await node.logs(pod)).split('\n').filter((line) => /^(denied|hello)$/.test(line))).toEqual([
      'denied',
      'hello',
    ]);
    const { before, after } = seen.take();
    expect(before).toBeGreaterThan(0);
    expect(after).toBe(0);
  });
});
