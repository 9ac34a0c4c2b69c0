/** @needs guest @tier all */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { BootedExamples, firstSectorOf, lastSector, type Manifest } from '../support/booted-examples';
import { eventually, httpGet, TestEngine } from '../support/engine';
import { GUEST_SHELL, inGuest } from '../support/guest-shell';

const goldens = resolve(__dirname, '../unit/examples/golden');

function reviewed(): Manifest[] {
  const files = readdirSync(goldens, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.yaml'));
  const texts = files.sort().map((file) => readFileSync(join(goldens, file), 'utf8'));
  return texts.flatMap((text) => parseAllDocuments(text).map((document) => document.toJSON()));
}

/** Web server of the example: asks its database, and shows what it was configured with. */
const SHOP = `
const { DATABASE_HOST: host, DATABASE_NAME: name, DATABASE_PASSWORD: password } = process.env;
require('node:http').createServer((request, response) => {
  if (request.url === '/healthz') return response.end('ok');
  const answer = (text) => response.end(name + ' with ' + password + ': ' + text);
  fetch('http://' + host + ':5432' + request.url).then(
    async (reply) => answer(request.url === '/' ? reply.status + ' by ' + request.headers['x-forwarded-proto'] : await reply.text()),
    (error) => answer(error.cause?.code ?? error.message),
  );
}).listen(8080);
`;
const SERVER = 'localhost/virt8s/virt-launcher:dev';

/** The examples that run on the engine today, booted by the steps of their READMEs; demo.test.ts boots hello-vm. */
describe('an example on the engine', () => {
  let booted: BootedExamples;
  let engine: TestEngine;

  beforeAll(async () => {
    booted = await BootedExamples.start();
    ({ engine } = booted);
  });
  afterAll(async () => {
    await booted.end();
    expect(await engine.leftovers()).toEqual([]);
  });

  /** Waits at a rate that leaves the processors to the guests. */
  const whenever = <T>(attempt: () => Promise<T>): Promise<T> => eventually(attempt, { everyMs: 500 });
  const createSecret = (namespace: string, name: string, value: string): Promise<string> =>
    engine.kubectl('create', 'secret', 'generic', name, '-n', namespace, `--from-literal=${value}`);
  const namesOf = async (namespace: string, kind: string): Promise<string[]> =>
    (await engine.list(kind, '-n', namespace)).map(({ metadata }) => metadata.name as string).sort();
  /** Output of a command in a guest, once it answers. */
  const inside = (namespace: string, vm: string, script: string): Promise<string> =>
    whenever(() => inGuest(engine, vm, script, namespace)).catch(async (error: Error) => {
      const objects = await engine.kubectl('get', 'vm,vmi,dv,pvc,pods,events', '-n', namespace);
      const launcher = ['-n', namespace, '-l', `vm.kubevirt.io/name=${vm}`];
      const console = await engine.run('kubectl', ['logs', ...launcher, '-c', 'guest-console-log', '--tail=40']);
      throw new Error(`${error.message}\n${objects}\n${console.stdout}`);
    });

  test('instancetype-catalogue: its VMs boot with the sizes that they name', async () => {
    await engine.kubectl('apply', '-f', booted.synthesize('instancetype-catalogue'));
    await Promise.all([engine.vmBecomes('web', 'Running'), engine.vmBecomes('build', 'Running')]);

    // the guest reports its own state, through the Service
    const { spec } = await engine.get('service', 'web');
    const page = await eventually(async () => {
      const text = await httpGet(spec.clusterIP);
      expect(text).toContain('vCPU');
      return text;
    });
    expect(page).toBe('sized by g1.nano\n1 vCPU\n');
    await eventually(async () => expect((await engine.guest('build')).hostname).toBe('build'));

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

  test('gitops: its replica set serves behind the Ingress, and replaces a guest', async () => {
    const namespace = 'shop-dev';
    const host = 'dev.shop.example';
    await engine.kubectl('create', 'namespace', namespace);
    const ca = await booted.certificate(namespace, host);
    const objects = booted.adapted('gitops', 'dev');
    const set = objects.find(({ kind }) => kind === 'VirtualMachineInstanceReplicaSet')!;
    set.spec.template.spec.readinessProbe.httpGet.path = '/';
    await engine.mustApply(objects);

    const guests = async (): Promise<string[]> =>
      (await engine.list('vmi', '-n', namespace)).map(({ metadata }) => metadata.name);
    const served = (): Promise<string> =>
      booted.viaIngress(namespace, 'shop', `https://${host}/cgi-bin/status`, '--cacert', ca);
    const [first] = await eventually(async () => {
      const text = await served();
      const names = await guests();
      expect(text).toMatch(/^boot_id=\S/m);
      return names;
    });
    await engine.kubectl('scale', 'vmirs', 'shop', '-n', namespace, '--replicas=2');
    await engine.kubectl('delete', 'vmi', first!, '-n', namespace, '--wait=false');
    await eventually(async () => {
      const { status } = await engine.get('vmirs', 'shop', namespace);
      expect(status).toMatchObject({ replicas: 2, readyReplicas: 2 });
      expect(await guests()).not.toContain(first);
    });
    expect(await served()).toMatch(/^boot_id=\S/m);
    await engine.kubectl('delete', 'namespace', namespace, '--timeout=5m');
  });

  test('web-app: its Pods reach the database in the VM, whose data survives a restart', async () => {
    const namespace = 'shop';
    await engine.kubectl('create', 'namespace', namespace);
    const ca = await booted.certificate(namespace, 'shop.example');
    await createSecret(namespace, 'database-password', 'password=s3cret');
    await createSecret(namespace, 'admin-keys', 'key=ssh-ed25519 AAAA');
    // a server at the port of the database
    const objects = booted.adapted('web-app', '.', `${GUEST_SHELL}runcmd:\n  - /bin/httpd -p 5432 -h /var/www\n`);
    const [container] = objects.find(({ kind }) => kind === 'Deployment')!.spec.template.spec.containers;
    Object.assign(container, {
      image: SERVER,
      imagePullPolicy: 'IfNotPresent',
      command: ['/usr/bin/node', '-e', SHOP],
    });
    container.securityContext.runAsUser = 1000;
    await engine.mustApply(objects);

    const page = (path: string): Promise<string> =>
      booted.viaIngress(namespace, 'shop-ingress', `https://shop.example${path}`, '--cacert', ca);
    const served = (): Promise<void> =>
      whenever(async () => expect(await page('/')).toBe('shop with s3cret: 200 by https'));
    /** Output of a command in the database, by way of the web server. */
    const query = async (script: string): Promise<string> =>
      (await page(`/cgi-bin/run?${encodeURIComponent(script)}`)).replace('shop with s3cret: ', '').trim();
    await served();
    // the front end needs no file after its start, since it runs as nobody
    expect(readFileSync(join(engine.stateDir, 'logs/ingress.log'), 'utf8')).not.toContain('permission denied');
    await engine.kubectl('rollout', 'status', 'deployment/shop-web', '-n', namespace, '--timeout=5m');

    const data = firstSectorOf('data');
    expect(await query(data.read)).toBe('');
    await query(data.write('order-1'));
    const booting = await query('cat /proc/sys/kernel/random/boot_id');
    expect(await engine.virt8s('restart', 'shop-database', '-n', namespace)).toMatchObject({ code: 0 });
    await whenever(async () => {
      const boot = await query('cat /proc/sys/kernel/random/boot_id');
      expect(boot).toMatch(/^[0-9a-f-]{36}$/);
      expect(boot).not.toBe(booting);
    });
    expect(await query(data.read)).toBe('order-1');
    // checked below, when the minute has passed
    const soon = JSON.stringify({ spec: { schedule: '* * * * *' } });
    await engine.kubectl('patch', 'cronjob', 'shop-nightly', '-n', namespace, '--type=merge', '-p', soon);
  });

  test('pool: each worker has a disk of its own, which is kept while the pool is smaller', async () => {
    const namespace = 'render';
    await engine.kubectl('create', 'namespace', namespace);
    const objects = booted.adapted('pool');
    const pool = objects.find(({ kind }) => kind === 'VirtualMachinePool')!;
    pool.spec.replicas = 2;
    pool.spec.virtualMachineTemplate.spec.template.spec.readinessProbe.initialDelaySeconds = 1;
    await engine.mustApply(objects);

    const becomes = (replicas: number): Promise<void> =>
      whenever(async () => {
        const { status } = await engine.get('vmpool', 'workers', namespace);
        expect(status).toMatchObject({ replicas, readyReplicas: replicas });
        expect(await namesOf(namespace, 'vm')).toHaveLength(replicas);
      });
    const scale = (replicas: number): Promise<string> =>
      engine.kubectl('scale', 'vmpool/workers', '-n', namespace, `--replicas=${replicas}`);
    await becomes(2);
    const scratch = firstSectorOf('scratch');
    const workers = ['workers-0', 'workers-1'];
    for (const worker of workers) await inside(namespace, worker, scratch.write(worker));
    for (const worker of workers) expect(await inside(namespace, worker, scratch.read)).toBe(worker);
    const { spec } = await engine.get('service', 'workers-http', namespace);
    expect(await httpGet(spec.clusterIP)).toContain('tiny');

    await scale(1);
    await becomes(1);
    expect(await namesOf(namespace, 'vm')).toEqual(['workers-0']);
    expect(await namesOf(namespace, 'pvc')).toEqual(['workers-scratch-0', 'workers-scratch-1']);
    await scale(2);
    await becomes(2);
    expect(await inside(namespace, 'workers-1', scratch.read)).toBe('workers-1');
    await engine.kubectl('delete', 'namespace', namespace, '--timeout=5m');
  });

  test('golden-image: VMs of a team are copies of the imported image, with the size that it recommends', async () => {
    for (const namespace of ['golden-images', 'team-a']) await engine.kubectl('create', 'namespace', namespace);
    await createSecret('team-a', 'team-keys', 'key=ssh-ed25519 AAAA');
    await engine.mustApply(booted.adapted('golden-image'));

    const vms = ['build-1', 'build-2'];
    for (const vm of vms) {
      expect(await inside('team-a', vm, 'echo $((($(cat /sys/block/vda/size) + 1048576) >> 21)) GiB; hostname')).toBe(
        `30 GiB\n${vm}`,
      );
      const { domain } = (await engine.get('vmi', vm, 'team-a')).spec;
      expect([domain.cpu.sockets * domain.cpu.cores, domain.memory.guest]).toEqual([2, '256Mi']);
      expect(domain.firmware.bootloader).toEqual({ efi: { secureBoot: false } });
    }
    await inside('team-a', 'build-1', lastSector.write('mine'));
    expect(await inside('team-a', 'build-2', lastSector.read)).toBe('');

    // one import, from which both disks were copied, and whose content is stored once
    const { spec, status } = await engine.get('datasource', 'fedora-42', 'golden-images');
    expect(status.conditions).toContainEqual(expect.objectContaining({ type: 'Ready', status: 'True' }));
    expect(await namesOf('golden-images', 'pvc')).toEqual([spec.source.pvc.name]);
    expect(await namesOf('team-a', 'pvc')).toEqual(['build-1-root', 'build-2-root']);
    for (const vm of vms) expect(await booted.ownBytesOf(`${vm}-root`, 'team-a')).toBeLessThan(8 * 2 ** 20);
    for (const namespace of ['team-a', 'golden-images'])
      await engine.kubectl('delete', 'namespace', namespace, '--timeout=5m');
  });

  test('protection: the schedule takes snapshots and deletes old ones, and the disk is restored and cloned', async () => {
    const namespace = 'ledger';
    await engine.kubectl('create', 'namespace', namespace);
    await createSecret(namespace, 'admin-keys', 'key=ssh-ed25519 AAAA');
    await engine.mustApply(booted.adapted('protection'));

    const isUsable = (name: string): Promise<Manifest> =>
      whenever(async () => {
        const { status } = await engine.get('vmsnapshot', name, namespace);
        if (!status?.readyToUse) throw new Error(`${name}: ${JSON.stringify(status)}`);
        return status;
      });
    /** Runs the Job of the schedule. @returns name of its snapshot */
    const runSchedule = async (job: string): Promise<string> => {
      await engine.kubectl('create', 'job', job, '--from=cronjob/ledger-schedule', '-n', namespace);
      await engine.kubectl('wait', '--for=condition=Complete', `job/${job}`, '-n', namespace, '--timeout=5m');
      const name = `ledger-${(await engine.get('job', job, namespace)).metadata.uid.slice(0, 8)}`;
      await isUsable(name);
      return name;
    };
    const apply = (apiVersion: string, kind: string, name: string, spec: object): Promise<void> =>
      engine.mustApply({ apiVersion, kind, metadata: { name, namespace }, spec });

    await inside(namespace, 'ledger', lastSector.write('entry-1'));
    expect((await isUsable('ledger-before-2-0')).snapshotVolumes.includedVolumes).toEqual(['root']);
    const first = await runSchedule('first');
    expect((await engine.get('vmsnapshot', first, namespace)).status.indications).toContain('Online');

    await inside(namespace, 'ledger', lastSector.write('entry-2'));
    expect(await engine.virt8s('stop', 'ledger', '-n', namespace)).toMatchObject({ code: 0 });
    const vm = { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: 'ledger' };
    await apply('snapshot.kubevirt.io/v1beta1', 'VirtualMachineRestore', 'back', {
      target: vm,
      virtualMachineSnapshotName: first,
    });
    await whenever(async () =>
      expect((await engine.get('vmrestore', 'back', namespace)).status).toMatchObject({ complete: true }),
    );
    expect(await engine.virt8s('start', 'ledger', '-n', namespace)).toMatchObject({ code: 0 });
    expect(await inside(namespace, 'ledger', lastSector.read)).toBe('entry-1');

    // a week later
    const old = `virt8s.io/snapshot-time=${Math.floor(Date.now() / 1000) - 8 * 24 * 3600}`;
    await engine.kubectl('label', 'vmsnapshot', first, '-n', namespace, '--overwrite', old);
    const second = await runSchedule('second');
    expect(await namesOf(namespace, 'vmsnapshot')).toContain(first);
    const third = await runSchedule('third');
    await whenever(async () =>
      expect(await namesOf(namespace, 'vmsnapshot')).toEqual(['ledger-before-2-0', second, third].sort()),
    );

    await apply('clone.kubevirt.io/v1beta1', 'VirtualMachineClone', 'copy', {
      source: vm,
      target: { ...vm, name: 'copy' },
    });
    await whenever(async () =>
      expect((await engine.get('vmclone', 'copy', namespace)).status).toMatchObject({ phase: 'Succeeded' }),
    );
    await engine.kubectl('delete', 'vm', 'ledger', '-n', namespace, '--timeout=5m');
    expect(await engine.virt8s('start', 'copy', '-n', namespace)).toMatchObject({ code: 0 });
    expect(await inside(namespace, 'copy', lastSector.read)).toBe('entry-1');
    await engine.kubectl('delete', 'namespace', namespace, '--timeout=5m');
  });

  test('web-app: its schedule takes a snapshot', async () => {
    const namespace = 'shop';
    await whenever(async () => {
      const snapshots = await engine.list('vmsnapshot', '-n', namespace);
      const usable = snapshots.filter(({ status }) => status?.readyToUse);
      expect(usable.map(({ metadata }) => metadata.labels['virt8s.io/snapshot-schedule'])).toContain('shop-nightly');
      expect(usable[0].status.snapshotVolumes.includedVolumes).toEqual(['system', 'data']);
    });
    await engine.kubectl('delete', 'namespace', namespace, '--timeout=5m');
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
