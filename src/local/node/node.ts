import { mkdir } from 'node:fs/promises';
import { EventRecorder } from '../../runtime/kube';
import type { KubeClient } from '../../runtime/kube';
import type { ImageStore } from '../images';
import type { Policies, PodNetwork, Services } from '../network';
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
  /** Short id of the engine, from which names of cgroups and network objects derive. */
  readonly id: string;
  readonly nodeName: string;
  readonly stateDir: string;
  readonly network: PodNetwork;
  readonly images: ImageStore;
  readonly kubelet: {
    /** Port; 0 is any free port. */
    readonly port: number;
    /** Addresses to serve on. Default: the gateway's. */
    readonly addresses?: readonly string[];
    readonly tls: KubeletTls;
  };
  readonly labels?: Record<string, string>;
  /** @default cluster.local */
  readonly clusterDomain?: string;
  readonly log?: Log;
  /** Provides variables of Services and host ports for Pods. Without it, Pods have neither. */
  readonly services?: Pick<Services, 'variables' | 'setHostPorts'>;
  /** Enforces network policies on Pods. Without it, none are in force. */
  readonly policies?: Pick<Policies, 'enforce' | 'release'>;
}

export interface LocalNode {
  readonly paths: NodePaths;
  readonly kubeletPort: number;
  /** Stops the node. Containers keep running; the next node of this state directory adopts them. */
  close(): Promise<void>;
}

/** Starts the node, which does the work of a kubelet: Pods, Node object, HTTPS API and device plugins. */
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
    onError: (error) => log('warn', 'an event could not be written', { error: String(error) }),
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
        .catch((error: unknown) => log('warn', 'unused images could not be removed', { error: String(error) })),
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
    sandboxes: new Sandboxes({ paths, network, nodeName, clusterDomain, cgroupParent: cgroupParentOf(id) }),
    volumes: new Volumes({ client, images, paths }),
    devices,
    cgroupParent: cgroupParentOf(id),
    log,
    hostIPs: () => hostIPs,
    allocatable: () => agent.allocatable,
    memoryCapacity: () => agent.memoryCapacity || 1,
    services: options.services ?? { variables: () => new Map(), setHostPorts: () => undefined },
    policies: options.policies ?? { enforce: () => Promise.resolve(), release: () => undefined },
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

/** Digests of images that containers and image volumes use. */
async function imagesInUse({ records, volumes }: NodeContext): Promise<ReadonlySet<string>> {
  const containers = records.all().map(({ imageId }) => imageId.replace(/^.*@/, ''));
  return new Set([...containers, ...(await volumes.imagesInUse())]);
}
