/** @needs guest */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Chart, Size, Testing } from 'cdk8s';
import { CloudInit, CloudUser, Disk, VirtualMachine, VmPort, VmServiceType } from '../../../src';
import { eventually } from '../../support/engine';
import { SuiteEngine } from '../../support/shared-engine';
import { GuestSsh } from '../../support/guest-ssh';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- manifests are data
type Manifest = any;

/** Two guests: one serves behind Services, the other asks for it as an application in the cluster would. */
describe('a VM behind a Service', () => {
  let engine: SuiteEngine;
  let ssh: GuestSsh;
  const page = 'served by a guest';

  beforeAll(async () => {
    engine = await SuiteEngine.begin();
    ssh = new GuestSsh(engine);
    const chart = new Chart(new App(), 'services', { disableResourceNameHashes: true });
    const guest = (name: string): VirtualMachine =>
      new VirtualMachine(chart, name, {
        metadata: { name },
        memory: Size.mebibytes(256),
        disks: [Disk.containerDisk('localhost/virt8s/tiny:latest')],
        cloudInit: CloudInit.noCloud({
          users: [CloudUser.named('root', { sshKeys: [ssh.publicKey] })],
          writeFiles: [{ path: '/var/www/index.html', content: page }],
        }),
      });
    const web = guest('web');
    web.exposeViaService('inside', { ports: [VmPort.tcp(8080, { targetPort: 80 })], metadata: { name: 'web' } });
    web.exposeViaService('outside', {
      ports: [VmPort.HTTP],
      serviceType: VmServiceType.NODE_PORT,
      metadata: { name: 'web-outside' },
    });
    guest('client');
    // behind a Service of its own, while its probe passes
    const objects: Manifest[] = Testing.synth(chart);
    const readinessProbe = { httpGet: { port: 80, path: '/up' }, periodSeconds: 1, timeoutSeconds: 15 };
    Object.assign(objects.find(({ metadata }) => metadata.name === 'client')!.spec.template.spec, { readinessProbe });
    const selector = { 'vm.kubevirt.io/name': 'client' };
    const probed = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'probed' } };
    await engine.mustApply([...objects, { ...probed, spec: { selector, ports: [{ port: 80 }] } }]);
    await Promise.all(['web', 'client'].map((name) => engine.vmBecomes(name, 'Running')));
    await Promise.all(['web', 'client'].map((name) => engine.page(name)));
  });
  afterAll(async () => {
    ssh?.remove();
    expect(await engine.end()).toEqual([]);
  });

  const inClient = (command: string): Promise<string> => ssh.output('root@vm/client', command);
  const clusterIp = async (): Promise<string> => (await engine.get('service', 'web')).spec.clusterIP;

  test('responds to this machine at the cluster address', async () => {
    const { code, stdout } = await engine.run('curl', ['-sS', '-m', '60', `http://${await clusterIp()}:8080/`]);
    expect([code, stdout]).toEqual([0, page]);
  });

  test('responds at the port of the node that a NodePort Service has', async () => {
    const [node] = await engine.list('node');
    const addresses: string[] = node.status.addresses
      .filter((each: { type: string }) => each.type === 'InternalIP')
      .map((each: { address: string }) => each.address);
    expect(addresses.map(isIP)).toEqual([4, 6]);
    const { nodePort } = (await engine.get('service', 'web-outside')).spec.ports[0];
    for (const host of [addresses[0], '127.0.0.1']) {
      const { stdout } = await engine.run('curl', ['-sS', '-m', '60', `http://${host}:${nodePort}/`]);
      expect([host, stdout]).toEqual([host, page]);
    }
    expect(await inClient(`wget -T 60 -qO- http://${addresses[0]}:${nodePort}/`)).toBe(page);
  });

  test('responds at the address of its Ingress, by HTTP and HTTPS, also after the front end was killed', async () => {
    // without an Ingress, there is no front end
    expect(engine.pids('ingress.cjs', engine.stateDir)).toEqual([]);
    await engine.kubectl('create', 'ingress', 'web', '--rule=*.shop.example/*=web:8080,tls=none');
    const get = async (url: string): Promise<string> => {
      const { hostname } = new URL(url);
      const { ip, ports } = (await engine.get('ingress', 'web')).status.loadBalancer.ingress[0];
      const [http, https] = ports.map(({ port }: { port: number }) => port);
      const to = [`${hostname}:80:${ip}:${http}`, `${hostname}:443:${ip}:${https}`];
      const connect = to.flatMap((each) => ['--connect-to', each]);
      return (await engine.run('curl', ['-sSk', '-m', '60', ...connect, url])).stdout;
    };
    await eventually(async () => expect(await get('http://www.shop.example/')).toBe(page));
    expect(await get('https://www.shop.example/')).toBe(page);
    expect(await get('http://other.example/')).toContain('404 Not Found: no Ingress has a rule for "other.example"');
    const { ingressClassName } = (await engine.get('ingress', 'web')).spec;
    expect(ingressClassName).toBe('virt8s');

    const [pid] = engine.pids('ingress.cjs', engine.stateDir);
    expect(readFileSync(`/proc/${pid}/status`, 'utf8')).toMatch(/Uid:\t65534\t65534\t65534\t65534\nGid:\t65534\t65534/);
    process.kill(pid!, 'SIGKILL');
    await eventually(async () => expect(await get('http://www.shop.example/')).toBe(page));
    expect(engine.audit().filter(({ user, code }) => user === 'system:local-ingress' && code === 403)).toEqual([]);
  });

  test('is found by name from inside another guest', async () => {
    expect(await inClient(`nslookup web.${engine.namespace}.svc.cluster.local`)).toContain(
      `Address: ${await clusterIp()}`,
    );
    // the search domains came by DHCP
    for (const name of ['web', `web.${engine.namespace}`, `web.${engine.namespace}.svc.cluster.local`]) {
      expect([name, await inClient(`wget -T 60 -qO- http://${name}:8080/`)]).toEqual([name, page]);
    }
    expect((await ssh.run('root@vm/client', `nslookup nobody.${engine.namespace}.svc.cluster.local`)).code).not.toBe(0);
  });

  test('is found by name from a Pod, and by the guest itself', async () => {
    const ask = `fetch('http://web:8080/').then((answer) => answer.text()).then((text) => console.log(text))`;
    await engine.mustApply({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'asking' },
      spec: {
        restartPolicy: 'Never',
        containers: [
          { name: 'ask', image: 'localhost/virt8s/virt-launcher:dev', command: ['/usr/bin/node', '-e', ask] },
        ],
      },
    });
    await engine.kubectl('wait', 'pod/asking', '--for=jsonpath={.status.phase}=Succeeded', '--timeout=5m');
    expect((await engine.kubectl('logs', 'asking')).trim()).toBe(page);
    expect(await ssh.output('root@vm/web', 'wget -T 60 -qO- http://web:8080/')).toBe(page);
  });

  test('is behind it only while the readiness probe passes', async () => {
    const ready = async (): Promise<string> => {
      const { conditions = [] } = (await engine.get('vmi', 'client')).status;
      return conditions.find((each: { type: string }) => each.type === 'Ready')?.status;
    };
    const viaService = (): ReturnType<SuiteEngine['run']> => ssh.run('root@vm/web', 'wget -T 60 -qO- http://probed/up');
    await engine.kubectl(
      'wait',
      'pod',
      '-l',
      'vm.kubevirt.io/name=client',
      '--for=condition=Ready=False',
      '--timeout=5m',
    );
    expect(await ready()).toBe('False');
    expect((await viaService()).code).not.toBe(0);
    await inClient('echo yes > /var/www/up');
    await eventually(async () => expect([await ready(), (await viaService()).stdout.trim()]).toEqual(['True', 'yes']));
    await inClient('rm /var/www/up');
    await eventually(async () => expect(await ready()).toBe('False'));
  });

  test('leads to the new instance after a restart', async () => {
    const before = await engine.guest('web');
    expect((await engine.virt8s('restart', 'web')).code).toBe(0);
    await eventually(async () => expect((await engine.guest('web')).boot_id).not.toBe(before.boot_id), {
      everyMs: 500,
    });
    await eventually(async () => expect(await inClient('wget -T 60 -qO- http://web:8080/')).toBe(page), {
      everyMs: 500,
    });
  });

  test('virt8s scp copies files completely in both directions', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'virt8s-copied-'));
    const [up, down] = ['up', 'down'].map((name) => join(folder, name));
    writeFileSync(up, Buffer.alloc(1 << 20, 'abc'));
    expect(await ssh.copy(up, 'root@vm/client:copied')).toMatchObject({ code: 0 });
    expect(await ssh.copy(`root@vmi/client/${engine.namespace}:copied`, down)).toMatchObject({ code: 0 });
    expect(readFileSync(down).equals(readFileSync(up))).toBe(true);
    rmSync(folder, { recursive: true });
  });
});
