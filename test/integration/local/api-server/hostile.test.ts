import { TLSSocket } from 'node:tls';
import { startTestApiServer, TestApiServer } from '../../../support/api-server';
import { Pair } from '../../../support/pki';
import { client, Send } from './client';
import { once, open, untilClosed } from './hostile-clients';
import { until } from '../../../support/until';

/** A server with small limits, and with timeouts that end a test soon, but not an ordinary request on a busy machine. */
let server: TestApiServer;
let send: Send;
let alice: Pair;
let mallory: Pair;
const sockets: TLSSocket[] = [];

const track = (socket: TLSSocket) => {
  sockets.push(socket);
  return socket;
};

beforeAll(async () => {
  server = await startTestApiServer({
    timeouts: { headersMs: 2_000 },
    limits: { bodyMs: 2_000, bodyBytesPerUser: 4 * 1024 * 1024, watchesPerUser: 5, mutating: 8 },
  });
  send = client(server);
  alice = await server.identity('alice', ['system:masters']);
  mallory = await server.identity('mallory');
});

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

afterAll(() => server.close());

const served = async () => (await once(server, alice)).code;

describe('headers', () => {
  test('connections with unfinished headers are closed with 408, while a watch lives on', async () => {
    const watcher = track(await open(server, server.admin));
    watcher.write('GET /api/v1/namespaces?watch=true HTTP/1.1\r\nHost: a\r\n\r\n');
    let ended = false;
    watcher.once('close', () => (ended = true));
    const slow = await Promise.all(Array.from({ length: 30 }, () => open(server)));
    for (const socket of slow) track(socket).write('GET /version HTTP/1.1\r\nHost: a\r\nX-Slow: ');
    const answers = await Promise.all(slow.map(untilClosed));
    expect(answers.every((text) => text.startsWith('HTTP/1.1 408'))).toBe(true);
    expect(ended).toBe(false);
  });

  test('a connection that sends nothing is closed', async () => {
    await untilClosed(track(await open(server)));
    expect(await served()).toBe(200);
  });

  test.each([
    ['the limit of their number', 'A: b\r\n'.repeat(300)],
    ['the limit of their size', `A: ${'b'.repeat(70_000)}\r\n`],
  ])('over %s are answered with 431', async (_, headers) => {
    const socket = track(await open(server));
    socket.write(`GET /version HTTP/1.1\r\nHost: a\r\n${headers}\r\n`);
    expect(await untilClosed(socket)).toMatch(/^HTTP\/1\.1 431 /);
  });

  test.each(['/api/v1/namespaces/%zz', '/%', 'http://[/', '*', '/api/v1/%ff'])(
    'the target %s is answered with 400',
    async (target) => {
      const socket = track(await open(server, server.admin));
      socket.write(`GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`);
      expect(await untilClosed(socket)).toMatch(/^HTTP\/1\.1 400 /);
    },
  );

  test.each([
    '//api/v1/namespaces',
    '/api//v1/namespaces',
    '/api/v1/../v1/namespaces',
    '/api/v1/%2e%2e/v1/namespaces',
    '/api/v1/namespaces/.',
  ])('the path %s, which another program might resolve, is answered with 404', async (path) => {
    const socket = track(await open(server, server.admin));
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    expect(await untilClosed(socket)).toMatch(/^HTTP\/1\.1 404 /);
  });
});

