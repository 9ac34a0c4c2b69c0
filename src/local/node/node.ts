import { mkdir } from 'node:fs/promises';
import { EventRecorder } from '../../runtime/kube';
import type { KubeClient } from '../../runtime/kube';
import type { ImageStore } from '../images';
import type { PodNetwork, Services } from '../network';
import { cgroupParentOf } from './cleanup';
import { DeviceManager } from './devices/manager';
import { KubeletServer } from './kubelet-api/server';
import type { KubeletTls } from './kubelet-api/server';
import { NodeAgent } from './node-agent';
import type { Log } from '../log';
import type { NodeContext } from './pods/context';
import { PodManager } from './pods/manager';
import { NodePaths } from './pods/paths';
import { ContainerRecords } from './pods/record';
import { Sandboxes } from './pods/sandbox';
import { ContainerRuntime } from './runtime/crun';
import { Volumes } from './volumes/volumes';

export interface NodeOptions {
  /** As user `system:node:<name>`, user agent `kubelet/…`. */
  readonly client: KubeClient;
  /** Short id of the engine: names of cgroups and network objects derive from it. */
  readonly id: string;
  readonly nodeName: string;
  readonly stateDir: string;
  readonly network: PodNetwork;
  readonly images: ImageStore;
  readonly kubelet: {
    /** 0 takes any free port. */
    readonly port: number;
    /** Addresses to serve on; default: the gateway's. */
    readonly addresses?: readonly string[];
    readonly tls: KubeletTls;
  };
  readonly labels?: Record<string, string>;
  /** @default cluster.local */
  readonly clusterDomain?: string;
  readonly log?: Log;
  /** Gives Pods the variables of Services, and leads host ports into Pods. Without it they have neither. */
  readonly services?: Pick<Services, 'variables' | 'setHostPorts'>;
}

export interface LocalNode {
  readonly paths: NodePaths;
  readonly kubeletPort: number;
  /** Stops the node's work; containers go on, and the next node of this state directory adopts them. */
  close(): Promise<void>;
}

/** Starts what a kubelet does: Pods of this node, its Node object, its HTTPS API, device plugins. */
export async function startNode(options: NodeOptions): Promise<LocalNode> {
  const { client, id, nodeName, stateDir, network, images } = options;
  const log: Log = options.log ?? (() => undefined);
  const paths = new NodePaths(stateDir, nodeName);
  const runtime = new ContainerRuntime({ root: paths.crun, exitsDir: paths.exits, socketsDir: paths.attach });
  const clusterDomain = options.clusterDomain ?? 'cluster.local';
  const { ipv4, ipv6 } = network.gateway;
  const hostIPs = [ipv4, ...(ipv6 ? [ipv6] : [])];
  await mkdir(paths.root, { recursive: true, mode: 0o711 });

  const events = new EventRecorder(client, {
    component: 'kubelet',
    host: nodeName,
    onError: (error) => log('warn', 'an event was not written', { error: String(error) }),
  });
  const devices = new DeviceManager({ dir: paths.devicePlugins, log, onChange: () => agent.refresh() });
  const agent: NodeAgent = new NodeAgent({
    client,
    name: nodeName,
    stateDir,
    addresses: hostIPs,
    kubeletPort: () => server.port,
    extended: () => devices.offered,
    labels: options.labels,
    log,
    onDiskPressure: () =>
      void images
        .collect(() => imagesInUse(context))
        .catch((error: unknown) => log('warn', 'images were not collected', { error: String(error) })),
  });
  const context: NodeContext = {
    nodeName,
    client,
    events,
    images,
    network,
    paths,
    runtime,
    records: new ContainerRecords(paths),
    sandboxes: new Sandboxes({ paths, network, nodeName, clusterDomain }),
    volumes: new Volumes({ client, images, paths }),
    devices,
    cgroupParent: cgroupParentOf(id),
    log,
    hostIPs: () => hostIPs,
    allocatable: () => agent.allocatable,
    memoryCapacity: () => agent.memoryCapacity || 1,
    services: options.services ?? { variables: () => new Map(), setHostPorts: () => undefined },
  };
  const manager = new PodManager(context);
  const server = new KubeletServer({
    addresses: options.kubelet.addresses ?? hostIPs,
    port: options.kubelet.port,
    tls: options.kubelet.tls,
    context,
    manager,
  });

  await devices.start();
  await server.start();
  await agent.start();
  await manager.start();
  return {
    paths,
    get kubeletPort() {
      return server.port;
    },
    close: async () => {
      await manager.close();
      await agent.close();
      await server.close();
      await devices.close();
      await events.stop();
    },
  };
}

/** Digests that containers and image volumes were made from. */
async function imagesInUse({ records, volumes }: NodeContext): Promise<ReadonlySet<string>> {
  const containers = records.all().map(({ imageId }) => imageId.replace(/^.*@/, ''));
  return new Set([...containers, ...(await volumes.imagesInUse())]);
}
