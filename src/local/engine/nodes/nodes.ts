import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { destroyPods } from '../../node/cleanup';
import { addressAt, type Subnets } from '../../network/subnet';
import { chooseSubnets, whileAlone } from '../../network';
import type { Credentials } from '../credentials';
import { gatewayName } from '../../network/names';
import { inMountNamespace } from '../mount-namespace';
import { nodeMemoryFlags } from '../node-memory-flags';
import { enginePaths } from '../paths';
import { Supervisor } from '../supervisor';
import { isStopped, type NodeConfig, nodeNameAt, placeOf, readNodes, writeNode } from './node-config';
import { makeNodeCredentials } from './node-credentials';
import { inNodeNamespace, isConnected, makeNamespace } from './node-namespace';

export interface NodesOptions {
  readonly stateDir: string;
  /** Name and subnets of the first node. */
  readonly firstNode: string;
  readonly firstSubnets: Subnets;
  readonly port: number;
  /** Folder of the programs. */
  readonly programs: string;
  readonly version: string;
  /** Whether the nodes run without virt-handler. */
  readonly bare: boolean;
  readonly log: (line: string) => void;
}

/** The further nodes of an engine. */
export class Nodes {
  private readonly running = new Map<string, Supervisor>();
  private configs: NodeConfig[] = [];
  private work: Promise<void> = Promise.resolve();

  public constructor(private readonly options: NodesOptions) {}

  /** Subnets of all nodes. */
  public get cluster(): string[] {
    return [this.options.firstSubnets, ...this.configs.map(({ subnets }) => subnets)].flatMap(subnetsOf);
  }

  public get names(): string[] {
    return this.configs.map(({ name }) => name);
  }

  /** Names of the nodes that the user has neither stopped nor disconnected. */
  public async working(): Promise<string[]> {
    const connected = await Promise.all(this.configs.map((config) => isConnected(config)));
    return this.configs.filter((config, i) => !isStopped(config) && connected[i] !== false).map(({ name }) => name);
  }

  /**
   * Writes the configurations of `count` nodes, the first included, and connects the nodes; known ones keep their
   * subnets.
   * @throws Error if there are more nodes than `count`
   */
  public async define(count: number | undefined): Promise<void> {
    const known = readNodes(this.options.stateDir);
    const wanted = count ?? known.length + 1;
    if (wanted < known.length + 1) {
      throw new Error(
        `the engine has ${known.length + 1} nodes, --nodes ${wanted} would remove some; run virt8s down first, which removes all`,
      );
    }
    if (wanted === 1) return;
    await whileAlone(async () => {
      this.configs = await this.configsOf(known, wanted);
      this.configs.forEach(writeNode);
      for (const config of this.configs) {
        // a link that the user disconnected stays down
        if ((await isConnected(config)) !== false) await makeNamespace(config);
      }
    });
  }

  private async configsOf(known: readonly NodeConfig[], wanted: number): Promise<NodeConfig[]> {
    const { stateDir, firstNode, firstSubnets, port, bare } = this.options;
    const subnets: Subnets[] = [];
    while (subnets.length < wanted - 1) {
      const reserved = [firstSubnets, ...subnets].flatMap(subnetsOf);
      const node = known[subnets.length];
      // without its link, the subnet of a node may have become that of another engine
      const isKept = node && (await isConnected(node)) !== undefined;
      const ipv6 = firstSubnets.ipv6 !== undefined;
      subnets.push(isKept ? node.subnets : await chooseSubnets(reserved, ipv6, node?.subnets));
    }
    const gateway = gatewayName(enginePaths(stateDir).id);
    const router = addressAt(firstSubnets, 1);
    const cluster = [firstSubnets, ...subnets].flatMap(subnetsOf);
    const server = `https://${router.ipv4}:${port}`;
    return subnets.map((own, i) => {
      const name = known[i]?.name ?? nodeNameAt(firstNode, i + 2);
      return { name, ...placeOf(stateDir, name), subnets: own, gateway, cluster, router, server, bare };
    });
  }

  /** Starts the nodes that the user did not stop. */
  public async start(credentials: Credentials): Promise<void> {
    for (const config of this.configs) await makeNodeCredentials(config, credentials);
    await this.reconcile();
  }

  /** Starts and stops nodes as the user has requested (`virt8s node stop|start`). */
  public reconcile(): Promise<void> {
    this.work = this.work.then(async () => {
      for (const config of this.configs) {
        const runs = this.running.has(config.name);
        if (isStopped(config) && runs) await this.powerOff(config);
        else if (!isStopped(config) && !runs) this.powerOn(config);
      }
    });
    return this.work;
  }

  /** Ends the nodes' processes. Their Pods keep running. */
  public async stop(): Promise<void> {
    await this.work;
    await Promise.all([...this.running.values()].map((supervisor) => supervisor.stop()));
  }

  private powerOn(config: NodeConfig): void {
    const { programs, version, log } = this.options;
    const paths = enginePaths(config.stateDir);
    mkdirSync(paths.logs, { recursive: true, mode: 0o700 });
    const supervisor = new Supervisor(log);
    const program = [process.execPath, ...nodeMemoryFlags, join(programs, 'engine.cjs'), 'node'];
    const argv = [...program, '--config', join(config.stateDir, 'node.json'), '--version', version];
    const kubeletDir = config.bare ? join(paths.nodeDir(config.name), 'kubelet') : undefined;
    supervisor.start({
      name: config.name,
      // the mount namespace may be that of a Pod which survived
      argv: () => inNodeNamespace(config, inMountNamespace(config.stateDir, argv, kubeletDir)),
      logFile: paths.log('node'),
    });
    this.running.set(config.name, supervisor);
  }

  /** Ends all of a node's processes at once, as when its power fails. */
  private async powerOff(config: NodeConfig): Promise<void> {
    await this.running.get(config.name)?.stop(0);
    this.running.delete(config.name);
    await destroyPods(config.stateDir, config.id);
  }
}

const subnetsOf = ({ ipv4, ipv6 }: Subnets): string[] => [ipv4, ...(ipv6 ? [ipv6] : [])];
