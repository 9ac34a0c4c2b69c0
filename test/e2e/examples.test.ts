import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { eventually, httpGet, TestEngine } from '../support/engine';
import { TestCa } from '../support/pki';

const examples = resolve(__dirname, '../../examples');
const goldens = resolve(__dirname, '../unit/examples/golden');

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- manifests are data
function reviewed(): any[] {
  const files = readdirSync(goldens, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.yaml'));
  const texts = files.sort().map((file) => readFileSync(join(goldens, file), 'utf8'));
  return texts.flatMap((text) => parseAllDocuments(text).map((document) => document.toJSON()));
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- manifests are data
type Manifest = any;

/** Web server of the example: asks its database, and shows what it was configured with. */
const SHOP = `
const { DATABASE_HOST: host, DATABASE_NAME: name, DATABASE_PASSWORD: password } = process.env;
require('node:http').createServer((request, response) => {
  if (request.url === '/healthz') return response.end('ok');
  const answer = (text) => response.end(name + ' with ' + password + ': ' + text);
  fetch('http://' + host + ':5432/').then(
    ({ status }) => answer(status + ' by ' + request.headers['x-forwarded-proto']),
    (error) => answer(error.cause?.code ?? error.message),
  );
}).listen(8080);
`;

/** The examples that run on the engine today, booted by the steps of their READMEs; demo.test.ts boots hello-vm. */
describe('an example on the engine', () => {
  const dist = mkdtempSync(join(tmpdir(), 'virt8s-examples-'));
  let engine: TestEngine;

  function synthesize(example: string): string {
    const outdir = join(dist, example);
    const env = { ...process.env, CDK8S_OUTDIR: outdir, GUEST_IMAGE: 'localhost/virt8s/tiny:latest' };
    execFileSync('node', ['--import', 'tsx', 'main.ts'], { cwd: join(examples, example), env });
    return outdir;
  }

  beforeAll(async () => void (engine = await TestEngine.start()));
  afterAll(async () => {
    await engine.down();
    rmSync(dist, { recursive: true });
    expect(await engine.leftovers()).toEqual([]);
  });

  test('instancetype-catalogue: its VMs boot with the sizes that they name', async () => {
    await engine.kubectl('apply', '-f', synthesize('instancetype-catalogue'));
    await Promise.all([engine.vmBecomes('web', 'Running'), engine.vmBecomes('build', 'Running')]);

    // the guest reports its own state, through the Service
    const { spec } = await engine.get('service', 'web');
    const page = await eventually(120_000, async () => {
      const text = await httpGet(spec.clusterIP);
      expect(text).toContain('vCPU');
      return text;
    });
    expect(page).toBe('sized by g1.nano\n1 vCPU\n');
    await eventually(120_000, async () => expect((await engine.guest('build')).hostname).toBe('build'));

    const sizes = (await engine.list('vmi')).map(({ metadata, spec: { domain } }) => [
      metadata.name,
      domain.cpu.sockets * domain.cpu.cores,
      domain.memory.guest,
    ]);
    expect(sizes.sort()).toEqual([
      ['build', 2, '1Gi'],
      ['web', 1, '512Mi'],
    ]);
    expect(await engine.list('virtualmachineclusterinstancetypes')).toHaveLength(5);
    // each VM keeps a copy of what it named: a size and a preference
    expect(await engine.list('controllerrevisions')).toHaveLength(4);
  });

  /** Objects of an example, with the images of this machine and smaller guests. */
  function adapted(folder: string): Manifest[] {
    const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'));
    const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').replace(/guest: \dGi/, 'guest: 256Mi'));
    return texts.flatMap((text) => parseAllDocuments(text).map((document) => document.toJSON() as Manifest));
  }

  const GUEST = 'localhost/virt8s/tiny:latest';
  const SERVER = 'localhost/virt8s/virt-launcher:dev';

  /** Output of a request to the address of an Ingress, by the name of its host. */
  async function viaIngress(namespace: string, name: string, url: string, ...args: string[]): Promise<string> {
    const { status } = await engine.get('ingress', name, namespace);
    const { ip, ports } = status.loadBalancer.ingress[0];
    const { hostname, protocol } = new URL(url);
    const [usual, port] = protocol === 'https:' ? [443, ports[1].port] : [80, ports[0].port];
    const connect = ['--connect-to', `${hostname}:${usual}:${ip}:${port}`];
    const { code, stdout, stderr } = await engine.run('curl', ['-sSf', '-m', '5', ...connect, ...args, url]);
    if (code !== 0) throw new Error(stderr);
    return stdout;
  }

  /** Makes the certificate that an example expects in the Secret `shop-tls`. @returns the file of its authority */
  async function certificate(namespace: string, host: string): Promise<string> {
    const ca = await TestCa.create('shop-ca');
    const pair = await ca.issue([{ CN: [host] }], [host]);
    const file = (name: string): string => join(dist, `${namespace}.${name}`);
    for (const [name, text] of Object.entries({ ...pair, ca: ca.pem })) writeFileSync(file(name), text);
    const pairFlags = [`--cert=${file('cert')}`, `--key=${file('key')}`];
    await engine.kubectl('create', 'secret', 'tls', 'shop-tls', '-n', namespace, ...pairFlags);
    return file('ca');
  }

  test('gitops: its replica set serves behind the Ingress, and replaces a guest', async () => {
    const namespace = 'shop-dev';
    const host = 'dev.shop.example';
    await engine.kubectl('create', 'namespace', namespace);
    const ca = await certificate(namespace, host);
    const objects = adapted(join(synthesize('gitops'), 'dev'));
    const set = objects.find(({ kind }) => kind === 'VirtualMachineInstanceReplicaSet')!;
    set.spec.template.spec.volumes[0].containerDisk.image = GUEST;
    set.spec.template.spec.readinessProbe.httpGet.path = '/';
    await engine.mustApply(objects);

    const guests = async (): Promise<string[]> =>
      (await engine.list('vmi', '-n', namespace)).map(({ metadata }) => metadata.name);
    const served = (): Promise<string> =>
      viaIngress(namespace, 'shop', `https://${host}/cgi-bin/status`, '--cacert', ca);
    const [first] = await eventually(120_000, async () => {
      const text = await served();
      const names = await guests();
      expect(text).toMatch(/^boot_id=\S/m);
      return names;
    });
    await engine.kubectl('scale', 'vmirs', 'shop', '-n', namespace, '--replicas=2');
    await engine.kubectl('delete', 'vmi', first!, '-n', namespace, '--wait=false');
    await eventually(180_000, async () => {
      const { status } = await engine.get('vmirs', 'shop', namespace);
      expect(status).toMatchObject({ replicas: 2, readyReplicas: 2 });
      expect(await guests()).not.toContain(first);
    });
    expect(await served()).toMatch(/^boot_id=\S/m);
    await engine.kubectl('delete', 'namespace', namespace, '--timeout=120s');
  });

  test('web-app: its Pods reach the database in the VM, and are reached through the Ingress', async () => {
    const namespace = 'shop';
    await engine.kubectl('create', 'namespace', namespace);
    const ca = await certificate(namespace, 'shop.example');
    const secret = (name: string, ...values: string[]): Promise<string> =>
      engine.kubectl('create', 'secret', 'generic', name, '-n', namespace, ...values);
    await secret('database-password', '--from-literal=password=s3cret');
    await secret('admin-keys', '--from-literal=key=ssh-ed25519 AAAA');
    const objects = adapted(synthesize('web-app'));
    const vm = objects.find(({ kind }) => kind === 'VirtualMachine')!;
    // no importer fills its disks: the system is a container disk, without the data disk
    delete vm.spec.dataVolumeTemplates;
    const { domain, volumes } = vm.spec.template.spec;
    // this system boots with a BIOS
    delete domain.firmware;
    domain.devices.disks = domain.devices.disks.filter(({ name }: { name: string }) => name !== 'data');
    vm.spec.template.spec.volumes = volumes.filter(({ name }: { name: string }) => name !== 'data');
    const volume = (wanted: string) =>
      vm.spec.template.spec.volumes.find(({ name }: { name: string }) => name === wanted);
    delete Object.assign(volume('system'), { containerDisk: { image: GUEST } }).dataVolume;
    // a server at the port of the database
    volume('cloudinit').cloudInitNoCloud.userData = '#cloud-config\nruncmd:\n  - /bin/httpd -p 5432 -h /var/www\n';
    const [container] = objects.find(({ kind }) => kind === 'Deployment')!.spec.template.spec.containers;
    Object.assign(container, {
      image: SERVER,
      imagePullPolicy: 'IfNotPresent',
      command: ['/usr/bin/node', '-e', SHOP],
    });
    container.securityContext.runAsUser = 1000;
    await engine.mustApply(objects);

    const page = await eventually(180_000, async () => {
      const text = await viaIngress(namespace, 'shop-ingress', 'https://shop.example/', '--cacert', ca);
      expect(text).toContain('200');
      return text;
    });
    expect(page).toBe('shop with s3cret: 200 by https');
    // the front end needs no file after its start, since it runs as nobody
    expect(readFileSync(join(engine.stateDir, 'logs/ingress.log'), 'utf8')).not.toContain('permission denied');
    await engine.kubectl('rollout', 'status', 'deployment/shop-web', '-n', namespace, '--timeout=60s');
    await engine.kubectl('delete', 'namespace', namespace, '--timeout=120s');
  });

  test('the others are admitted by its API server, which keeps every field', async () => {
    // objects whose types or devices the engine lacks are validated in the unit tests
    const served = reviewed().filter(
      ({ apiVersion }) => /^(\w+\.)?kubevirt\.io\//.test(apiVersion) && !/^cdi/.test(apiVersion),
    );
    const namespaces = [...new Set(served.flatMap(({ metadata }) => metadata.namespace ?? []))];
    await engine.mustApply(namespaces.map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })));
    const refused: string[] = [];
    for (const object of served) {
      const args = ['apply', '--server-side', '--force-conflicts', '--dry-run=server', '-o', 'json', '-f', '-'];
      const { code, stdout, stderr } = await engine.run('kubectl', args, JSON.stringify(object));
      if (code === 0) expect(JSON.parse(stdout)).toMatchObject(object);
      else refused.push(stderr.trim());
    }
    // a DataSource is a kind of the importer
    expect(refused).toHaveLength(2);
    for (const message of refused) expect(message).toMatch(/"build-\d" is invalid: .* "fedora-42" not found/);
  });
});
