import { virtApiServiceNames } from '../platform';
import { mutatingWebhooks, validatingWebhooks } from '../webhook-table';
import { UPLOAD_PROXY_SERVICE } from '../cdi/upload';
import { collections } from '../kinds/registry';
import { type ComponentAccess, leads } from './grant';

/**
 * Secrets that the installation creates empty and virt-operator fills (`tls.crt`, `tls.key` and the CA's `ca.crt`, as
 * cert-manager does), so that no manifest contains a secret.
 */
export const operatorSecrets = {
  /** Key and certificate of the platform's own CA. */
  authority: 'kubevirt-ca',
  /** virt-api's serving certificate. */
  virtApi: 'kubevirt-virt-api-certs',
  /** Client certificate of virt-api for connections to virt-handler. */
  handlerClient: 'kubevirt-virt-handler-certs',
  /** virt-handler's serving certificate. */
  handlerServer: 'kubevirt-virt-handler-server-certs',
  /** Serving certificate of the upload proxy. CDI's name. */
  uploadProxy: 'cdi-uploadproxy-server-cert',
  /** Client certificate of the upload proxy for connections to upload servers. CDI's name. */
  uploadClient: 'cdi-uploadserver-client-cert',
} as const;

/** Names of the Secrets of an installation. Without `importer`, CDI serves uploads. */
export function operatorSecretNames(importer: boolean): string[] {
  const ofImporter: readonly string[] = [operatorSecrets.uploadProxy, operatorSecrets.uploadClient];
  return Object.values(operatorSecrets).filter((name) => importer || !ofImporter.includes(name));
}

/** Objects without secrets that virt-operator also fills. */
export const operatorConfigMaps = {
  /**
   * Identifies the cluster's API server to virt-api: `client-ca.crt`, and `allowed-names`, separated by commas. A copy
   * of `kube-system/extension-apiserver-authentication`.
   */
  requestHeader: 'kubevirt-request-header',
} as const;

export interface OperatorTasks {
  /** Whether it issues the certificates. False if another program does, such as cert-manager. Default: true. */
  readonly issuesCertificates?: boolean;
  /** Whether the platform fills claims itself, for which it has an upload proxy. Default: true. */
  readonly importer?: boolean;
}

/**
 * virt-operator: renews the certificates before they expire, writes the CA of virt-api's certificate for the API server,
 * and reports the status of the installation. It can change only the objects named here.
 */
export const virtOperatorAccess = ({
  issuesCertificates = true,
  importer = true,
}: OperatorTasks = {}): ComponentAccess => ({
  serviceAccount: 'kubevirt-operator',
  grants: [
    {
      ...collections('KubeVirt'),
      verbs: ['get', 'list', 'watch'],
      why: 'the installation that it manages',
      where: 'installation',
    },
    {
      ...collections('KubeVirt/status'),
      verbs: ['patch'],
      why: 'phase, versions and conditions of the installation',
      where: 'installation',
    },
    {
      group: '',
      resources: ['configmaps'],
      verbs: ['get', 'patch'],
      why: 'identifies the API server to virt-api',
      where: 'installation',
      names: Object.values(operatorConfigMaps),
    },
    {
      group: 'apps',
      resources: ['deployments'],
      verbs: ['get'],
      why: 'readiness',
      where: 'installation',
      names: ['virt-api', 'virt-controller', ...(importer ? [UPLOAD_PROXY_SERVICE] : [])],
    },
    {
      group: 'apps',
      resources: ['daemonsets'],
      verbs: ['get'],
      why: 'readiness',
      where: 'installation',
      names: ['virt-handler'],
    },
    ...leads('virt-operator'),
    ...(issuesCertificates
      ? ([
          {
            group: '',
            resources: ['secrets'],
            verbs: ['get', 'patch'],
            why: 'keys and certificates of the platform; no other secret can be read',
            where: 'installation',
            names: operatorSecretNames(importer),
          },
          {
            group: 'admissionregistration.k8s.io',
            resources: ['mutatingwebhookconfigurations'],
            verbs: ['get', 'patch'],
            why: `caBundle of ${mutatingWebhooks.length} webhooks`,
            names: ['virt-api-mutator'],
          },
          {
            group: 'admissionregistration.k8s.io',
            resources: ['validatingwebhookconfigurations'],
            verbs: ['get', 'patch'],
            why: `caBundle of ${validatingWebhooks.length} webhooks`,
            names: ['virt-api-validator'],
          },
          {
            group: 'apiregistration.k8s.io',
            resources: ['apiservices'],
            verbs: ['get', 'patch'],
            why: 'caBundle of the aggregated API',
            names: virtApiServiceNames(importer),
          },
        ] as const)
      : []),
  ],
});
