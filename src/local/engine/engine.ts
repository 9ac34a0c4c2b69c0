import { keys } from '../../api/keys';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { KubeObject } from '../../api';
import { type KubeConfig, KubeClient, loadKubeConfig, resources } from '../../runtime/kube';
import { logLine } from '../log';
import { PodNetwork } from '../network';
import { chooseApiPort } from './api-port';
import { buildIdOf } from './build-id';
import { installAccess, installConfiguration, installDefinitions, registerVirtApi } from './bootstrap';
import { ControlPlane } from './control-plane';
import { type Credentials, frontProxyName, makeCredentials, platformNamespace } from './credentials';
import { handlerFlags } from './handler';
import { type IngressPorts, startIngress } from './ingress';
import { importerImage, launcherImage } from './images';
import { nodeMemoryFlags } from './node-memory-flags';
import { Nodes } from './nodes/nodes';
import { untilRegistered } from './nodes/registered';
import { lockEngine } from './lock';
import { keepLogsLimited } from './log-limit';
import { enginePaths, type EnginePaths } from './paths';
import { startTicks, writeRecord, type EngineRecord } from './record';
import { capabilitiesFile } from './node-capabilities';
import { type NodeServices, startNodeServices } from './node-services';
import { snapshotDefinitions } from '../storage/snapshots/definitions';
import { Supervisor } from './supervisor';
import { startUploadProxy, UPLOAD_PROXY_PORT } from './upload-proxy';
import { untilHealthy } from './health';

export interface EngineOptions {
  readonly stateDir: string;
  /** Port of the API server; 0 chooses a free one. */
  readonly port: number;
  readonly nodeName: string;
  /** Number of nodes. Default: that of the last start, or 1. */
  readonly nodes?: number;
  readonly ingressPorts?: IngressPorts;
  /** Whether the platform is not part of the engine: its definitions and components are applied as manifests. */
  readonly bare: boolean;
  /** Folder of the component bundles. */
  readonly programs: string;
  readonly version: string;
  readonly onStep: (step: string) => void;
}

const virtApiPort = 8443;

const apiUrl = (port: number): string => `https://127.0.0.1:${port}`;

/** The engine: network, node and scheduler, and the supervised processes of the API server and the three components. */
export class Engine {
  private readonly paths: EnginePaths;
  private readonly supervisor: Supervisor;
  private readonly build: string;
  private controlPlane?: ControlPlane;
  private machine?: NodeServices;
  private nodes?: Nodes;
  private ingress?: { close(): Promise<void> };
  private uploads?: { close(): Promise<void> };
  private unlock?: () => void;
  private stopLogs?: () => void;

  public constructor(private readonly options: EngineOptions) {
    this.paths = enginePaths(options.stateDir);
    this.supervisor = new Supervisor((line) => this.log(line));
    this.build = buildIdOf(options.programs);
  }

