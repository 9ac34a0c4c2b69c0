import { createServer, Server } from 'node:https';
import { IncomingMessage } from 'node:http';
import { AddressInfo } from 'node:net';
import { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import WebSocket, { WebSocketServer } from 'ws';
import { startTestApiServer, TestApiServer } from '../../../support/api-server';
import { client, eventually, Send } from './client';
import { kubectl } from './kubectl';

let server: TestApiServer;
let send: Send;
let backend: Server;
let port: number;
/** Requests that the backend saw. */
const seen: { method?: string; url?: string; headers: IncomingMessage['headers']; peer: string }[] = [];

const note = (request: IncomingMessage) => {
  const peer = (request.socket as TLSSocket).getPeerCertificate().subject?.CN ?? '';
  seen.push({ method: request.method, url: request.url, headers: request.headers, peer: String(peer) });
};

beforeAll(async () => {
  server = await startTestApiServer();
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
      } else if (request.url?.startsWith('/containerLogs/')) {
        response.setHeader('Content-Type', 'text/plain');
        response.end('one\ntwo\n');
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
    const condition = await eventually(available);
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
    await eventually(async () => (await available())?.status === 'True');
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

  test('websockets pass through with their subprotocol', async () => {
    const socket = open('/apis/sub.test.io/v1/namespaces/a/things/t/console', 'plain.kubevirt.io');
    expect(await echo(socket)).toBe('echo hello');
    expect(socket.protocol).toBe('plain.kubevirt.io');
    expect(seen[0].headers['x-remote-user']).toBe('admin');
    socket.close();
  });

  test('are unavailable when their server disappears', async () => {
    await send('DELETE', '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/api');
    await eventually(async () => (await available())?.reason === 'MissingEndpoints');
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
