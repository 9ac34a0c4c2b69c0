import { clusterConfig } from '../../../../src/api';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:https';
import { tmpdir } from 'node:os';
import { connect } from 'node:tls';
import type { TLSSocket } from 'node:tls';
import { join } from 'node:path';
import { pino } from 'pino';
import type { Admit } from '../../../../src/runtime/api-server/admission/review';
import { Connections } from '../../../../src/runtime/api-server/metrics/connections';
import { createApiServer } from '../../../../src/runtime/api-server/server';
import { type KubeClient, ServingTls } from '../../../../src/runtime/kube';
import { TestCa, writePems } from '../../../support/pki';
import type { Pair } from '../../../support/pki';

const folder = mkdtempSync(join(tmpdir(), 'virt8s-server-'));
afterAll(() => rmSync(folder, { recursive: true }));

const WEBHOOK = '/virtualmachines-validate';
let proxy: Pair;
let other: Pair;
let stranger: Pair;
let serving: Pair;
let ca: TestCa;
let server: Server | undefined;
let unready: string | undefined;
/** Number of calls of a webhook, and of access reviews by the API server. */
let asked: string[] = [];
let givenUp: (() => void) | undefined;

beforeAll(async () => {
  ca = await TestCa.create('front-proxy');
  const another = await TestCa.create('another');
  proxy = await ca.issue([{ CN: ['front-proxy-client'] }]);
  other = await ca.issue([{ CN: ['somebody'] }]);
  stranger = await another.issue([{ CN: ['front-proxy-client'] }]);
  serving = await ca.issue([{ CN: ['virt-api'] }], ['127.0.0.1']);
});
beforeEach(() => {
  unready = undefined;
  asked = [];
});
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function serve(webhookAllowedNames?: readonly string[]): Promise<number> {
  const admit: Admit = async (request, signal) => {
    asked.push('webhook');
    if (request.uid === 'slow') {
      await new Promise<void>((done) => signal?.addEventListener('abort', () => done()));
      asked.push('given up');
      givenUp?.();
    }
    return {};
  };
  const client = {
    create: async () => {
      asked.push('access');
      return { status: { allowed: false } };
    },
  } as unknown as KubeClient;
  server = createApiServer(
    {
      tls: new ServingTls(writePems(folder, { ...serving, ca: ca.pem }), {}),
      requestHeaderAllowedNames: () => ['front-proxy-client'],
      webhookAllowedNames,
    },
    {
      client,
      handler: {} as never,
      config: () => clusterConfig(undefined),
      webhooks: new Map([[WEBHOOK, admit]]),
      uploadToken: ({ uid }) => `token of ${uid}`,
      unready: () => unready,
      version: { gitVersion: 'v0' },
      connections: new Connections(),
      log: pino({ level: 'silent' }),
    },
  );
  await new Promise<void>((done) => server!.listen(0, '127.0.0.1', done));
  return (server.address() as AddressInfo).port;
}

interface Answer {
  readonly code: number;
  readonly body: string;
}

function send(
  port: number,
  method: string,
  path: string,
  { pair, body, headers = {} }: { pair?: Pair; body?: string | Buffer; headers?: Record<string, string> } = {},
): Promise<Answer> {
  return new Promise((done, reject) => {
    const request = httpsRequest(
      { host: '127.0.0.1', port, method, path, headers, rejectUnauthorized: false, agent: false, ...pair },
      (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () => done({ code: response.statusCode ?? 0, body: text }));
        response.on('error', reject);
      },
    );
    request.once('error', reject);
    request.end(body);
  });
}

const review = JSON.stringify({
  apiVersion: 'admission.k8s.io/v1',
  kind: 'AdmissionReview',
  request: {
    uid: 'u',
    kind: { group: 'kubevirt.io', version: 'v1', kind: 'VirtualMachine' },
    resource: { group: 'kubevirt.io', version: 'v1', resource: 'virtualmachines' },
    operation: 'CREATE',
    object: { metadata: {} },
  },
});
const allowed = ['front-proxy-client'];

test.each<[string, readonly string[] | undefined, () => Pair | undefined, number]>([
  ['anyone, if no names are configured', undefined, () => undefined, 200],
  ['the API server', allowed, () => proxy, 200],
  ['nobody without a certificate', allowed, () => undefined, 401],
  ['nobody with another name of the same authority', allowed, () => other, 401],
  ['nobody with that name of another authority', allowed, () => stranger, 401],
  ['nobody, when the list of names is empty', [], () => proxy, 401],
])('webhooks answer %s', async (_, names, pair, code) => {
  const port = await serve(names);
  expect((await send(port, 'POST', WEBHOOK, { pair: pair(), body: review })).code).toBe(code);
  expect(asked).toEqual(code === 200 ? ['webhook'] : []);
});

test('a webhook stops its lookups when the API server no longer waits for its answer', async () => {
  const port = await serve();
  const done = new Promise<void>((resolve) => (givenUp = resolve));
  const request = httpsRequest({ host: '127.0.0.1', port, method: 'POST', path: WEBHOOK, rejectUnauthorized: false });
  request.on('error', () => undefined);
  request.end(review.replace('"u"', '"slow"'));
  while (asked.length === 0) await new Promise((later) => setImmediate(later));
  request.destroy();
  await done;
  expect(asked).toEqual(['webhook', 'given up']);
});

