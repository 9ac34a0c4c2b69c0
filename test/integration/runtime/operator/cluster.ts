import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Yaml } from 'cdk8s';
import pino from 'pino';
import { PlatformImages } from '../../../../src';
import type { KubeObject, KubeVirt } from '../../../../src/api';
import { installedKinds, type InstalledKindName } from '../../../../src/api/install/kinds';
import { virtApiEndpoints, type PlatformObject } from '../../../../src/api/platform';
import { KubeClient, loadKubeConfig, resources, type Resource } from '../../../../src/runtime/kube';
import { Operator } from '../../../../src/runtime/operator/operator';
import { settingsOf, type Settings } from '../../../../src/runtime/operator/settings';
import type { Strategy } from '../../../../src/runtime/operator/strategy';
import { startTestApiServer, type TestApiServer } from '../../../support/api-server';
import { DyingClient } from '../../../support/dying-client';
import { installedBy, platformManifests } from '../../../support/platform';
import { kubectl } from '../../local/api-server/kubectl';
import { eventually } from '../../../support/patience';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- manifests are data
export type Manifest = any;

export const namespace = 'kubevirt';
export const VERSION = 'v1.0.0';
const images = PlatformImages.of({ registry: 'registry.example/virt8s', tag: VERSION });
const manifests = platformManifests(images);
export const strategy = { version: VERSION, objects: installedBy(manifests.platform) };
const withoutImporter = platformManifests(images, { importer: false });
const settings = settingsOf(['--strategy-dir=/none', '--strategy-hash=none']) as Settings;
const own = { name: 'kubevirt', namespace };

/** A client whose writes are counted; events do not count, because they change nothing that the operator reads. */
export class OperatorClient extends DyingClient {
  public readonly written: string[] = [];

  public override request<T>(...request: [method: string, path: string, body?: unknown, options?: object]): Promise<T> {
    const [method, path] = request;
    if (path.includes('/events')) return KubeClient.prototype.request.apply(this, request) as Promise<T>;
    if (method !== 'GET') this.written.push(`${method} ${path.split('?')[0]}`);
    return super.request<T>(...request);
  }
}

export interface RunningOperator {
  readonly client: OperatorClient;
  stop(): Promise<void>;
}

/** An API server with the manifests of a platform, but without nodes: a loop writes what the kubelets would report. */
export class OperatorCluster {
  /** Whether Pods become available. */
  public hasNodes = true;
  private readonly loop = setInterval(() => void this.runPods().catch(() => undefined), 100);
  private virtApi?: Server;

  private constructor(
    public readonly server: TestApiServer,
    public readonly admin: KubeClient,
    private readonly account: string,
    private readonly auditLog: string,
  ) {}

  public static async start(folder: string): Promise<OperatorCluster> {
    const auditLog = join(folder, 'audit.log');
    const server = await startTestApiServer({ auditLog });
    const admin = new KubeClient(loadKubeConfig(server.kubeconfig), { userAgent: 'test' });
    const account = await server.kubeconfigFor(`system:serviceaccount:${namespace}:kubevirt-operator`, [
      'system:serviceaccounts',
      `system:serviceaccounts:${namespace}`,
    ]);
    const cluster = new OperatorCluster(server, admin, account, auditLog);
    await cluster.apply(manifests.definitions);
    await eventually(() => admin.list(resources.kubeVirts));
    await cluster.apply(manifests.platform);
    return cluster;
  }

  /** Creates the KubeVirt object of the manifests. */
  public async createKubeVirt(): Promise<void> {
    await this.apply((manifests.platform as PlatformObject[]).filter(({ kind }) => kind === 'KubeVirt'));
  }

  public kubeVirt(): Promise<KubeVirt> {
    return this.admin.get<KubeVirt>(resources.kubeVirts, own);
  }

  public patchKubeVirt(spec: object, metadata: object = {}): Promise<unknown> {
    return this.admin.patch(resources.kubeVirts, own, { metadata, spec }, 'merge');
  }

  public deleteKubeVirt(): Promise<unknown> {
    return this.admin.delete(resources.kubeVirts, own);
  }

  public async becomes(phase: string): Promise<void> {
    await eventually(async () => {
      const { status } = await this.kubeVirt();
      expect(status?.phase).toBe(phase);
      expect(await this.message('Progressing')).toMatch(/^False/);
    });
  }

  /** Status and message of a condition. */
  public async message(type: string): Promise<string> {
    const { status } = await this.kubeVirt();
    const found = status?.conditions?.find((each) => each.type === type);
    return `${found?.status} ${found?.message}`;
  }

  /** Starts an operator with the rights of its role. */
  public operator(limit: { writes?: number; losesAnswer?: boolean } = {}): RunningOperator {
    return this.start(settings, strategy, limit);
  }

