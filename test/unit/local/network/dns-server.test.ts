import { createSocket } from 'node:dgram';
import type { RemoteInfo, Socket } from 'node:dgram';
import { connect, createServer } from 'node:net';
import type { Server, Socket as TcpSocket } from 'node:net';
import { FORWARD_LIMITS, Forwarder } from '../../../../src/local/network/dns-forward';
import { answers, RCODE } from '../../../../src/local/network/dns-message';
import { DnsServer } from '../../../../src/local/network/dns-server';
import { until } from '../../../support/until';

/** A query for the address of a name. */
function query(id: number, name: string): Buffer {
  const head = Buffer.from([id >> 8, id & 0xff, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
  const labels = name.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]));
  return Buffer.concat([head, ...labels, Buffer.from([0, 0, 1, 0, 1])]);
}
function answerTo(asked: Buffer, change: (answer: Buffer) => void = () => undefined): Buffer {
  const answer = Buffer.from(asked);
  answer.writeUInt16BE(answer.readUInt16BE(2) | 0x8000, 2);
  change(answer);
  return answer;
}

test.each<[string, (answer: Buffer) => void, boolean]>([
  ['the answer', () => undefined, true],
  ['the answer in another case', (a) => a.write('WWW', 13), true],
  ['an answer to another id', (a) => a.writeUInt16BE(8, 0), false],
  ['a query', (a) => a.writeUInt16BE(0x0100, 2), false],
  ['an answer to another name', (a) => a.write('wwx', 13), false],
  ['an answer of another type', (a) => a.writeUInt16BE(28, a.length - 4), false],
  ['an answer of another class', (a) => a.writeUInt16BE(3, a.length - 2), false],
  ['an answer to two questions', (a) => a.writeUInt16BE(2, 4), false],
])('%s is distinguished from others', (_, change, want) => {
  const asked = query(7, 'www.example.org');
  expect(answers(answerTo(asked, change), asked)).toBe(want);
});

test('an answer that is cut off does not count', () => {
  const asked = query(7, 'www.example.org');
  expect(answers(answerTo(asked).subarray(0, asked.length - 1), asked)).toBe(false);
  expect(answers(Buffer.alloc(0), asked)).toBe(false);
});

