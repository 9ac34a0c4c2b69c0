import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { KubeClient, loadKubeConfig } from '../../../../src/runtime/kube';
import { ImageStore } from '../../../../src/local/images';
import { PodNetwork } from '../../../../src/local/network';
import { startNode } from '../../../../src/local/node';

/** A node in a process and mount namespace of its own, so that tests can kill it as a crash would. */
export interface NodeProcessConfig {
  id: string;
  nodeName: string;
  stateDir: string;
  cacheDir: string;
  kubeconfig: string;
  tls: { cert: string; key: string; clientCa: string };
}

async function main(): Promise<void> {
  const config = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as NodeProcessConfig;
  const { id, nodeName, stateDir, cacheDir, tls } = config;
  const client = new KubeClient(loadKubeConfig(config.kubeconfig), { userAgent: 'kubelet/test' });
  const network = await PodNetwork.open({ id, stateDir });
  const images = new ImageStore({ dir: join(stateDir, 'images'), cacheDir });
  const node = await startNode({
    client,
    id,
    nodeName,
    stateDir,
    network,
    images,
    kubelet: { port: 0, tls },
    log: (level, message, fields) => console.error(JSON.stringify({ level, message, ...fields })),
  });
  process.on('SIGTERM', () => {
    void node.close().then(() => process.exit(0));
  });
  console.log(JSON.stringify({ ready: true, port: node.kubeletPort, gateway: network.gateway }));
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
