import { execFileSync } from 'node:child_process';
import { get } from 'node:http';
import type { KubeObject } from '../../../../src/api/meta';
import { resources } from '../../../../src/runtime/kube';
import type { Service } from '../../../../src/local/core-v1';
import { eventually, IMAGE, TestNode } from '../node/harness';
import { PATIENCE_MS } from '../../../support/patience';

const serve = (name: string, labels: Record<string, string>, more = {}): Parameters<TestNode['create']> => [
  {
    restartPolicy: 'Never',
    ...more,
    containers: [
      {
        name: 'main',
        image: IMAGE,
        command: ['sh', '-c', `mkdir /w; echo ${name} > /w/index.html; httpd -f -p 8080 -h /w`],
        readinessProbe: { httpGet: { path: '/', port: 8080 }, periodSeconds: 1 },
        ports: [{ name: 'web', containerPort: 8080 }],
      },
    ],
  },
  { name, labels },
];

describe('Services on the local node', () => {
  let node: TestNode;
  beforeAll(async () => {
    node = await TestNode.start();
  });
  afterAll(() => node?.close());

  const service = (name: string, spec: object): Promise<Service> =>
    node.client.create(resources.services, {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name, namespace: 'default' },
      spec,
    } as KubeObject) as Promise<Service>;
  const ready = (pod: Awaited<ReturnType<TestNode['create']>>) =>
    node.becomes(pod, 'is Ready', ({ status }) =>
      status?.conditions?.some(({ type, status: on }) => type === 'Ready' && on === 'True'),
    );
  const fetch = (url: string) =>
    new Promise<string>((done, fail) => {
      get(url, { agent: false, timeout: PATIENCE_MS }, (response) => {
        let text = '';
        response.on('data', (data: Buffer) => (text += data.toString())).on('end', () => done(text.trim()));
      })
        .on('error', fail)
        .on('timeout', function (this: { destroy(error: Error): void }) {
          this.destroy(new Error('timeout'));
        });
    });

  test('lead Pods, the host and the Pod itself to ready endpoints, by address, name and node port', async () => {
    const labels = { app: 'web' };
    const web = await service('web', {
      type: 'NodePort',
      selector: labels,
      ports: [{ name: 'http', port: 80, targetPort: 'web' }],
    });
    const address = web.spec?.clusterIP ?? '';
    const nodePort = web.spec?.ports?.[0]?.nodePort ?? 0;
    await eventually('a Service without endpoints refuses', () =>
      fetch(`http://${address}/`).then(
        () => false,
        (error: Error) => /ECONNREFUSED/.test(String(error)),
      ),
    );
    const [one, two] = await Promise.all([node.create(...serve('one', labels)), node.create(...serve('two', labels))]);
    await Promise.all([ready(one), ready(two)]);
    const seen = new Set<string>();
    await eventually('both Pods answer', async () => seen.add(await fetch(`http://${address}/`)).size === 2);
    expect([...seen].sort()).toEqual(['one', 'two']);
    expect(await fetch(`http://127.0.0.1:${nodePort}/`)).toMatch(/one|two/);
    expect(await fetch(`http://${node.gateway.ipv4}:${nodePort}/`)).toMatch(/one|two/);

    const out = await node.output(
      [
        `wget -qO- http://${address}/`,
        'wget -qO- http://web/',
        'wget -qO- http://web.default.svc.cluster.local/',
        'cat /etc/resolv.conf /etc/hosts',
        'env | grep ^WEB_SERVICE',
      ].join('; '),
    );
    expect(out.match(/one|two/g)?.length).toBeGreaterThanOrEqual(3);
    expect(out).toContain(`nameserver ${node.gateway.ipv4}`);
    expect(out).toContain('search default.svc.cluster.local svc.cluster.local cluster.local');
    expect(out).toContain(`WEB_SERVICE_HOST=${address}`);

    // a Pod that reaches itself through its Service
    await node.delete(two, 0);
    await node.gone(two);
    await eventually('only one is left', async () => {
      const shell = node.exec(one, ['wget', '-qO-', `http://${address}/`]);
      await shell.closed;
      return shell.channels[1] === 'one\n';
    });
    // and by IPv6, from Pod to Pod
    const ipv6 = (await node.get(one)).status?.podIPs?.[1]?.ip;
    expect(await node.output(`wget -qO- http://[${ipv6}]:8080/`)).toBe('one\n');
    await node.delete(one, 0);
  });

  test('without an address are names of their Pods, with hostname, SRV and reverse', async () => {
    await service('headless', { clusterIP: 'None', selector: { app: 'h' }, ports: [{ name: 'web', port: 8080 }] });
    const pod = await node.create(...serve('h1', { app: 'h' }, { hostname: 'host1', subdomain: 'headless' }));
    const ip = (await ready(pod)).status?.podIP ?? '';
    const out = await eventually('the name', async () => {
      const text = await node.output(
        `nslookup headless.default.svc.cluster.local; nslookup host1.headless.default.svc.cluster.local; nslookup -type=srv _web._tcp.headless.default.svc.cluster.local; nslookup ${ip}; nslookup none.default.svc.cluster.local`,
      );
      return text.includes(ip) && text;
    });
    expect(out.split(ip).length).toBeGreaterThan(2);
    expect(out).toMatch(/host1\.headless\.default\.svc\.cluster\.local/);
    expect(out).toMatch(/NXDOMAIN/);
    const shell = node.exec(pod, ['hostname', '-f']);
    await shell.closed;
    // all channels, so that a failure shows what the command or the stream said
    expect(shell.channels).toMatchObject({ 1: 'host1.headless.default.svc.cluster.local\n' });
    await node.delete(pod, 0);
  });

  test('with manual EndpointSlices send traffic to their addresses, also to the host', async () => {
    const http = await import('node:http');
    const server = http.createServer((_request, response) => response.end('from the host'));
    const port = await new Promise<number>((done) =>
      server.listen(0, node.gateway.ipv4, () => done((server.address() as { port: number }).port)),
    );
    try {
      await service('manual', { ports: [{ port: 443 }] });
      await node.client.create(resources.endpointSlices, {
        apiVersion: 'discovery.k8s.io/v1',
        kind: 'EndpointSlice',
        metadata: { name: 'manual-1', namespace: 'default', labels: { 'kubernetes.io/service-name': 'manual' } },
        addressType: 'IPv4',
        endpoints: [{ addresses: [node.gateway.ipv4] }],
        ports: [{ port, protocol: 'TCP' }],
      } as KubeObject);
      await eventually(
        'an answer',
        async () => (await node.output('wget -qO- http://manual:443/')) === 'from the host',
      );
    } finally {
      server.close();
    }
  });

  test('host ports lead into a Pod, and Pods may not use the way to the loopback of the host', async () => {
    // no program listens there: below the ports of the kernel, and another one in each process
    const hostPort = 20_000 + (process.pid % 10_000);
    const url = `http://127.0.0.1:${hostPort}/`;
    const pod = await node.run('mkdir /w; echo hp > /w/index.html; httpd -f -p 80 -h /w', {
      ports: [{ containerPort: 80, hostPort }],
    });
    await node.phase(pod, 'Running');
    await eventually('the host port', async () => (await fetch(url)) === 'hp');
    await node.delete(pod, 0);
    await node.gone(pod);
    await eventually('closed', () =>
      fetch(url).then(
        () => false,
        () => true,
      ),
    );
    const rules = execFileSync('nft', ['list', 'table', 'inet', `virt8s_${node.id}`], { encoding: 'utf8' });
    expect(rules).toMatch(/iifname "v[0-9a-f]{6}\*" ip daddr 127\.0\.0\.0\/8 drop/);
  });
});
