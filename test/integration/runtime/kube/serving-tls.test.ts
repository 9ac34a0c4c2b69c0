import { once } from 'node:events';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { Agent, createServer, request } from 'node:https';
import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import type { ConnectionOptions, TLSSocket } from 'node:tls';
import { KubeClient, loadKubeConfig, ServingTls } from '../../../../src/runtime/kube';
import type { ServingIdentity } from '../../../../src/runtime/kube/serving-tls';
import { TestCa, writePems } from '../../../support/pki';
import type { Pair } from '../../../support/pki';

/** Real certificates that are renewed under a running server and its clients. */

let dir: string;
let ca: TestCa;
let otherCa: TestCa;
let server: Server;
let port: number;
let errors: string[];
let serving: ServingTls;
const cleanups: (() => unknown)[] = [];

beforeAll(async () => {
  [ca, otherCa] = await Promise.all([TestCa.create('first'), TestCa.create('second')]);
});
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'virt8s-tls-'));
  errors = [];
  cleanups.push(() => rmSync(dir, { recursive: true }));
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  jest.restoreAllMocks();
});

const own = (name: string, by = ca): Promise<Pair> => by.issue([{ CN: [name] }], ['127.0.0.1']);
/** Renews files as the kubelet does: a new folder, then a swap of the link to it. */
let version = 0;
function mount(identity: ServingIdentity): void {
  const folder = `..${++version}`;
  mkdirSync(join(dir, folder));
  writePems(join(dir, folder), identity);
  symlinkSync(folder, join(dir, '..new'));
  renameSync(join(dir, '..new'), join(dir, '..data'));
}
const file = (name: string): string => join(dir, '..data', `${name}.pem`);

async function serve(identity: ServingIdentity): Promise<void> {
  mount(identity);
  const names = { cert: file('cert'), key: file('key'), ca: file('ca') };
  // each connection looks at the files
  serving = new ServingTls(names, { checkMs: 0, onError: ({ message }) => errors.push(message) });
  server = createServer({ ...serving.options, requestCert: true, rejectUnauthorized: false }, (req, res) => {
    const socket = req.socket as TLSSocket;
    res.end(JSON.stringify({ believed: serving.believes(socket), resumed: socket.isSessionReused() }));
  });
  serving.follow(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
  cleanups.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
}

async function handshake(options: ConnectionOptions): Promise<TLSSocket> {
  const socket = connect({ host: '127.0.0.1', port, ...options });
  cleanups.push(() => socket.destroy());
  await once(socket, 'secureConnect');
  return socket;
}
const nameOf = (socket: TLSSocket): unknown => socket.getPeerCertificate().subject.CN;

const ask = (agent: Agent): Promise<{ believed: boolean; resumed: boolean }> =>
  new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, agent }, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += chunk)).on('end', () => resolve(JSON.parse(text) as never));
    })
      .on('error', reject)
      .end();
  });
const agentOf = (pair: Pair, keepAlive: boolean): Agent => {
  const agent = new Agent({ ...pair, ca: [ca.pem, otherCa.pem], keepAlive, maxSockets: 1 });
  cleanups.push(() => agent.destroy());
  return agent;
};

test('a renewed certificate is shown to the next client, and open connections stay', async () => {
  await serve({ ...(await own('before')), ca: ca.pem });
  const open = await handshake({ ca: ca.pem });
  expect(nameOf(open)).toBe('before');
  mount({ ...(await own('after', otherCa)), ca: ca.pem });
  expect(nameOf(await handshake({ ca: otherCa.pem }))).toBe('after');
  await expect(handshake({ ca: ca.pem })).rejects.toThrow();
  open.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  const [answer] = (await once(open, 'data')) as [Buffer];
  expect(answer.toString()).toContain('200 OK');
});

test('half of a renewal is reported and keeps the previous pair; the complete one is used', async () => {
  const [before, after] = await Promise.all([own('before'), own('after')]);
  await serve({ ...before, ca: ca.pem });
  mount({ cert: after.cert, key: before.key, ca: ca.pem });
  expect(nameOf(await handshake({ ca: ca.pem }))).toBe('before');
  expect(nameOf(await handshake({ ca: ca.pem }))).toBe('before');
  expect(errors).toHaveLength(1);
  expect(errors[0]).toMatch(/cert\.pem and .*key\.pem: certificate and key cannot be used together/);
  expect(serving.problem).toContain('cannot be used together');
  mount({ ...after, ca: ca.pem });
  expect(nameOf(await handshake({ ca: ca.pem }))).toBe('after');
  expect(serving.problem).toBeUndefined();
});