describe('bodies', () => {
  const post = (length: number) =>
    `POST /api/v1/namespaces HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

  test('a slow body is answered with 504, and its connection is closed', async () => {
    const socket = track(await open(server, alice));
    socket.write(`${post(100)}{`);
    const answer = await untilClosed(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 504 /);
    expect(answer).toContain('Timeout: request did not complete within the allotted timeout');
  });

  test('a body over 3 MiB is answered with 413 before it is received', async () => {
    const socket = track(await open(server, alice));
    socket.write(post(3 * 1024 * 1024 + 1));
    expect(await untilClosed(socket)).toMatch(/^HTTP\/1\.1 413 /);
  });

  test("a user's bodies in flight are limited, and another user's are received meanwhile", async () => {
    const admin = await server.identity('masters', ['system:masters']);
    const before = server.flow().rejected;
    const flood = await Promise.all(Array.from({ length: 3 }, () => open(server, admin)));
    const answers = flood.map((socket) => {
      track(socket).write(post(3 * 1024 * 1024));
      socket.write(Buffer.alloc(2 * 1024 * 1024, 0x20));
      return untilClosed(socket);
    });
    await until(() => Promise.resolve(server.flow().rejected > before));
    expect(server.flow().bodies.size).toBeLessThanOrEqual(4 * 1024 * 1024);
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } };
    expect((await send('POST', '/api/v1/namespaces', namespace)).code).toBe(201);
    expect(
      (await Promise.all(answers)).some((text) => /^HTTP\/1\.1 429 .*\r\n(?:.*\r\n)*?Retry-After: 1\r\n/.test(text)),
    ).toBe(true);
    await until(() => Promise.resolve(server.flow().bodies.size === 0));
  });

  test.each([
    ['JSON', 'application/json', 'POST', '/api/v1/namespaces'],
    ['YAML', 'application/yaml', 'POST', '/api/v1/namespaces'],
    ['a merge patch', 'application/merge-patch+json', 'PATCH', '/api/v1/namespaces/default'],
    ['a strategic merge patch', 'application/strategic-merge-patch+json', 'PATCH', '/api/v1/namespaces/default'],
    ['a JSON patch', 'application/json-patch+json', 'PATCH', '/api/v1/namespaces/default'],
    ['an apply patch', 'application/apply-patch+yaml', 'PATCH', '/api/v1/namespaces/default?fieldManager=a'],
  ])('3 MiB of nested %s are answered with 400 without delay', async (_, type, method, path) => {
    const text = '['.repeat(1_500_000) + ']'.repeat(1_500_000);
    const body = type.includes('json-patch') ? `[{"op":"add","path":"/x","value":${text}}]` : `{"a":${text}}`;
    const answer = await once(server, alice, path, method, body, { 'Content-Type': type });
    expect(answer.code).toBe(400);
    expect(answer.text).toContain('exceeded max depth');
  });
});

describe('requests in flight', () => {
  test("one user's slow requests leave places for another user", async () => {
    const before = server.flow().rejected;
    const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
    const flood = await Promise.all(Array.from({ length: 6 }, () => open(server, mallory)));
    const answers = flood.map((socket) => {
      track(socket).write(
        `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{`,
      );
      return untilClosed(socket);
    });
    await until(() => Promise.resolve(server.flow().rejected === before + 2));
    const bob = await server.identity('bob');
    const review = {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { nonResourceAttributes: { path: '/x', verb: 'get' } },
    };
    const answer = await once(server, bob, path, 'POST', JSON.stringify(review), {
      'Content-Type': 'application/json',
    });
    expect(answer.code).toBe(201);
    const codes = (await Promise.all(answers)).map((text) => text.slice(9, 12)).sort();
    expect(codes).toEqual(['429', '429', '504', '504', '504', '504']);
  });
});

describe('watches', () => {
  const watch = async (identity: Pair, path = '/api/v1/namespaces?watch=true') => {
    const socket = track(await open(server, identity));
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
    return socket;
  };

  test('a user over the limit of watches gets 429', async () => {
    const flooder = await server.identity('flooder', ['system:masters']);
    for (let i = 0; i < 5; i++) await watch(flooder);
    await until(() => Promise.resolve(server.flow().watching >= 5));
    const answer = await once(server, flooder, '/api/v1/pods?watch=true');
    expect([answer.code, answer.headers['retry-after']]).toEqual([429, '1']);
    expect(await served()).toBe(200);
  });
});

describe('connections', () => {
  test('a flood of idle connections loses its own, and does not lock out an ordinary client', async () => {
    const perAddress = 20;
    const other = await startTestApiServer({ connections: { perAddress } });
    const ordinary = await other.identity('ordinary', ['system:masters']);
    try {
      const flood: Promise<unknown>[] = [];
      for (let i = 0; i < 3 * perAddress; i++) flood.push(open(other).then(track, () => undefined));
      await Promise.all(flood);
      const { connections } = other.flow();
      expect(connections.closedByLimit).toBeGreaterThan(0);
      expect(connections.countOf('address 127.0.0.1')).toBeLessThanOrEqual(perAddress);
      for (let i = 0; i < 5; i++) expect((await once(other, ordinary)).code).toBe(200);
    } finally {
      await other.close();
    }
  });
});
