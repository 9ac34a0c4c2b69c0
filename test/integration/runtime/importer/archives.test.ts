import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Header, type HeaderData } from 'tar';
import type { ImportReport } from '../../../../src/api/cdi/import-request';
import { TestCa } from '../../../support/pki';
import { WebServer } from '../../../support/web-server';
import { Importer, type Ended, type ImporterOptions } from './importer';

const BLOCK = 512;

/** One entry as an attacker writes it: nothing is checked. */
function entry(data: HeaderData, content = ''): Buffer {
  const header = Buffer.alloc(BLOCK);
  new Header({ mode: 0o644, size: content.length, type: 'File', ...data }).encode(header);
  const padded = Buffer.alloc(Math.ceil(content.length / BLOCK) * BLOCK);
  padded.write(content);
  return Buffer.concat([header, padded]);
}
const END = Buffer.alloc(2 * BLOCK);

describe('archives', () => {
  const folder = mkdtempSync(join(tmpdir(), 'virt8s-archive-'));
  const importers: Importer[] = [];
  let server: WebServer;

  beforeAll(async () => {
    const ca = await TestCa.create('authority');
    server = await WebServer.start(await ca.issue([{ CN: ['archives'] }], ['localhost']));
    mkdirSync(join(folder, 'files/folder/empty'), { recursive: true });
    writeFileSync(join(folder, 'files/folder/large'), Buffer.alloc(3 << 20, 'large'));
    writeFileSync(join(folder, 'files/a name with ä'), 'text');
    symlinkSync('../a name with ä', join(folder, 'files/folder/link'));
    for (const format of ['gnu', 'pax', 'v7']) {
      const path = join(server.root, `${format}.tar`);
      execFileSync('tar', ['--create', '--format', format, '--file', path, '--directory', join(folder, 'files'), '.']);
    }
    for (const program of ['gzip', 'xz', 'zstd', 'bzip2']) {
      execFileSync(program, ['--keep', '--quiet', join(server.root, 'gnu.tar')]);
    }
  });
  afterAll(() => {
    importers.forEach((each) => each.remove());
    server?.stop();
    rmSync(folder, { recursive: true });
  });

  const importer = (name: string, checksum?: string, options?: ImporterOptions): Importer => {
    const source = { kind: 'http', url: server.url(name), ...(checksum && { checksum }) } as const;
    const made = new Importer({ source, contentType: 'archive' }, options);
    importers.push(made);
    return made;
  };
  const serve = (name: string, ...parts: Buffer[]): void =>
    writeFileSync(join(server.root, name), Buffer.concat(parts));
  const failure = async (made: Importer): Promise<ImportReport> => {
    const { code, report }: Ended = await made.run();
    expect(code).toBe(1);
    expect(report.remedy).toBeTruthy();
    return report;
  };

  test.each(['gnu.tar', 'pax.tar', 'v7.tar', 'gnu.tar.gz', 'gnu.tar.xz', 'gnu.tar.zst', 'no-ranges/gnu.tar.gz'])(
    '%s becomes the files of the claim, in place of what an interrupted attempt wrote',
    async (name) => {
      const made = importer(name);
      mkdirSync(made.path('data/lost+found'));
      mkdirSync(made.path('data/old/folder'), { recursive: true });
      execFileSync('chown', ['-R', '107:107', made.path('data/old')]);
      expect(await made.run()).toMatchObject({ code: 0, report: { message: 'Import Complete' } });
      expect(readdirSync(made.path('data')).sort()).toEqual(['a name with ä', 'folder', 'lost+found']);
      expect(readFileSync(made.path('data/folder/large')).equals(Buffer.alloc(3 << 20, 'large'))).toBe(true);
      expect(readlinkSync(made.path('data/folder/link'))).toBe('../a name with ä');
      expect(lstatSync(made.path('data/folder/empty')).isDirectory()).toBe(true);
      expect(lstatSync(made.path('data/folder')).uid).toBe(107);
    },
  );

  test('a checksum is verified, and nothing is left of another archive', async () => {
    const sum = createHash('sha256')
      .update(readFileSync(join(server.root, 'gnu.tar.gz')))
      .digest('hex');
    expect(await importer('gnu.tar.gz', `sha256:${sum}`).run()).toMatchObject({ code: 0 });
    const made = importer('gnu.tar.xz', `sha256:${sum}`);
    expect(await failure(made)).toMatchObject({ problem: 'ChecksumMismatch' });
    expect(readdirSync(made.path('data'))).toEqual([]);
  });

  test.each<[string, RegExp, Buffer[]]>([
    ['a path out of the claim', /path contains '\.\.'/, [entry({ path: '../escaped' }, 'x')]],
    ['a path out of a folder and back', /path contains '\.\.'/, [entry({ path: 'a/../b' }, 'x')]],
    ['an absolute path', /stripping \/ from absolute path/, [entry({ path: '/etc/passwd' }, 'x')]],
    ['an absolute link', /absolute linkpath/, [entry({ path: 'a', type: 'SymbolicLink', linkpath: '/etc' })]],
    [
      'a link out of the claim',
      /linkpath escapes/,
      [entry({ path: 'a/b', type: 'SymbolicLink', linkpath: '../../c' })],
    ],
    ['a hard link out of the claim', /linkpath contains/, [entry({ path: 'a', type: 'Link', linkpath: '../b' })]],
    [
      'a hard link to a file of the image',
      /absolute linkpath/,
      [entry({ path: 'a', type: 'Link', linkpath: '/etc/passwd' })],
    ],
    [
      'a character device',
      /unsupported entry type: CharacterDevice/,
      [entry({ path: 'null', type: 'CharacterDevice', devmaj: 1, devmin: 3 })],
    ],
    [
      'a block device',
      /unsupported entry type: BlockDevice/,
      [entry({ path: 'disk', type: 'BlockDevice', devmaj: 8, devmin: 0 })],
    ],
    ['a FIFO', /unsupported entry type: FIFO/, [entry({ path: 'pipe', type: 'FIFO' })]],
    [
      'a path of 2,000 folders',
      /deep/,
      [
        entry({ path: 'PaxHeader', type: 'ExtendedHeader' }, pax('path', `${'d/'.repeat(2000)}f`)),
        entry({ path: 'f' }, 'x'),
      ],
    ],
  ])('%s is refused', async (name, message, entries) => {
    const file = `${name.replaceAll(/\W/g, '-')}.tar`;
    serve(file, entry({ path: 'first' }, 'first'), ...entries, END);
    const made = importer(file);
    const report = await failure(made);
    expect(report).toMatchObject({ problem: 'ArchiveUnsafe' });
    expect(report.message).toMatch(message);
    expect(readdirSync(made.path(''))).not.toContain('escaped');
  });

  test('a file is not written through a link of the same archive', async () => {
    const inside = entry({ path: 'folder/file' }, 'x');
    serve('through.tar', entry({ path: 'folder', type: 'SymbolicLink', linkpath: 'other' }), inside, END);
    const made = importer('through.tar');
    await made.run();
    expect(readdirSync(made.path('data'))).not.toContain('other');
  });

  test.each<[string, string, Buffer[]]>([
    ['ends within a file', 'ImageInvalid', [entry({ path: 'a', size: 100_000 }), END]],
    ['has a damaged header', 'ImageInvalid', [entry({ path: 'a' }, 'x'), Buffer.alloc(BLOCK, 'x'), END]],
    ['is empty', 'ImageInvalid', []],
    ['contains no entry', 'ImageInvalid', [END]],
  ])('an archive that %s is refused', async (name, problem, entries) => {
    const file = `${name.replaceAll(/\W/g, '-')}.tar`;
    serve(file, ...entries);
    expect(await failure(importer(file))).toMatchObject({ problem });
  });

  test('another compression and a disk image are refused', async () => {
    expect(await failure(importer('gnu.tar.bz2'))).toMatchObject({ problem: 'FormatUnsupported' });
    execFileSync('qemu-img', ['create', '-q', '-f', 'qcow2', join(server.root, 'disk.qcow2'), '1M']);
    const report = await failure(importer('disk.qcow2'));
    expect(report).toMatchObject({
      problem: 'FormatUnsupported',
      remedy: expect.stringMatching(/contentType/) as string,
    });
  });

  test('a device is refused', async () => {
    const image = join(folder, 'device.img');
    writeFileSync(image, Buffer.alloc(1 << 20));
    const device = execFileSync('losetup', ['--find', '--show', image], { encoding: 'utf8' }).trim();
    try {
      const report = await failure(importer('gnu.tar', undefined, { device }));
      expect(report).toMatchObject({ problem: 'RequestInvalid', remedy: 'use volumeMode: Filesystem' });
    } finally {
      execFileSync('losetup', ['--detach', device]);
    }
  });
});

/** Record of an extended header: its length includes its own digits. */
function pax(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  const length = rest.length + String(rest.length + 4).length;
  return `${length}${rest}`;
}
