import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { EXPORT_PORT } from '../../../../src/api/export/export-request';
import { keys } from '../../../../src/api/keys';
import { UPLOAD_PORT } from '../../../../src/api/cdi/upload';
import { ServingTls, uploadToken, type KubeClient } from '../../../../src/runtime/kube';
import { createProxy } from '../../../../src/runtime/upload-proxy/proxy';
import { TestCa, type Pair } from '../../../support/pki';
import { until } from '../../../support/until';

const host = 'virt-api.kubevirt.svc';

describe('upload proxy', () => {
  let folder: string;
  let ca: TestCa;
  let virtApi: Pair;
  let server: Server;
  /** Objects of the cluster by kind and name, or the error of reading them. */
  let objects: Record<string, object> | Error = {};

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'upload-proxy-'));
    ca = await TestCa.create('authority');
    virtApi = await ca.issue([{ CN: ['virt-api'] }], [host]);
    const own = await ca.issue([{ CN: ['cdi-uploadproxy'] }], ['localhost']);
    const file = (name: string, content: string): string => {
      writeFileSync(join(folder, name), content);
      return join(folder, name);
    };
    const files = { cert: file('tls.crt', own.cert), key: file('tls.key', own.key), ca: file('ca.crt', ca.pem) };
    server = createProxy({
      tls: new ServingTls(files, { onError: () => undefined }),
      client: {
        find: async ({ plural }: { plural: string }, { name }: { name: string }) => {
          if (objects instanceof Error) throw objects;
          return objects[`${plural} ${name}`];
        },
      } as unknown as KubeClient,
      limits: { transfers: 3, ofNamespace: 2, readyMs: 600 },
      trust: () => ({ authority: ca.pem, host }),
      identity: () => own,
      log: pino({ enabled: false }),
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  beforeEach(() => void (objects = {}));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true });
  });

  const call = (
    method: string,
    path: string,
    token?: string,
    body?: Buffer,
  ): Promise<{ code?: number; text: string }> =>
    new Promise((resolve, reject) => {
      const { port } = server.address() as AddressInfo;
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const options = {
        host: '127.0.0.1',
        servername: 'localhost',
        port,
        method,
        path,
        headers,
        ca: ca.pem,
        agent: false,
      };
      const to = request(options as object, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('end', () => {
          to.destroy();
          resolve({ code: response.statusCode, text });
        });
      });
      to.on('error', reject);
      to.end(body);
    });
  const token = (namespace = 'web'): string => uploadToken({ namespace, name: 'root', uid: 'u' }, virtApi, Date.now());

  /** A server in a Pod of a user, of a claim and of an export, that does this with each connection. */
  const pod = async (use: (socket: TLSSocket) => void): Promise<AsyncDisposable> => {
    const address = '127.0.0.77';
    const pair = await ca.issue([{ CN: ['x'] }], ['upload-server', 'virt-export-disk.web.svc']);
    const servers = [UPLOAD_PORT, EXPORT_PORT].map((port) => {
      const listening = createServer(pair, (socket) =>
        socket.on('error', () => undefined).once('data', () => use(socket)),
      );
      return new Promise<typeof listening>((resolve) => listening.listen(port, address, () => resolve(listening)));
    });
    const all = await Promise.all(servers);
    const certificate = ca.pem;
    const terminated = { exitCode: 0, message: JSON.stringify({ certificate }) };
    const status = {
      phase: 'Running',
      podIP: address,
      containerStatuses: [{ name: 'main', ready: true }],
      initContainerStatuses: [{ name: 'identity', state: { terminated } }],
    };
    const ofExport = [{ controller: true, kind: 'VirtualMachineExport', name: 'disk' }];
    objects = {
      'persistentvolumeclaims root': {
        metadata: { uid: 'u', annotations: { 'cdi.kubevirt.io/storage.uploadPodName': 'upload' } },
      },
      'pods upload': { metadata: { ownerReferences: [{ controller: true, uid: 'u' }] }, status },
      'services virt-export-disk': {
        metadata: { ownerReferences: ofExport, annotations: { [keys.exportCertificate]: certificate } },
      },
      'pods virt-export-disk': { metadata: { ownerReferences: ofExport }, status },
    };
    return {
      [Symbol.asyncDispose]: async () => {
        await Promise.all(all.map((each) => new Promise((resolve) => each.close(resolve))));
      },
    };
  };

  test.each<[string, string, number, RegExp]>([
    ['GET', '/healthz', 200, /OK/],
    ['GET', '/', 404, /does not serve/],
    ['POST', '/v1/upload', 404, /does not serve/],
    ['GET', '/v1beta1/upload', 405, /allowed: POST, PUT, HEAD/],
    ['OPTIONS', '/v1beta1/upload', 204, /^$/],
    ['POST', '/v1beta1/upload', 400, /Authorization: Bearer TOKEN/],
  ])('answers %s %s with %d', async (method, path, code, text) => {
    expect(await call(method, path)).toEqual({ code, text: expect.stringMatching(text) as string });
  });

  test('tells a client that still sends why it is refused', async () => {
    const body = Buffer.alloc(32 << 20);
    expect(await call('POST', '/v1beta1/upload', 'a.b.c', body)).toMatchObject({ code: 401 });
    expect(await call('POST', '/v1beta1/upload', token(), body)).toMatchObject({
      code: 404,
      text: expect.stringMatching(/does not exist/) as string,
    });
  });

  test.each(['000', '099', '199', '600', '999'])('survives a server in a Pod that answers with %s', async (status) => {
    await using _pod = await pod((socket) => socket.end(`HTTP/1.1 ${status} x\r\ncontent-length: 0\r\n\r\n`));
    expect(await call('POST', '/v1beta1/upload', token(), Buffer.alloc(1))).toMatchObject({ code: 502 });
    expect(await call('GET', '/api/export.kubevirt.io/v1/namespaces/web/virtualmachineexports/disk/x')).toMatchObject({
      code: 502,
    });
    expect(await call('GET', '/healthz')).toMatchObject({ code: 200 });
  });

  test('asks a client to try again while the API server does not answer', async () => {
    objects = new Error('connect ECONNREFUSED');
    const expected = { code: 503, text: expect.stringMatching(/does not answer the proxy; try again/) as string };
    expect(await call('POST', '/v1beta1/upload', token(), Buffer.alloc(1))).toEqual(expected);
    const path = '/api/export.kubevirt.io/v1/namespaces/web/virtualmachineexports/disk/x';
    expect(await call('GET', path)).toEqual(expected);
  });

  test('limits the transfers of a namespace, and all of them', async () => {
    const waiting: TLSSocket[] = [];
    await using _pod = await pod((socket) => void waiting.push(socket));
    const answers: Promise<unknown>[] = [];
    const begin = async (namespace: string): Promise<void> => {
      const before = waiting.length;
      answers.push(upload(namespace));
      await until(() => waiting.length > before, { everyMs: 5 });
    };
    const upload = (namespace: string): Promise<unknown> =>
      call('POST', '/v1beta1/upload', token(namespace), Buffer.alloc(1));
    await begin('web');
    await begin('web');
    expect(await upload('web')).toMatchObject({
      code: 503,
      text: expect.stringMatching(/^2 uploads and downloads of namespace web/) as string,
    });
    await begin('other');
    expect(await upload('third')).toMatchObject({ code: 503, text: expect.stringMatching(/^3 uploads/) as string });
    for (const socket of waiting) socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
    expect(await Promise.all(answers)).toMatchObject([{ code: 200 }, { code: 200 }, { code: 200 }]);
  });
});
