import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { certificateNames } from '../../../api/certificates';
import { addressAt } from '../../network/subnet';
import { type Credentials, kubeconfig, nodeIdentities } from '../credentials';
import type { KeyPair } from '../pki';
import { writeSecret } from '../secret-file';
import type { NodeConfig } from './node-config';

/** Files with the credentials of a further node: only these are in its folder, so it cannot act as another node. */
export interface NodeFiles {
  readonly kubeconfigs: Readonly<Record<'kubelet' | 'kube-proxy' | 'virt-handler', string>>;
  readonly clusterCa: string;
  readonly platformCa: string;
  readonly kubeletServer: { readonly cert: string; readonly key: string };
  readonly handlerServer: { readonly cert: string; readonly key: string };
}

export function nodeFiles(stateDir: string): NodeFiles {
  const file = (name: string): string => join(stateDir, 'pki', name);
  const pair = (name: string): { cert: string; key: string } => ({
    cert: file(`${name}.crt`),
    key: file(`${name}.key`),
  });
  return {
    kubeconfigs: {
      kubelet: file('kubelet.kubeconfig'),
      'kube-proxy': file('kube-proxy.kubeconfig'),
      'virt-handler': file('virt-handler.kubeconfig'),
    },
    clusterCa: file('cluster-ca.crt'),
    platformCa: file('platform-ca.crt'),
    kubeletServer: pair('kubelet-server'),
    handlerServer: pair('virt-handler'),
  };
}

/** Creates certificates and kubeconfigs of a further node. */
export async function makeNodeCredentials(
  { name, stateDir, subnets, server }: NodeConfig,
  { cluster, platform }: Pick<Credentials, 'cluster' | 'platform'>,
): Promise<void> {
  mkdirSync(join(stateDir, 'pki'), { recursive: true, mode: 0o700 });
  const files = nodeFiles(stateDir);
  const { ipv4, ipv6 } = addressAt(subnets, 1);
  const hosts = ['localhost', '127.0.0.1', '::1', ipv4, ...(ipv6 ? [ipv6] : []), name];
  const save = (to: { cert: string; key: string }, pair: KeyPair): void => {
    writeSecret(to.key, pair.key);
    writeSecret(to.cert, pair.cert);
  };
  writeSecret(files.clusterCa, cluster.cert);
  writeSecret(files.platformCa, platform.cert);
  await Promise.all([
    cluster.issue({ commonName: `system:node:${name}`, hosts }).then((pair) => save(files.kubeletServer, pair)),
    platform
      .issue({ commonName: certificateNames.handlerServer, hosts })
      .then((pair) => save(files.handlerServer, pair)),
    ...Object.entries(nodeIdentities(name)).map(async ([user, identity]) => {
      const client = await cluster.issue(identity);
      const file = files.kubeconfigs[user as keyof NodeFiles['kubeconfigs']];
      writeSecret(file, kubeconfig(user, server, cluster.cert, client));
    }),
  ]);
}

export const readPair = ({ cert, key }: { cert: string; key: string }): KeyPair => ({
  cert: readFileSync(cert, 'utf8'),
  key: readFileSync(key, 'utf8'),
});
