import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Registry } from '../../package/registry';
import { TestCa } from '../../../support/pki';
import { WebServer } from '../../../support/web-server';
import { tarOf, writeImage } from '../../local/images/oci-archive';
import { pushImage, putManifest } from '../../local/images/push';
import { RegistryProxy } from '../../local/images/registry-proxy';
import { Importer } from './importer';

const SIZE = 8 << 20;

describe('imports from a registry', () => {
  let registry: Registry;
  let proxy: RegistryProxy;
  const importers: Importer[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'virt8s-disks-'));
  const wanted = Buffer.alloc(SIZE);
  createHash('sha256')
    .update('disk')
    .digest()
    .copy(wanted, 1 << 20);

  beforeAll(async () => {
    registry = await Registry.start();
    proxy = await RegistryProxy.start(registry.host);
    writeFileSync(join(folder, 'disk.raw'), wanted);
    execFileSync('qemu-img', ['convert', '-O', 'qcow2', join(folder, 'disk.raw'), join(folder, 'disk.qcow2')]);
    await pushImage(registry.host, 'disks/qcow2', [
      [{ path: 'etc/hostname', content: 'image' }],
      [{ path: 'disk/', type: 'dir' }, disk('qcow2')],
    ]);
    await pushImage(registry.host, 'disks/raw', [[{ path: 'disk/', type: 'dir' }, disk('raw')]]);
    await pushImage(registry.host, 'disks/none', [[{ path: 'etc/hostname', content: 'image' }]]);
  });
  afterAll(async () => {
    importers.forEach((each) => each.remove());
    await proxy?.stop();
    registry?.stop();
    rmSync(folder, { recursive: true });
  });
  beforeEach(() => proxy.reset());

  const disk = (format: string) => ({
    path: `disk/disk.${format}`,
    content: readFileSync(join(folder, `disk.${format}`)),
  });
  const importer = (reference: string, more: { architecture?: string; login?: string } = {}): Importer => {
    const { login, ...source } = more;
    const [user = '', password = ''] = login?.split(':') ?? [];
    const files = { 'login/accessKeyId': user, 'login/secretKey': password };
    const made = new Importer(
      { source: { kind: 'registry', url: `docker://${proxy.host}/${reference}`, ...source }, claimBytes: SIZE },
      login ? { files } : {},
    );
    importers.push(made);
    return made;
  };

  test.each(['disks/qcow2:1', 'disks/raw:1'])('%s becomes the disk', async (reference) => {
    const made = importer(reference);
    expect(await made.run()).toMatchObject({ code: 0 });
    expect(readFileSync(made.disk).equals(wanted)).toBe(true);
  });

  test('an image is named by its digest', async () => {
    const digest = await registry.digestOf('disks/raw', '1');
    expect(await importer(`disks/raw@${digest}`).run()).toMatchObject({ code: 0 });
    const other = `sha256:${'0'.repeat(64)}`;
    expect(await importer(`disks/raw@${other}`).run()).toMatchObject({
      code: 1,
      report: { problem: 'SourceRejected' },
    });
  });

  test('a platform is chosen from an index, and a missing one is reported with those that exist', async () => {
    const { digest, size } = await pushImage(registry.host, 'disks/raw', [[disk('raw')]], 'amd');
    const mediaType = 'application/vnd.oci.image.index.v1+json';
    const image = 'application/vnd.oci.image.manifest.v1+json';
    const platform = { os: 'linux', architecture: 'amd64' };
    const index = { schemaVersion: 2, mediaType, manifests: [{ mediaType: image, digest, size, platform }] };
    await putManifest(registry.host, 'disks/raw', 'index', index);
    expect(await importer('disks/raw:index', { architecture: 'amd64' }).run()).toMatchObject({ code: 0 });
    expect(await importer('disks/raw:index', { architecture: 's390x' }).run()).toMatchObject({
      code: 1,
      report: { problem: 'SourceRejected', message: expect.stringContaining('linux/amd64') as string },
    });
  });

  test('a login is sent, and a missing or wrong one is one clear failure', async () => {
    proxy.login = 'reader:secret';
    expect(await importer('disks/raw:1', { login: 'reader:secret' }).run()).toMatchObject({ code: 0 });
    for (const login of [undefined, 'reader:wrong']) {
      expect(await importer('disks/raw:1', { login }).run()).toMatchObject({
        code: 1,
        report: { problem: 'SourceRejected', remedy: expect.stringContaining('secretRef') as string },
      });
    }
  });

  test.each([
    ['disks/none:1', 'ImageInvalid', /no file in \/disk/],
    ['disks/raw:missing', 'SourceRejected', /404/],
    ['missing:1', 'SourceRejected', /404/],
    ['Upper:1', 'RequestInvalid', /not an image reference/],
  ])('%s is one clear failure', async (reference, problem, message) => {
    expect(await importer(reference).run()).toMatchObject({
      code: 1,
      report: { problem, message: expect.stringMatching(message) as string },
    });
  });
});