  /** Starts or resumes the engine. Each part waits only for its dependencies. */
  public async start(): Promise<{ url: string; kubeconfig: string }> {
    const { paths, options } = this;
    for (const dir of [dirname(paths.store), paths.images, paths.storage, paths.logs]) {
      mkdirSync(dir, { recursive: true, mode: 0o700 });
    }
    this.unlock = lockEngine(paths.lock);
    this.stopLogs = keepLogsLimited(paths.logs);
    this.record(false);

    options.onStep('network');
    const network = await PodNetwork.open({ id: paths.id, stateDir: paths.stateDir });
    const port = options.port || (await chooseApiPort(network.subnets.ipv4));
    // an engine that is interrupted from here on has the same port at its next start
    this.record(false, apiUrl(port));
    this.nodes = new Nodes({
      stateDir: paths.stateDir,
      firstNode: options.nodeName,
      firstSubnets: network.subnets,
      port,
      programs: options.programs,
      version: options.version,
      bare: options.bare,
      log: (line) => this.log(line),
    });
    await this.nodes.define(options.nodes);
    network.cluster = this.nodes.cluster;
    const gateways = [network.gateway.ipv4, ...(network.gateway.ipv6 ? [network.gateway.ipv6] : [])];

    options.onStep('API server');
    const serviceCidr = serviceCidrOf(network.gateway.ipv4);
    const credentials = await makeCredentials(paths, {
      port,
      gateways,
      serviceIp: serviceCidr.replace(/0\/\d+$/, '1'),
      node: options.nodeName,
    });
    this.controlPlane = new ControlPlane({
      paths,
      programs: options.programs,
      hosts: ['127.0.0.1', network.gateway.ipv4],
      port,
      serviceCidr,
      credentials,
      log: (line) => this.log(line),
    });
    await this.controlPlane.start();
    const bootstrap = this.client(credentials, 'bootstrap', 'virt8s-engine');
    await installAccess(bootstrap, { platform: !options.bare });
    await installDefinitions(bootstrap, snapshotDefinitions);
    if (!options.bare) {
      this.startHandler(credentials, network.gateway.ipv4);
      await installDefinitions(bootstrap);
    }

    options.onStep('node and scheduler');
    this.machine = await startNodeServices({
      id: paths.id,
      paths,
      nodeName: options.nodeName,
      furtherNodes: this.nodes.names,
      bare: options.bare,
      network,
      credentials,
      client: (identity, userAgent) => this.client(credentials, identity, userAgent),
      log: (message, details) => this.log(message, details),
    });

    this.ingress = await startIngress({
      bootstrap,
      client: this.client(credentials, 'ingress', 'ingress'),
      kubeconfig: credentials.kubeconfigs.ingress!,
      userAgent: `ingress/${options.version}`,
      programs: options.programs,
      address: network.gateway.ipv4,
      ports: options.ingressPorts ?? {},
      supervisor: this.supervisor,
      logFile: paths.log('ingress'),
      log: (message, details) => this.log(message, details),
    });

    if (!options.bare) {
      options.onStep('virt-controller, virt-api and virt-handler');
      this.startComponents(credentials, network.gateway.ipv4);
      this.uploads = await startUploadProxy({
        bootstrap,
        kubeconfig: credentials.kubeconfigs['upload-proxy']!,
        programs: options.programs,
        address: network.gateway.ipv4,
        serving: credentials.files.uploadProxy,
        client: credentials.files.uploadClient,
        authority: credentials.files.platformCa,
        supervisor: this.supervisor,
        logFile: paths.log('upload-proxy'),
        log: (message, details) => this.log(message, details),
      });
      await untilHealthy(`https://${network.gateway.ipv4}:${virtApiPort}/readyz`, credentials.platform.cert);
      await registerVirtApi(bootstrap, {
        caBundle: credentials.platform.cert,
        addresses: [network.gateway.ipv4],
        port: virtApiPort,
      });
    }
    if (this.nodes.names.length > 0) options.onStep('further nodes');
    await this.nodes.start(credentials);
    if (!options.bare) {
      const emulate = await this.needsEmulation(bootstrap);
      await installConfiguration(bootstrap, emulate, options.version);
    }
    const missing = await untilRegistered(bootstrap, await this.nodes.working());
    if (missing.length > 0)
      this.log(`nodes have not registered: ${missing.join(', ')}; the log of each is in its state folder`);

    const ready = { url: this.controlPlane.url, kubeconfig: paths.kubeconfig };
    this.record(true, ready.url);
    return ready;
  }

  /** Stops the engine and its components. Pods keep running, as when a kubelet stops. */
  public async stop(): Promise<void> {
    await Promise.all([this.supervisor.stop(), this.nodes?.stop()]);
    await this.ingress?.close();
    await this.uploads?.close();
    await this.machine?.close();
    await this.controlPlane?.stop();
    this.stopLogs?.();
    this.unlock?.();
  }

  /** Starts and stops further nodes as the user has requested. */
  public async reconcileNodes(): Promise<void> {
    await this.nodes?.reconcile();
  }

  private client(credentials: Credentials, identity: string, userAgent: string): KubeClient {
    const config: KubeConfig = loadKubeConfig(credentials.kubeconfigs[identity]!);
    return new KubeClient(config, { userAgent: `${userAgent}/${this.options.version}` });
  }

  /** The first node's handler starts as soon as it has its permissions, because its check of KVM may take seconds. */
  private startHandler({ kubeconfigs, files }: Credentials, gateway: string): void {
    this.supervisor.start({
      name: 'virt-handler',
      argv: handlerFlags({
        programs: this.options.programs,
        kubeconfig: kubeconfigs['virt-handler']!,
        node: this.options.nodeName,
        kubeletDir: join(this.paths.nodeDir(this.options.nodeName), 'kubelet'),
        address: gateway,
        tls: files.handlerServer,
        clientCa: files.platformCa,
        capabilities: capabilitiesFile(this.paths.stateDir),
      }),
      logFile: this.paths.log('virt-handler'),
    });
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
    start('virt-controller', {
      'launcher-image': launcherImage,
      'importer-image': importerImage,
      'api-authority-file': files.platformCa,
      'upload-proxy-url': `https://${gateway}:${UPLOAD_PROXY_PORT}`,
      'export-proxy-url': `https://${gateway}:${UPLOAD_PROXY_PORT}`,
      port: '0',
    });
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
      build: this.build,
      node: this.options.nodeName,
      ...(this.options.bare ? { bare: true } : {}),
      ...(url ? { url } : {}),
      ...(this.options.ingressPorts ? { ingressPorts: this.options.ingressPorts } : {}),
      startedAt: new Date().toISOString(),
      ready,
    };
    writeRecord(this.paths.record, record);
  }

  private log(message: string, details?: object): void {
    try {
      if (existsSync(this.paths.logs)) appendFileSync(this.paths.log('engine'), `${logLine(message, details)}\n`);
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
