import { X509Certificate } from 'node:crypto';
import { connect, createServer, type SecureContext, type TLSSocket } from 'node:tls';
import type { AddressInfo } from 'node:net';
import type { KubeObject } from '../../../../src/api/meta';
import { engineAccess } from '../../../../src/local/engine/access';
import { IngressController } from '../../../../src/local/ingress/controller';
import { match, type RouteTable } from '../../../../src/local/ingress/routes';
import { KubeClient, loadKubeConfig } from '../../../../src/runtime/kube';
import { startTestApiServer, type TestApiServer } from '../../../support/api-server';
import type { Pair } from '../../../support/pki';
import { client, type Send } from '../api-server/client';
import { until } from '../../../support/until';

/** The controller with its own permissions, against the API server. */

const NS = '/api/v1/namespaces/default';
const NETWORKING = '/apis/networking.k8s.io/v1';
const INGRESSES = `${NETWORKING}/namespaces/default/ingresses`;
const MERGE = 'application/merge-patch+json';

let server: TestApiServer;
let send: Send;
let controller: IngressController;
let table: RouteTable;

beforeAll(async () => {
  server = await startTestApiServer();
  send = client(server);
  for (const object of engineAccess() as (KubeObject & { kind: string })[]) {
    if (!JSON.stringify(object).includes('system:local-ingress')) continue;
    const plural = `${object.kind.toLowerCase()}s`;
    expect((await send('POST', `/apis/rbac.authorization.k8s.io/v1/${plural}`, object)).code).toBe(201);
  }
  for (const [name, controllerName] of [
    ['virt8s', 'virt8s.io/ingress'],
    ['nginx', 'k8s.io/ingress-nginx'],
  ]) {
    await send('POST', `${NETWORKING}/ingressclasses`, { metadata: { name }, spec: { controller: controllerName } });
  }
  const kubeconfig = await server.kubeconfigFor('system:local-ingress');
  controller = new IngressController({
    client: new KubeClient(loadKubeConfig(kubeconfig), { userAgent: 'ingress' }),
    address: '10.77.0.1',
    ports: { http: 80, https: 10443 },
    onTable: (made) => (table = made),
    patienceMs: 50,
    log: (level, message, fields) => process.env.VIRT8S_TEST_LOG && console.error(level, message, fields),
  });
  await controller.start();
});

afterAll(async () => {
  await controller?.close();
  await server?.close();
});

const create = (name: string, spec: object, metadata: object = {}) =>
  send('POST', INGRESSES, { metadata: { name, ...metadata }, spec });
const rule = (host: string, service: string, port: object = { number: 80 }) => ({
  host,
  http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: service, port } } }] },
});

/** Messages of the Events about an Ingress. */
async function eventsOf(name: string): Promise<string[]> {
  const { body } = await send('GET', `${NS}/events?fieldSelector=involvedObject.name=${name}`);
  return body.items.map(({ reason, message }: { reason: string; message: string }) => `${reason}: ${message}`);
}

test('only Ingresses of its classes get an address, and routes that follow their Services', async () => {
  await create('ours', { ingressClassName: 'virt8s', rules: [rule('a.io', 'web')] });
  await create(
    'annotated',
    { rules: [rule('b.io', 'web')] },
    { annotations: { 'kubernetes.io/ingress.class': 'virt8s' } },
  );
  await create('theirs', { ingressClassName: 'nginx', rules: [rule('c.io', 'web')] });
  await create('classless', { rules: [rule('d.io', 'web')] });
  const points = (name: string) =>
    send('GET', `${INGRESSES}/${name}`).then(({ body }) => body.status?.loadBalancer?.ingress);
  const point = [{ ip: '10.77.0.1', ports: [{ port: 80, protocol: 'TCP' }] }];
  await until(async () => JSON.stringify(await points('annotated')) === JSON.stringify(point));
  await until(async () => JSON.stringify(await points('ours')) === JSON.stringify(point));
  expect([await points('theirs'), await points('classless')]).toEqual([undefined, undefined]);
  expect([...table.hosts.keys()].sort()).toEqual(['a.io', 'b.io']);

  await send('POST', `${NS}/services`, { metadata: { name: 'web' }, spec: { ports: [{ port: 80, name: 'http' }] } });
  await send('POST', '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices', {
    metadata: { name: 'web-1', labels: { 'kubernetes.io/service-name': 'web' } },
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.77.0.5'], conditions: { ready: true } }],
    ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
  });
  await until(async () => match(table, 'a.io', '/')?.targets.length === 1);
  expect(match(table, 'a.io', '/')!.targets).toEqual([{ host: '10.77.0.5', port: 8080, tls: false }]);

  await send('DELETE', `${INGRESSES}/ours`);
  await until(async () => !match(table, 'a.io', '/'));
});

