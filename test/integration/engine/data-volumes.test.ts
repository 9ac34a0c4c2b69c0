/** @needs guest */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, tinyVm } from '../../support/engine';
import { guestDisk } from '../../support/guest-disk';
import { TestCa } from '../../support/pki';
import { SuiteEngine } from '../../support/shared-engine';
import { isComplete } from '../../support/tier';
import { WebServer } from '../../support/web-server';

const IMMEDIATE = { 'cdi.kubevirt.io/storage.bind.immediate.requested': 'true' };

describe('DataVolumes', () => {
  let engine: SuiteEngine;
  let server: WebServer;
  let host: string;

  beforeAll(async () => {
    const ca = await TestCa.create('images');
    server = await WebServer.start(await ca.issue([{ CN: ['images'] }], ['localhost']));
    guestDisk('tiny', join(server.root, 'tiny.qcow2'));
    writeFileSync(join(server.root, 'large.img'), '');
    truncateSync(join(server.root, 'large.img'), 2 ** 30);
    execFileSync('qemu-img', ['create', '-q', '-f', 'qcow2', join(server.root, 'huge.qcow2'), '1T']);
    engine = await SuiteEngine.begin();
    const [node] = await engine.list('nodes');
    host = node.status.addresses.find(({ type }: { type: string }) => type === 'InternalIP').address;
  });
  afterAll(async () => {
    server.stop();
    expect(await engine.end()).toEqual([]);
  });

  // a test that fails leaves nothing to the next one
  afterEach(() => engine.kubectl('delete', 'vm,dv,pvc', '--all', '--timeout=5m'));

  const url = (path: string): string => server.url(path, host);
  const dataVolume = (name: string, source: object, more: { annotations?: object; storage?: object } = {}) => ({
    apiVersion: 'cdi.kubevirt.io/v1beta1',
    kind: 'DataVolume',
    metadata: { name, annotations: more.annotations ?? IMMEDIATE },
    spec: { source, storage: { resources: { requests: { storage: '64Mi' } }, ...more.storage } },
  });
  const becomes = (name: string, phase: string): Promise<void> =>
    eventually(async () => {
      const { status } = await engine.get('dv', name);
      if (status?.phase !== phase) throw new Error(`${name}: ${JSON.stringify(status)}`);
    });

  const left = async (kinds = 'pods,pvc,pv'): Promise<string[]> =>
    (await engine.kubectl('get', kinds, '-o', 'name')).split('\n').filter(Boolean);

  test('fill the disk of a VM, which boots from it', async () => {
    const vm = tinyVm('web', { graceSeconds: 0 }) as {
      spec: { dataVolumeTemplates?: object[]; template: { spec: { volumes: object[] } } };
    };
    const { metadata, spec } = dataVolume('web-root', { http: { url: url('tiny.qcow2') } });
    vm.spec.dataVolumeTemplates = [{ metadata: { name: metadata.name }, spec }];
    vm.spec.template.spec.volumes = [{ name: 'root', dataVolume: { name: 'web-root' } }];
    await engine.mustApply(vm);
    await engine.vmBecomes('web', 'Running');
    expect(await engine.guest('web')).toMatchObject({ boot_id: expect.any(String) });

    // what the guest wrote is there after a restart, and the platform left nothing but the claim
    const claims = await engine.list('pvc');
    expect(claims.map(({ metadata: { name } }) => name)).toEqual(['web-root']);
    expect(await engine.list('pods', '-l', 'app=containerized-data-importer')).toEqual([]);
    expect(await engine.list('volumeimportsources')).toEqual([]);
    await engine.kubectl('delete', 'vm', 'web', '--timeout=5m');
    await eventually(async () => expect(await engine.list('pv')).toEqual([]));
  });

  test.each([
    ['a file that does not exist', 'missing.img', 'SourceRejected', /HTTP 404.*; check the URL/],
    ['a disk that is larger than the claim', 'large.img', 'ImageTooLarge', /1073741824/],
    ['a virtual size that is larger than the claim', 'huge.qcow2', 'ImageTooLarge', /1099511627776/],
  ])('report %s, and their claim stays unbound', async (_, path, reason, message) => {
    const name = path.replace(/\W/g, '-');
    await engine.mustApply(dataVolume(name, { http: { url: url(path) } }));
    await eventually(async () => {
      const { status } = await engine.get('dv', name);
      const running = status.conditions.find(({ type }: { type: string }) => type === 'Running');
      expect(running).toMatchObject({ status: 'False', reason, message: expect.stringMatching(message) });
      expect((await engine.get('pvc', name)).status.phase).toBe('Pending');
      const events = await engine.list('events', `--field-selector=involvedObject.name=${name},reason=${reason}`);
      expect(events).toHaveLength(1);
    });
    await engine.kubectl('delete', 'dv', name, '--timeout=5m');
    await eventually(async () => expect(await left()).toEqual([]));
  });

  test.each(['Filesystem', 'Block'])('fill a claim in volume mode %s, which survives the components', async (mode) => {
    const name = mode.toLowerCase();
    const source = { http: { url: url('tiny.qcow2') } };
    await engine.mustApply(dataVolume(name, source, { storage: { volumeMode: mode } }));
    // each of them at a moment that differs from run to run
    for (const component of ['virt-controller', 'api-server', 'engine'] as const) {
      process.kill(engine.componentPid(component), 'SIGKILL');
      await eventually(() => engine.virt8s('up').then(({ code, stderr }) => code && Promise.reject(stderr)));
    }
    await becomes(name, 'Succeeded');
    await engine.kubectl('delete', 'dv', name, '--timeout=5m');
    await eventually(async () => expect(await left()).toEqual([]));
  });

  test('are filled from an image that the node pulls, and report one that it cannot pull', async () => {
    const pulled = (image: string) => ({ registry: { url: `docker://localhost/virt8s/${image}`, pullMethod: 'node' } });
    await engine.mustApply(dataVolume('pulled', pulled('tiny:latest')));
    await engine.mustApply(dataVolume('unpulled', pulled('nothing:here')));
    await becomes('pulled', 'Succeeded');
    await eventually(async () => {
      const { conditions } = (await engine.get('dv', 'unpulled')).status;
      expect(conditions).toContainEqual(
        expect.objectContaining({ type: 'Running', status: 'False', message: expect.stringMatching(/nothing:here/) }),
      );
    });
    await engine.kubectl('delete', 'dv/pulled', 'dv/unpulled', '--timeout=5m');
  });

  test('show percentage, rate and remaining time while they are filled', async () => {
    const storage = { resources: { requests: { storage: '1200Mi' } } };
    await engine.mustApply(dataVolume('long', { http: { url: url('slow/large.img') } }, { storage }));
    await eventually(async () => {
      const { progress, conditions } = (await engine.get('dv', 'long')).status;
      const { message } = conditions.find(({ type }: { type: string }) => type === 'Running');
      expect(progress).toMatch(/^\d+\.\d\d%$/);
      expect(message).toMatch(/^received [\d.]+ MiB of 1\.0 GiB, [\d.]+ MiB\/s, \d+ min \d+ s left$/);
    });
    await engine.kubectl('delete', 'dv', 'long', '--timeout=5m');
  });

  test('unpack an archive into the file system of their claim', async () => {
    const folder = join(server.root, 'site');
    mkdirSync(folder);
    writeFileSync(join(folder, 'index.html'), 'unpacked');
    execFileSync('tar', ['--create', '--gzip', '--file', join(server.root, 'site.tar.gz'), '--directory', folder, '.']);
    const made = dataVolume('site', { http: { url: url('site.tar.gz') } });
    await engine.mustApply({ ...made, spec: { ...made.spec, contentType: 'archive' } });
    await becomes('site', 'Succeeded');
    const { spec } = await engine.get('pv', (await engine.get('pvc', 'site')).spec.volumeName);
    // volumes are mounted only for the engine
    const root = `/proc/${engine.componentPid('engine')}/root`;
    expect(readFileSync(`${root}${spec.local.path}/index.html`, 'utf8')).toBe('unpacked');
    await engine.kubectl('delete', 'dv', 'site', '--timeout=5m');
  });

  test('report a quota, and continue when it allows their claims', async () => {
    const quota = (claims: number) => ({
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'claims' },
      spec: { hard: { persistentvolumeclaims: `${claims}` } },
    });
    const condition = async (name: string, type: string): Promise<object> =>
      (await engine.get('dv', name)).status.conditions.find((each: { type: string }) => each.type === type);
    const exceeded = { status: 'False', reason: 'ErrExceededQuota', message: expect.stringMatching(/raise the quota/) };
    await eventually(async () => expect(await left()).toEqual([]));
    await engine.mustApply(quota(1));
    // the claim of the first takes the quota; what fills it, and the second, have to wait
    await engine.mustApply(dataVolume('first', { blank: {} }));
    await eventually(async () => expect(await condition('first', 'Running')).toMatchObject(exceeded));
    await engine.mustApply(dataVolume('second', { blank: {} }));
    await eventually(async () => expect(await condition('second', 'Bound')).toMatchObject(exceeded));
    for (const name of ['first', 'second']) {
      const events = `--field-selector=involvedObject.name=${name},reason=ErrExceededQuota`;
      await eventually(async () => expect(await engine.list('events', events)).not.toEqual([]));
    }
    await engine.mustApply(quota(4));
    for (const name of ['first', 'second']) await becomes(name, 'Succeeded');
    await engine.kubectl('delete', 'quota/claims', 'dv/first', 'dv/second', '--timeout=5m');
    await eventually(async () => expect(await left()).toEqual([]));
  });

  test('that are finished cause no writes', async () => {
    const names = Array.from({ length: isComplete ? 20 : 6 }, (_, index) => `done-${index}`);
    const smallest = { resources: { requests: { storage: '8Mi' } } };
    await engine.mustApply(names.map((name) => dataVolume(name, { blank: {} }, { storage: smallest })));
    for (const name of names) await becomes(name, 'Succeeded');
    const reads = ['get', 'list', 'watch'];
    const writes = (): object[] =>
      engine
        .audit()
        .filter(({ verb, name, resource }) => !reads.includes(verb) && resource !== 'events' && name.includes('done-'));
    await eventually(async () => expect(await left('pods')).toEqual([]));
    // the last reports of progress may follow the state
    let before = 0;
    await eventually(
      () => {
        const known = before;
        before = writes().length;
        expect(before).toBe(known);
      },
      { everyMs: 2_000 },
    );
    expect(before).toBeGreaterThan(0);
    // a controller that starts looks at all of them, before it fills a new one
    process.kill(engine.componentPid('virt-controller'), 'SIGKILL');
    await engine.mustApply(dataVolume('next', { blank: {} }, { storage: smallest }));
    await becomes('next', 'Succeeded');
    await eventually(async () => expect(await left('pods')).toEqual([]));
    expect(writes().slice(before)).toEqual([]);
  });
});
