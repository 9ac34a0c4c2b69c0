import { keys } from '../../api/keys';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { KubeObject } from '../../api';
import { type KubeConfig, KubeClient, loadKubeConfig, resources } from '../../runtime/kube';
import { startApiServer, type ApiServer } from '../api-server';
import { PodNetwork } from '../network';
import { installConfiguration, installDefinitions, registerVirtApi } from './bootstrap';
import { type Credentials, frontProxyName, makeCredentials, platformNamespace } from './credentials';
import { nodeMemoryFlags } from './node-memory-flags';
import { lockEngine } from './lock';
import { enginePaths, type EnginePaths } from './paths';
import { startTicks, writeRecord, type EngineRecord } from './record';
import { type NodeServices, startNodeServices } from './node-services';
import { Supervisor } from './supervisor';
import { untilHealthy } from './health';

export interface EngineOptions {
  readonly stateDir: string;
  readonly port: number;
  readonly nodeName: string;
  /** Folder of the component bundles. */
  readonly programs: string;
  readonly version: string;
  readonly onStep: (step: string) => void;
}

export const launcherImage = 'localhost/virt8s/virt-launcher:dev';
const virtApiPort = 8443;
const handlerPort = 8186;

/** The engine: API server, network, node, scheduler, and the three supervised components. */
export class Engine {
  private readonly paths: EnginePaths;
  private readonly supervisor: Supervisor;
  private apiServer?: ApiServer;
  private machine?: NodeServices;
  private unlock?: () => void;

  public constructor(private readonly options: EngineOptions) {
    this.paths = enginePaths(options.stateDir);
    this.supervisor = new Supervisor((line) => this.log(line));
  }

  /** Starts or resumes the engine. Each part waits only for its dependencies. */
  public async start(): Promise<{ url: string; kubeconfig: string }> {
    const { paths, options } = this;
    for (const dir of [dirname(paths.store), paths.images, paths.storage, paths.logs]) {
      mkdirSync(dir, { recursive: true, mode: 0o700 });
    }
    this.unlock = lockEngine(paths.lock);
    this.record(false);

    options.onStep('network');
    const network = await PodNetwork.open({ id: paths.id, stateDir: paths.stateDir });
    const gateways = [network.gateway.ipv4, ...(network.gateway.ipv6 ? [network.gateway.ipv6] : [])];

    options.onStep('API server');
    const serviceCidr = serviceCidrOf(network.gateway.ipv4);
    const credentials = await makeCredentials(paths, {
      port: options.port,
      gateways,
      serviceIp: serviceCidr.replace(/0\/\d+$/, '1'),
      node: options.nodeName,
    });
    this.apiServer = await startApiServer({
      storePath: paths.store,
      listen: [
        { host: '127.0.0.1', port: options.port },
        { host: network.gateway.ipv4, port: options.port },
      ],
      tls: credentials.apiServer,
      clientCa: credentials.cluster.cert,
      serviceAccountKeys: credentials.serviceAccount,
      requestheaderClient: credentials.frontProxyClient,
      kubeletClient: credentials.kubeletClient,
      kubeletCa: credentials.cluster.cert,
      auditLog: paths.auditLog,
      serviceCidr,
      log: (message, details) => this.log(message, details),
    });
    const bootstrap = this.client(credentials, 'bootstrap', 'virt8s-engine');
    await installDefinitions(bootstrap);

    options.onStep('node and scheduler');
    this.machine = await startNodeServices({
      id: paths.id,
      paths,
      nodeName: options.nodeName,
      network,
      credentials,
      client: (identity, userAgent) => this.client(credentials, identity, userAgent),
      log: (message, details) => this.log(message, details),
    });

    options.onStep('virt-controller, virt-api and virt-handler');
    this.startComponents(credentials, network.gateway.ipv4);
    await untilHealthy(`https://${network.gateway.ipv4}:${virtApiPort}/readyz`, credentials.platform.cert);
    await registerVirtApi(bootstrap, {
      caBundle: credentials.platform.cert,
      addresses: [network.gateway.ipv4],
      port: virtApiPort,
    });
    const emulate = await this.needsEmulation(bootstrap);
    await installConfiguration(bootstrap, emulate, options.version);

    const ready = { url: this.apiServer.url, kubeconfig: paths.kubeconfig };
    this.record(true, ready.url);
    return ready;
  }