test('a lasting problem becomes an Event with cause and remedy', async () => {
  const tls = [{ hosts: ['e.io'], secretName: 'none' }];
  await create('broken', {
    ingressClassName: 'virt8s',
    rules: [rule('e.io', 'absent'), rule('f.io', 'web', { name: 'x' })],
    tls,
  });
  await until(async () => (await eventsOf('broken')).length === 3);
  expect((await eventsOf('broken')).sort()).toEqual([
    'CertificateMissing: Secret "none" of type kubernetes.io/tls does not exist, so a self-signed certificate is used: run kubectl create secret tls none -n default --cert=FILE --key=FILE',
    'PortNotFound: Service "web" has no TCP port "x": its ports are 80 ("http")',
    'ServiceNotFound: Service "absent" does not exist in namespace "default": create it, or correct the name of the backend',
  ]);
});

/** Subject of the certificate that a handshake with this context shows. */
async function subjectOf(context: SecureContext | undefined): Promise<string | undefined> {
  if (!context) return undefined;
  const tls = createServer({ SNICallback: (_name, done) => done(null, context) });
  await new Promise<void>((done) => tls.listen(0, '127.0.0.1', done));
  const { port } = tls.address() as AddressInfo;
  const socket = await new Promise<TLSSocket>((done, fail) => {
    const made = connect({ port, host: '127.0.0.1', servername: 'g.io', rejectUnauthorized: false }, () => done(made));
    made.on('error', fail);
  });
  const { raw } = socket.getPeerCertificate();
  socket.destroy();
  tls.close();
  return new X509Certificate(raw).subject;
}

test('certificates follow their Secret', async () => {
  const secret = ({ cert, key }: Pair) => ({
    metadata: { name: 'g' },
    type: 'kubernetes.io/tls',
    data: Object.fromEntries(
      Object.entries({ 'tls.crt': cert, 'tls.key': key }).map(([name, text]) => [
        name,
        Buffer.from(text).toString('base64'),
      ]),
    ),
  });
  const [first, second] = await Promise.all(
    ['first', 'second'].map((name) => server.ca.issue([{ CN: [name] }], ['g.io'])),
  );
  const tls = [{ hosts: ['g.io', '*.g.io'], secretName: 'g' }];
  await create('secure', { ingressClassName: 'virt8s', rules: [rule('g.io', 'web')], tls });
  await send('POST', `${NS}/secrets`, secret(first!));
  await until(async () => controller.certificateFor('g.io') !== undefined);
  expect(await subjectOf(controller.certificateFor('x.g.io'))).toBe('CN=first');
  expect(controller.certificateFor('x.y.g.io')).toBeUndefined();

  await send('PATCH', `${NS}/secrets/g`, { data: secret(second!).data }, MERGE);
  await until(async () => (await subjectOf(controller.certificateFor('g.io'))) === 'CN=second');

  // a key of another certificate
  const { 'tls.crt': cert } = secret(first!).data;
  await send('PATCH', `${NS}/secrets/g`, { data: { 'tls.crt': cert } }, MERGE);
  await until(async () => controller.certificateFor('g.io') === undefined);
  await until(async () => (await eventsOf('secure')).some((event) => event.includes('does not belong')));
});
