import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HttpImport } from '../../../../src/api/cdi/import-request';
import { TestCa } from '../../../support/pki';
import { Importer, type ImporterOptions } from './importer';
import { LOGIN, WebServer } from '../../../support/web-server';

const MIB = 1 << 20;
const SIZE = 24 * MIB;

/** A disk with data at its begin, across a window of zeros, and in its last sector. */
function disk(): Buffer {
  const bytes = Buffer.alloc(SIZE);
  for (let at = 0; at < 3 * MIB; at += 32) createHash('sha256').update(String(at)).digest().copy(bytes, at);
  bytes.fill('middle', 12 * MIB + 4096, 12 * MIB + 70_000);
  bytes.write('end', SIZE - 512);
  return bytes;
}

describe('imports over HTTP', () => {
  let server: WebServer;
  let authority: string;
  const importers: Importer[] = [];
  const wanted = disk();

  const importer = (source: Omit<HttpImport, 'kind'>, claimBytes = SIZE, options?: ImporterOptions): Importer => {
    const made = new Importer({ source: { kind: 'http', ...source }, claimBytes }, options);
    importers.push(made);
    return made;
  };
  const file = (name: string): string => join(server.root, name);

  beforeAll(async () => {
    const ca = await TestCa.create('authority');
    authority = ca.pem;
    server = await WebServer.start(await ca.issue([{ CN: ['images'] }], ['localhost']));
    writeFileSync(file('disk.raw'), wanted);
    for (const [name, ...format] of [
      ['disk.qcow2', 'qcow2'],
      ['packed.qcow2', 'qcow2', '-c'],
      ['disk.vmdk', 'vmdk'],
      ['stream.vmdk', 'vmdk', '-o', 'subformat=streamOptimized'],
      ['disk.vdi', 'vdi'],
      ['disk.vhdx', 'vhdx'],
      ['disk.vhd', 'vpc', '-o', 'force_size=on'],
    ] as const) {
      execFileSync('qemu-img', ['convert', '-O', ...format, file('disk.raw'), file(name)]);
    }
    for (const name of ['disk.raw', 'disk.qcow2', 'stream.vmdk']) {
      for (const program of ['gzip', 'xz', 'zstd']) execFileSync(program, ['--keep', '--quiet', file(name)]);
    }
  });
  afterAll(() => {
    importers.forEach((each) => each.remove());
    server?.stop();
  });

  const compressed = ['disk.raw', 'disk.qcow2', 'stream.vmdk'].flatMap((name) =>
    ['gz', 'xz', 'zst'].map((by) => `${name}.${by}`),
  );
  test.each([
    ...['disk.raw', 'disk.qcow2', 'packed.qcow2', 'disk.vmdk', 'stream.vmdk', 'disk.vdi', 'disk.vhdx', 'disk.vhd'],
    ...compressed,
    ...['no-ranges/disk.raw', 'no-ranges/disk.qcow2', 'moved/disk.qcow2'],
  ])('%s becomes a sparse raw disk of the size of its claim', async (path) => {
    const made = importer({ url: server.url(path) }, 32 * MIB);
    expect(await made.run()).toMatchObject({ code: 0, report: { message: 'Import Complete' } });
    const got = readFileSync(made.disk);
    expect(got.length).toBe(32 * MIB);
    expect(got.subarray(0, SIZE).equals(wanted)).toBe(true);
    expect(got.subarray(SIZE).every((byte) => byte === 0)).toBe(true);
    expect(made.allocated()).toBeLessThan(5 * MIB);
    expect(execFileSync('ls', ['-A', made.path('data')], { encoding: 'utf8' })).toBe('disk.img\n');
  });

  test.each([
    ['qcow2', '-o', 'preallocation=metadata'],
    ['qcow2', '-o', 'preallocation=falloc'],
    ['qcow2', '-o', 'cluster_size=512'],
    ['qcow2', '-o', 'cluster_size=2M'],
    ['qcow2', '-c', '-o', 'cluster_size=512'],
    ['qcow2', '-c', '-o', 'compression_type=zstd'],
    ['qcow2', '-o', 'extended_l2=on'],
    ['qcow2', '-o', 'compat=0.10'],
    ['vdi', '-o', 'static=on'],
    ['vmdk', '-o', 'adapter_type=lsilogic,hwversion=6'],
  ])('a disk of an odd size is imported from %s %s %s', async (format, ...options) => {
    const [raw, image] = [file('odd.raw'), file('odd.image')];
    writeFileSync(raw, Buffer.concat([wanted, Buffer.alloc(512 * 3, 'end')]));
    execFileSync('qemu-img', ['convert', '-O', format!, ...options, raw, image]);
    const made = importer({ url: server.url('odd.image') }, 32 * MIB);
    expect(await made.run()).toMatchObject({ code: 0 });
    const got = readFileSync(made.disk).subarray(0, SIZE + 512 * 3);
    expect(got.equals(readFileSync(raw))).toBe(true);
  });

  test('an image without data is a disk of zeros', async () => {
    execFileSync('qemu-img', ['create', '-q', '-f', 'qcow2', file('none.qcow2'), `${SIZE}`]);
    const made = importer({ url: server.url('none.qcow2') });
    expect(await made.run()).toMatchObject({ code: 0 });
    expect(readFileSync(made.disk).equals(Buffer.alloc(SIZE))).toBe(true);
  });

  test.each(['disk.raw', 'packed.qcow2', 'disk.qcow2.gz', 'disk.raw.xz'])(
    '%s becomes the content of a device, which contained other data',
    async (path) => {
      const image = join(server.root, '..', 'device.img');
      writeFileSync(image, Buffer.alloc(32 * MIB, 'old'));
      const device = execFileSync('losetup', ['--find', '--show', image], { encoding: 'utf8' }).trim();
      try {
        const made = importer({ url: server.url(path) }, 32 * MIB, { device });
        expect(await made.run()).toMatchObject({ code: 0 });
        expect(readFileSync(device).subarray(0, SIZE).equals(wanted)).toBe(true);
      } finally {
        execFileSync('losetup', ['--detach', device]);
        rmSync(image);
      }
    },
  );

  test.each(['disk.raw', 'disk.qcow2'])('%s fits exactly, and not into one MiB less', async (path) => {
    expect(await importer({ url: server.url(path) }, SIZE).run()).toMatchObject({ code: 0 });
    const small = importer({ url: server.url(path) }, SIZE - MIB);
    expect(await small.run()).toMatchObject({ code: 1, report: { problem: 'ImageTooLarge' } });
  });

  describe('checksums', () => {
    const sum = (name: string, algorithm = 'sha256'): string =>
      `${algorithm}:${createHash(algorithm)
        .update(readFileSync(file(name)))
        .digest('hex')}`;

    test.each(['disk.raw', 'disk.qcow2', 'disk.qcow2.gz', 'no-ranges/disk.qcow2'])(
      '%s with its checksum is imported',
      async (path) => {
        const checksum = sum(path.replace('no-ranges/', ''));
        expect(await importer({ url: server.url(path), checksum }).run()).toMatchObject({ code: 0 });
      },
    );

    test.each(['md5', 'sha1', 'sha512'])('%s is an algorithm', async (algorithm) => {
      const checksum = sum('disk.raw', algorithm);
      expect(await importer({ url: server.url('disk.raw'), checksum }).run()).toMatchObject({ code: 0 });
    });

    test.each(['disk.raw', 'disk.qcow2', 'disk.qcow2.gz', 'disk.raw.zst'])(
      '%s with another checksum leaves no disk',
      async (path) => {
        const made = importer({ url: server.url(path), checksum: sum('disk.vdi') });
        expect(await made.run()).toMatchObject({ code: 1, report: { problem: 'ChecksumMismatch' } });
        expect(made.allocated()).toBe(0);
      },
    );
  });

  describe('access', () => {
    const login = { 'login/accessKeyId': LOGIN.user, 'login/secretKey': LOGIN.password };

    test('a login is sent', async () => {
      const made = importer({ url: server.url('private/disk.raw') }, SIZE, { files: login });
      expect(await made.run()).toMatchObject({ code: 0 });
    });

    test('a wrong login is one clear failure', async () => {
      const made = importer({ url: server.url('private/disk.raw') }, SIZE, {
        files: { ...login, 'login/secretKey': 'no' },
      });
      expect(await made.run()).toMatchObject({
        code: 1,
        report: {
          problem: 'SourceRejected',
          message: `${server.url('private/disk.raw')}: HTTP 401 Unauthorized`,
          remedy: expect.stringContaining('secretRef') as string,
        },
      });
    });

    test('headers are sent, of the source and of Secrets', async () => {
      const url = server.url('header/disk.raw');
      expect(await importer({ url, headers: ['X-Token: secret'] }).run()).toMatchObject({ code: 0 });
      const files = { 'headers/0/any': 'X-Token: secret\n' };
      expect(await importer({ url }, SIZE, { files }).run()).toMatchObject({ code: 0 });
      expect(await importer({ url }).run()).toMatchObject({ code: 1, report: { problem: 'SourceRejected' } });
    });

    test('an authority of the user is trusted, no other one is, and any certificate if it was requested', async () => {
      const url = server.tlsUrl('disk.qcow2');
      const files = { 'certificates/ca.crt': authority };
      expect(await importer({ url }, SIZE, { files }).run()).toMatchObject({ code: 0 });
      expect(await importer({ url }).run()).toMatchObject({
        code: 1,
        report: { problem: 'SourceUnreachable', remedy: expect.stringContaining('certConfigMap') as string },
      });
      expect(await importer({ url, isInsecure: true }).run()).toMatchObject({ code: 0 });
    });

    test('a file that does not exist is one clear failure', async () => {
      expect(await importer({ url: server.url('none') }).run()).toMatchObject({
        code: 1,
        report: { message: `${server.url('none')}: HTTP 404 Not Found`, remedy: 'check the URL' },
      });
    });
  });

  test.each([
    ['an empty file', Buffer.alloc(0), 'ImageInvalid'],
    [
      'a tar archive',
      Buffer.concat([Buffer.alloc(257), Buffer.from('ustar'), Buffer.alloc(1024)]),
      'FormatUnsupported',
    ],
    ['bzip2', Buffer.from('BZh91AY&SY'), 'FormatUnsupported'],
    ['a VMDK descriptor', Buffer.from('# Disk DescriptorFile\nRW 1 FLAT "/etc/passwd" 0\n'), 'FormatUnsupported'],
    ['a header only', Buffer.from('QFI\xfb\0\0\0\x03', 'latin1'), 'ImageInvalid'],
  ])('%s is one clear failure', async (_, bytes, problem) => {
    writeFileSync(file('bad'), bytes);
    const made = importer({ url: server.url('bad') });
    expect(await made.run()).toMatchObject({ code: 1, report: { problem } });
  });

  test.each([
    ...['disk.qcow2', 'disk.vmdk', 'disk.vdi', 'disk.vhd', 'disk.vhdx', 'packed.qcow2'].map(
      (name) => [name, 1024] as const,
    ),
    // after its data: an end marker, and tables that are not used
    ['stream.vmdk', 200_000] as const,
    ...['disk.qcow2', 'disk.qcow2.gz', 'disk.vmdk', 'disk.raw.gz'].map((name) => [name, 1000] as const),
  ])('%s without its last %i bytes is one clear failure', async (name, missing) => {
    copyFileSync(file(name), file('short'));
    truncateSync(file('short'), statSync(file(name)).size - missing);
    expect(await importer({ url: server.url('short') }).run()).toMatchObject({
      code: 1,
      report: { problem: 'ImageInvalid' },
    });
  });
});
