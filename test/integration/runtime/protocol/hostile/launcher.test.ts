import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { MAX_CONNECTIONS, REPORT_RATE } from '../../../../../src/runtime/handler/launcher/limits';
import { NotifyDefinition } from '../../../../../src/runtime/protocol';
import { GrpcClient } from '../../../../../src/runtime/protocol/http2/grpc';
import { frame, headersFor, message, preface, times } from '../frames';
import { LEAK } from './leak';
import type { Measured } from './victim';
import { until } from '../../../../support/until';

/**
 * Measures what a launcher that breaks every rule costs the handler. The handler's own code runs in a child with little
 * memory; the bounds below are stated in ARCHITECTURE.md.
 */

/** More than before, after garbage collection, while the attack lasts. */
const MAX_HELD_BYTES = 4 << 20;
/** More resident memory than before, at any moment. */
const MAX_PEAK_BYTES = 32 << 20;

const MIB = 1 << 20;
const root = mkdtempSync(join(tmpdir(), 'virt8s-'));
const script = join(root, 'victim.cjs');
const cleanups: (() => unknown)[] = [];
let dir: string;
let victim: ChildProcess;
let before: Measured;

beforeAll(async () => {
  const entryPoints = [join(__dirname, 'victim.ts')];
  await build({ entryPoints, outfile: script, bundle: true, platform: 'node', format: 'cjs', target: 'node24' });
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Of this process; the victim ends with one of its own. */
const leaks: string[] = [];
const onWarning = ({ name, message }: Error): void => void (name === LEAK && leaks.push(message));
beforeAll(() => void process.on('warning', onWarning));
afterAll(() => {
  process.off('warning', onWarning);
  expect(leaks).toEqual([]);
});

const socketOf = (pod: string, volume: string, name: string): string =>
  join(dir, 'pods', pod, 'volumes/kubernetes.io~empty-dir', volume, name);

async function ask(what: 'measure'): Promise<Measured> {
  victim.send(what);
  const [measured] = (await once(victim, 'message')) as [Measured];
  return measured;
}

/** A report of the launcher that plays by the rules. */
async function honestReport(): Promise<unknown> {
  const client = new GrpcClient(socketOf('honest', 'public', 'domain-notify-pipe.sock'));
  const domainJSON = Buffer.from('{"status":"Running","reason":"Unknown"}');
  try {
    return await client.service(NotifyDefinition).handleDomainEvent({ domainJSON, eventType: 'MODIFIED' });
  } finally {
    client.close();
  }
}

beforeEach(async () => {
  dir = mkdtempSync(join(root, 'n'));
  for (const pod of ['honest', 'hostile']) {
    for (const volume of ['public', 'sockets']) {
      mkdirSync(join(dir, 'pods', pod, 'volumes/kubernetes.io~empty-dir', volume), { recursive: true });
    }
  }
  const execArgv = ['--expose-gc', '--max-old-space-size=32'];
  victim = fork(script, [dir, join(dir, 'unmetered')], { execArgv, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  cleanups.push(() => victim.kill('SIGKILL'));
  await once(victim, 'message');
  for (let i = 0; i < 5; i++) expect(await honestReport()).toMatchObject({ success: true });
  before = await ask('measure');
});

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function expectWithinBounds(): Promise<Measured> {
  const after = await ask('measure');
  if (process.env.VIRT8S_TEST_LOG) {
    const [held, peak] = [after.held - before.held, after.peak - before.peak].map((bytes) => (bytes / MIB).toFixed(2));
    console.error(`${expect.getState().currentTestName}: held ${held} MiB, peak ${peak} MiB`);
  }
  expect(after.held - before.held).toBeLessThan(MAX_HELD_BYTES);
  expect(after.peak - before.peak).toBeLessThan(MAX_PEAK_BYTES);
  expect(await honestReport()).toMatchObject({ success: true });
  expect(after.sockets - before.sockets).toBeLessThanOrEqual(MAX_CONNECTIONS + 1);
  return after;
}

/** Sends `total` bytes of repeated `bytes`, as fast as they are read; also ends when the connection does. */
async function flood(socket: Socket, bytes: Buffer, total: number): Promise<void> {
  const block = times(Math.max(1, Math.ceil(65_536 / bytes.length)), bytes);
  for (let sent = 0; sent < total && !socket.destroyed; sent += block.length) {
    if (socket.write(block)) continue;
    await new Promise<void>((resolve) => {
      const goOn = (): void => {
        socket.off('drain', goOn).off('close', goOn);
        resolve();
      };
      socket.on('drain', goOn).on('close', goOn);
    });
  }
}

const attacker = (path: string, reads: boolean): Socket => {
  const socket = connect(path).on('error', () => {});
  if (reads) socket.resume();
  cleanups.push(() => socket.destroy());
  return socket;
};

const call = headersFor('/kubevirt.notify.v1.Notify/HandleDomainEvent');
const opens = (id: number): Buffer => frame(1, 4, id, call);
/** Begins a message of 256 KiB. */
const begins = (id: number): Buffer => frame(0, 0, id, [0, 0, 4, 0, 0]);
const ids = Array.from({ length: 32 }, (_, i) => 2 * i + 1);
/** A header that enters the table, and blocks that refer to it repeatedly. */
const bigHeader = Buffer.concat([Buffer.from([0x40, 1, 97, 0x7f, 0xa1, 0x1e]), Buffer.alloc(4_000, 98)]);
const windowZero = frame(4, 0, 0, [0, 4, 0, 0, 0, 0]);

/** Bytes at first, and those that are repeated. */
const attacks: [string, { first?: Buffer; then: Buffer; reads?: boolean }][] = [
  [
    'data frames of one byte in every stream',
    {
      first: Buffer.concat(ids.flatMap((id) => [opens(id), begins(id)])),
      then: Buffer.concat(ids.map((id) => frame(0, 0, id, [0]))),
    },
  ],
  [
    'data frames of one byte and much padding',
    {
      first: Buffer.concat(ids.flatMap((id) => [opens(id), begins(id)])),
      then: Buffer.concat(ids.map((id) => frame(0, 8, id, [200, 0, ...Buffer.alloc(200)]))),
    },
  ],
  [
    'messages that never end in every stream',
    {
      first: Buffer.concat(ids.flatMap((id) => [opens(id), begins(id)])),
      then: Buffer.concat(ids.map((id) => frame(0, 0, id, Buffer.alloc(16_000)))),
    },
  ],
  ['pings whose answers are not read', { then: frame(6, 0, 0, Buffer.alloc(8)), reads: false }],
  ['settings whose answers are not read', { then: frame(4, 0, 0, [0, 3, 0, 0, 0, 9]), reads: false }],
  ['pings whose answers are read', { then: frame(6, 0, 0, Buffer.alloc(8)) }],
  ['settings whose answers are read', { then: frame(4, 0, 0, [0, 3, 0, 0, 0, 9]) }],
  [
    'a header that is named ten thousand times',
    {
      first: frame(1, 0, 1, Buffer.concat([Buffer.from(call), bigHeader])),
      then: frame(9, 0, 1, Buffer.alloc(10_000, 0xbe)),
    },
  ],
  [
    'a header block without end',
    { first: frame(1, 0, 1, call), then: frame(9, 0, 1, Buffer.concat([Buffer.from([0, 1, 97, 1, 98])])) },
  ],
  ['empty data frames', { first: opens(1), then: frame(0, 0, 1) }],
  ['priorities and unknown frames', { then: Buffer.concat([frame(2, 0, 3, [0, 0, 0, 0, 1]), frame(77, 0, 0, [1])]) }],
  ['calls whose answers may not be sent', { first: windowZero, then: Buffer.alloc(0), reads: false }],
];

const caller = (path: string): Socket => {
  const socket = attacker(path, false);
  socket.write(preface);
  return socket;
};

/** One connection's share of calls: opened and, with `resets`, given up at once. */
const manyCalls = (resets: boolean): Buffer =>
  Buffer.concat(
    Array.from({ length: 20_000 }, (_, i) => {
      const id = 2 * i + 1;
      const ends = resets ? frame(3, 0, id, [0, 0, 0, 8]) : frame(0, 1, id, message(Buffer.alloc(0)));
      return Buffer.concat([opens(id), ends]);
    }),
  );

describe.each([
  ['at the handler’s rates', () => socketOf('hostile', 'public', 'domain-notify-pipe.sock'), 1.4 * MIB],
  ['without limits of rates', () => join(dir, 'unmetered'), 12 * MIB],
])('a launcher that sends %s', (_, path, total) => {
  test.each(attacks)('%s', async (_name, { first, then, reads = true }) => {
    const bytes = then.length > 0 ? then : manyCalls(false).subarray(0, 900_000);
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        const socket = attacker(path(), reads);
        socket.write(Buffer.concat([preface, ...(first ? [first] : [])]));
        if (then.length > 0) await flood(socket, bytes, total / 4);
        else socket.write(bytes);
      }),
    );
    await expectWithinBounds();
  });

  test('calls without end', async () => {
    await Promise.all(Array.from({ length: 4 }, () => flood(caller(path()), manyCalls(false), 1)));
    await expectWithinBounds();
  });

  test('endless connections, and messages of every kind that are never finished', async () => {
    const beginnings = [preface.subarray(0, 10), preface, Buffer.concat([preface, opens(1).subarray(0, 30)])];
    for (let i = 0; i < 400; i++) {
      const socket = attacker(path(), true);
      socket.write(beginnings[i % beginnings.length]);
      if (i % 2) socket.destroy();
    }
    const last = attacker(path(), true);
    last.write(preface);
    await new Promise((resolve) => last.once('close', resolve).once('data', resolve));
    await expectWithinBounds();
  });
});

test('an endless series of calls that are cancelled immediately is cheap at the handler’s rates', async () => {
  const path = socketOf('hostile', 'public', 'domain-notify-pipe.sock');
  await Promise.all(Array.from({ length: 4 }, () => flood(caller(path), manyCalls(true), 1)));
  await expectWithinBounds();
});

test('states that change without end reach the controller at the stated rate, and the last one always does', async () => {
  const client = new GrpcClient(socketOf('hostile', 'public', 'domain-notify-pipe.sock'));
  cleanups.push(() => client.close());
  const notify = client.service(NotifyDefinition);
  const state = (i: number): Buffer =>
    Buffer.from(JSON.stringify({ status: i % 2 ? 'Running' : 'Paused', os: { name: `${i}` } }));
  const began = performance.now();
  for (let i = 0; i < 40; i++) await notify.handleDomainEvent({ domainJSON: state(i), eventType: 'MODIFIED' });
  const { states } = await expectWithinBounds();
  const seconds = (performance.now() - began) / 1_000;
  // five of them are the honest launcher's
  expect(states - 5).toBeLessThanOrEqual(REPORT_RATE.burst + Math.ceil(seconds * REPORT_RATE.perSecond));
  expect(states - 5).toBeGreaterThanOrEqual(REPORT_RATE.burst);
});

describe('a launcher that answers calls of the handler with', () => {
  const answer = frame(1, 4, 1, [0x88, 0x0f, 0x10, 16, ...Buffer.from('application/grpc')]);
  const settings = frame(4, 0, 0);

  test.each<[string, { first?: Buffer; then: Buffer; reads?: boolean }]>([
    ['data frames of one byte', { first: Buffer.concat([answer, begins(1)]), then: frame(0, 0, 1, [0]) }],
    [
      'a message that never ends',
      { first: Buffer.concat([answer, begins(1)]), then: frame(0, 0, 1, Buffer.alloc(16_000)) },
    ],
    ['empty messages without end', { first: answer, then: frame(0, 0, 1, Buffer.alloc(5_000)) }],
    ['pings, and does not read', { then: frame(6, 0, 0, Buffer.alloc(8)), reads: false }],
    ['settings, and does not read', { then: frame(4, 0, 0, [0, 3, 0, 0, 0, 9]), reads: false }],
    ['interim answers without end', { then: frame(1, 4, 1, [0x08, 3, ...Buffer.from('103')]) }],
    [
      'a header that is named ten thousand times',
      {
        first: frame(1, 0, 1, Buffer.concat([Buffer.from([0x88]), bigHeader])),
        then: frame(9, 0, 1, Buffer.alloc(10_000, 0xbe)),
      },
    ],
    ['a header block without end', { first: frame(1, 0, 1, [0x88]), then: frame(9, 0, 1, [0, 1, 97, 1, 98]) }],
    ['pushed streams', { then: frame(5, 4, 1, [0, 0, 0, 2, 0x82]) }],
    ['farewells without end', { then: frame(7, 0, 0, Buffer.alloc(8, 1)) }],
    ['nothing, and ends each connection', { then: Buffer.alloc(0) }],
  ])('%s', async (_, { first, then, reads = true }) => {
    let connections = 0;
    const began = performance.now();
    const server = createServer((socket) => {
      connections++;
      socket.on('error', () => {});
      if (reads) socket.resume();
      cleanups.push(() => socket.destroy());
      if (then.length === 0) return void socket.destroy();
      socket.write(Buffer.concat([settings, ...(first ? [first] : [])]));
      void flood(socket, then, 3 * MIB);
    });
    cleanups.push(() => server.close());
    await new Promise<void>((resolve) => server.listen(socketOf('hostile', 'sockets', 'launcher-sock'), resolve));
    for (let i = 0; i < 60; i++) victim.send('domain');
    // each call ends, at its deadline at the latest
    await until(async () => (await ask('measure')).calls >= 60, { everyMs: 50 });
    const after = await expectWithinBounds();
    const seconds = (performance.now() - began) / 1_000;
    expect(connections).toBeGreaterThan(0);
    expect(after.looks).toBeLessThanOrEqual(REPORT_RATE.burst + 10 + Math.ceil(seconds * REPORT_RATE.perSecond));
  });
});
