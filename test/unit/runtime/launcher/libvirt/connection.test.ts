import { mkdtempSync, rmSync } from 'node:fs';
import { type Server, type Socket, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Connection, type LibvirtEvent } from '../../../../../src/runtime/launcher/libvirt/connection';
import { LibvirtConnectionError, LibvirtError } from '../../../../../src/runtime/launcher/libvirt/errors';
import { encodeFrame } from '../../../../../src/runtime/launcher/libvirt/frame';
import { authListCall, authListReply, lookupCall, lookupError, ping, pong, startedEvent, statsReply } from './recorded';
import { until } from '../../../../support/until';

let directory: string;
let server: Server;
let answer: (bytes: Buffer, socket: Socket) => void;
let received: Buffer[];
let sockets: Socket[];

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'libvirt-'));
  received = [];
  sockets = [];
  server = createServer((socket) => {
    sockets.push(socket);
    socket.on('data', (bytes) => {
      received.push(bytes);
      answer(bytes, socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(join(directory, 'sock'), resolve));
});

afterEach(() => {
  sockets.forEach((socket) => socket.destroy());
  server.close();
  rmSync(directory, { recursive: true });
});

const open = (options = {}) => Connection.open(join(directory, 'sock'), options);

test('a call gets its reply', async () => {
  answer = (_, socket) => socket.write(authListReply);
  const connection = await open();
  await expect(connection.call('authList', undefined)).resolves.toEqual({ types: [0] });
  expect(Buffer.concat(received)).toEqual(authListCall);
  connection.close();
});

test('an error reply contains code, domain and procedure', async () => {
  answer = (bytes, socket) => socket.write(bytes.equals(lookupCall) ? lookupError : authListReply);
  const connection = await open();
  await connection.call('authList', undefined);
  const error: LibvirtError = await connection.call('domainLookupByName', { name: 'absent' }).catch((e) => e);
  expect(error).toBeInstanceOf(LibvirtError);
  expect(error).toMatchObject({
    code: 'ERR_NO_DOMAIN',
    domain: 'FROM_QEMU'.replace('FROM_', ''),
    procedure: 'domainLookupByName',
  });
  expect(error.message).toBe(
    "libvirt domainLookupByName: Domain not found: no domain with matching name 'absent' [ERR_NO_DOMAIN, QEMU]",
  );
  connection.close();
});

test('typed parameters are read', async () => {
  const replies = [authListReply, lookupError, statsReply];
  answer = (_, socket) => socket.write(replies.shift()!);
  const connection = await open();
  await connection.call('authList', undefined);
  await connection.call('domainLookupByName', { name: 'absent' }).catch(() => {});
  const { retStats } = await connection.call('connectGetAllDomainStats', { doms: [], stats: 1, flags: 0 });
  expect(retStats[0]!.params).toEqual([
    { field: 'state.state', value: { type: 1, value: 1 } },
    { field: 'state.reason', value: { type: 1, value: 1 } },
  ]);
  connection.close();
});

test('events arrive by name, in the middle of a call', async () => {
  const events: LibvirtEvent[] = [];
  answer = (_, socket) => socket.write(Buffer.concat([startedEvent, authListReply]));
  const connection = await open({ onEvent: (event: LibvirtEvent) => events.push(event) });
  await connection.call('authList', undefined);
  expect(events).toHaveLength(1);
  expect(events[0]).toMatchObject({
    name: 'domainEventCallbackLifecycle',
    body: { callbackID: 7, msg: { dom: { name: 'default_tiny', id: 1 }, event: 2, detail: 0 } },
  });
  connection.close();
});

test('pings are answered, and get an answer', async () => {
  answer = (bytes, socket) => {
    if (bytes.equals(ping)) socket.write(Buffer.concat([pong, ping]));
  };
  const connection = await open();
  await expect(connection.ping(1_000)).resolves.toBe(true);
  await until(() => Buffer.concat(received).length >= ping.length + pong.length);
  expect(Buffer.concat(received)).toEqual(Buffer.concat([ping, pong]));
  connection.close();
});

test('a silent daemon fails the call at its deadline, and later answers are dropped', async () => {
  let late: Socket | undefined;
  answer = (_, socket) => (late = socket);
  const connection = await open();
  await expect(connection.call('authList', undefined, 30)).rejects.toThrow('libvirt authList: no answer within 30 ms');
  late!.write(authListReply);
  await expect(connection.ping(30)).resolves.toBe(false);
  connection.close();
});

test.each([
  ['closes the connection', (socket: Socket) => socket.destroy()],
  ['uses another protocol', (socket: Socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')],
])('a daemon that %s fails every call, now and later', async (_, act) => {
  answer = (__, socket) => act(socket);
  const closed = jest.fn();
  const connection = await open({ onClose: closed });
  await expect(connection.call('authList', undefined)).rejects.toThrow();
  await expect(connection.call('authList', undefined)).rejects.toThrow();
  expect(closed).toHaveBeenCalledTimes(1);
});

describe('the longest string of libvirt’s protocol', () => {
  const STRING_MAX = 4 * 1024 * 1024;
  /** A reply to AUTH_LIST's serial 1 as one to the agent's command, whose string has this length. */
  const answerOf = (length: number): Buffer =>
    encodeFrame({ program: 0x20008087, version: 1, procedure: 3, type: 1, serial: 1, status: 0 }, (w) => {
      w.uint(1);
      w.uint(length);
      w.bytes(Buffer.alloc(length, 'x'));
    });
  const agent = (connection: Connection) =>
    connection.call('qemuDomainAgentCommand', {
      dom: { name: 'tiny', uuid: Buffer.alloc(16), id: 1 },
      cmd: '{}',
      timeout: 1,
      flags: 0,
    });

  test('arrives', async () => {
    answer = (_, socket) => socket.write(answerOf(STRING_MAX));
    const connection = await open();
    expect((await agent(connection)).result).toHaveLength(STRING_MAX);
    connection.close();
  });

  test('a longer one fails its call only', async () => {
    answer = (bytes, socket) => socket.write(bytes.equals(ping) ? pong : answerOf(STRING_MAX + 1));
    const connection = await open();
    await expect(agent(connection)).rejects.toThrow('length 4194305 exceeds the limit 4194304');
    await expect(connection.ping(10_000)).resolves.toBe(true);
    connection.close();
  });
});

test('a ping ends with its connection', async () => {
  answer = (_, socket) => socket.destroy();
  const connection = await open();
  await expect(connection.ping(3_600_000)).resolves.toBe(false);
  await expect(connection.ping(3_600_000)).resolves.toBe(false);
});

test('reports a missing socket with its path', async () => {
  await expect(Connection.open(join(directory, 'none'))).rejects.toThrow(LibvirtConnectionError);
  await expect(Connection.open(join(directory, 'none'))).rejects.toThrow(/libvirt at .*none: .*ENOENT/);
});
