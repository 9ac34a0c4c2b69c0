import { join } from 'node:path';
import type { KubeClient } from '../../runtime/kube';
import { ImageStore } from '../images';
import { startServices, type PodNetwork } from '../network';
import { startNode } from '../node/node';
import { startScheduler } from '../scheduler/scheduler';
import { startStorage } from '../storage/storage';
import { cacheDir } from './cache';
import type { Credentials } from './credentials';
import type { EnginePaths } from './paths';

export interface NodeServicesOptions {
  readonly id: string;
  readonly paths: EnginePaths;
  readonly nodeName: string;
  readonly network: PodNetwork;
  readonly credentials: Credentials;
  readonly client: (identity: string, userAgent: string) => KubeClient;
  readonly log: (message: string, details?: object) => void;
}

export interface NodeServices {
  close(): Promise<void>;
}

/** Node, scheduler, storage and Services of this machine. */
export async function startNodeServices(options: NodeServicesOptions): Promise<NodeServices> {
  const { paths, credentials, network } = options;
  const log = (level: string, message: string, fields?: object): void => options.log(message, { level, ...fields });
  const services = await startServices({ client: options.client('kube-proxy', 'kube-proxy'), network, log });
  const storage = await startStorage({
    client: options.client('storage', 'local-storage'),
    dir: paths.storage,
    nodeName: options.nodeName,
    log,
  });
  const images = new ImageStore({ dir: paths.images, cacheDir: join(cacheDir(), 'images') });
  const node = await startNode({
    client: options.client('kubelet', 'kubelet'),
    id: options.id,
    nodeName: options.nodeName,
    stateDir: paths.stateDir,
    network,
    images,
    kubelet: { port: 0, tls: { ...credentials.kubeletServer, clientCa: credentials.cluster.cert } },
    services,
    log,
  });
  const scheduler = await startScheduler({ client: options.client('scheduler', 'scheduler'), log });
  return {
    close: async () => {
      await scheduler.close();
      await node.close();
      await storage.close();
      await services.close();
    },
  };
}
