import { createServer, Server } from 'node:https';
import { createServer as createPlainServer, IncomingMessage, Server as PlainServer } from 'node:http';
import { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import WebSocket, { WebSocketServer } from 'ws';
import { startTestApiServer, TestApiServer } from '../../../support/api-server';
import { client, Send } from './client';
import { kubectl } from './kubectl';
import { until } from '../../../support/until';

let server: TestApiServer;
let send: Send;
let backend: Server;
let port: number;
/** Requests that the backend saw. */
const seen: { method?: string; url?: string; headers: IncomingMessage['headers']; peer: string }[] = [];

/** Usage that the kubelet reports, of the node and of the Pod with this UID. */
const usage = { cpu: { usageNanoCores: 1_500_000 }, memory: { workingSetBytes: 1 << 20 } };
let podUid = '';
const OPEN_API = { openapi: '3.0.0', info: {}, paths: { '/apis/sub.test.io/v1/things': {} } };

const note = (request: IncomingMessage) => {
  const peer = (request.socket as TLSSocket).getPeerCertificate().subject?.CN ?? '';
  seen.push({ method: request.method, url: request.url, headers: request.headers, peer: String(peer) });
};

beforeAll(async () => {
  server = await startTestApiServer({ timeouts: { answerMs: 1_000 } });
  send = client(server);
  const tls = await server.ca.issue([{ CN: ['backend'] }], ['api.default.svc', '127.0.0.1']);
  backend = createServer(
    { ...tls, ca: server.ca.pem, requestCert: true, rejectUnauthorized: false },
    (request, response) => {
      note(request);
      response.setHeader('Content-Type', 'application/json');
      if (request.url === '/apis/sub.test.io/v1') {
        const verbs = ['get'];
        const resources = [{ name: 'things/console', singularName: '', namespaced: true, kind: 'Thing', verbs }];
        response.end(
          JSON.stringify({ kind: 'APIResourceList', apiVersion: 'v1', groupVersion: 'sub.test.io/v1', resources }),
        );
      } else if (request.url === '/openapi/v3/apis/sub.test.io/v1') {
        response.end(JSON.stringify(OPEN_API));
      } else if (request.url?.endsWith('?previous=true')) {
        response.writeHead(400, { 'Content-Type': 'text/plain' }).end('previous terminated container "c" not found\n');
      } else if (request.url === '/stats/summary') {
        response.end(
          JSON.stringify({ node: usage, pods: [{ podRef: { uid: podUid }, containers: [{ name: 'c', ...usage }] }] }),
        );
      } else if (request.url?.startsWith('/containerLogs/')) {
        response.setHeader('Content-Type', 'text/plain');
        response.end('one\ntwo\n');
      } else if (request.url === '/apis/sub.test.io/v1/silent') {
        // never answered
      } else {
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => response.end(JSON.stringify({ got: Buffer.concat(chunks).toString('utf8') })));
      }
    },
  );
  const sockets = new WebSocketServer({ noServer: true, handleProtocols: (offered) => [...offered][0] ?? false });
  backend.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    note(request);
    sockets.handleUpgrade(request, socket, head, (peer) =>
      peer.on('message', (data, binary) => peer.send(`echo ${String(data)}`, { binary })),
    );
  });
  await new Promise<void>((resolve) => backend.listen(0, '127.0.0.1', resolve));
  port = (backend.address() as AddressInfo).port;
});

afterAll(async () => {
  backend.closeAllConnections();
  backend.close();
  await server.close();
});

beforeEach(() => (seen.length = 0));

const open = (path: string, protocol: string) =>
  new WebSocket(`${server.url.replace('https', 'wss')}${path}`, protocol, { ca: server.ca.pem, ...server.admin });

const echo = (socket: WebSocket) =>
  new Promise<string>((resolve, reject) => {
    socket.once('open', () => socket.send('hello'));
    socket.once('message', (data) => resolve(String(data)));
    socket.once('error', reject);
  });

