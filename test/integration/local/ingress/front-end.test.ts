import { createServer as createHttpServer, request as httpRequest, type RequestOptions, type Server } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect, createServer as createTcpServer, type AddressInfo, type Server as TcpServer } from 'node:net';
import { connect as connectTls, createSecureContext } from 'node:tls';
import { WebSocket, WebSocketServer } from 'ws';
import { FrontEnd, type FrontEndLimits } from '../../../../src/local/ingress/front-end';
import type { Backend, RouteTable } from '../../../../src/local/ingress/routes';
import { TestCa, type Pair } from '../../../support/pki';
import { sendUnread } from '../api-server/hostile-clients';
import { until } from '../../../support/until';

/** The front end between raw clients and backends: what it forwards, what it answers itself, and what it survives. */

let ca: TestCa;
let own: Pair;
let fallback: Pair;
let backend: Server;
let frontEnd: FrontEnd;
let ports: { http: number; https: number };
const closing: (() => unknown)[] = [];

const LARGE = 16 << 20;
const portOf = (server: TcpServer): number => (server.address() as AddressInfo).port;
const to = (...all: number[]): Backend => ({
  targets: all.map((port) => ({ host: '127.0.0.1', port, tls: false })),
  problem: 'Service "s" has no ready endpoints',
});
const table = (paths: Record<string, Backend>): RouteTable => ({
  hosts: new Map([
    ['a.io', { routes: Object.entries(paths).map(([path, target]) => ({ path, exact: false, backend: target })) }],
  ]),
  certificates: new Map(),
});

async function start(
  limits: Partial<FrontEndLimits> = {},
): Promise<{ http: number; https: number; frontEnd: FrontEnd }> {
  const made = new FrontEnd({
    defaultCertificate: fallback,
    certificateOf: (host) => (host === 'a.io' ? createSecureContext(own) : undefined),
    limits,
    log: () => undefined,
  });
  closing.push(() => made.close());
  return { ...(await made.start('127.0.0.1', { http: [0], https: [0] })), frontEnd: made };
}

/** A backend that answers every request with these bytes. */
async function rawBackend(bytes: string): Promise<number> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(bytes, 'latin1'));
  });
  closing.push(() => server.close());
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return portOf(server);
}

beforeAll(async () => {
  ca = await TestCa.create('ca');
  [own, fallback] = await Promise.all([ca.issue([{ CN: ['own'] }], ['a.io']), ca.issue([{ CN: ['default'] }], ['x'])]);
  backend = createHttpServer((request, response) => {
    let size = 0;
    request.on('data', (chunk: Buffer) => (size += chunk.length));
    request.on('end', () => {
      response.setHeader('set-cookie', ['a=1', 'b=2']);
      response.end(JSON.stringify({ url: request.url, headers: request.headers, size }));
    });
  });
  const sockets = new WebSocketServer({ server: backend });
  sockets.on('connection', (socket) => socket.on('message', (data) => socket.send(`echo ${String(data)}`)));
  await new Promise<void>((done) => backend.listen(0, '127.0.0.1', done));
  const made = await start();
  ({ frontEnd } = made);
  ports = made;
  frontEnd.route(table({ '/none': to(), '/refused': to(1), '/': to(portOf(backend)) }));
});

afterAll(async () => {
  backend.closeAllConnections();
  backend.close();
  for (const close of closing) await close();
});

interface Answer {
  code: number;
  body: string;
  headers: NodeJS.Dict<string | string[]>;
}

function send(path: string, options: RequestOptions & { body?: string; tls?: boolean } = {}): Promise<Answer> {
  return new Promise((done, fail) => {
    const { body, tls, ...rest } = options;
    const all = {
      port: tls ? ports.https : ports.http,
      host: '127.0.0.1',
      path,
      agent: false,
      ...rest,
    } as RequestOptions;
    all.headers = { host: 'a.io', ...(options.headers as object) };
    const request = (tls ? httpsRequest : httpRequest)(all, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => done({ code: response.statusCode!, body: text, headers: response.headers }));
      response.on('error', fail);
    });
    request.on('error', fail).end(body);
  });
}

/** Everything that a raw client receives until the connection ends. */
function raw(text: string, port = ports.http): Promise<string> {
  return new Promise((done) => {
    let all = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.setEncoding('latin1').on('data', (chunk: string) => (all += chunk));
    socket.on('error', () => undefined).on('close', () => done(all));
  });
}

