import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { EnginePaths } from './paths';
import { Authority, serviceAccountKey, writeSecret, type KeyPair } from './pki';

/** Namespace of the platform's own objects, as in every KubeVirt installation. */
export const platformNamespace = 'kubevirt';

/** Addresses of the engine. */
export interface Addresses {
  /** Loopback, for users. */
  readonly port: number;
  /** Addresses of the bridge, for Pods and components. */
  readonly gateways: readonly string[];
  /** ClusterIP of Service `kubernetes`. */
  readonly serviceIp: string;
  readonly node: string;
}

/** Files that are passed to a component as flags. */
export interface FilePair {
  readonly cert: string;
  readonly key: string;
}

export interface Credentials {
  readonly cluster: Authority;
  readonly frontProxy: Authority;
  readonly platform: Authority;
  readonly apiServer: KeyPair;
  readonly kubeletClient: KeyPair;
  readonly frontProxyClient: KeyPair;
  readonly kubeletServer: KeyPair;
  readonly serviceAccount: { publicKey: string; privateKey: string };
  /** Kubeconfig files by identity. */
  readonly kubeconfigs: { readonly [identity: string]: string };
  readonly files: {
    readonly frontProxyCa: string;
    readonly platformCa: string;
    readonly virtApi: FilePair;
    readonly handlerServer: FilePair;
    readonly handlerClient: FilePair;
  };
}

/** Name in virt-api's client certificate; virt-handler accepts no other. */
const handlerClientName = 'kubevirt.io:system:client:virt-handler';
export const frontProxyName = 'front-proxy-client';

/** Certificates and kubeconfigs of all components. Authorities are kept; leaf certificates are created for the current addresses. */
export async function makeCredentials(paths: EnginePaths, at: Addresses): Promise<Credentials> {
  mkdirSync(paths.pki, { recursive: true, mode: 0o700 });
  const [cluster, frontProxy, platform] = await Promise.all([
    Authority.open(paths.pki, 'cluster-ca'),
    Authority.open(paths.pki, 'front-proxy-ca'),
    Authority.open(paths.pki, 'platform-ca'),
  ]);
  const local = ['localhost', '127.0.0.1', '::1'];
  const serviceNames = (name: string): string[] => [name, `${name}.svc`, `${name}.svc.cluster.local`];
  const identities: Record<string, { commonName: string; organizations: string[] }> = {
    admin: { commonName: 'kubernetes-admin', organizations: ['system:masters'] },
    kubelet: { commonName: `system:node:${at.node}`, organizations: ['system:nodes'] },
    scheduler: { commonName: 'system:kube-scheduler', organizations: [] },
    'kube-proxy': { commonName: 'system:kube-proxy', organizations: ['system:node-proxier'] },
    storage: { commonName: 'system:local-storage', organizations: [] },
    bootstrap: { commonName: 'system:virt8s-engine', organizations: ['system:masters'] },
    'virt-controller': serviceAccount('kubevirt-controller'),
    'virt-api': serviceAccount('kubevirt-apiserver'),
    'virt-handler': serviceAccount('kubevirt-handler'),
  };
  const [apiServer, kubeletClient, frontProxyClient, kubeletServer, virtApi, handlerServer, handlerClient, ...clients] =
    await Promise.all([
      cluster.issue({
        commonName: 'kube-apiserver',
        hosts: [...local, ...at.gateways, at.serviceIp, 'kubernetes', ...serviceNames('kubernetes.default')],
      }),
      cluster.issue({ commonName: 'kube-apiserver-kubelet-client', organizations: ['system:masters'] }),
      frontProxy.issue({ commonName: frontProxyName }),
      cluster.issue({ commonName: `system:node:${at.node}`, hosts: [...local, ...at.gateways, at.node] }),
      platform.issue({
        commonName: 'virt-api',
        hosts: [...local, ...at.gateways, ...serviceNames(`virt-api.${platformNamespace}`)],
      }),
      platform.issue({
        commonName: 'kubevirt.io:system:node:virt-handler',
        hosts: [...local, ...at.gateways, at.node],
      }),
      platform.issue({ commonName: handlerClientName }),
      ...Object.values(identities).map((identity) =>
        cluster.issue(identity.organizations.length ? identity : { commonName: identity.commonName }),
      ),
    ]);

  const kubeconfigs: Record<string, string> = {};
  Object.keys(identities).forEach((name, i) => {
    const file = name === 'admin' ? paths.kubeconfig : join(paths.pki, `${name}.kubeconfig`);
    writeSecret(file, kubeconfig(name, `https://127.0.0.1:${at.port}`, cluster.cert, clients[i]!));
    kubeconfigs[name] = file;
  });
  const pair = (name: string, keys: KeyPair): FilePair => {
    const files = { cert: join(paths.pki, `${name}.crt`), key: join(paths.pki, `${name}.key`) };
    writeSecret(files.key, keys.key);
    writeSecret(files.cert, keys.cert);
    return files;
  };
  return {
    cluster,
    frontProxy,
    platform,
    apiServer,
    kubeletClient,
    frontProxyClient,
    kubeletServer,
    serviceAccount: serviceAccountKey(paths.pki),
    kubeconfigs,
    files: {
      frontProxyCa: join(paths.pki, 'front-proxy-ca.crt'),
      platformCa: join(paths.pki, 'platform-ca.crt'),
      virtApi: pair('virt-api', virtApi),
      handlerServer: pair('virt-handler', handlerServer),
      handlerClient: pair('virt-handler-client', handlerClient),
    },
  };
}

/** Components use the same service accounts as on a cluster. */
function serviceAccount(name: string): { commonName: string; organizations: string[] } {
  return {
    commonName: `system:serviceaccount:${platformNamespace}:${name}`,
    organizations: ['system:serviceaccounts', `system:serviceaccounts:${platformNamespace}`],
  };
}

/** Kubeconfig with inline certificates, so that it can be copied. JSON is valid YAML. */
function kubeconfig(user: string, server: string, ca: string, client: KeyPair): string {
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'virt8s', cluster: { server, 'certificate-authority-data': base64(ca) } }],
    users: [
      {
        name: user,
        user: { 'client-certificate-data': base64(client.cert), 'client-key-data': base64(client.key) },
      },
    ],
    contexts: [{ name: 'virt8s', context: { cluster: 'virt8s', user } }],
    'current-context': 'virt8s',
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}
