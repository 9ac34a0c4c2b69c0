import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer as createHttps, type Server } from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { trustAuthorities } from '../../../../src/runtime/importer/source/authorities';
import { HttpClient } from '../../../../src/runtime/importer/source/http-client';
import { TestCa } from '../../../support/pki';

describe('authorities of an import', () => {
  const fingerprints = (): string[] =>
    getCACertificates('default').map((text) => new X509Certificate(text).fingerprint256);
  const before = getCACertificates('default');
  const publicOnes = fingerprints();
  let folder: string;
  let ofServer: TestCa;
  let ofProxy: TestCa;
  let server: Server;
  let proxy: Server;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'virt8s-authorities-'));
    [ofServer, ofProxy] = [await TestCa.create('of the server'), await TestCa.create('of the proxy')];
    const start = async (ca: TestCa, listener?: RequestListener): Promise<Server> => {
      const made = createHttps(await ca.issue([{ CN: ['x'] }], ['localhost']), listener);
      return new Promise((resolve) => made.listen(0, '127.0.0.1', () => resolve(made)));
    };
    server = await start(ofServer, (_, response) => void response.end('disk'));
    proxy = await start(ofProxy);
    proxy.on('connect', (request, client) => {
      const to = connect(Number(request.url!.split(':')[1]), '127.0.0.1', () => {
        client.write('HTTP/1.1 200 OK\r\n\r\n');
        to.pipe(client).pipe(to);
      });
      to.on('error', () => client.destroy());
      client.on('error', () => to.destroy());
    });
  });
  afterAll(() => {
    for (const each of [server, proxy]) {
      each?.closeAllConnections();
      each?.close();
    }
    rmSync(folder, { recursive: true });
  });
  beforeEach(() => {
    for (const name of ['server.pem', 'noise']) rmSync(join(folder, name), { force: true });
  });
  afterEach(() => setDefaultCACertificates(before));

  const portOf = (of: Server): number => (of.address() as AddressInfo).port;
  const get = async (env: NodeJS.ProcessEnv = {}): Promise<number | undefined> => {
    const client = new HttpClient({ proxy: env });
    try {
      const { message } = await client.get(`https://localhost:${portOf(server)}/`);
      message.resume();
      return message.statusCode;
    } finally {
      client.close();
    }
  };

  test('are trusted in addition to public ones', async () => {
    await expect(get()).rejects.toMatchObject({ problem: 'SourceUnreachable' });
    writeFileSync(join(folder, 'server.pem'), `# authority\n${ofServer.pem}`);
    await trustAuthorities(folder);
    expect(await get()).toBe(200);
    const trusted = new Set(fingerprints());
    expect(publicOnes.filter((fingerprint) => !trusted.has(fingerprint))).toEqual([]);
  });

  test('are also trusted for the connection to a proxy', async () => {
    const env = { HTTPS_PROXY: `https://localhost:${portOf(proxy)}` };
    writeFileSync(join(folder, 'server.pem'), ofServer.pem);
    await trustAuthorities(folder);
    await expect(get(env)).rejects.toMatchObject({ problem: 'SourceUnreachable' });
    await trustAuthorities(folder, ofProxy.pem);
    expect(await get(env)).toBe(200);
  });

  test.each(['', 'no certificate'])('may be missing (%j)', async (text) => {
    writeFileSync(join(folder, 'noise'), text);
    await trustAuthorities(folder);
    await trustAuthorities(join(folder, 'missing'));
    expect(new Set(fingerprints())).toEqual(new Set(publicOnes));
  });

  test('that cannot be read are reported', async () => {
    const text = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----';
    await expect(trustAuthorities(folder, text)).rejects.toMatchObject({ problem: 'RequestInvalid' });
  });
});