describe('when the client authority is replaced', () => {
  test('clients of the previous authority are rejected, on new connections, resumed sessions and open ones', async () => {
    const pair = await own('server');
    await serve({ ...pair, ca: ca.pem });
    const client = await own('client');
    const kept = agentOf(client, true);
    const resuming = agentOf(client, false);
    expect((await ask(kept)).believed).toBe(true);
    expect(await ask(resuming)).toEqual({ believed: true, resumed: false });
    expect(await ask(resuming)).toEqual({ believed: true, resumed: true });
    mount({ ...pair, ca: otherCa.pem });
    expect(await ask(resuming)).toEqual({ believed: false, resumed: false });
    expect((await ask(kept)).believed).toBe(false);
    expect((await ask(agentOf(await own('client', otherCa), false))).believed).toBe(true);
  });

  test('a bundle with both trusts the clients of both, also on open connections', async () => {
    const pair = await own('server');
    await serve({ ...pair, ca: ca.pem });
    const kept = agentOf(await own('client'), true);
    expect((await ask(kept)).believed).toBe(true);
    mount({ ...pair, ca: otherCa.pem + ca.pem });
    expect((await ask(agentOf(await own('client', otherCa), false))).believed).toBe(true);
    expect((await ask(kept)).believed).toBe(true);
  });

  test('a client without a certificate is never trusted', async () => {
    await serve({ ...(await own('server')), ca: ca.pem });
    const nobody = new Agent({ ca: ca.pem });
    cleanups.push(() => nobody.destroy());
    expect((await ask(nobody)).believed).toBe(false);
  });
});

describe('a client whose certificate is renewed', () => {
  const seen: string[] = [];
  const kubeconfig = (): string => {
    const at = `https://127.0.0.1:${port}`;
    return JSON.stringify({
      'current-context': 'a',
      contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
      clusters: [{ name: 'a', cluster: { server: at, 'certificate-authority': file('ca') } }],
      users: [{ name: 'a', user: { 'client-certificate': file('cert'), 'client-key': file('key') } }],
    });
  };
  /** Server that responds with the name of its client; `/stream` stays open. */
  async function startServer(pair: Pair): Promise<void> {
    seen.length = 0;
    server = createServer({ ...pair, ca: ca.pem, requestCert: true, rejectUnauthorized: false }, (req, res) => {
      const name = String((req.socket as TLSSocket).getPeerCertificate().subject?.CN);
      seen.push(name);
      res.writeHead(200).write(name);
      if (req.url !== '/stream') res.end();
      else req.socket.once('data', () => undefined);
    });
    server.listen(port || 0, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  }
  const stopServer = (): Promise<unknown> => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };

  test('shows the new one, trusts the new authority, and keeps its streams', async () => {
    let now = 0;
    port = 0;
    await startServer(await own('server'));
    cleanups.push(() => stopServer());
    mount({ ...(await own('before')), ca: ca.pem });
    writePems(dir, { config: kubeconfig() });
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const client = new KubeClient(loadKubeConfig(join(dir, 'config.pem')), {
      userAgent: 'test',
      onCredentialError: ({ message }) => errors.push(message),
    });
    cleanups.push(() => client.close());
    expect(await client.request('GET', '/')).toBe('before');
    const stream = await client.stream('GET', '/stream');

    const after = await own('after');
    mount({ cert: after.cert, key: (await own('x')).key, ca: ca.pem });
    now += 10_000;
    expect(await client.request('GET', '/')).toBe('before');
    expect(errors).toHaveLength(1);
    mount({ ...after, ca: ca.pem });
    now += 10_000;
    expect(await client.request('GET', '/')).toBe('after');
    expect(stream.destroyed || stream.socket.destroyed).toBe(false);

    await stopServer();
    await startServer(await own('server', otherCa));
    await expect(client.request('GET', '/')).rejects.toThrow(/certificate|signature/);
    mount({ ...after, ca: otherCa.pem });
    now += 10_000;
    expect(await client.request('GET', '/')).toBe('after');
  });

  test('does not follow its configuration to another server', async () => {
    let now = 0;
    port = 0;
    await startServer(await own('server'));
    cleanups.push(() => stopServer());
    mount({ ...(await own('before')), ca: ca.pem });
    writePems(dir, { config: kubeconfig() });
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const client = new KubeClient(loadKubeConfig(join(dir, 'config.pem')), {
      userAgent: 'test',
      onCredentialError: ({ message }) => errors.push(message),
    });
    cleanups.push(() => client.close());
    writePems(dir, { config: kubeconfig().replace('127.0.0.1', '192.0.2.1') });
    now += 10_000;
    expect(await client.request('GET', '/')).toBe('before');
    expect(errors).toEqual([expect.stringContaining('restart this program to use it')]);
  });
});
