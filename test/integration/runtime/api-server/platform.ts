import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { createWebSocketStream, WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';
import crds from '../../../../src/api/generated/crds.json';
import type { KubeObject, VirtualMachine, VirtualMachineInstance } from '../../../../src/api';
import { certificateNames } from '../../../../src/api/certificates';
import { launcherPodName } from '../../../../src/api/launcher-name';
import { virtApiRegistration } from '../../../../src/api/platform';
import { KubeClient, loadKubeConfig, resources } from '../../../../src/runtime/kube';
import type { ApiError, Resource } from '../../../../src/runtime/kube';
import { startTestApiServer } from '../../../support/api-server';
import type { TestApiServer } from '../../../support/api-server';
import { TestCa } from '../../../support/pki';
import { eventually } from '../../../support/patience';
import { bundle } from '../../../support/api-server-process';

export const checkout = resolve(__dirname, '../../../..');
const NODE = 'node-1';

/** A request that reached the handler's endpoint. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** The engine's API server with virt-api behind it, and an endpoint that speaks virt-handler's protocol. */
export class Platform {
  public readonly seen: Seen[] = [];
  /** Address of virt-api, for callers that bypass the API server. */
  public virtApiUrl = '';
  private readonly cleanups: (() => unknown)[] = [];

  private constructor(
    public readonly api: TestApiServer,
    public readonly client: KubeClient,
  ) {}

  public static async start(): Promise<Platform> {
    const api = await startTestApiServer();
    const client = new KubeClient(loadKubeConfig(api.kubeconfig), { userAgent: 'test' });
    const platform = new Platform(api, client);
    platform.cleanups.push(
      () => api.close(),
      () => client.close(),
    );
    try {
      await platform.install();
      return platform;
    } catch (error) {
      await platform.stop();
      throw error;
    }
  }

  public async stop(): Promise<void> {
    for (const cleanup of this.cleanups.reverse()) await cleanup();
  }

  /** A VMI as its components would have it; virt-api asked for none of that. Returns the name of its launcher Pod. */
  public async running(name: string, status: object = {}): Promise<string> {
    const launcher = await this.startLauncher(name);
    const components = new KubeClient(
      loadKubeConfig(
        await this.api.kubeconfigFor('system:serviceaccount:kubevirt:kubevirt-handler', ['system:masters']),
      ),
      { userAgent: 'virt-handler/test' },
    );
    await components.patch(
      resources.virtualMachineInstances,
      { namespace: 'default', name },
      { status: { phase: 'Running', nodeName: NODE, ...status } },
      'merge',
    );
    components.close();
    return launcher;
  }

  private async startLauncher(name: string): Promise<string> {
    const ref = { namespace: 'default', name };
    const { uid = '' } = (await this.client.get(resources.virtualMachineInstances, ref)).metadata;
    const owner = { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstance', name, uid, controller: true };
    const metadata = {
      name: launcherPodName(name, uid),
      namespace: 'default',
      labels: { 'kubevirt.io': 'virt-launcher' },
      annotations: { 'kubevirt.io/domain': name },
      ownerReferences: [owner],
    };
    const spec = { nodeName: NODE, containers: [{ name: 'compute', image: 'a' }] };
    await this.client.create(resources.pods, object('v1', 'Pod', metadata, { spec })).catch((error: ApiError) => {
      // of a VMI that has run before
      if (error.code !== 409) throw error;
    });
    return metadata.name;
  }

  private async install(): Promise<void> {
    const pki = await TestCa.create('platform');
    const [virtApi, handlerServer, handlerClient] = await Promise.all([
      pki.issue([{ CN: ['virt-api'] }], ['virt-api.kubevirt.svc', '127.0.0.1']),
      pki.issue([{ CN: [certificateNames.handlerServer] }], ['127.0.0.1']),
      pki.issue([{ CN: ['virt-handler-client'] }]),
    ]);
    for (const crd of crds as unknown as KubeObject[])
      await this.client.create(resources.customResourceDefinitions, crd);
    await this.client.create(resources.namespaces, object('v1', 'Namespace', { name: 'kubevirt' }));
    await eventually(() => this.client.list(resources.kubeVirts));
    const endpoint = await this.startHandler(pki, handlerServer);
    await this.client.create(resources.nodes, {
      ...object('v1', 'Node', { name: NODE, annotations: { 'virt8s.io/handler-endpoint': endpoint } }),
    });
    const kubeconfig = await this.api.kubeconfigFor('system:serviceaccount:kubevirt:kubevirt-apiserver', [
      'system:masters',
    ]);
    const port = await this.startVirtApi({
      kubeconfig,
      'tls-cert-file': virtApi.cert,
      'tls-key-file': virtApi.key,
      'requestheader-client-ca-file': this.api.ca.pem,
      'handler-ca-file': pki.pem,
      'handler-client-cert-file': handlerClient.cert,
      'handler-client-key-file': handlerClient.key,
    });
    this.virtApiUrl = `https://127.0.0.1:${port}`;
    const objects = virtApiRegistration({
      namespace: 'kubevirt',
      caBundle: pki.pem,
      endpoint: { addresses: ['127.0.0.1'], port },
    });
    for (const each of objects) await this.client.create(resourceOf(each), each);
    await eventually(() => this.client.request('GET', '/apis/subresources.kubevirt.io/v1'));
  }

  private async startVirtApi(files: Record<string, string>): Promise<number> {
    const flags = Object.entries(files).flatMap(([name, value]) => {
      if (name === 'kubeconfig') return [`--${name}`, value];
      const file = join(this.api.directory, name);
      writeFileSync(file, value, { mode: 0o600 });
      return [`--${name}`, file];
    });
    const child = spawn(
      process.execPath,
      [
        bundle(join(checkout, 'src/runtime/api-server/main.ts'), this.api.directory),
        ...['--bind', '127.0.0.1', '--port', '0', '--requestheader-allowed-names', 'front-proxy-client'],
        ...['--webhook-allowed-names', 'front-proxy-client'],
        ...flags,
      ],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    this.cleanups.push(() => ended(child));
    return listeningPort(child);
  }

  /** Console: sends a greeting, then echoes. Ports: those of this machine. */
  private async startHandler(ca: TestCa, pair: { cert: string; key: string }): Promise<string> {
    const sockets = new WebSocketServer({ noServer: true, handleProtocols: () => 'plain.kubevirt.io' });
    const server = createServer(
      { ...pair, ca: ca.pem, requestCert: true, rejectUnauthorized: true },
      (request, response) => {
        void readAll(request).then((body) => {
          this.seen.push({ method: request.method ?? '', path: request.url ?? '', body });
          const agent = request.url?.endsWith('/guestosinfo');
          response.end(agent ? JSON.stringify({ hostname: 'guest', os: { name: 'Debian' } }) : '');
        });
      },
    );
    server.on('upgrade', (request, socket, head) => {
      this.seen.push({
        method: 'WS',
        path: request.url ?? '',
        body: (request.socket as TLSSocket).getPeerCertificate().subject.CN as string,
      });
      if (request.url?.endsWith('/vnc')) {
        const body = JSON.stringify({ kind: 'Status', code: 409, reason: 'Conflict', message: 'the screen is in use' });
        socket.end(`HTTP/1.1 409 Conflict\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
        return;
      }
      sockets.handleUpgrade(request, socket, head, (stream) => serveStream(stream, request.url ?? ''));
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    this.cleanups.push(() => {
      for (const stream of sockets.clients) stream.terminate();
      server.closeAllConnections();
      server.close();
    });
    return `127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
}

function serveStream(stream: WebSocket, path: string): void {
  const bytes = createWebSocketStream(stream);
  bytes.on('error', () => undefined);
  const [, port, protocol] = /portforward\/(\d+)\/(tcp|udp)$/.exec(path) ?? [];
  if (protocol === 'udp') {
    stream.on('message', (datagram: Buffer) => stream.send(`udp ${datagram.toString()}`, { binary: true }));
    return;
  }
  if (port) {
    const target = connect(Number(port), '127.0.0.1');
    target.once('error', () => stream.close(1011, 'connection refused'));
    target.once('connect', () => bytes.pipe(target).pipe(bytes));
    return;
  }
  // in the same packet as the end of the handshake
  stream.send('hello from the guest\r\n', { binary: true });
  bytes.on('data', (chunk: Buffer) => {
    if (chunk.includes('kick')) stream.close(4001, 'another client has opened the console');
    else if (chunk.includes('poweroff')) stream.close();
    else if (chunk.includes('crash')) stream.terminate();
    else if (chunk.includes('flood')) void flood(bytes);
    else bytes.write(chunk);
  });
}

/** 64 MiB, as fast as the other end reads. */
async function flood(bytes: NodeJS.WritableStream): Promise<void> {
  const block = Buffer.alloc(1 << 16, 'x');
  for (let i = 0; i < 1024; i++) {
    if (!bytes.write(block)) await new Promise((drained) => bytes.once('drain', drained));
  }
  bytes.write('END');
}

export const object = <T extends KubeObject>(
  apiVersion: string,
  kind: string,
  metadata: object,
  more: object = {},
): T => ({ apiVersion, kind, metadata, ...more }) as T;

/** A VM that the rules accept. */
export const machine = (name: string, spec: object = {}): VirtualMachine =>
  object(
    'kubevirt.io/v1',
    'VirtualMachine',
    { name, namespace: 'default' },
    {
      spec: {
        runStrategy: 'Manual',
        template: { spec: { domain: { devices: {}, memory: { guest: '256Mi' } }, ...spec } },
      },
    },
  );

/** A VMI that the rules accept. */
export const instance = (name: string, spec: object = {}): VirtualMachineInstance =>
  object(
    'kubevirt.io/v1',
    'VirtualMachineInstance',
    { name, namespace: 'default' },
    {
      spec: { domain: { devices: {}, memory: { guest: '256Mi' } }, ...spec },
    },
  );

function resourceOf(of: KubeObject): Resource {
  const found = Object.values(resources).find(({ kind }) => kind === of.kind);
  if (!found) throw new Error(`no resource of kind ${of.kind}`);
  return found;
}

/** The port that a component logs when it serves. */
function listeningPort(child: ChildProcess): Promise<number> {
  return new Promise((done, reject) => {
    let log = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      log += chunk.toString();
      if (process.env.VIRT8S_TEST_LOG) process.stderr.write(chunk);
      const line = log.split('\n').find((each) => each.includes('"serving"'));
      if (line) done((JSON.parse(line) as { address: AddressInfo }).address.port);
    });
    child.once('exit', (code) => reject(new Error(`virt-api ended with ${code}: ${log}`)));
  });
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((done) => {
    if (child.exitCode !== null || child.signalCode !== null) return done();
    child.once('exit', () => done());
    child.kill('SIGTERM');
  });
}

async function readAll(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}
