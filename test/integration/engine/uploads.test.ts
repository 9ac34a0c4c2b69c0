/** @needs guest */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request, type RequestOptions } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, tinyVm } from '../../support/engine';
import { SuiteEngine } from '../../support/shared-engine';
import { guestDisk } from '../../support/guest-disk';

const IMMEDIATE = { 'cdi.kubevirt.io/storage.bind.immediate.requested': 'true' };
const RAW_BYTES = 24 << 20;

interface Answer {
  readonly code: number;
  readonly text: string;
  readonly offset?: string;
}

describe('uploads', () => {
  let engine: SuiteEngine;
  let folder: string;
  let proxy: { url: string; ca: string };
  const raw = Buffer.alloc(RAW_BYTES);

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'virt8s-uploads-'));
    guestDisk('tiny', join(folder, 'tiny.qcow2'));
    for (let at = 0; at < RAW_BYTES; at += 4096) raw.write(`block ${at}`, at);
    writeFileSync(join(folder, 'raw.img'), raw);
    execFileSync('gzip', ['--keep', '--fast', join(folder, 'raw.img')]);
    execFileSync('qemu-img', ['create', '-q', '-f', 'qcow2', join(folder, 'huge.qcow2'), '1T']);
    writeFileSync(join(folder, 'index.html'), 'unpacked');
    execFileSync('tar', ['--create', '--file', join(folder, 'site.tar'), '--directory', folder, 'index.html']);
    engine = await SuiteEngine.begin();
    const { status } = await eventually(async () => {
      const config = await engine.get('cdiconfig', 'config');
      if (!config.status?.uploadProxyURL) throw new Error('CDIConfig has no address');
      return config;
    });
    proxy = { url: status.uploadProxyURL, ca: status.uploadProxyCA };
    writeFileSync(join(folder, 'ca.pem'), proxy.ca);
    // their servers start while the first tests run
    const files = ['whole-upload', 'whole-upload-async', 'broken', 'guarded', 'other', 'bad'];
    const devices = ['upload-form', 'upload-form-async'];
    await engine.mustApply([
      ...files.map((name) => dataVolume(name)),
      ...devices.map((name) => dataVolume(name, { storage: { volumeMode: 'Block' } })),
      dataVolume('site', { spec: { contentType: 'archive' } }),
    ]);
  });
  afterAll(async () => {
    const left = await engine.end();
    rmSync(folder, { recursive: true });
    expect(left).toEqual([]);
  });

  const dataVolume = (name: string, more: { spec?: object; storage?: object } = {}) => ({
    apiVersion: 'cdi.kubevirt.io/v1beta1',
    kind: 'DataVolume',
    metadata: { name, annotations: IMMEDIATE },
    spec: {
      source: { upload: {} },
      storage: { resources: { requests: { storage: '64Mi' } }, ...more.storage },
      ...more.spec,
    },
  });
  const becomes = (name: string, phase: string): Promise<void> =>
    eventually(async () => {
      const { status } = await engine.get('dv', name);
      if (status?.phase !== phase) throw new Error(`${name}: ${JSON.stringify(status)}`);
    });
  const ready = (name: string): Promise<void> => becomes(name, 'UploadReady');

  const askToken = (pvcName: string, ...as: string[]) =>
    engine.run(
      'kubectl',
      ['create', '-o', 'json', ...as, '-f', '-'],
      JSON.stringify({
        apiVersion: 'upload.cdi.kubevirt.io/v1beta1',
        kind: 'UploadTokenRequest',
        metadata: { name: pvcName },
        spec: { pvcName },
      }),
    );
  const tokenOf = async (pvcName: string): Promise<string> => {
    const { code, stdout, stderr } = await askToken(pvcName);
    if (code !== 0) throw new Error(stderr);
    return JSON.parse(stdout).status.token;
  };

  /** One request, as clients of CDI send it. `write` may break the connection. */
  const call = (
    path: string,
    token: string,
    body: Buffer | undefined,
    options: RequestOptions & { breakAt?: number } = {},
  ): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const { breakAt, headers, ...rest } = options;
      const to = request(
        new URL(path, proxy.url),
        {
          method: 'POST',
          ca: proxy.ca,
          agent: false,
          ...rest,
          headers: { authorization: `Bearer ${token}`, ...headers },
        },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
          response.on('end', () => {
            to.destroy();
            resolve({ code: response.statusCode!, text, offset: response.headers['upload-offset'] as string });
          });
        },
      );
      to.on('error', reject);
      if (breakAt === undefined) return void to.end(body);
      to.setHeader('content-length', body!.length);
      // eslint-disable-next-line virt8s/patience -- any number of bytes may have arrived by then
      to.write(body!.subarray(0, breakAt), () => setTimeout(() => to.destroy(new Error('broken')), 500));
    });

  /** Content of the disk of a claim. Volumes are mounted only for the engine. */
  const diskOf = async (name: string, file = 'disk.img'): Promise<string> => {
    const { spec } = await engine.get('pv', (await engine.get('pvc', name)).spec.volumeName);
    return `/proc/${engine.componentPid('engine')}/root${spec.local.path}/${file}`;
  };
  const holdsRaw = async (name: string): Promise<void> => {
    const disk = readFileSync(await diskOf(name)).subarray(0, RAW_BYTES);
    expect(createHash('sha256').update(disk).digest('hex')).toBe(createHash('sha256').update(raw).digest('hex'));
  };
  const podOf = async (name: string) => {
    const { metadata } = await engine.get('pvc', name);
    return engine.get('pod', metadata.annotations['cdi.kubevirt.io/storage.uploadPodName']);
  };

  test('of the command line fill a DataVolume, from which a guest boots', async () => {
    const made = await engine.virt8s(
      ...['image-upload', 'dv', 'tiny', '--size', '64Mi', '--force-bind', '--datasource'],
      ...['--default-instancetype', 'small', '--image-path', join(folder, 'tiny.qcow2')],
    );
    expect(made).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/100\.0 % of .*\nuploaded /s) });
    expect((await engine.get('dv', 'tiny')).status).toMatchObject({ phase: 'Succeeded', progress: '100.0%' });
    expect((await engine.get('datasource', 'tiny')).metadata.labels).toMatchObject({
      'instancetype.kubevirt.io/default-instancetype': 'small',
    });
    const vm = tinyVm('web', { graceSeconds: 0 }) as { spec: { template: { spec: { volumes: object[] } } } };
    vm.spec.template.spec.volumes = [{ name: 'root', dataVolume: { name: 'tiny' } }];
    await engine.mustApply(vm);
    await engine.vmBecomes('web', 'Running');
    expect(await engine.guest('web')).toMatchObject({ boot_id: expect.any(String) });
    const { metadata } = await engine.get('dv', 'tiny');
    const sources = await engine.kubectl('get', 'volumeuploadsources', '-o', 'name');
    expect(sources).not.toContain(metadata.uid);
    await engine.kubectl('delete', 'vm/web', '--wait=false');
  });

  test('of the command line fill a claim without a DataVolume', async () => {
    const made = await engine.virt8s(
      ...['image-upload', 'pvc', 'plain', '--size', '64Mi', '--force-bind', '--image-path', join(folder, 'raw.img.gz')],
    );
    expect(made).toMatchObject({ code: 0, stderr: '' });
    await holdsRaw('plain');
  });

  const plainClaim = (name: string, annotations: Record<string, string>) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, annotations: { ...IMMEDIATE, ...annotations } },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '64Mi' } } },
  });
  const annotationsOf = async (name: string): Promise<Record<string, string>> =>
    (await engine.get('pvc', name)).metadata.annotations;

  test('of virtctl fill the volume of a claim that requests them with an annotation', async () => {
    const request = { 'cdi.kubevirt.io/storage.upload.target': '', 'cdi.kubevirt.io/storage.contentType': 'kubevirt' };
    await engine.mustApply([plainClaim('virtctl', request), plainClaim('left', request)]);
    for (const name of ['virtctl', 'left']) {
      await eventually(async () =>
        expect(await annotationsOf(name)).toMatchObject({ 'cdi.kubevirt.io/storage.pod.ready': 'true' }),
      );
    }
    const pod = await podOf('virtctl');
    expect(await call('/v1beta1/upload', await tokenOf('virtctl'), raw)).toMatchObject({ code: 200 });
    await eventually(async () =>
      expect(await annotationsOf('virtctl')).toMatchObject({
        'cdi.kubevirt.io/storage.pod.phase': 'Succeeded',
        'cdi.kubevirt.io/storage.pod.ready': 'false',
      }),
    );
    await holdsRaw('virtctl');
    await engine.kubectl('wait', '--for=delete', `pod/${pod.metadata.name}`, '--timeout=5m');
    expect((await askToken('virtctl')).stderr).toMatch(/its upload is complete/);
    // the server of a claim does not keep it
    await engine.kubectl('delete', 'pvc', 'left', '--timeout=5m');
  });

  test('of the command line replace the content of a claim that exists, when no Pod uses it', async () => {
    const user = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'user' },
      spec: {
        nodeSelector: { never: 'matches' },
        containers: [{ name: 'a', image: 'localhost/none:1' }],
        volumes: [{ name: 'a', persistentVolumeClaim: { claimName: 'existing' } }],
      },
    };
    await engine.mustApply([plainClaim('existing', {}), user]);
    const upload = engine.virt8s(
      ...['image-upload', 'pvc', 'existing', '--no-create', '--image-path', join(folder, 'raw.img')],
    );
    await eventually(async () =>
      expect(await annotationsOf('existing')).toMatchObject({
        'cdi.kubevirt.io/storage.condition.running.reason': 'UploadTargetInUse',
        'cdi.kubevirt.io/storage.condition.running.message': expect.stringContaining(`${engine.namespace}/user`),
      }),
    );
    await engine.kubectl('delete', 'pod', 'user');
    expect(await upload).toMatchObject({ code: 0, stderr: '' });
    await holdsRaw('existing');
    const again = await engine.virt8s(
      ...['image-upload', 'pvc', 'existing', '--no-create', '--image-path', join(folder, 'raw.img')],
    );
    expect(again).toMatchObject({ code: 1, stderr: expect.stringMatching(/has its content already/) });
  });

  test.each<[string, string[], RegExp]>([
    ['a file that does not exist', ['--image-path', '/nonexistent'], /no such file/],
    ['a disk that is larger than the volume', ['--image-path', 'huge.qcow2'], /1\.0 TiB.*larger --size/],
    ['an archive as an image', ['--image-path', 'site.tar'], /--archive-path/],
    ['an image as an archive', ['--archive-path', 'tiny.qcow2'], /--image-path/],
    ['a user without rights', ['--image-path', 'raw.img', '--as', 'nobody'], /uploadtokenrequests/],
  ])('of the command line refuse %s before anything is created', async (_, args, message) => {
    const given = args.map((arg) => (/^\w+\.\w+$/.test(arg) ? join(folder, arg) : arg));
    const { code, stderr } = await engine.virt8s('image-upload', 'dv', 'refused', '--size', '64Mi', ...given);
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
    expect(await engine.kubectl('get', 'dv', '-o', 'name')).not.toContain('refused');
  });

  test.each([
    ['upload', 'v1beta1'],
    ['upload-async', 'v1alpha1'],
  ])('of a whole body to /%s (%s) fill a disk', async (endpoint, version) => {
    const name = `whole-${endpoint}`;
    await ready(name);
    expect(await call(`/${version}/${endpoint}`, await tokenOf(name), undefined, { method: 'HEAD' })).toMatchObject({
      code: 200,
    });
    expect(await call(`/${version}/${endpoint}`, await tokenOf(name), raw)).toMatchObject({ code: 200 });
    await becomes(name, 'Succeeded');
    await holdsRaw(name);
  });

  test.each(['upload-form', 'upload-form-async'])('of a form to /%s fill a device', async (endpoint) => {
    const name = endpoint;
    await ready(name);
    const curl = await engine.run('curl', [
      ...['--silent', '--show-error', '--fail-with-body', '--cacert', join(folder, 'ca.pem')],
      ...['--header', `Authorization: Bearer ${await tokenOf(name)}`],
      ...['--form', `file=@${join(folder, 'tiny.qcow2')}`, `${proxy.url}/v1beta1/${endpoint}`],
    ]);
    expect(curl).toMatchObject({ code: 0, stderr: '' });
    await becomes(name, 'Succeeded');
  });

  test('of an archive are unpacked', async () => {
    await ready('site');
    const site = readFileSync(join(folder, 'site.tar'));
    expect(await call('/v1beta1/upload-archive', await tokenOf('site'), site)).toMatchObject({ code: 200 });
    await becomes('site', 'Succeeded');
    expect(readFileSync(await diskOf('site', 'index.html'), 'utf8')).toBe('unpacked');
  });

  test('continue after a broken connection, and after the upload server was killed', async () => {
    await ready('broken');
    const zipped = readFileSync(join(folder, 'raw.img.gz'));
    const headers = { 'upload-key': 'raw.img.gz', 'upload-offset': '0', 'upload-length': String(zipped.length) };
    const half = Math.floor(zipped.length / 2);
    const broken = call('/v1beta1/upload', await tokenOf('broken'), zipped, { headers, breakAt: half });
    await expect(broken).rejects.toThrow('broken');

    // what has arrived is not sent again, in a format that has a state
    const offset = await eventually(async () => {
      const answer = await call('/v1beta1/upload', await tokenOf('broken'), undefined, { method: 'HEAD', headers });
      expect(Number(answer.offset)).toBeGreaterThan(0);
      return Number(answer.offset);
    });
    expect(offset).toBeLessThanOrEqual(half);
    const wrong = { ...headers, 'upload-offset': String(offset - 1) };
    const rest = zipped.subarray(offset);
    expect(await call('/v1beta1/upload', await tokenOf('broken'), rest, { headers: wrong })).toMatchObject({
      code: 409,
    });

    const [container] = (await podOf('broken')).status.containerStatuses;
    const pids = engine.pids('importer.cjs').filter((pid) => {
      return readFileSync(`/proc/${pid}/cgroup`, 'utf8').includes(container.containerID.split('//')[1]);
    });
    expect(pids).not.toEqual([]);
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    await eventually(async () => {
      const { status } = await podOf('broken');
      expect(status.containerStatuses[0]).toMatchObject({ restartCount: 1, ready: true });
    });
    // a server that was killed has forgotten its state, and reports that
    const again = { ...headers, 'upload-offset': String(offset) };
    expect(await call('/v1beta1/upload', await tokenOf('broken'), rest, { headers: again })).toMatchObject({
      code: 409,
      offset: '0',
    });
    expect(await call('/v1beta1/upload', await tokenOf('broken'), zipped, { headers })).toMatchObject({ code: 200 });
    await becomes('broken', 'Succeeded');
    await holdsRaw('broken');
  });

  test('refuse tokens that are forged, used, or of another claim', async () => {
    await ready('guarded');
    await ready('other');
    const good = await tokenOf('guarded');
    const [header, payload, signature] = good.split('.') as [string, string, string];
    const changed = (part: string, change: (value: Record<string, unknown>) => object): string =>
      Buffer.from(JSON.stringify(change(JSON.parse(Buffer.from(part, 'base64url').toString())))).toString('base64url');
    const forged = [
      ['nonsense', 401],
      [`${header}.${changed(payload, (claims) => ({ ...claims, name: 'other' }))}.${signature}`, 401],
      [`${header}.${changed(payload, (claims) => ({ ...claims, exp: 4e9 }))}.${signature}`, 401],
      [`${changed(header, (value) => ({ ...value, alg: 'none' }))}.${payload}.`, 401],
      ['', 400],
    ] as const;
    for (const [token, code] of forged) {
      expect(await call('/v1beta1/upload', token, raw.subarray(0, 4096))).toMatchObject({ code });
    }
    // answered at once; the rest of the body is discarded
    const headers = { 'upload-key': 'unknown', 'upload-offset': '5' };
    expect(await call('/v1beta1/upload', good, raw, { headers })).toMatchObject({ code: 409, offset: '0' });
    expect(await call('/v1beta1/upload-async', good, raw)).toMatchObject({ code: 200 });
    // it was used
    expect([401, 409, 502, 503]).toContain((await call('/v1beta1/upload', good, raw)).code);
    await becomes('guarded', 'Succeeded');
    // the claim with the name of the token is another one
    const stale = await tokenOf('other');
    await engine.kubectl('delete', 'dv', 'other', '--timeout=5m');
    await engine.mustApply(dataVolume('other'));
    await ready('other');
    expect(await call('/v1beta1/upload', stale, raw)).toMatchObject({
      code: 401,
      text: expect.stringMatching(/another/),
    });
    const denied = await askToken('other', '--as', 'nobody');
    expect(denied).toMatchObject({ code: 1, stderr: expect.stringMatching(/uploadtokenrequests/) });
  });

  test('report content that cannot be imported, and stay ready for another upload', async () => {
    await ready('bad');
    const form = { 'content-type': 'multipart/form-data; boundary=x' };
    const noFile = Buffer.from('--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb');
    const image = readFileSync(join(folder, 'huge.qcow2'));
    for (const [endpoint, body, headers, text] of [
      ['upload-form', noFile, form, /"file"/],
      ['upload-form', Buffer.alloc(64 << 10, 'a'), form, /first 8192 bytes/],
      ['upload', image, {}, /1099511627776/],
    ] as const) {
      const answer = await call(`/v1beta1/${endpoint}`, await tokenOf('bad'), body, { headers });
      expect(answer).toMatchObject({ code: 400, text: expect.stringMatching(text) });
    }
    // the next attempt begins with a server that has no state, and the object tells why
    await eventually(async () => {
      const { status } = await engine.get('dv', 'bad');
      const running = status.conditions.find(({ type }: { type: string }) => type === 'Running');
      expect(running).toMatchObject({ status: 'True', message: expect.stringMatching(/failed: .*1099511627776/) });
    });
    expect((await engine.get('pvc', 'bad')).status.phase).toBe('Pending');
    await ready('bad');
    expect(await call('/v1beta1/upload', await tokenOf('bad'), raw)).toMatchObject({ code: 200 });
    await becomes('bad', 'Succeeded');
  });
});