test('a large request is answered that arrives over TLS before the last response was read', async () => {
  // more than the kernel keeps for a client that does not read
  const large = await rawBackend(`HTTP/1.1 200 OK\r\nContent-Length: ${LARGE}\r\n\r\n${'x'.repeat(LARGE)}`);
  const made = await start();
  made.frontEnd.route(table({ '/large': to(large), '/': to(portOf(backend)) }));
  const socket = connectTls({ port: made.https, host: '127.0.0.1', servername: 'a.io', ca: ca.pem });
  // several TLS records
  const post = 'POST / HTTP/1.1\r\nHost: a.io\r\nContent-Length: 40000\r\nConnection: close\r\n\r\n';
  const all = await sendUnread(socket, 'GET /large HTTP/1.1\r\nHost: a.io\r\n\r\n', post + 'y'.repeat(40_000));
  expect(all.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200']);
  expect(all).toContain('"size":40000');
});

test('a request arrives with its path, headers, body and origin', async () => {
  const { code, body, headers } = await send('/x/y?q=1', {
    method: 'POST',
    body: 'hello',
    headers: { 'x-forwarded-for': '1.2.3.4', 'x-mine': 'm' },
  });
  expect(code).toBe(200);
  expect(headers['set-cookie']).toEqual(['a=1', 'b=2']);
  expect(JSON.parse(body)).toMatchObject({
    url: '/x/y?q=1',
    size: 5,
    headers: {
      host: 'a.io',
      'x-mine': 'm',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-host': 'a.io',
      'x-forwarded-port': String(ports.http),
      'x-forwarded-proto': 'http',
    },
  });
});

test.each([
  ['another host', '/', { host: 'b.io' }, 404, 'no Ingress has a rule for "b.io" and this path'],
  ['a Service without endpoints', '/none', {}, 503, 'Service "s" has no ready endpoints'],
  ['an endpoint that refuses', '/refused', {}, 502, 'the endpoint of the backend did not answer (ECONNREFUSED)'],
  ['dot segments', '/x/%2e%2e/y', {}, 400, 'the path must begin with / and have no segments . or ..'],
  [
    'too many headers',
    '/',
    Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`h${i}`, '1'])),
    431,
    'a request may have at most 200 headers',
  ],
])('a request for %s is answered with its cause', async (_, path, headers, code, text) => {
  const answer = await send(path, { headers });
  expect([answer.code, answer.body]).toEqual([code, expect.stringContaining(`: ${text}\n`)]);
});

test.each([
  ['a.io', 'own'],
  ['b.io', 'default'],
])('a handshake for %s gets its certificate', async (servername, name) => {
  const names: string[] = [];
  const { code, body } = await send('/', {
    tls: true,
    rejectUnauthorized: false,
    servername,
    checkServerIdentity: (_host: string, cert: { subject: { CN: string } }) => void names.push(cert.subject.CN),
    ca: ca.pem,
  } as RequestOptions & { tls: boolean });
  expect(code).toBe(200);
  expect(names).toEqual([name]);
  expect(JSON.parse(body).headers).toMatchObject({ 'x-forwarded-proto': 'https' });
});

test('requests are spread over all endpoints', async () => {
  const second = createHttpServer((_request, response) => response.end('second'));
  closing.push(() => second.close());
  await new Promise<void>((done) => second.listen(0, '127.0.0.1', done));
  const made = await start();
  made.frontEnd.route(table({ '/': to(portOf(backend), portOf(second)) }));
  const bodies = [];
  for (let i = 0; i < 4; i++) bodies.push((await send('/', { port: made.http })).body === 'second');
  expect(bodies.filter(Boolean)).toHaveLength(2);
});

test('a websocket is connected to its endpoint', async () => {
  const socket = new WebSocket(`ws://127.0.0.1:${ports.http}/chat`, { headers: { host: 'a.io' } });
  const message = await new Promise<string>((done, fail) => {
    socket.on('open', () => socket.send('hi'));
    socket.on('message', (data) => done(String(data)));
    socket.on('error', fail);
  });
  expect(message).toBe('echo hi');
  socket.terminate();
});

