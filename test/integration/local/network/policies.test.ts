import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { networkPolicies, type NetworkPolicy } from '../../../../src/local/network/policy/networking-v1';
import type { Pod, Service } from '../../../../src/local/core-v1';
import { resources } from '../../../../src/runtime/kube';
import { eventually, IMAGE, TestNode } from '../node/harness';

describe('network policies on the local node', () => {
  let node: TestNode;
  /** Serves on two ports. */
  let web: Pod;
  let friend: Pod;
  /** Pod of another namespace, which serves as well. */
  let stranger: Pod;
  let service: string;

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
  });
  afterAll(() => node?.close());

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
  const reaches = async (from: Pod, host: string, port = 8080): Promise<boolean> =>
    (await command(from, 'busybox', 'timeout', '1', 'wget', '-qO-', `http://${host}:${port}/`)) === 'hello\n';
  const becomes = (what: string, want: boolean, check: () => Promise<boolean>): Promise<unknown> =>
    eventually(what, async () => (await check()) === want);
  const hostReaches = (host: string): Promise<boolean> =>
    new Promise((done) => {
      get(`http://${host}:8080/`, { agent: false, timeout: 2000 }, (response) => {
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
    await becomes('open', true, () => reaches(friend, ip(web)));
    await apply('deny', 'web', { policyTypes: ['Ingress'] });
    await becomes('closed', false, () => reaches(friend, ip(web)));
    expect(await reaches(friend, `[${ip(web, 1)}]`)).toBe(false);
    expect(await reaches(friend, service, 80)).toBe(false);
    await becomes('open', true, () => reaches(web, service, 80));
    await becomes('open', true, () => reaches(web, ip(friend)));
    await becomes('open', true, () => hostReaches(ip(web)));
  });

  test('further policies open it by label, namespace and port', async () => {
    await apply('label', 'web', {
      ingress: [{ from: [{ podSelector: { matchLabels: { app: 'friend' } } }] }],
    });
    await becomes('open for the label', true, () => reaches(friend, ip(web)));
    await becomes('open', true, () => reaches(friend, `[${ip(web, 1)}]`));
    await becomes('open', true, () => reaches(friend, service, 80));
    expect(await reaches(stranger, ip(web))).toBe(false);
    await apply('namespace', 'web', {
      ingress: [
        {
          from: [{ namespaceSelector: { matchLabels: { team: 'other' } } }],
          ports: [{ port: 'web' }],
        },
      ],
    });
    await becomes('open for the namespace', true, () => reaches(stranger, ip(web)));
    expect(await reaches(stranger, ip(web), 9090)).toBe(false);
    await becomes('open', true, () => reaches(friend, ip(web), 9090));
    await remove('label');
    await becomes('closed for the label', false, () => reaches(friend, ip(web)));
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
    await becomes('closed for the namespace', false, () => reaches(stranger, ip(web)));
    expect(await reaches(friend, ip(web))).toBe(false);
    await remove('deny');
    await becomes('open', true, () => reaches(friend, ip(web)));
    expect(table()).toBe('');
  });

  test('egress follows blocks and their exceptions, and DNS needs a rule', async () => {
    const cidr = ip(web).replace(/\d+$/, '0/24');
    const except = [`${node.gateway.ipv4}/32`, `${ip(web)}/32`];
    await apply('egress', 'friend', {
      policyTypes: ['Egress'],
      egress: [{ to: [{ ipBlock: { cidr, except } }] }],
    });
    await becomes('closed for the exception', false, () => reaches(friend, ip(web)));
    await becomes('open', true, () => reaches(friend, ip(stranger)));
    await becomes('open', true, () => reaches(web, ip(friend)));
    const resolves = async (): Promise<boolean> =>
      (await command(friend, 'busybox', 'timeout', '2', 'nslookup', 'web.default.svc.cluster.local')).includes(service);
    expect(await resolves()).toBe(false);
    const dns = {
      namespaceSelector: {},
      podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } },
    };
    await apply('dns', 'friend', {
      policyTypes: ['Egress'],
      egress: [{ to: [dns], ports: [{ protocol: 'UDP', port: 53 }] }],
    });
    await becomes('names', true, resolves);
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
    rmSync(fail);
    await node.phase(pod, 'Succeeded');
    expect((await node.logs(pod)).split('\n').filter((line) => /^(denied|hello)$/.test(line))).toEqual([
      'denied',
      'hello',
    ]);
  });
});