describe('aggregated APIs', () => {
  const apiService = {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name: 'v1.sub.test.io' },
    spec: {
      group: 'sub.test.io',
      version: 'v1',
      groupPriorityMinimum: 1000,
      versionPriority: 15,
      service: { namespace: 'default', name: 'api' },
    },
  };
  const available = async () => {
    const { body } = await send('GET', '/apis/apiregistration.k8s.io/v1/apiservices/v1.sub.test.io');
    return (body.status?.conditions ?? []).find((condition: { type: string }) => condition.type === 'Available');
  };

  test('an APIService is unavailable while its Service is missing, and reports the reason', async () => {
    const spec = { ...apiService.spec, caBundle: Buffer.from(server.ca.pem).toString('base64') };
    expect((await send('POST', '/apis/apiregistration.k8s.io/v1/apiservices', { ...apiService, spec })).code).toBe(201);
    const condition = await until(available);
    expect(condition).toMatchObject({ status: 'False', reason: 'ServiceNotFound' });
    expect((await send('GET', '/apis/sub.test.io/v1/namespaces/a/things/t')).code).toBe(503);
  });

  test('it becomes available with its endpoints, and discovery lists its resources', async () => {
    await send('POST', '/api/v1/namespaces/default/services', {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'api' },
      spec: { ports: [{ port: 443, targetPort: 8443 }] },
    });
    await send('POST', '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices', {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { name: 'api', labels: { 'kubernetes.io/service-name': 'api' } },
      addressType: 'IPv4',
      endpoints: [{ addresses: ['127.0.0.1'] }],
      ports: [{ port }],
    });
    await until(async () => (await available())?.status === 'True');
    const groups = (await send('GET', '/apis')).body.groups.map((group: { name: string }) => group.name);
    expect(groups).toContain('sub.test.io');
    const list = await send('GET', '/apis/sub.test.io/v1');
    expect(list.body.resources[0].name).toBe('things/console');
  });

  test('requests reach it with the identity of the user, which nobody can forge', async () => {
    const headers = { 'X-Remote-User': 'mallory', 'X-Remote-Group': 'system:masters' };
    const path = '/apis/sub.test.io/v1/namespaces/a/things/t/start?x=1';
    const { body } = await send('PUT', path, { a: 1 }, 'application/json', headers);
    expect(body).toEqual({ got: '{"a":1}' });
    const [request] = seen.filter((item) => item.method === 'PUT');
    expect(request).toMatchObject({ url: path, peer: 'front-proxy-client' });
    expect(request.headers['x-remote-user']).toBe('admin');
    expect(request.headers['x-remote-group']).toBe('system:masters, system:authenticated');
    expect(request.headers.authorization).toBeUndefined();
  });

  test.each([
    ['/apis/sub.test.io/v1/namespaces/a/things/t%61/start', '/apis/sub.test.io/v1/namespaces/a/things/ta/start'],
    ['/apis/sub.test.io/v1/namespaces/a/things/%c3%a4?a=%62', '/apis/sub.test.io/v1/namespaces/a/things/%C3%A4?a=b'],
    ['/apis/sub.test.io/v1/things%2Fx', '/apis/sub.test.io/v1/things/x'],
  ])('%s is forwarded as it was authorized: %s', async (path, forwarded) => {
    await send('GET', path);
    expect(seen.filter(({ url }) => url !== '/apis/sub.test.io/v1').map(({ url }) => url)).toEqual([forwarded]);
  });

  test.each([
    '/apis/sub.test.io/v1//things',
    '/apis/sub.test.io/v1/%2e%2e/v2/things',
    '/apis/sub.test.io/v1/things/..%2fx',
  ])('%s, which another program might resolve, is not forwarded', async (path) => {
    expect((await send('GET', path)).code).toBe(404);
    expect(seen.filter(({ url }) => url !== '/apis/sub.test.io/v1')).toEqual([]);
  });

  test('a server that does not answer in time is reported with 504', async () => {
    const { code, body } = await send('GET', '/apis/sub.test.io/v1/silent');
    expect([code, body.reason]).toEqual([504, 'Timeout']);
  });

  test('websockets pass through with their subprotocol', async () => {
    const socket = open('/apis/sub.test.io/v1/namespaces/a/things/t/console', 'plain.kubevirt.io');
    expect(await echo(socket)).toBe('echo hello');
    expect(socket.protocol).toBe('plain.kubevirt.io');
    expect(seen[0].headers['x-remote-user']).toBe('admin');
    socket.close();
  });

  const openApiPath = async (): Promise<string | undefined> =>
    (await send('GET', '/openapi/v3')).body.paths['apis/sub.test.io/v1']?.serverRelativeURL;

  test('are described by the OpenAPI document of their server', async () => {
    const path = await until(openApiPath);
    expect(path).toMatch(/^\/openapi\/v3\/apis\/sub\.test\.io\/v1\?hash=[0-9A-F]{128}$/);
    expect((await send('GET', path!)).body).toEqual(OPEN_API);
    expect((await send('GET', '/openapi/v3/apis/sub.test.io/v2')).code).toBe(404);
  });

  test('are unavailable when their server disappears', async () => {
    await send('DELETE', '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/api');
    await until(async () => (await available())?.reason === 'EndpointsNotFound');
    const unavailable = await send('GET', '/apis/sub.test.io/v1/things');
    expect([unavailable.code, unavailable.body.message]).toEqual([503, 'service unavailable\n']);
    expect(await openApiPath()).toBeUndefined();
    const refused = open('/apis/sub.test.io/v1/namespaces/a/things/t/console', 'plain.kubevirt.io');
    const error = await new Promise<Error>((resolve) => refused.once('error', resolve));
    expect(error.message).toContain('503');
    await send('DELETE', '/apis/apiregistration.k8s.io/v1/apiservices/v1.sub.test.io');
    expect((await send('GET', '/apis/sub.test.io/v1')).code).toBe(404);
  });
});