const upgrade = (host: string, path: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: eA==\r\nSec-WebSocket-Version: 13\r\n\r\n`;

test.each([
  ['another host', 'b.io', '/', '404 Not Found'],
  ['no endpoints', 'a.io', '/none', '503 Service Unavailable'],
  ['an endpoint that refuses', 'a.io', '/refused', '502 Bad Gateway'],
])('a websocket for %s is answered', async (_, host, path, line) => {
  expect(await raw(upgrade(host, path))).toMatch(new RegExp(`^HTTP/1.1 ${line}\r\n`));
});

test.each([
  ['a status below 100', 'HTTP/1.1 099 Low\r\nContent-Length: 0\r\n\r\n', 502],
  ['a status above 599', 'HTTP/1.1 999 High\r\nContent-Length: 0\r\n\r\n', 502],
  ['control characters in its status', 'HTTP/1.1 200 O\x01\x02K\r\nContent-Length: 2\r\n\r\nok', 200],
  ['a trailer without chunks', 'HTTP/1.1 200 OK\r\nTrailer: a\r\nContent-Length: 2\r\n\r\nok', 200],
  [
    'an upgrade that was not requested',
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
    502,
  ],
  ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok', 502],
  ['a length and chunks', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 502],
  ['a huge header', `HTTP/1.1 200 OK\r\nA: ${'x'.repeat(70_000)}\r\n\r\n`, 502],
  ['no HTTP', 'SSH-2.0-x\r\n', 502],
  ['nothing', '', 502],
  ['header values outside ASCII', 'HTTP/1.1 200 OK\r\nA: \xff\r\nContent-Length: 2\r\n\r\nok', 200],
])('a backend that sends %s harms nobody', async (_, bytes, code) => {
  const port = await rawBackend(bytes);
  const made = await start();
  made.frontEnd.route(table({ '/bad': to(port), '/': to(portOf(backend)) }));
  expect((await send('/bad', { port: made.http })).code).toBe(code);
  expect(await raw(upgrade('a.io', '/bad'), made.http)).toMatch(/^HTTP\/1\.1 /);
  expect((await send('/', { port: made.http })).code).toBe(200);
});

test('a backend whose body ends early ends the client connection', async () => {
  const port = await rawBackend('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf');
  const made = await start();
  made.frontEnd.route(table({ '/': to(port) }));
  await expect(send('/', { port: made.http })).rejects.toThrow(/aborted|hang up/);
});

test('a backend that stays silent is answered with 504', async () => {
  const silent = createTcpServer((socket) => socket.on('error', () => undefined));
  closing.push(() => silent.close());
  await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
  const made = await start({ idleMs: 200 });
  made.frontEnd.route(table({ '/': to(portOf(silent)) }));
  expect((await send('/', { port: made.http })).code).toBe(504);
});

test.each([
  ['whose headers never end', { headersMs: 200 }, 'GET / HTTP/1.1\r\nHost: a.io\r\nA: ', /408 Request Timeout/],
  [
    'whose body never ends',
    { requestMs: 300, headersMs: 200 },
    'POST / HTTP/1.1\r\nHost: a.io\r\nContent-Length: 9\r\n\r\nx',
    /408|^$/,
  ],
  ['that sends nothing', { headersMs: 200 }, '', /408 Request Timeout/],
  [
    'with two lengths',
    {},
    'POST / HTTP/1.1\r\nHost: a.io\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx',
    /400 Bad/,
  ],
  ['with huge headers', {}, `GET / HTTP/1.1\r\nHost: a.io\r\nA: ${'x'.repeat(40_000)}\r\n\r\n`, /431 Request/],
  ['without a host', {}, 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', /400 Bad Request/],
])('a client %s is disconnected', async (_, limits, text, want) => {
  const made = await start(limits);
  made.frontEnd.route(table({ '/': to(portOf(backend)) }));
  expect(await raw(text, made.http)).toMatch(want);
});

test('connections over the limit are closed, and others are served', async () => {
  const made = await start({ connectionsPerAddress: 2 });
  made.frontEnd.route(table({ '/': to(portOf(backend)) }));
  const held = await Promise.all(
    [1, 2].map(
      () =>
        new Promise<ReturnType<typeof connect>>((done) => {
          const socket = connect(made.http, '127.0.0.1', () => done(socket));
        }),
    ),
  );
  await expect(send('/', { port: made.http })).rejects.toThrow();
  held.forEach((socket) => socket.destroy());
  await until(async () => (await send('/', { port: made.http }).catch(() => undefined))?.code === 200);
});

test('a client that sends many requests without waiting is disconnected', async () => {
  const silent = createTcpServer((socket) => socket.on('error', () => undefined));
  closing.push(() => silent.close());
  await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
  const made = await start({ pipelined: 2 });
  made.frontEnd.route(table({ '/': to(portOf(silent)) }));
  expect(await raw('GET / HTTP/1.1\r\nHost: a.io\r\n\r\n'.repeat(3), made.http)).toBe('');
});