describe('forwarding', () => {
  let upstream: Socket;
  let tcpUpstream: Server;
  let asked: { message: Buffer; from: RemoteInfo }[];
  let tcpAsked: TcpSocket[];
  let port: number;
  let server: DnsServer;
  let serverPort: number;
  const clients: Socket[] = [];

  beforeEach(async () => {
    asked = [];
    tcpAsked = [];
    // a port that is free for UDP may be in use for TCP
    for (let found = false; !found;) {
      upstream = createSocket('udp4');
      port = await bound(upstream, '127.0.0.1');
      tcpUpstream = createServer((socket) => tcpAsked.push(socket.on('error', () => undefined)));
      found = await new Promise((done) => {
        tcpUpstream.once('error', () => done(false)).listen(port, '127.0.0.1', () => done(true));
      });
      if (!found) upstream.close();
    }
    upstream.on('message', (message, from) => asked.push({ message, from }));
    const probe = createSocket('udp4');
    serverPort = await bound(probe, '127.0.0.2');
    await new Promise<void>((done) => probe.close(() => done()));
    server = new DnsServer({
      addresses: ['127.0.0.2'],
      port: serverPort,
      zone: () => ({ owns: (name) => name === 'own.test', lookup: () => [] }),
      domain: 'test',
      // one of them is the server itself, which must not ask itself
      upstreams: () => ['127.0.0.2', '127.0.0.1'],
      upstreamPort: port,
      // longer than a test may last: what is held stays held
      forwardLimits: { ...FORWARD_LIMITS, timeoutMs: 60_000 },
      log: () => undefined,
    });
    await server.start();
  });
  afterEach(async () => {
    for (const socket of tcpAsked) socket.destroy();
    for (const client of clients.splice(0)) client.close();
    await server.close();
    upstream.close();
    await new Promise((done) => tcpUpstream.close(done));
  });

  const bound = (socket: Socket, address: string): Promise<number> =>
    new Promise((done) => socket.bind(0, address, () => done(socket.address().port)));
  /** A client at an address of its own; what it was answered, by id. */
  const client = async (address: string) => {
    const socket = createSocket('udp4');
    clients.push(socket);
    await bound(socket, address);
    const rcodes = new Map<number, number>();
    socket.on('message', (message) => rcodes.set(message.readUInt16BE(0), message.readUInt16BE(2) & 0xf));
    return { rcodes, ask: (id: number, name: string) => socket.send(query(id, name), serverPort, '127.0.0.2') };
  };
  const sockets = (): number => process.getActiveResourcesInfo().filter((name) => name === 'UDPWrap').length;

  test('a client that queries endlessly gets only its share of sockets, and the others are served', async () => {
    const [greedy, modest] = [await client('127.0.1.1'), await client('127.0.1.2')];
    const before = sockets();
    for (let id = 0; id < 100; id++) greedy.ask(id, `n${id}.example.org`);
    // those beyond its share are refused at once
    await until(() => greedy.rcodes.size === 100 - 32);
    expect([...greedy.rcodes.values()].every((rcode) => rcode === RCODE.failure)).toBe(true);
    await until(() => asked.length === 32);
    expect(sockets() - before).toBeLessThanOrEqual(32);
    modest.ask(1, 'www.example.org');
    await until(() => asked.length === 33);
    const last = asked.find(({ message }) => message.includes('www'))!;
    upstream.send(answerTo(last.message), last.from.port, last.from.address);
    await until(() => modest.rcodes.get(1) === RCODE.ok);
    modest.ask(2, 'own.test');
    await until(() => modest.rcodes.has(2));
  });

  test('all clients together stay within the limit', async () => {
    const before = sockets();
    const many = await Promise.all(Array.from({ length: 12 }, (_, i) => client(`127.0.2.${i + 1}`)));
    const own = sockets() - before;
    for (const [index, one] of many.entries()) {
      for (let id = 0; id < 40; id++) one.ask(id, `n${id}.example.org`);
      // the ninth finds nothing left
      await until(() => one.rcodes.size === (index < 8 ? 8 : 40));
    }
    await until(() => asked.length === 256);
    expect(sockets() - before - own).toBeLessThanOrEqual(256);
  });

  test('accepts answers of the queried server only, with the id and the question of the query', async () => {
    const one = await client('127.0.1.1');
    one.ask(4711, 'www.example.org');
    await until(() => asked.length === 1);
    const { message, from } = asked[0]!;
    const wrong = createSocket('udp4');
    clients.push(wrong);
    await bound(wrong, '127.0.0.1');
    const forged = answerTo(message, (a) => a.writeUInt16BE(0x8183, 2));
    wrong.send(forged, from.port, from.address);
    for (const change of [
      (a: Buffer) => a.writeUInt16BE((message.readUInt16BE(0) + 1) & 0xffff, 0),
      (a: Buffer) => a.write('wwx', 13),
    ]) {
      const bad = answerTo(message, (a) => {
        a.writeUInt16BE(0x8183, 2);
        change(a);
      });
      upstream.send(bad, from.port, from.address);
    }
    upstream.send(answerTo(message), from.port, from.address);
    await until(() => one.rcodes.has(4711));
    expect(one.rcodes.get(4711)).toBe(RCODE.ok);
  });

  test('ids and ports of questions do not follow from those of the client', async () => {
    const one = await client('127.0.1.1');
    for (let i = 0; i < 20; i++) one.ask(i, 'www.example.org');
    await until(() => asked.length === 20);
    const ids = asked.map(({ message }) => message.readUInt16BE(0));
    expect(ids.filter((id) => id < 20).length).toBeLessThan(5);
    expect(new Set(asked.map(({ from }) => from.port)).size).toBe(20);
  });

  test('the server stops reading from a TCP client that does not read responses', async () => {
    const socket = connect(serverPort, '127.0.0.2').on('error', () => undefined);
    const message = query(1, 'own.test');
    const framed = Buffer.concat([Buffer.from([0, message.length]), message]);
    const many = Buffer.concat(Array<Buffer>(2000).fill(framed));
    socket.pause();
    let before = -1;
    // what the kernel holds on both sides is some MiB; after that our writes wait
    for (let i = 0; i < 2000 && socket.writableLength < 8 << 20; i++) socket.write(many);
    await until(() => {
      const stalled = socket.writableLength === before && before > 0;
      before = socket.writableLength;
      return stalled;
    });
    expect(socket.writableLength).toBeGreaterThan(0);
    socket.destroy();
  });

  test('of one client no more than eight connections are served', async () => {
    const open = Array.from({ length: 9 }, () => connect(serverPort, '127.0.0.2').on('error', () => undefined));
    await until(() => open.some(({ closed }) => closed));
    expect(open.filter(({ closed }) => closed)).toHaveLength(1);
    for (const socket of open) socket.destroy();
  });

  test('a forwarder that is closed leaves no socket', async () => {
    const before = sockets();
    const forwarder = new Forwarder(() => ['127.0.0.1'], port);
    const waiting = [1, 2, 3].map((id) => forwarder.ask(query(id, 'www.example.org'), 'c', true));
    await until(() => asked.length === 3);
    forwarder.close();
    expect(await Promise.all(waiting)).toEqual([undefined, undefined, undefined]);
    await until(() => sockets() === before);
  });
});