describe("the kubelet of a Pod's node", () => {
  beforeAll(async () => {
    await send('POST', '/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' } });
    const status = {
      addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
      daemonEndpoints: { kubeletEndpoint: { Port: port } },
    };
    await send('PATCH', '/api/v1/nodes/n1/status', { status }, 'application/merge-patch+json');
    await send('POST', '/api/v1/namespaces/default/pods', {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p' },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    });
    podUid = (await send('GET', '/api/v1/namespaces/default/pods/p')).body.metadata.uid;
  });

  test('a binding places the Pod', async () => {
    const early = await send('GET', '/api/v1/namespaces/default/pods/p/log');
    expect(early.code).toBe(200);
    const binding = {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name: 'p' },
      target: { kind: 'Node', name: 'n1' },
    };
    expect((await send('POST', '/api/v1/namespaces/default/pods/p/binding', binding)).code).toBe(201);
    const { body } = await send('GET', '/api/v1/namespaces/default/pods/p');
    expect(body.spec.nodeName).toBe('n1');
    expect(body.status.conditions[0]).toMatchObject({ type: 'PodScheduled', status: 'True' });
    expect((await send('POST', '/api/v1/namespaces/default/pods/p/binding', binding)).body.message).toBe(
      'Operation cannot be fulfilled on pods/binding "p": pod p is already assigned to node "n1"',
    );
  });

  test("logs come from it, asked for with the server's own certificate", async () => {
    const { stdout } = await kubectl(server.kubeconfig)('logs p --tail 2');
    expect(stdout).toBe('one\ntwo\n');
    expect(seen[0]).toMatchObject({
      url: '/containerLogs/default/p/c?tailLines=2',
      peer: 'kube-apiserver-kubelet-client',
    });
    const wrong = await send('GET', '/api/v1/namespaces/default/pods/p/log?container=x');
    expect(wrong.body).toMatchObject({ code: 400, message: 'container x is not valid for pod p' });
  });

  test('an error of the kubelet is a Status', async () => {
    const { code, body } = await send('GET', '/api/v1/namespaces/default/pods/p/log?previous=true');
    expect([code, body.kind, body.reason, body.message]).toEqual([
      400,
      'Status',
      'BadRequest',
      'previous terminated container "c" not found',
    ]);
  });

  test('metrics come from it: of one object, of all, and of those with a label', async () => {
    const metrics = '/apis/metrics.k8s.io/v1beta1';
    const { body } = await send('GET', `${metrics}/namespaces/default/pods/p`);
    expect(body).toMatchObject({
      kind: 'PodMetrics',
      metadata: { name: 'p', namespace: 'default' },
      containers: [{ name: 'c', usage: { cpu: '1500000n', memory: '1024Ki' } }],
    });
    const namesOf = async (path: string) =>
      (await send('GET', `${metrics}/${path}`)).body.items.map(({ metadata }: typeof body) => metadata.name);
    expect(await namesOf('nodes')).toEqual(['n1']);
    expect(await namesOf('pods')).toEqual(['p']);
    expect(await namesOf('namespaces/other/pods')).toEqual([]);
    expect(await namesOf('pods?labelSelector=app')).toEqual([]);
    const missing = await send('GET', `${metrics}/nodes/none`);
    expect([missing.code, missing.body.message]).toEqual([404, 'nodemetrics.metrics.k8s.io "none" not found']);
    expect((await send('POST', `${metrics}/nodes`, {})).code).toBe(405);
    const listed = await send('GET', metrics);
    expect(listed.body.resources.map(({ name, verbs }: typeof body) => [name, verbs])).toEqual([
      ['nodes', ['get', 'list']],
      ['pods', ['get', 'list']],
    ]);
  });

  test('nodes/proxy passes a request to it', async () => {
    const { body } = await send('GET', '/api/v1/nodes/n1/proxy/stats/a%20b?x=1%262');
    expect(body).toEqual({ got: '' });
    expect(seen.at(-1)).toMatchObject({ url: '/stats/a%20b?x=1%262', peer: 'kube-apiserver-kubelet-client' });
    expect((await send('GET', '/api/v1/nodes/none/proxy/healthz')).body.message).toBe('nodes "none" not found');
  });

  test('exec and port-forward join the two connections', async () => {
    const exec = open(
      '/api/v1/namespaces/default/pods/p/exec?command=ls&command=-l&stdin=true&stdout=true',
      'v5.channel.k8s.io',
    );
    expect(await echo(exec)).toBe('echo hello');
    expect(seen[0].url).toBe('/exec/default/p/c?input=1&output=1&command=ls&command=-l');
    exec.close();
    const forward = open('/api/v1/namespaces/default/pods/p/portforward?ports=80', 'v4.channel.k8s.io');
    expect(await echo(forward)).toBe('echo hello');
    expect(seen[1].url).toBe('/portForward/default/p?port=80');
    forward.close();
  });
});

