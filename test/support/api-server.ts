import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiServer, ApiServerOptions, startApiServer } from '../../src/local/api-server';
import { Pair, serviceAccountKey, TestCa } from './pki';

export interface TestApiServer {
  /** Path of a kubeconfig for an administrator. */
  readonly kubeconfig: string;
  readonly url: string;
  readonly port: number;
  /** Temporary folder; removed on close. */
  readonly directory: string;
  readonly ca: TestCa;
  readonly admin: Pair;
  /** Counters of requests and connections. */
  flow(): ApiServer['flow'];
  /** Certificate of another user. */
  identity(user: string, groups?: readonly string[]): Promise<Pair>;
  /** Stops and starts the server on the same store and port; `between` may put another store in its place. */
  restart(between?: () => Promise<void>): Promise<void>;
  /** Writes a kubeconfig for another user. */
  kubeconfigFor(user: string, groups?: readonly string[]): Promise<string>;
  close(): Promise<void>;
}

/** Starts the engine's API server alone, in a temporary folder, on a free port. */
export async function startTestApiServer(overrides: Partial<ApiServerOptions> = {}): Promise<TestApiServer> {
  const directory = await mkdtemp(join(tmpdir(), 'virt8s-api-'));
  const ca = await TestCa.create('virt8s-test-ca');
  const [tls, admin, frontProxy, kubeletClient] = await Promise.all([
    ca.issue([{ CN: ['kube-apiserver'] }], ['127.0.0.1', 'localhost', 'kubernetes.default.svc']),
    ca.issue([{ CN: ['admin'] }, { O: ['system:masters'] }]),
    ca.issue([{ CN: ['front-proxy-client'] }]),
    ca.issue([{ CN: ['kube-apiserver-kubelet-client'] }, { O: ['system:masters'] }]),
  ]);
  const options: ApiServerOptions = {
    storePath: join(directory, 'state.db'),
    listen: [{ host: '127.0.0.1', port: 0 }],
    tls,
    clientCa: ca.pem,
    serviceAccountKeys: { privateKey: serviceAccountKey() },
    requestheaderClient: frontProxy,
    requestheader: { clientCa: ca.pem, allowedNames: ['front-proxy-client'] },
    kubeletClient,
    kubeletCa: ca.pem,
    log: (message, details) => process.env.VIRT8S_TEST_LOG && console.error(message, details),
    ...overrides,
  };
  let server: ApiServer = await startApiServer(options);
  const { url, port } = server;

  async function writeKubeconfig(name: string, pair: Pair): Promise<string> {
    const file = join(directory, `${name}.kubeconfig`);
    const base64 = (text: string) => Buffer.from(text).toString('base64');
    await writeFile(
      file,
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Config',
        clusters: [{ name: 'test', cluster: { server: url, 'certificate-authority-data': base64(ca.pem) } }],
        users: [
          {
            name,
            user: { 'client-certificate-data': base64(pair.cert), 'client-key-data': base64(pair.key) },
          },
        ],
        contexts: [{ name: 'test', context: { cluster: 'test', user: name } }],
        'current-context': 'test',
      }),
      { mode: 0o600 },
    );
    return file;
  }

  return {
    kubeconfig: await writeKubeconfig('admin', admin),
    url,
    port,
    directory,
    ca,
    admin,
    flow: () => server.flow,
    identity: (user, groups = []) => ca.issue([{ CN: [user] }, ...groups.map((group) => ({ O: [group] }))]),
    async restart(between) {
      await server.close();
      await between?.();
      server = await startApiServer({ ...options, listen: [{ host: '127.0.0.1', port }] });
    },
    async kubeconfigFor(user, groups = []) {
      const pair = await ca.issue([{ CN: [user] }, ...groups.map((group) => ({ O: [group] }))]);
      return writeKubeconfig(user.replace(/[^\w-]/g, '_'), pair);
    },
    async close() {
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
