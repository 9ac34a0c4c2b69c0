import { errorText } from '../../api/error-text';
import type { KubeClient } from '../../runtime/kube';
import { startControllers } from '../controllers';
import { ImageStore } from '../images';
import { startPolicies, startServices, type PodNetwork } from '../network';
import type { KubeletTls } from '../node/kubelet-api/server';
import { startNode } from '../node/node';
import { startScheduler } from '../scheduler/scheduler';
import { startStorage } from '../storage/storage';
import { imagesDir } from './cache';
import type { Credentials } from './credentials';
import { capabilitiesFile, describeThisNode } from './node-capabilities';
import type { EnginePaths } from './paths';

type LogMessage = (message: string, details?: object) => void;

export interface NodeServices {
  close(): Promise<void>;
}

export interface NodeAgentOptions {
  readonly id: string;
  readonly stateDir: string;
  readonly nodeName: string;
  readonly network: PodNetwork;
  readonly images: ImageStore;
  /** Clients as `system:node:NAME` and `system:kube-proxy`. */
  readonly kubelet: KubeClient;
  readonly proxy: KubeClient;
  readonly tls: KubeletTls;
  /** Whether virt-handler is a Pod, which describes its node itself. */
  readonly bare?: boolean;
  /** DNS servers for external names. Default: the machine's resolvers. */
  readonly upstreams?: () => readonly string[];
  readonly log: LogMessage;
}

/** Starts the parts that every node has: kubelet, Services, DNS and network policies. */
export async function startNodeAgent(options: NodeAgentOptions): Promise<NodeServices> {
  const { id, stateDir, nodeName, network, images } = options;
  const log = withLevel(options.log);
  const [services, policies] = await Promise.all([
    startServices({ client: options.proxy, network, upstreams: options.upstreams, log }),
    startPolicies({ client: options.proxy, network, nodeName, log }),
  ]);
  const node = await startNode({
    client: options.kubelet,
    id,
    nodeName,
    stateDir,
    network,
    images,
    kubelet: { port: 0, tls: options.tls },
    services,
    policies,
    log,
  });
  const ending = new AbortController();
  const described = options.bare
    ? undefined
    : describeThisNode(images, capabilitiesFile(stateDir), ending.signal).catch((error: unknown) =>
        options.log('the capabilities of the node could not be written', { error: errorText(error) }),
      );
  return {
    close: async () => {
      ending.abort();
      await described;
      await node.close();
      await Promise.all([services.close(), policies.close()]);
    },
  };
}

export interface NodeServicesOptions {
  readonly id: string;
  readonly paths: EnginePaths;
  readonly nodeName: string;
  readonly furtherNodes: readonly string[];
  readonly bare?: boolean;
  readonly network: PodNetwork;
  readonly credentials: Credentials;
  readonly client: (identity: string, userAgent: string) => KubeClient;
  readonly log: LogMessage;
}

/** The first node, and the parts that the engine has once: storage, scheduler and workload controllers. */
export async function startNodeServices(options: NodeServicesOptions): Promise<NodeServices> {
  const { paths, credentials, network, nodeName, client } = options;
  const log = withLevel(options.log);
  const storage = await startStorage({
    client: client('storage', 'local-storage'),
    dir: paths.storage,
    nodes: [nodeName, ...options.furtherNodes],
    log,
  });
  const node = await startNodeAgent({
    id: options.id,
    stateDir: paths.stateDir,
    nodeName,
    bare: options.bare,
    network,
    images: new ImageStore({ dir: paths.images, cacheDir: imagesDir() }),
    kubelet: client('kubelet', 'kubelet'),
    proxy: client('kube-proxy', 'kube-proxy'),
    tls: { ...credentials.kubeletServer, clientCa: credentials.cluster.cert },
    log: options.log,
  });
  const scheduler = await startScheduler({ client: client('scheduler', 'scheduler'), log });
  const controllers = await startControllers({ client: client('controllers', 'kube-controller-manager'), log });
  return {
    close: async () => {
      await controllers.close();
      await scheduler.close();
      await node.close();
      await storage.close();
    },
  };
}

const withLevel =
  (log: LogMessage) =>
  (level: string, message: string, fields?: object): void =>
    log(message, { level, ...fields });
