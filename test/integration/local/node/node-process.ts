import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { KubeClient, loadKubeConfig } from '../../../../src/runtime/kube';
import { Informers } from '../../../../src/local/controllers/informers';
import { NodeLifecycleController } from '../../../../src/local/controllers/nodes/lifecycle';
import { ImageStore } from '../../../../src/local/images';
import { PodNetwork, startPolicies, startServices } from '../../../../src/local/network';
import { startNode } from '../../../../src/local/node/node';
import type { Log } from '../../../../src/local/log';
import { startScheduler } from '../../../../src/local/scheduler/scheduler';
import { startStorage } from '../../../../src/local/storage/storage';

/** A node in a process and mount namespace of its own, so that tests can kill it as a crash would. */
export interface NodeProcessConfig {
  id: string;
  nodeName: string;
  stateDir: string;
  cacheDir: string;
  /** Identity of the node. */
  kubeconfig: string;
  /** Identity of scheduler, node controller, storage and Services. */
  clusterKubeconfig: string;
  tls: { cert: string; key: string; clientCa: string };
}

async function main(): Promise<void> {
  const config = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as NodeProcessConfig;
  const { id, nodeName, stateDir, cacheDir, tls } = config;
  const client = new KubeClient(loadKubeConfig(config.kubeconfig), { userAgent: 'kubelet/test' });
  const cluster = new KubeClient(loadKubeConfig(config.clusterKubeconfig), { userAgent: 'cluster/test' });
  const log: Log = (level, message, fields) => console.error(JSON.stringify({ level, message, ...fields }));
  const network = await PodNetwork.open({ id, stateDir });
  const images = new ImageStore({ dir: join(stateDir, 'images'), cacheDir });
  const services = await startServices({ client: cluster, network, log, upstreams: () => ['127.0.0.9'] });
  const policies = await startPolicies({ client: cluster, network, nodeName, log });
  const storage = await startStorage({ client: cluster, dir: join(stateDir, 'storage'), nodes: [nodeName], log });
  const scheduler = await startScheduler({ client: cluster, log });
  const informers = new Informers(cluster, log);
  // removes the taint of a node that is not ready
  const nodes = new NodeLifecycleController({ client: cluster, informers, log });
  await nodes.start();
  const node = await startNode({
    client,
    id,
    nodeName,
    stateDir,
    network,
    images,
    kubelet: { port: 0, tls },
    services,
    policies,
    log,
  });
  process.on('SIGTERM', () => {
    const close = async () => {
      await Promise.all([informers.stop(), nodes.close()]);
      for (const part of [scheduler, storage, node, services, policies]) await part.close();
      process.exit(0);
    };
    void close();
  });
  console.log(JSON.stringify({ ready: true, port: node.kubeletPort, gateway: network.gateway }));
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