describe('an image that the node has pulled', () => {
  const importers: Importer[] = [];
  afterAll(() => importers.forEach((each) => each.remove()));
  const importer = (files: Record<string, string>): Importer => {
    const made = new Importer({ source: { kind: 'pulled' }, claimBytes: SIZE }, { files });
    importers.push(made);
    return made;
  };

  test('becomes the disk', async () => {
    const made = importer({ 'image/disk/disk.img': 'content', 'image/etc/hostname': 'image' });
    expect(await made.run()).toMatchObject({ code: 0 });
    const disk = readFileSync(made.disk);
    expect([disk.toString('latin1', 0, 7), disk.length]).toEqual(['content', SIZE]);
  });

  test.each<[string, Record<string, string>, RegExp, (root: string) => void]>([
    ['without a disk', { 'image/etc/hostname': 'image' }, /no file in \/disk/, () => undefined],
    [
      'with a link in place of the disk',
      { 'image/disk/.keep/x': '' },
      /\/disk\/disk\.img of the image cannot be opened: ELOOP/,
      (root) => symlinkSync('/etc/passwd', join(root, 'disk/disk.img')),
    ],
    [
      'with a link in place of the folder',
      { 'image/etc/passwd': 'secret' },
      /no file in \/disk/,
      (root) => symlinkSync('/etc', join(root, 'disk')),
    ],
  ])('%s is one clear failure', async (_, files, message, prepare) => {
    const made = importer(files);
    prepare(made.path('files/image'));
    expect(await made.run()).toMatchObject({
      code: 1,
      report: { problem: 'ImageInvalid', message: expect.stringMatching(message) as string },
    });
  });
});

describe('an image in an archive on a server', () => {
  let server: WebServer;
  let ca: TestCa;
  const importers: Importer[] = [];
  const content = createHash('sha256').update('disk').digest();
  const blobs = new Map<string, Buffer>();

  beforeAll(async () => {
    ca = await TestCa.create('authority');
    server = await WebServer.start(await ca.issue([{ CN: ['archives'] }], ['localhost']));
    const disk = { path: 'disk/disk.img', content };
    const digest = writeImage(server.root, { ref: 'x', layers: [[{ path: 'etc/hostname', content: 'x' }], [disk]] });
    const [archiveFile = ''] = readdirSync(server.root).filter((name) => name.endsWith('.tar'));
    renameSync(join(server.root, archiveFile), join(server.root, 'disk.tar'));
    execFileSync('tar', ['-xf', join(server.root, 'disk.tar'), '-C', server.root]);
    for (const name of readdirSync(join(server.root, 'blobs/sha256'))) {
      blobs.set(name, readFileSync(join(server.root, 'blobs/sha256', name)));
    }
    const manifest = digest.replace('sha256:', '');
    const archive = (name: string, files: Iterable<readonly [string, Buffer]>): void => {
      const index = { path: 'index.json', content: readFileSync(join(server.root, 'index.json')) };
      const entries = [...files].map(([blob, data]) => ({ path: `blobs/sha256/${blob}`, content: data }));
      writeFileSync(join(server.root, name), tarOf([index, ...entries]));
    };
    const isManifest = ([name]: readonly [string, Buffer]): boolean => name === manifest;
    archive('without-layers.tar', [...blobs].filter(isManifest));
    archive('without-manifest.tar', []);
    archive(
      'changed.tar',
      [...blobs].map(
        ([name, data]) => [name, name === manifest ? data : Buffer.concat([data, Buffer.alloc(1)])] as const,
      ),
    );
    writeFileSync(join(server.root, 'raw.img'), Buffer.alloc(4096, 1));
  });
  afterAll(() => {
    importers.forEach((each) => each.remove());
    server.stop();
  });
  const importer = (url: string): Importer => {
    const source = { kind: 'registry', url } as const;
    const made = new Importer({ source, claimBytes: SIZE }, { files: { 'certificates/ca.pem': ca.pem } });
    importers.push(made);
    return made;
  };

  test.each<[string, () => string]>([
    ['HTTPS', () => `oci-archive:${server.tlsUrl('disk.tar').replace('https:', '')}`],
    ['HTTP', () => `oci-archive:${server.url('disk.tar')}`],
  ])('becomes the disk over %s', async (_, url) => {
    const made = importer(url());
    expect(await made.run()).toMatchObject({ code: 0, report: { message: 'Import Complete' } });
    expect(readFileSync(made.disk).subarray(0, content.length).equals(content)).toBe(true);
  });

  test.each([
    ['without-layers.tar', 'ImageInvalid', /has no blobs\/sha256/],
    ['without-manifest.tar', 'ImageInvalid', /has no blobs\/sha256/],
    ['changed.tar', 'ChecksumMismatch', /has the digest/],
    ['raw.img', 'ImageInvalid', /not a tar archive/],
    ['no-ranges/disk.tar', 'SourceRejected', /sends no ranges/],
    ['missing.tar', 'SourceRejected', /404/],
  ])('%s is one clear failure', async (file, problem, message) => {
    expect(await importer(`oci-archive:${server.url(file)}`).run()).toMatchObject({
      code: 1,
      report: { problem, message: expect.stringMatching(message) as string },
    });
  });

  test('in a file of the Pod is rejected with the forms that are allowed', async () => {
    expect(await importer('oci-archive:/etc/passwd').run()).toMatchObject({
      code: 1,
      report: { problem: 'RequestInvalid', remedy: expect.stringMatching(/oci-archive:\/\/HOST\/PATH/) as string },
    });
  });
});
