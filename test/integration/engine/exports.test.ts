/** @needs guest */
import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { parseAllDocuments } from 'yaml';
import { eventually, TestEngine, tinyVm } from '../../support/engine';
import { SuiteEngine } from '../../support/shared-engine';
import { guestDisk } from '../../support/guest-disk';
import { TestCa } from '../../support/pki';
import { WebServer } from '../../support/web-server';

const IMMEDIATE = { 'cdi.kubevirt.io/storage.bind.immediate.requested': 'true' };
const NOISE_BYTES = 100 << 20;
const sha256 = (data: Buffer): string => createHash('sha256').update(data).digest('hex');

describe('VirtualMachineExports', () => {
  let engine: SuiteEngine;
  let server: WebServer;
  let host: string;
  let folder: string;

  beforeAll(async () => {
    const ca = await TestCa.create('images');
    server = await WebServer.start(await ca.issue([{ CN: ['images'] }], ['localhost']));
    folder = mkdtempSync(join(tmpdir(), 'virt8s-exports-'));
    guestDisk('tiny', join(server.root, 'tiny.qcow2'));
    writeFileSync(join(server.root, 'noise.img'), randomBytes(NOISE_BYTES));
    mkdirSync(join(folder, 'site'));
    writeFileSync(join(folder, 'site/index.html'), 'served');
    execFileSync('tar', ['-czf', join(server.root, 'site.tar.gz'), '-C', join(folder, 'site'), '.']);
    engine = await SuiteEngine.begin();
    const [node] = await engine.list('nodes');
    host = node.status.addresses.find(({ type }: { type: string }) => type === 'InternalIP').address;
    await engine.mustApply([
      dataVolume('disk', { http: { url: server.url('tiny.qcow2', host) } }),
      dataVolume('device', { http: { url: server.url('tiny.qcow2', host) } }, { storage: { volumeMode: 'Block' } }),
      dataVolume(
        'noise',
        { http: { url: server.url('noise.img', host) } },
        { storage: { resources: { requests: { storage: '128Mi' } } } },
      ),
      dataVolume('site', { http: { url: server.url('site.tar.gz', host) } }, { contentType: 'archive' }),
    ]);
    for (const name of ['disk', 'device', 'noise', 'site']) await filled(name);
  });
  afterAll(async () => {
    const left = await engine.end();
    server.stop();
    rmSync(folder, { recursive: true });
    expect(left).toEqual([]);
  });

  const dataVolume = (name: string, source: object, more: { contentType?: string; storage?: object } = {}) => ({
    apiVersion: 'cdi.kubevirt.io/v1beta1',
    kind: 'DataVolume',
    metadata: { name, annotations: IMMEDIATE },
    spec: {
      source,
      storage: { resources: { requests: { storage: '64Mi' } }, ...more.storage },
      ...(more.contentType && { contentType: more.contentType }),
    },
  });
  const filled = (name: string): Promise<void> =>
    eventually(async () => expect((await engine.get('dv', name)).status?.phase).toBe('Succeeded'));

  /** Folder or file of a claim, which is mounted only for the engine. */
  const inClaim = async (name: string, path: string): Promise<string> => {
    const { spec } = await engine.get('pv', (await engine.get('pvc', name)).spec.volumeName);
    return `/proc/${engine.componentPid('engine')}/root${spec.local.path}/${path}`;
  };
  const file = (name: string): string => join(folder, name);
  const virt8s = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await engine.virt8s(...args);
    if (code !== 0) throw new Error(`virt8s ${args.join(' ')}: ${stderr}`);
    return stdout + stderr;
  };
  const exported = (name: string, kind: string, of: string, more: object = {}) => ({
    apiVersion: 'export.kubevirt.io/v1',
    kind: 'VirtualMachineExport',
    metadata: { name },
    spec: { source: { apiGroup: kind === 'VirtualMachine' ? 'kubevirt.io' : '', kind, name: of }, ...more },
  });
  const becomes = (name: string, phase: string, reason: string): Promise<void> =>
    eventually(async () => {
      const found = await engine.get('vmexport', name);
      const ready = found.status?.conditions?.find(({ type }: { type: string }) => type === 'Ready');
      expect({ phase: found.status?.phase, reason: ready?.reason }).toEqual({ phase, reason });
    });

  /** PID of an exporter: the program whose environment has the UID of its Pod. Other engines may run exporters as well. */
  const exporterPid = async (name: string): Promise<number> => {
    const { uid } = (await engine.get('pod', `virt-export-${name}`)).metadata;
    const found = engine.pids('virt-importer.cjs').filter((pid) => environment(pid).includes(uid));
    if (found.length !== 1) throw new Error(`${found.length} exporters of ${name}`);
    return found[0];
  };
  const environment = (pid: number): string => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8');
    } catch {
      return '';
    }
  };

  /** Answer of an exporter, which is asked at the address of its Pod. */
  const ask = async (name: string, path: string, token: string): Promise<{ status?: number; body: string }> => {
    const { status } = await engine.get('vmexport', name);
    const url = new URL(status.links.internal.volumes[0].formats[0].url);
    const { podIP } = (await engine.get('pod', `virt-export-${name}`)).status;
    const options = {
      ...{ host: podIP, port: 8443, path, servername: url.hostname, ca: status.links.internal.cert },
      headers: { 'x-kubevirt-export-token': token },
    };
    return new Promise((resolve, reject) => {
      request(options, (response) => {
        text(response).then((body) => resolve({ status: response.statusCode, body }), reject);
      })
        .on('error', reject)
        .end();
    });
  };

  test('download a disk as gzip and raw, with the bytes of the claim', async () => {
    const disk = sha256(readFileSync(await inClaim('disk', 'disk.img')));
    await virt8s('vmexport', 'create', 'both', '--pvc', 'disk');
    const said = await virt8s('vmexport', 'download', 'both', '--output', file('disk.gz'));
    expect(said).toContain(`sha256:${disk}`);
    expect(sha256(gunzipSync(readFileSync(file('disk.gz'))))).toBe(disk);
    await virt8s('vmexport', 'download', 'both', '--format', 'raw', '--output', file('disk.img'));
    expect(sha256(readFileSync(file('disk.img')))).toBe(disk);
    // holes stay holes
    expect(statSync(file('disk.img')).blocks * 512).toBeLessThan(statSync(file('disk.img')).size);

    expect(await ask('both', '/volumes/disk/disk.img', 'wrong')).toMatchObject({ status: 401 });
    const { data } = await engine.get('secret', 'export-token-both');
    const token = Buffer.from(data.token, 'base64').toString();
    expect(await ask('both', '/volumes/disk/disk.img.sha256', token)).toEqual({ status: 200, body: disk });
    await virt8s('vmexport', 'delete', 'both');
    await eventually(async () => {
      const left = await engine.kubectl('get', 'vmexport,service,secret', '-o', 'name');
      expect(left).not.toMatch(/export/);
    });
  });

  test('download a device, and delete the export afterwards', async () => {
    await virt8s(
      'vmexport',
      'download',
      'device',
      '--pvc',
      'device',
      '--format',
      'raw',
      '--output',
      file('device.img'),
    );
    // both claims were filled from one image
    expect(
      readFileSync(file('device.img'))
        .subarray(0, 16 << 20)
        .equals(readFileSync(file('disk.img')).subarray(0, 16 << 20)),
    ).toBe(true);
    expect(await engine.list('vmexport')).toEqual([]);
  });

  test('serve files as an archive, in which links of the claim stay links', async () => {
    symlinkSync('/run/virt8s/token/token', await inClaim('site', 'token'));
    execFileSync('mkfifo', [await inClaim('site', 'pipe')]);
    await virt8s('vmexport', 'download', 'site', '--pvc', 'site', '--output', file('site.tar.gz'), '--keep-vme');
    const target = file('unpacked');
    mkdirSync(target);
    execFileSync('tar', ['-xzf', file('site.tar.gz'), '-C', target]);
    expect(readFileSync(join(target, 'index.html'), 'utf8')).toBe('served');
    expect(readlinkSync(join(target, 'token'))).toBe('/run/virt8s/token/token');
    const { data } = await engine.get('secret', 'export-token-site');
    const token = Buffer.from(data.token, 'base64').toString();
    expect(await ask('site', '/volumes/site/dir/index.html', token)).toEqual({ status: 200, body: 'served' });
    for (const name of ['token', 'pipe']) {
      expect(await ask('site', `/volumes/site/dir/${name}`, token)).toMatchObject({ status: 404 });
    }
    await virt8s('vmexport', 'delete', 'site');
  });

  test('continue when the exporter, its Pod and virt-controller are killed during a download', async () => {
    await virt8s('vmexport', 'create', 'noise', '--pvc', 'noise');
    await becomes('noise', 'Ready', 'PodReady');
    const child = engine.start('vmexport', 'download', 'noise', '--format', 'raw', '--output', '-');
    const hash = createHash('sha256');
    let bytes = 0;
    const problems = text(child.stderr!);
    const faults: (() => unknown)[] = [
      () => process.kill(engine.componentPid('virt-controller'), 'SIGKILL'),
      () => engine.kubectl('delete', 'pod', 'virt-export-noise', '--grace-period=0', '--force'),
      async () => process.kill(await exporterPid('noise'), 'SIGKILL'),
    ];
    for await (const data of child.stdout as AsyncIterable<Buffer>) {
      hash.update(data);
      const before = bytes;
      bytes += data.length;
      // one fault at each quarter, while the client is not read
      if (Math.floor(bytes / (NOISE_BYTES / 4)) > Math.floor(before / (NOISE_BYTES / 4))) {
        await faults.pop()?.();
        await eventually(async () => expect((await engine.virt8s('up')).code).toBe(0));
        await becomes('noise', 'Ready', 'PodReady');
      }
    }
    const said = await problems;
    expect(said).toMatch(/continuing/);
    expect(said).toMatch(/Download finished successfully/);
    expect(faults).toEqual([]);
    const disk = sha256(readFileSync(await inClaim('noise', 'disk.img')));
    expect(said).toContain(`sha256:${disk}`);
    expect(hash.digest('hex')).toBe(disk);
    // a claim that is deleted ends its exporter, and the export tells why
    await engine.kubectl('delete', 'dv', 'noise', '--timeout=5m');
    await becomes('noise', 'Pending', 'PVCNotFound');
    await virt8s('vmexport', 'delete', 'noise');
  });

  test('wait until a VM is stopped; its manifests import it into another engine, where it boots', async () => {
    const vm = tinyVm('web', { graceSeconds: 0 }) as { spec: { template: { spec: { volumes: object[] } } } };
    vm.spec.template.spec.volumes = [{ name: 'root', dataVolume: { name: 'disk' } }];
    await engine.mustApply(vm);
    await engine.vmBecomes('web', 'Running');
    await engine.mustApply(exported('web', 'VirtualMachine', 'web'));
    await becomes('web', 'Pending', 'InUse');
    const refused = await engine.virt8s(...'vmexport download web --manifest --readiness-timeout 1s'.split(' '));
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`InUse: Virtual Machine ${engine.namespace}/web is running`),
    });
    await virt8s('stop', 'web', '--force', '--grace-period', '0');
    const manifests = await virt8s('vmexport', 'download', 'web', '--manifest', '--include-secret');
    const objects = parseAllDocuments(manifests).map((each) => each.toJSON());
    expect(objects.map(({ kind }) => kind)).toEqual(['ConfigMap', 'VirtualMachine', 'DataVolume', 'Secret']);
    objects[1].spec.runStrategy = 'Always';
    objects[2].metadata.annotations = IMMEDIATE;
    const { url } = objects[2].spec.source.http;
    expect(url).toMatch(/^https:.*\/namespaces\/suite-\w+\/virtualmachineexports\/web\/volumes\/disk\/disk\.img\.gz$/);
    const other = await TestEngine.start();
    try {
      await other.mustApply(objects);
      await other.vmBecomes('web', 'Running');
      expect(await eventually(() => other.guest('web'))).toMatchObject({ boot_id: expect.any(String) });
    } finally {
      await other.down();
    }
    expect(await other.leftovers()).toEqual([]);
  });

  test('end with their lifetime', async () => {
    await engine.mustApply(exported('short', 'PersistentVolumeClaim', 'none', { ttlDuration: '8s' }));
    await becomes('short', 'Pending', 'PVCNotFound');
    await eventually(async () => {
      expect(await engine.kubectl('get', 'vmexport', '-o', 'name')).not.toContain('short');
    });
  });
});
