import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { frontProxyName, type Credentials } from './credentials';
import { untilHealthy } from './health';
import { nodeMemoryFlags } from './node-memory-flags';
import type { EnginePaths } from './paths';
import { Supervisor } from './supervisor';

/** Ends of the API server during its start after which the engine gives up. */
const ATTEMPTS = 5;

export interface ControlPlaneOptions {
  readonly paths: EnginePaths;
  /** Folder of the programs. */
  readonly programs: string;
  /** Addresses of the API server; the first is for users, the last for Pods. */
  readonly hosts: readonly string[];
  readonly port: number;
  readonly serviceCidr: string;
  readonly credentials: Credentials;
  readonly log: (line: string) => void;
}

/** The API server's process. The supervisor starts it again when it ends. */
export class ControlPlane {
  public readonly url: string;
  private readonly supervisor: Supervisor;
  private ends = 0;

  public constructor(private readonly options: ControlPlaneOptions) {
    this.url = `https://${options.hosts[0]}:${options.port}`;
    this.supervisor = new Supervisor((line) => {
      this.ends++;
      options.log(line);
    });
  }

  /**
   * Resolves when the API server is ready.
   * @throws Error with the end of its log if it cannot be started
   */
  public async start(): Promise<void> {
    const { paths, credentials } = this.options;
    this.supervisor.start({
      name: 'api-server',
      argv: [process.execPath, ...nodeMemoryFlags, join(this.options.programs, 'api-server.cjs'), ...this.flags()],
      logFile: paths.log('api-server'),
      // a store survives SIGKILL, and the next engine needs the port at once
      endWithEngine: 'KILL',
    });
    await untilHealthy(`${this.url}/readyz`, credentials.cluster.cert, () => {
      if (this.ends < ATTEMPTS) return undefined;
      const log = paths.log('api-server');
      return `the API server cannot be started; see ${log}:\n${readFileSync(log, 'utf8').trimEnd().split('\n').slice(-3).join('\n')}`;
    });
  }

  public stop(): Promise<void> {
    return this.supervisor.stop();
  }

  private flags(): string[] {
    const { paths, hosts, port, serviceCidr, credentials } = this.options;
    const { files } = credentials;
    const flags: Record<string, string> = {
      'store-file': paths.store,
      'tls-cert-file': files.apiServer.cert,
      'tls-private-key-file': files.apiServer.key,
      'client-ca-file': files.clusterCa,
      'service-account-signing-key-file': files.serviceAccountKey,
      'proxy-client-cert-file': files.frontProxyClient.cert,
      'proxy-client-key-file': files.frontProxyClient.key,
      'requestheader-client-ca-file': files.frontProxyCa,
      'requestheader-allowed-names': frontProxyName,
      'kubelet-client-certificate': files.kubeletClient.cert,
      'kubelet-client-key': files.kubeletClient.key,
      'service-cluster-ip-range': serviceCidr,
      'audit-log-path': paths.auditLog,
    };
    return [
      ...hosts.flatMap((host) => ['--listen', `${host} ${port}`]),
      ...Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, value]),
    ];
  }
}