/** An address of this machine that Pods may have: the API server does not connect to loopback. */
const ownAddress = Object.values(networkInterfaces())
  .flat()
  .find((item) => item && !item.internal && item.family === 'IPv4')?.address;

describe('servers in Pods and behind Services', () => {
  const host = ownAddress!;
  const NS = '/api/v1/namespaces/default';
  let plain: PlainServer;
  let plainPort: number;
  const sockets = new WebSocketServer({ noServer: true });

  beforeAll(async () => {
    plain = createPlainServer((request, response) => {
      seen.push({ method: request.method, url: request.url, headers: request.headers, peer: '' });
      if (request.url === '/moved') return void response.writeHead(302, { Location: '/login' }).end();
      if (request.url === '/broken') return void response.writeHead(418).end('teapot');
      if (request.url === '/silent') return;
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => response.end(JSON.stringify({ got: Buffer.concat(chunks).toString('utf8') })));
    });
    plain.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      seen.push({ method: request.method, url: request.url, headers: request.headers, peer: '' });
      sockets.handleUpgrade(request, socket, head, (peer) => peer.on('message', (data) => peer.send(`echo ${data}`)));
    });
    await new Promise<void>((resolve) => plain.listen(0, host, resolve));
    plainPort = (plain.address() as AddressInfo).port;
    const container = { name: 'c', image: 'i', ports: [{ containerPort: plainPort }] };
    for (const [name, ip] of [
      ['web', host],
      ['loop', '127.0.0.1'],
    ]) {
      const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: { containers: [container] } };
      await send('POST', `${NS}/pods`, pod);
      const status = { phase: 'Running', podIP: ip, podIPs: [{ ip }] };
      await send('PATCH', `${NS}/pods/${name}/status`, { status }, 'application/merge-patch+json');
    }
    const targetRef = { kind: 'Pod', name: 'web', namespace: 'default' };
    for (const [name, addresses] of Object.entries({
      web: [{ ip: host, targetRef }],
      foreign: [{ ip: host }],
      none: undefined,
    })) {
      const spec = { ports: [{ name: 'http', port: 80, targetPort: plainPort }] };
      await send('POST', `${NS}/services`, { apiVersion: 'v1', kind: 'Service', metadata: { name }, spec });
      const subsets = addresses && [{ addresses, ports: [{ name: 'http', port: plainPort }] }];
      await send('POST', `${NS}/endpoints`, { apiVersion: 'v1', kind: 'Endpoints', metadata: { name }, subsets });
    }
  });

  afterAll(() => {
    plain.closeAllConnections();
    plain.close();
  });

  test.each(['pods/web', 'pods/http:web:PORT', 'services/web:http', 'services/web:80', 'services/http:web:http'])(
    '%s/proxy forwards the method, path, query and body',
    async (place) => {
      const prefix = `${NS}/${place.replace('PORT', String(plainPort))}/proxy`;
      const { code, body } = await send('PATCH', `${prefix}/a/b%20c/?q=x%20y`, { a: 1 }, 'application/json');
      expect([code, body]).toEqual([200, { got: '{"a":1}' }]);
      expect(seen[0]).toMatchObject({ method: 'PATCH', url: '/a/b%20c/?q=x%20y' });
      expect(seen[0].headers).toMatchObject({
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-uri': `${prefix}/a/b%20c/`,
        host: `127.0.0.1:${server.port}`,
      });
      expect(seen[0].headers.authorization).toBeUndefined();
    },
  );

  test('responses of the server are passed on; its own paths are moved below the proxy', async () => {
    expect((await send('GET', `${NS}/pods/web/proxy/broken`)).code).toBe(418);
    const moved = await send('GET', `${NS}/pods/web/proxy/moved`);
    expect([moved.code, moved.headers.location]).toEqual([302, `${NS}/pods/web/proxy/login`]);
    const bare = await send('GET', `${NS}/pods/web/proxy?a=b`);
    expect([bare.code, bare.headers.location]).toEqual([301, `${NS}/pods/web/proxy/?a=b`]);
    expect((await send('POST', `${NS}/pods/web/proxy`, {})).body).toEqual({ got: '{}' });
  });

  test.each([
    ['pods/none', 404, 'pods "none" not found'],
    ['pods/ftp:web:1', 400, 'invalid pod request "ftp:web:1"'],
    ['pods/loop', 400, 'address not allowed'],
    ['pods/web:1', 503, `error trying to reach service: dial tcp ${host}:1: connect: connection refused`],
    ['pods/web:65536', 503, 'error trying to reach service: dial tcp: address 65536: invalid port'],
    ['pods/https:web:', 503, 'error trying to reach service: tls: first record does not look like a TLS handshake'],
    ['services/missing', 404, 'services "missing" not found'],
    ['services/missing:80', 404, 'services "missing" not found'],
    ['services/a:b:c', 400, 'invalid service request "a:b:c"'],
    ['services/web', 503, 'no endpoints available for service "web"'],
    ['services/web:81', 503, 'no service port 81 found for service "web"'],
    ['services/web:other', 503, 'no endpoints available for service "web:other"'],
    ['services/none:http', 503, 'no endpoints available for service "none"'],
    ['services/foreign:http', 503, 'no endpoints available for service "foreign:http"'],
  ])('%s/proxy responds with %s: %s', async (place, code, message) => {
    const { body } = await send('GET', `${NS}/${place}/proxy/x`);
    expect([body.code, body.message]).toEqual([code, message]);
  });

  test('a server that does not answer in time is reported with 504', async () => {
    expect((await send('GET', `${NS}/pods/web/proxy/silent`)).code).toBe(504);
  });

  test('websockets pass through', async () => {
    const socket = open(`${NS}/services/web:http/proxy/live?x=1`, 'chat');
    expect(await echo(socket)).toBe('echo hello');
    expect(seen[0].url).toBe('/live?x=1');
    socket.close();
  });

  test('the method is authorized as a verb of the subresource', async () => {
    const rules = [{ apiGroups: [''], resources: ['pods/proxy'], resourceNames: ['web'], verbs: ['get', 'create'] }];
    const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/default';
    const meta = { apiVersion: 'rbac.authorization.k8s.io/v1', metadata: { name: 'visitor' } };
    await send('POST', `${rbac}/roles`, { ...meta, kind: 'Role', rules });
    await send('POST', `${rbac}/rolebindings`, {
      ...meta,
      kind: 'RoleBinding',
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'visitor' }],
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'visitor' },
    });
    const asVisitor = client(server, await server.identity('visitor'));
    const codes = async (path: string) => {
      const found: number[] = [];
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
        found.push((await asVisitor(method, `${NS}/${path}`)).code);
      return found;
    };
    expect(await codes('pods/web/proxy/x')).toEqual([200, 200, 200, 403, 403, 403, 403]);
    expect(await codes('pods/web:80/proxy/x')).toEqual([403, 403, 403, 403, 403, 403, 403]);
    expect((await send('OPTIONS', `${NS}/pods/web/proxy/x`)).code).toBe(200);
  });
});
