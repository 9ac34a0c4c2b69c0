import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { ServingTls, uploadToken, type KubeClient } from '../../../../src/runtime/kube';
import { createProxy } from '../../../../src/runtime/upload-proxy/proxy';
import { TestCa, type Pair } from '../../../support/pki';

const host = 'virt-api.kubevirt.svc';

describe('upload proxy', () => {
  let folder: string;
  let ca: TestCa;
  let virtApi: Pair;
  let server: Server;

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
      client: { find: async () => undefined } as unknown as KubeClient,
      trust: () => ({ authority: ca.pem, host }),
      identity: () => own,
      log: pino({ enabled: false }),
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
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
  const token = (): string => uploadToken({ namespace: 'web', name: 'root', uid: 'u' }, virtApi, Date.now());

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
});