test('a client that opens connections without requests loses the first of them, and no other client is locked out', async () => {
  const port = await serve();
  const sockets: TLSSocket[] = [];
  const open = (): Promise<void> =>
    new Promise((done, reject) => {
      const options = { host: '127.0.0.1', port, localAddress: '127.0.0.2', rejectUnauthorized: false };
      const socket = connect(options, done);
      socket.once('error', reject);
      sockets.push(socket);
    });
  await open();
  // on a slow machine, the server's time limit may close it first
  const closed = new Promise<void>((done) => sockets[0].once('close', () => done()));
  for (let i = 0; i < 256; i++) await open();
  await closed;
  expect((await send(port, 'GET', '/healthz')).code).toBe(200);
  for (const socket of sockets) socket.destroy();
});

test.each(['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])('a webhook refuses %s', async (method) => {
  const port = await serve();
  expect((await send(port, method, WEBHOOK)).code).toBe(405);
});

describe('until the configuration of the platform is known', () => {
  test.each([
    ['POST', WEBHOOK, 503],
    ['GET', '/readyz', 503],
    ['GET', '/healthz', 200],
    ['GET', '/apis/subresources.kubevirt.io/v1', 200],
  ])('%s %s is answered with %i', async (method, path, code) => {
    const port = await serve();
    unready = 'it has not read the KubeVirt resource yet';
    const body = method === 'POST' ? review : undefined;
    const answer = await send(port, method, path, { body });
    expect(answer.code).toBe(code);
    if (code === 503) expect(answer.body).toMatch(/virt-api is not ready: it has not read the KubeVirt resource yet/);
    unready = undefined;
    expect((await send(port, method, path, { body })).code).toBe(200);
  });
});

test.each([
  ['one byte less than the most', 8 * 1024 * 1024 - 1, 400],
  ['the most', 8 * 1024 * 1024, 400],
  ['one byte more', 8 * 1024 * 1024 + 1, 413],
])('a review of %s bytes is answered', async (_, bytes, code) => {
  const port = await serve();
  expect((await send(port, 'POST', WEBHOOK, { body: Buffer.alloc(bytes, 0x20) })).code).toBe(code);
});

test('a finalizer can be removed from an object above the usual limit of etcd', async () => {
  const port = await serve();
  const object = (finalizers: string[]): object => ({ metadata: { finalizers }, spec: 'x'.repeat(2.1 * 1024 * 1024) });
  const request = {
    uid: 'u',
    kind: { group: 'kubevirt.io', version: 'v1', kind: 'VirtualMachine' },
    resource: { group: 'kubevirt.io', version: 'v1', resource: 'virtualmachines' },
    operation: 'UPDATE',
    object: object([]),
    oldObject: object(['a']),
  };
  const body = JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request });
  const answer = await send(port, 'POST', WEBHOOK, { body });
  expect([answer.code, answer.body]).toEqual([200, expect.stringContaining('"allowed":true')]);
});

test.each([
  ['POST', '/healthz', 405],
  ['DELETE', '/apis/subresources.kubevirt.io/v1', 405],
  ['HEAD', '/apis/subresources.kubevirt.io/v1', 200],
  ['GET', `${WEBHOOK}/`, 404],
  ['POST', `/${WEBHOOK}`, 404],
  ['POST', '/%76irtualmachines-validate', 404],
  ['GET', '/nothing', 404],
])('%s %s is answered with %i', async (method, path, code) => {
  const port = await serve();
  expect((await send(port, method, path, { body: method === 'POST' ? review : undefined })).code).toBe(code);
  expect(asked).toEqual([]);
});

const start = '/apis/subresources.kubevirt.io/v1/namespaces/default/virtualmachines/web/start';
const consoleOf = '/apis/subresources.kubevirt.io/v1/namespaces/default/virtualmachineinstances/web/console';
const uploadTokens = '/apis/upload.cdi.kubevirt.io/v1beta1/namespaces/default/uploadtokenrequests';
const jane = { 'X-Remote-User': 'jane' };
/** The identity of the most powerful user, which only the API server may send. */
const forged = { 'X-Remote-User': 'admin', 'X-Remote-Group': 'system:masters' };
const handshake = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': Buffer.alloc(16).toString('base64'),
};

describe.each<[string, string, string, Record<string, string>]>([
  ['a subresource', 'PUT', start, {}],
  ['a websocket', 'GET', consoleOf, handshake],
  ['an upload token', 'POST', uploadTokens, {}],
])('a request for %s', (_what, method, path, more) => {
  test.each<[string, () => Pair | undefined, Record<string, string>, number, string[]]>([
    ['without a certificate', () => undefined, jane, 401, []],
    ['without a certificate and with the name of an administrator', () => undefined, forged, 401, []],
    ['with another name of the same authority', () => other, jane, 401, []],
    ['with another name of the same authority and that of an administrator', () => other, forged, 401, []],
    ['with that name of another authority', () => stranger, forged, 401, []],
    ['of the API server without the name of a user', () => proxy, {}, 401, []],
    ['of the API server with the name of a user without permission', () => proxy, jane, 403, ['access']],
  ])('%s is refused', async (_, pair, headers, code, questions) => {
    const port = await serve();
    expect((await send(port, method, path, { pair: pair(), headers: { ...more, ...headers } })).code).toBe(code);
    expect(asked).toEqual(questions);
  });
});

test('a client that offers HTTP/2 gets HTTP/1.1', async () => {
  const port = await serve();
  const options = { host: '127.0.0.1', port, rejectUnauthorized: false, ALPNProtocols: ['h2', 'http/1.1'] };
  const socket = connect(options);
  await once(socket, 'secureConnect');
  expect(socket.alpnProtocol).toBe('http/1.1');
  socket.destroy();
});
