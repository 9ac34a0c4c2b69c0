import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Registry } from '../../package/registry';
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
