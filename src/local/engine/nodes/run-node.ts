import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { KubeClient, loadKubeConfig } from '../../../runtime/kube';
import { ImageStore } from '../../images';
import { PodNetwork } from '../../network';
import { imagesDir } from '../cache';
import { handleFaults } from '../../faults';
import { logLine } from '../../log';
import { handlerFlags } from '../handler';
import { keepLogsLimited } from '../log-limit';
import { enginePaths } from '../paths';
import { capabilitiesFile } from '../node-capabilities';
import { startNodeAgent } from '../node-services';
import { Supervisor } from '../supervisor';
import { nodeFiles, readPair } from './node-credentials';
import type { NodeConfig } from './node-config';

/** Runs the process of a further node: kubelet, Services, DNS and virt-handler, in the node's namespaces. */
export async function runNode(): Promise<void> {
  const log = (message: string, details?: object): void => console.error(logLine(message, details));
  handleFaults(log);
  const { values } = parseArgs({
    options: { config: { type: 'string' }, version: { type: 'string' } },
    allowPositionals: true,
  });
  const config = JSON.parse(readFileSync(values.config!, 'utf8')) as NodeConfig;
  const { name, id, stateDir } = config;
  const paths = enginePaths(stateDir);
  const files = nodeFiles(stateDir);

  const network = await PodNetwork.open({ id, stateDir, subnets: config.subnets });
  network.cluster = config.cluster;
  const client = (user: keyof typeof files.kubeconfigs, agent: string): KubeClient =>
    new KubeClient(loadKubeConfig(files.kubeconfigs[user]), { userAgent: `${agent}/${values.version}` });
  const node = await startNodeAgent({
    id,
    stateDir,
    nodeName: name,
    bare: config.bare,
    network,
    images: new ImageStore({ dir: paths.images, cacheDir: imagesDir() }),
    kubelet: client('kubelet', 'kubelet'),
    proxy: client('kube-proxy', 'kube-proxy'),
    tls: { ...readPair(files.kubeletServer), clientCa: readFileSync(files.clusterCa, 'utf8') },
    upstreams: () => [config.router.ipv4],
    log,
  });
  const supervisor = new Supervisor((line) => log(line));
  const handler = {
    name: 'virt-handler',
    argv: handlerFlags({
      programs: dirname(process.argv[1]!),
      kubeconfig: files.kubeconfigs['virt-handler'],
      node: name,
      kubeletDir: join(paths.nodeDir(name), 'kubelet'),
      address: network.gateway.ipv4,
      tls: files.handlerServer,
      clientCa: files.platformCa,
      capabilities: capabilitiesFile(stateDir),
    }),
    logFile: paths.log('virt-handler'),
    // a node whose power fails loses all its programs at once
    endWithEngine: 'KILL' as const,
  };
  if (!config.bare) supervisor.start(handler);
  const stopLogs = keepLogsLimited(paths.logs);
  const stop = (): void => {
    stopLogs();
    void supervisor
      .stop()
      .then(() => node.close())
      .finally(() => process.exit(0));
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}