  /** Applies the manifests of the platform with or without its importer, but no KubeVirt object, and starts their operator. */
  public async reconfigured({ importer }: { importer: boolean }): Promise<RunningOperator> {
    const { platform } = importer ? manifests : withoutImporter;
    const others = (platform as PlatformObject[]).filter(({ kind }) => kind !== 'KubeVirt');
    await this.apply(others, '--force-conflicts');
    return this.start({ ...settings, importer }, { version: VERSION, objects: installedBy(platform) });
  }

  private start(of: Settings, installed: Strategy, limit: object = {}): RunningOperator {
    const client = this.client();
    Object.assign(client, limit);
    const stopping = new AbortController();
    const operator = new Operator({ client, settings: of, strategy: () => installed, log: pino({ level: 'silent' }) });
    const running = operator.run(stopping.signal);
    return {
      client,
      async stop() {
        stopping.abort();
        await running;
        client.close();
      },
    };
  }

  public client(): OperatorClient {
    return new OperatorClient(loadKubeConfig(this.account), { userAgent: 'virt-operator' });
  }

  public get(kind: string, name: string): Promise<Manifest> {
    const resource = resourceOf(kind);
    return this.admin.get(resource, { name, ...(resource.namespaced ? { namespace } : {}) });
  }

  /** Everything that an operator manages, as `Kind name`. */
  public async managed(): Promise<string[]> {
    const lists = await Promise.all(
      Object.values(installedKinds).map((kind) =>
        this.admin.list(kind, { labelSelector: 'app.kubernetes.io/managed-by=virt-operator' }),
      ),
    );
    return lists.flatMap(({ items }) => items.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).sort();
  }

  /** Requests of the operator that its role did not allow. */
  public rejected(): string[] {
    return readFileSync(this.auditLog, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { user: string; verb: string; resource: string; code: number })
      .filter(({ user, code }) => user.endsWith(':kubevirt-operator') && code === 403)
      .map(({ verb, resource }) => `${verb} ${resource}`);
  }

  /** Serves webhooks with the certificate that the operator issues, as virt-api would; allows everything. */
  public async serveWebhooks(): Promise<void> {
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => void (body += chunk.toString()));
      request.on('end', () => {
        const { uid } = (JSON.parse(body || '{}') as { request?: { uid: string } }).request ?? {};
        const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: { uid, allowed: true } };
        response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(review));
      });
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    this.virtApi = server;
    await this.readCertificate();
    const endpoint = { addresses: ['127.0.0.1'], port: (server.address() as AddressInfo).port };
    await this.admin.create(resources.endpointSlices, virtApiEndpoints({ namespace, endpoint }));
  }

  public async close(): Promise<void> {
    clearInterval(this.loop);
    this.virtApi?.closeAllConnections();
    this.virtApi?.close();
    this.admin.close();
    await this.server.close();
  }

  private async apply(objects: readonly object[], ...flags: string[]): Promise<void> {
    const run = kubectl(this.server.kubeconfig);
    const answer = await run(['apply --server-side --validate=strict', ...flags, '-f -'].join(' '), {
      input: Yaml.stringify(...objects),
    });
    expect(answer).toMatchObject({ code: 0, stderr: '' });
  }

  private async readCertificate(): Promise<void> {
    const { data } = await this.get('Secret', 'kubevirt-virt-api-certs');
    const pem = (key: string): string => Buffer.from(data[key], 'base64').toString();
    this.virtApi?.setSecureContext({ cert: pem('tls.crt'), key: pem('tls.key') });
  }

  private async runPods(): Promise<void> {
    if (!this.hasNodes) return;
    if (this.virtApi) await this.readCertificate().catch(() => undefined);
    for (const kind of ['Deployment', 'DaemonSet'] as const) {
      const { items } = await this.admin.list<Manifest>(installedKinds[kind], { namespace });
      for (const { metadata, spec, status } of items) {
        if (status?.observedGeneration === metadata.generation || metadata.deletionTimestamp) continue;
        const { generation: observedGeneration, name } = metadata;
        const ref = { name, namespace, subresource: 'status' };
        const next = { observedGeneration, ...podsOf(kind, spec) };
        await this.admin.patch(installedKinds[kind], ref, { status: next }, 'merge');
      }
    }
  }
}

const podsOf = (kind: 'Deployment' | 'DaemonSet', { replicas = 1 }: { replicas?: number }): object =>
  kind === 'DaemonSet'
    ? {
        ...{ desiredNumberScheduled: 1, currentNumberScheduled: 1, updatedNumberScheduled: 1 },
        ...{ numberAvailable: 1, numberReady: 1, numberMisscheduled: 0, numberUnavailable: 0 },
      }
    : { replicas, updatedReplicas: replicas, availableReplicas: replicas, readyReplicas: replicas };

export const resourceOf = (kind: string): Resource & { namespaced?: boolean } =>
  installedKinds[kind as InstalledKindName];

export const isGone = async (look: Promise<KubeObject>): Promise<void> =>
  expect(await look.then(({ metadata }) => metadata.name).catch((error: { code?: number }) => error.code)).toBe(404);
