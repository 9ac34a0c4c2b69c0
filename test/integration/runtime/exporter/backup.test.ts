import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openData, pageOf } from '../../../../src/runtime/exporter/backup';
import { NbdClient } from '../../../../src/runtime/exporter/nbd-client';
import { until } from '../../../support/until';

const MIB = 1 << 20;
const folder = mkdtempSync(join(tmpdir(), 'virt8s-nbd-'));
const socket = join(folder, 'nbd.sock');
const image = join(folder, 'disk.qcow2');
const backup = (isIncremental: boolean) => ({ socket, volumes: ['data'], isIncremental });
const everything = { offset: 0, length: 0, pageSize: 512 };

let qemu: ChildProcess;
beforeAll(async () => {
  const write = (pattern: string, at: string, length: string): void =>
    void execFileSync('qemu-io', ['-c', `write -P ${pattern} ${at} ${length}`, image]);
  execFileSync('qemu-img', ['create', '-f', 'qcow2', image, '8M']);
  write('1', '0', '1M');
  execFileSync('qemu-img', ['bitmap', '--add', '--enable', image, 'virt8s-backup-changes']);
  write('2', '4M', '128k');
  const served = [
    '-f',
    'qcow2',
    '-r',
    '-e',
    '8',
    '-B',
    'virt8s-backup-changes',
    '-t',
    '-x',
    'data',
    '-k',
    socket,
    image,
  ];
  qemu = spawn('qemu-nbd', served);
  await until(() => existsSync(socket));
});
afterAll(() => {
  qemu.kill();
  rmSync(folder, { recursive: true });
});

test('reads any part of a disk', async () => {
  const { client, start, end } = await openData(backup(false), 'data', {
    ...everything,
    offset: 4 * MIB,
    length: 200 << 10,
  });
  await using disk = client;
  expect([start, end, disk.size]).toEqual([4 * MIB, 4 * MIB + (200 << 10), 8 * MIB]);
  const data = await disk.read(start, end - start);
  expect(data.subarray(0, 128 << 10).every((byte) => byte === 2)).toBe(true);
  expect(data.subarray(128 << 10).every((byte) => byte === 0)).toBe(true);
  await expect(disk.read(8 * MIB, 512)).rejects.toThrow(/cannot be read at byte 8388608/);
});

test('lists the blocks of a disk page by page', async () => {
  const whole = await pageOf(backup(false), 'data', everything);
  expect(whole.next_offset).toBeNull();
  expect(whole.extents.reduce((sum, { length }) => sum + length, 0)).toBe(8 * MIB);
  expect(whole.extents[0]).toEqual({ offset: 0, length: MIB, type: 0, description: 'data' });
  expect(whole.extents[1]).toMatchObject({ offset: MIB, description: expect.stringContaining('zero') });
  const first = await pageOf(backup(false), 'data', { ...everything, pageSize: 1 });
  expect(first).toEqual({ extents: [whole.extents[0]], next_offset: MIB });
  const part = await pageOf(backup(false), 'data', { ...everything, offset: 512, length: 1024 });
  expect(part).toEqual({ extents: [{ offset: 512, length: 1024, type: 0, description: 'data' }], next_offset: null });
});

test('lists the blocks that have changed', async () => {
  const { extents } = await pageOf(backup(true), 'data', everything);
  expect(extents.filter(({ description }) => description === 'dirty')).toEqual([
    { offset: 4 * MIB, length: 128 << 10, type: 1, description: 'dirty' },
  ]);
});

test.each([
  ['an export that does not exist', 'other', undefined, /refused|ended the connection/],
  ['a bitmap that does not exist', 'data', 'qemu:dirty-bitmap:none', /has no context/],
])('reports %s', async (_, name, context, expected) => {
  await expect(NbdClient.open(socket, name, context)).rejects.toThrow(expected);
});

describe('a server that lies', () => {
  let server: Server | undefined;
  afterEach(() => void server?.close());
  const hello = Buffer.from('4e42444d4147494349484156454f50540003', 'hex');
  const option = (number: number, type: number, data: Buffer, length = data.length): Buffer => {
    const header = Buffer.alloc(20);
    header.writeBigUInt64BE(0x3e889045565a9n, 0);
    header.writeUInt32BE(number, 8);
    header.writeUInt32BE(type, 12);
    header.writeUInt32BE(length, 16);
    return Buffer.concat([header, data]);
  };
  const info = (size: bigint): Buffer => {
    const data = Buffer.alloc(12);
    data.writeBigUInt64BE(size, 2);
    return Buffer.concat([option(7, 3, data), option(7, 1, Buffer.alloc(0))]);
  };

  test.each<[string, Buffer, RegExp]>([
    ['is another one', Buffer.from('HTTP/1.1 400 Bad Request\r\n'), /not that of an NBD server/],
    ['ends at once', Buffer.alloc(0), /ended the connection/],
    ['announces a long answer', Buffer.concat([hello, option(7, 3, Buffer.alloc(0), 1 << 30)]), /invalid answer/],
    [
      'never ends its answers',
      Buffer.concat([hello, ...Array(100).fill(option(7, 3, Buffer.alloc(4)))]),
      /invalid answer/,
    ],
    ['has a disk beyond all sizes', Buffer.concat([hello, info(2n ** 63n)]), /did not tell the size/],
  ])('%s', async (_, bytes, expected) => {
    await expect(NbdClient.open(await serve(bytes), 'data')).rejects.toThrow(expected);
  });

  test.each([
    [15, undefined],
    [16, /a reply without an end/],
  ])('sends %d chunks before the last one of a reply', async (count, expected) => {
    const acknowledged = (number: number): Buffer => option(number, 1, Buffer.alloc(0));
    const context = Buffer.from('\0\0\0\x01base:allocation');
    const chunk = (isLast: boolean): Buffer =>
      Buffer.from(`668e33ef000${isLast ? 1 : 0}0005${'00'.repeat(8)}0000000c000000010000100000000000`, 'hex');
    const chunks = [...Array<Buffer>(count).fill(chunk(false)), chunk(true)];
    const answers = [acknowledged(8), option(10, 4, context), acknowledged(10), info(8n * BigInt(MIB))];
    await using client = await NbdClient.open(
      await serve(Buffer.concat([hello, ...answers, ...chunks])),
      'data',
      'base:allocation',
    );
    const status = client.status(0, MIB);
    if (expected) await expect(status).rejects.toThrow(expected);
    else expect(await status).toEqual([{ offset: 0, length: 4096, flags: 0 }]);
  });

  async function serve(bytes: Buffer): Promise<string> {
    const path = join(folder, 'liar.sock');
    rmSync(path, { force: true });
    server = createServer((connection) => void connection.on('error', () => undefined).end(bytes));
    await new Promise<void>((resolve) => server!.listen(path, resolve));
    return path;
  }
});