  /** Stops the engine and its components. Pods keep running, as when a kubelet stops. */
  public async stop(): Promise<void> {
    await this.supervisor.stop();
    await this.machine?.close();
    await this.apiServer?.close();
    this.unlock?.();
  }

  private client(credentials: Credentials, identity: string, userAgent: string): KubeClient {
    const config: KubeConfig = loadKubeConfig(credentials.kubeconfigs[identity]!);
    return new KubeClient(config, { userAgent: `${userAgent}/${this.options.version}` });
  }

  private startComponents({ kubeconfigs, files }: Credentials, gateway: string): void {
    const common = (name: string): string[] => [
      process.execPath,
      ...nodeMemoryFlags,
      join(this.options.programs, `${name}.cjs`),
      '--kubeconfig',
      kubeconfigs[name]!,
      '--namespace',
      platformNamespace,
    ];
    const start = (name: string, flags: Record<string, string>): void =>
      this.supervisor.start({
        name,
        argv: [...common(name), ...Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, value])],
        logFile: this.paths.log(name),
      });
    start('virt-api', {
      bind: gateway,
      port: String(virtApiPort),
      'tls-cert-file': files.virtApi.cert,
      'tls-key-file': files.virtApi.key,
      'requestheader-client-ca-file': files.frontProxyCa,
      'requestheader-allowed-names': frontProxyName,
      'webhook-allowed-names': frontProxyName,
      'handler-ca-file': files.platformCa,
      'handler-client-cert-file': files.handlerClient.cert,
      'handler-client-key-file': files.handlerClient.key,
    });
    start('virt-handler', {
      'node-name': this.options.nodeName,
      'kubelet-dir': join(this.paths.nodeDir(this.options.nodeName), 'kubelet'),
      bind: gateway,
      port: String(handlerPort),
      advertise: gateway,
      'tls-cert-file': files.handlerServer.cert,
      'tls-key-file': files.handlerServer.key,
      'client-ca-file': files.platformCa,
    });
    start('virt-controller', { 'launcher-image': launcherImage, port: '0' });
  }

  /** Waits for the handler's KVM probe. The probe runs a vCPU, because an existing device may still hang guests. */
  private async needsEmulation(client: KubeClient): Promise<boolean> {
    const limitMs = 60_000;
    for (const until = Date.now() + limitMs; ;) {
      const node = await client.find<KubeObject>(resources.nodes, { name: this.options.nodeName });
      const annotations = node?.metadata.annotations ?? {};
      if (annotations[keys.handlerEndpoint]) return annotations[keys.kvmUnusable] !== undefined;
      if (Date.now() > until) {
        throw new Error(
          `virt-handler did not register its node within ${limitMs / 1000} s; see ${this.paths.log('virt-handler')}`,
        );
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  private record(ready: boolean, url?: string): void {
    const record: EngineRecord = {
      pid: process.pid,
      startTicks: startTicks(process.pid) ?? '',
      version: this.options.version,
      node: this.options.nodeName,
      ...(url ? { url } : {}),
      startedAt: new Date().toISOString(),
      ready,
    };
    writeRecord(this.paths.record, record);
  }

  private log(message: string, details?: object): void {
    const line = JSON.stringify({ time: new Date().toISOString(), message, ...details });
    try {
      if (existsSync(this.paths.logs)) appendFileSync(this.paths.log('engine'), `${line}\n`);
    } catch {
      // a full disk loses log lines but does not stop the engine
    }
  }
}

/** A /24 of Service addresses next to the Pods' range: unique per engine, because all engines of a host share nftables. */
export function serviceCidrOf(gateway: string): string {
  const [, b, c] = gateway.split('.').map(Number);
  return `10.${b! + 19}.${c}.0/24`;
}

/** Version of the package that contains the bundles. */
export function versionOf(programs: string): string {
  const file = join(programs, '..', 'package.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
