import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { UPLOAD_PROXY_SERVICE } from '../../api/cdi/upload';
import { certificateNames } from '../../api/certificates';
import { engineUsers } from './access';
import type { EnginePaths } from './paths';
import { Authority, serviceAccountKey, type KeyPair } from './pki';
import { writeSecret } from './secret-file';

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
  readonly kubeletServer: KeyPair;
  /** Kubeconfig files by identity. */
  readonly kubeconfigs: { readonly [identity: string]: string };
  readonly files: {
    readonly clusterCa: string;
    readonly frontProxyCa: string;
    readonly platformCa: string;
    readonly serviceAccountKey: string;
    readonly apiServer: FilePair;
    readonly kubeletClient: FilePair;
    readonly frontProxyClient: FilePair;
    readonly virtApi: FilePair;
    readonly handlerServer: FilePair;
    readonly handlerClient: FilePair;
    readonly uploadProxy: FilePair;
    readonly uploadClient: FilePair;
  };
}

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
  const identities: Record<string, Identity> = {
    admin: { commonName: 'kubernetes-admin', organizations: ['system:masters'] },
    ...nodeIdentities(at.node),
    controllers: { commonName: 'system:kube-controller-manager', organizations: [] },
    scheduler: { commonName: 'system:kube-scheduler', organizations: [] },
    storage: { commonName: engineUsers.storage, organizations: [] },
    ingress: { commonName: engineUsers.ingress, organizations: [] },
    bootstrap: { commonName: 'system:virt8s-engine', organizations: ['system:masters'] },
    'virt-controller': serviceAccount('kubevirt-controller'),
    'virt-api': serviceAccount('kubevirt-apiserver'),
    'upload-proxy': serviceAccount('cdi-uploadproxy'),
  };
  const [
    apiServer,
    kubeletClient,
    frontProxyClient,
    kubeletServer,
    virtApi,
    handlerServer,
    handlerClient,
    uploadProxy,
    uploadClient,
    ...clients
  ] = await Promise.all([
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
    platform.issue({ commonName: certificateNames.handlerServer, hosts: [...local, ...at.gateways, at.node] }),
    platform.issue({ commonName: certificateNames.handlerClient }),
    platform.issue({
      commonName: UPLOAD_PROXY_SERVICE,
      hosts: [...local, ...at.gateways, ...serviceNames(`${UPLOAD_PROXY_SERVICE}.${platformNamespace}`)],
    }),
    platform.issue({ commonName: certificateNames.uploadClient }),
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
    kubeletServer,
    kubeconfigs,
    files: {
      clusterCa: join(paths.pki, 'cluster-ca.crt'),
      frontProxyCa: join(paths.pki, 'front-proxy-ca.crt'),
      platformCa: join(paths.pki, 'platform-ca.crt'),
      serviceAccountKey: serviceAccountKey(paths.pki),
      apiServer: pair('api-server', apiServer),
      kubeletClient: pair('kubelet-client', kubeletClient),
      frontProxyClient: pair('front-proxy-client', frontProxyClient),
      virtApi: pair('virt-api', virtApi),
      handlerServer: pair('virt-handler', handlerServer),
      handlerClient: pair('virt-handler-client', handlerClient),
      uploadProxy: pair('upload-proxy', uploadProxy),
      uploadClient: pair('upload-client', uploadClient),
    },
  };
}

interface Identity {
  readonly commonName: string;
  readonly organizations: string[];
}

/** Clients of the API server on a node, by the name of their kubeconfig. */
export function nodeIdentities(node: string): Record<'kubelet' | 'kube-proxy' | 'virt-handler', Identity> {
  return {
    kubelet: { commonName: `system:node:${node}`, organizations: ['system:nodes'] },
    'kube-proxy': { commonName: 'system:kube-proxy', organizations: ['system:node-proxier'] },
    'virt-handler': serviceAccount('kubevirt-handler'),
  };
}

/** Components use the same service accounts as on a cluster. */
function serviceAccount(name: string): Identity {
  return {
    commonName: `system:serviceaccount:${platformNamespace}:${name}`,
    organizations: ['system:serviceaccounts', `system:serviceaccounts:${platformNamespace}`],
  };
}

/** Kubeconfig with inline certificates, so that it can be copied. JSON is valid YAML. */
export function kubeconfig(user: string, server: string, ca: string, client: KeyPair): string {
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
