import { mutatingWebhooks, validatingWebhooks } from '../webhook-table';
import { collections } from '../kinds/registry';
import { type ComponentAccess, leads } from './grant';

/**
 * Secrets that the installation makes empty and virt-operator fills (`tls.crt`, `tls.key` and the authority's `ca.crt`, as
 * cert-manager does): what is secret is in no manifest.
 */
export const operatorSecrets = {
  /** Key and certificate of the platform's own authority. */
  authority: 'kubevirt-ca',
  /** virt-api's serving certificate. */
  virtApi: 'kubevirt-virt-api-certs',
  /** By which virt-api proves to virt-handler who it is. */
  handlerClient: 'kubevirt-virt-handler-certs',
  /** virt-handler's serving certificate. */
  handlerServer: 'kubevirt-virt-handler-server-certs',
} as const;

/** Objects that hold nothing secret, filled by virt-operator as well. */
export const operatorConfigMaps = {
  /**
   * By which virt-api knows the cluster's API server: `client-ca.crt`, and `allowed-names`, separated by commas. A copy
   * of `kube-system/extension-apiserver-authentication`.
   */
  requestHeader: 'kubevirt-request-header',
} as const;

const apiServices = ['v1', 'v1alpha3'].map((version) => `${version}.subresources.kubevirt.io`);

/**
 * virt-operator: fills the certificates in before they end, tells the API server by whom virt-api's is signed, and
 * writes how the installation is. It can change what it is named here for, and nothing else.
 *
 * @param issuesCertificates false when something else does, such as cert-manager
 */
export const virtOperatorAccess = (issuesCertificates = true): ComponentAccess => ({
  serviceAccount: 'kubevirt-operator',
  grants: [
    {
      ...collections('KubeVirt'),
      verbs: ['get', 'list', 'watch'],
      why: 'the installation that it looks after',
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
      why: 'by which virt-api knows the API server',
      where: 'installation',
      names: Object.values(operatorConfigMaps),
    },
    {
      group: 'apps',
      resources: ['deployments'],
      verbs: ['get'],
      why: 'whether it is ready',
      where: 'installation',
      names: ['virt-api', 'virt-controller'],
    },
    {
      group: 'apps',
      resources: ['daemonsets'],
      verbs: ['get'],
      why: 'whether it is ready',
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
            names: Object.values(operatorSecrets),
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
            names: apiServices,
          },
        ] as const)
      : []),
  ],
});
