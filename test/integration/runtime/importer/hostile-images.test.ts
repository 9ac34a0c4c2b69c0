import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Header, type HeaderData } from 'tar';
import type { ImportRequest } from '../../../../src/api/cdi/import-request';
import { HostileServer, MIB, ranges, sendForever, type Answer } from './hostile-server';
import { Importer } from './importer';

const CLAIM = 16 * MIB;
/** Node.js itself needs 58 MiB; V8 frees buffers late. */
const MOST_MEMORY_MIB = 128;

/** Each image is made by the programs that users have, or is one of theirs with other bytes. */
describe('hostile images', () => {
  const folder = mkdtempSync(join(tmpdir(), 'virt8s-hostile-'));
  const importers: Importer[] = [];
  let server: HostileServer;

  beforeAll(async () => {
    server = await HostileServer.start();
  });
  afterAll(async () => {
    await Promise.allSettled(running);
    importers.forEach((each) => each.remove());
    await server?.stop();
    rmSync(folder, { recursive: true });
  });

  /** Runs qemu-img, and returns the image. */
  const qemuImg = (command: string, ...args: string[]): Buffer => {
    const file = join(folder, 'image');
    execFileSync('qemu-img', [command, '-q', ...args.map((arg) => (arg === 'IMAGE' ? file : arg))], { cwd: folder });
    return readFileSync(file);
  };
  const create = (format: string, options: string[] = [], size = '8M'): Buffer =>
    qemuImg('create', '-f', format, ...options, 'IMAGE', size);
  /** An image with data. */
  const filled = (format: string, ...options: string[]): Buffer => {
    writeFileSync(join(folder, 'raw'), Buffer.alloc(4 * MIB, 'data'));
    return qemuImg('convert', '-O', format, ...options, join(folder, 'raw'), 'IMAGE');
  };
  const patched = (image: Buffer, ...changes: [position: number, hex: string][]): Buffer => {
    const made = Buffer.from(image);
    for (const [position, hex] of changes) made.write(hex, position < 0 ? made.length + position : position, 'hex');
    return made;
  };
  const through = (program: string, input: Buffer, ...args: string[]): Buffer =>
    execFileSync(program, ['-c', '-q', ...args], { input, maxBuffer: 64 * MIB });
  const zeros = (mib: number): Buffer => Buffer.alloc(mib * MIB);
  const QCOW2 = Buffer.from('QFI\xfb\0\0\0\x03', 'latin1');

  /** Imports, and expects one clear report with bounded memory and disk. */
  const fails = async (
    answer: Answer,
    problem: string,
    message: RegExp,
    more: Partial<ImportRequest> & { checksum?: string } = {},
  ): Promise<Importer> => {
    const { checksum, ...request } = more;
    const path = `/image-${importers.length}`;
    server.answers.set(path, answer);
    const source = { kind: 'http', url: `http://${server.host}${path}`, ...(checksum && { checksum }) } as const;
    const made = new Importer({ source, claimBytes: CLAIM, ...request });
    importers.push(made);
    const { code, report, peakMiB } = await made.run();
    expect(report).toMatchObject({ problem, message: expect.stringMatching(message) as string });
    expect(report.remedy).toBeTruthy();
    expect(code).toBe(1);
    expect(peakMiB).toBeGreaterThan(10);
    expect(peakMiB).toBeLessThan(MOST_MEMORY_MIB);
    const [used = ''] = execFileSync('du', ['--summarize', '--bytes', '--block-size=1', made.path('data')], {
      encoding: 'utf8',
    }).split('\t');
    expect(Number(used)).toBeLessThanOrEqual(2 * CLAIM);
    expect(readdirSync(made.path('data'))).not.toContain('image');
    return made;
  };

  type Row = [name: string, image: () => Buffer, problem: string, message: RegExp];
  const running: Promise<unknown>[] = [];
  /** A test for each row, which runs while the next row's import runs. */
  const rowsInPairs = (rows: readonly Row[], more: Partial<ImportRequest> = {}): void => {
    const started: Promise<unknown>[] = [];
    const begin = ([, image, problem, message]: Row): Promise<unknown> => {
      const ended = fails(ranges(image()), problem, message, more);
      ended.catch(() => undefined);
      running.push(ended);
      return ended;
    };
    rows.forEach((row, index) =>
      test(row[0], async () => {
        started[index] ??= begin(row);
        if (index + 1 < rows.length) started[index + 1] = begin(rows[index + 1]!);
        await started[index];
      }),
    );
  };

  const backed = (file: string): Buffer => create('qcow2', ['-u', '-b', file, '-F', 'raw']);
  rowsInPairs([
    ['qcow2 over /etc/passwd', () => backed('/etc/passwd'), 'ImageInvalid', /has a backing file/],
    ['qcow2 over a server', () => backed('nbd://127.0.0.1:10809/x'), 'ImageInvalid', /has a backing file/],
    ['qcow2 over metadata', () => backed('http://169.254.169.254/latest'), 'ImageInvalid', /has a backing file/],
    [
      'qcow2 over JSON',
      () => backed('json:{"driver":"file","filename":"/etc/passwd"}'),
      'ImageInvalid',
      /has a backing file/,
    ],
    ['qcow2 over itself', () => backed('image'), 'ImageInvalid', /has a backing file/],
    [
      'qcow2 with data in /etc/shadow',
      () => {
        const image = create('qcow2', ['-o', `data_file=${join(folder, 'etc-shadow')},data_file_raw=on`]);
        const name = Buffer.from(join(folder, 'etc-shadow'));
        const other = Buffer.alloc(name.length, '/');
        other.write('/etc/shadow', name.length - '/etc/shadow'.length);
        other.copy(image, image.indexOf(name));
        return image;
      },
      'ImageInvalid',
      /./,
    ],
    ['qcow2 of 1 EiB', () => create('qcow2', ['-o', 'cluster_size=2M'], '1E'), 'ImageTooLarge', /1152921504606846976/],
    ['qcow2 of 16 EiB', () => patched(create('qcow2'), [24, 'ffffffffffffffff']), 'ImageInvalid', /./],
    ['qcow2 of 0 bytes', () => patched(create('qcow2'), [24, '0000000000000000']), 'ImageInvalid', /has no size/],
    ['qcow2 with clusters of 2^63 bytes', () => patched(create('qcow2'), [20, '0000003f']), 'ImageInvalid', /./],
    ['qcow2 with 4 billion tables', () => patched(create('qcow2'), [36, 'ffffffff']), 'ImageInvalid', /./],
    [
      'qcow2 with tables of 32 MiB beyond its end',
      () => patched(create('qcow2'), [36, '00400000']),
      'ImageInvalid',
      /./,
    ],
    ['qcow2 with tables at 2^62', () => patched(create('qcow2'), [40, '4000000000000000']), 'ImageInvalid', /./],
    ['qcow2 with 4 billion snapshots', () => patched(create('qcow2'), [60, 'ffffffff']), 'ImageInvalid', /./],
    [
      'qcow2 with unknown features',
      () => patched(create('qcow2'), [72, '8000000000000000']),
      'ImageInvalid',
      /feature/i,
    ],
    ['qcow2 with a header of 4 GiB', () => patched(create('qcow2'), [100, 'fffffff8']), 'ImageInvalid', /header/i],
    ['qcow2 of version 99', () => patched(create('qcow2'), [4, '00000063']), 'ImageInvalid', /version/i],
    [
      'qcow2 with damaged compressed data',
      () => {
        const image = filled('qcow2', '-c');
        return image.fill(0xff, 5 * (64 << 10));
      },
      'ImageInvalid',
      /./,
    ],
    ['encrypted qcow2', () => patched(create('qcow2'), [32, '00000002']), 'ImageInvalid', /./],
    ['LUKS', () => Buffer.from('LUKS\xba\xbe\0\x01', 'latin1'), 'FormatUnsupported', /LUKS/],
    ['QED', () => create('qed'), 'FormatUnsupported', /QED/],
    ['vmdk of 1 EiB', () => patched(create('vmdk'), [12, '0000000000000800']), 'ImageInvalid', /./],
    [
      'vmdk with a parent',
      () => {
        create('vmdk');
        execFileSync('cp', [join(folder, 'image'), join(folder, 'base.vmdk')]);
        return create('vmdk', ['-b', 'base.vmdk', '-F', 'vmdk']);
      },
      'ImageInvalid',
      /./,
    ],
    [
      'vmdk that names /etc/passwd',
      () =>
        Buffer.from('# Disk DescriptorFile\nversion=1\ncreateType="monolithicFlat"\nRW 2048 FLAT "/etc/passwd" 0\n'),
      'FormatUnsupported',
      /descriptor/,
    ],
    ['vmdk with grains of 2^40 sectors', () => patched(create('vmdk'), [20, '0000000000010000']), 'ImageInvalid', /./],
    ['vdi of 1 EiB', () => patched(create('vdi'), [368, '0000000000000010']), 'ImageInvalid', /./],
    ['vdi with 4 billion blocks', () => patched(create('vdi'), [384, 'ffffffff']), 'ImageInvalid', /./],
    [
      'vhd of 2 TiB',
      () => create('vpc', ['-o', 'subformat=dynamic,force_size=on'], '2040G'),
      'ImageTooLarge',
      /larger than/,
    ],
    ['vhd with blocks of 4 GiB', () => patched(create('vpc'), [512 + 32, 'ffffffff']), 'ImageInvalid', /./],
    ['vhdx of 64 TiB', () => create('vhdx', [], '64T'), 'ImageTooLarge', /70368744177664/],
    ['vhdx with damaged headers', () => create('vhdx').fill(0xff, 64 << 10, 320 << 10), 'ImageInvalid', /./],
    ['gzip of a raw disk of 64 MiB', () => gzipSync(zeros(64)), 'ImageTooLarge', /larger than/],
    ['xz of a raw disk of 64 MiB', () => through('xz', zeros(64), '-0'), 'ImageTooLarge', /larger than/],
    ['zstd of a raw disk of 64 MiB', () => through('zstd', zeros(64)), 'ImageTooLarge', /larger than/],
    [
      'gzip of a qcow2 with 64 MiB of nothing',
      () => gzipSync(Buffer.concat([QCOW2, zeros(64)])),
      'ImageTooLarge',
      /from begin to end/,
    ],
    [
      'xz that needs 512 MiB of memory',
      () => through('xz', zeros(1), '--lzma2=dict=512MiB'),
      'ImageInvalid',
      /[Mm]emory/,
    ],
    [
      'zstd with a window of 2 GiB',
      () => through('zstd', zeros(1), '--long=31', '--no-content-size'),
      'ImageInvalid',
      /damaged/,
    ],
    ['gzip in gzip', () => gzipSync(gzipSync(zeros(1))), 'FormatUnsupported', /twice/],
    [
      'gzip with another checksum',
      () => patched(gzipSync(Buffer.alloc(MIB, 'x')), [-8, '00000000']),
      'ImageInvalid',
      /damaged/,
    ],
    ['xz without its end', () => through('xz', Buffer.alloc(MIB, 'x')).subarray(0, -30), 'ImageInvalid', /./],
    ['zstd without its end', () => through('zstd', Buffer.alloc(MIB, 'x')).subarray(0, -8), 'ImageInvalid', /./],
  ]);

  test('qcow2 whose server declares 4 PiB', () =>
    fails(ranges(create('qcow2').subarray(0, 512), {}, 2 ** 52), 'SourceUnreachable', /bytes at/));

  test('qcow2 that changes after its checksum was verified', async () => {
    const image = filled('qcow2');
    const checksum = `sha256:${createHash('sha256').update(image).digest('hex')}`;
    const other = Buffer.from(image).fill('other', MIB);
    let isVerified = false;
    const answer: Answer = (request, response) => {
      const isWhole = request.headers.range === undefined;
      ranges(isVerified ? other : image)(request, response);
      isVerified ||= isWhole;
    };
    const made = await fails(answer, 'SourceChanged', /changed after its checksum/, { checksum });
    expect(made.allocated()).toBe(0);
  });

  test('a raw disk without an end', () =>
    fails((_, response) => sendForever(response.writeHead(200)), 'ImageTooLarge', /larger than/));

  describe('in archives', () => {
    /** One entry as an attacker writes it: nothing is checked. */
    const entry = (data: HeaderData, content: Buffer | string = ''): Buffer => {
      const header = Buffer.alloc(512);
      new Header({ mode: 0o644, size: content.length, type: 'File', ...data }).encode(header);
      return Buffer.concat([header, Buffer.from(content)], 512 + Math.ceil(content.length / 512) * 512);
    };
    const end = Buffer.alloc(1024);
    const sparse = (format: string): Buffer => {
      execFileSync('truncate', ['--size=1T', join(folder, 'sparse')]);
      return execFileSync('tar', ['--create', '--sparse', `--format=${format}`, '--directory', folder, 'sparse']);
    };
    const record = (key: string, value: string): string => {
      const rest = ` ${key}=${value}\n`;
      return `${rest.length + String(rest.length + String(rest.length).length).length}${rest}`;
    };
    rowsInPairs(
      [
        ['a sparse file of 1 TiB', () => sparse('gnu'), 'ArchiveUnsafe', /sparse/i],
        ['a sparse file of 1 TiB in the format of POSIX', () => sparse('posix'), 'ArchiveUnsafe', /sparse/i],
        [
          'a file of 64 MiB of zeros',
          () => gzipSync(Buffer.concat([entry({ path: 'zeros' }, zeros(64)), end])),
          'ImageTooLarge',
          /larger|more than/,
        ],
        [
          '40,000 files',
          () => gzipSync(Buffer.concat(Array.from({ length: 40_000 }, (_, i) => entry({ path: `${i}` })))),
          'ImageTooLarge',
          /more than/,
        ],
        [
          'an extended header of 8 MiB',
          () =>
            Buffer.concat([
              entry({ path: 'pax', type: 'ExtendedHeader' }, record('comment', 'x'.repeat(8 * MIB))),
              entry({ path: 'f' }, 'x'),
              end,
            ]),
          'ArchiveUnsafe',
          /./,
        ],
        [
          'a name of 5,000 characters',
          () =>
            Buffer.concat([
              entry({ path: 'pax', type: 'ExtendedHeader' }, record('path', 'x'.repeat(5000))),
              entry({ path: 'f' }, 'x'),
              end,
            ]),
          'ArchiveUnsafe',
          /ENAMETOOLONG/,
        ],
        [
          'a hard link to nothing',
          () => Buffer.concat([entry({ path: 'a', type: 'Link', linkpath: 'nothing' }), end]),
          'ArchiveUnsafe',
          /ENOENT/,
        ],
        [
          'a size that is negative',
          () => Buffer.concat([patched(entry({ path: 'a' }, 'x'), [124, 'ffffffffffffffffffffffff']), end]),
          'ImageInvalid',
          /./,
        ],
      ],
      { contentType: 'archive' },
    );
  });
});
