import { UPLOAD_PROXY_SERVICE } from '../cdi/upload';
import { certificateNames } from '../certificates';
import { EXPORT_PROXY_SERVICE } from '../export/external-path';

/**
 * Secrets with keys and certificates (`tls.crt`, `tls.key` and the authorities' `ca.crt`, as cert-manager writes them).
 * virt-operator or cert-manager fills them, so that no manifest contains a secret.
 */
export const operatorSecrets = {
  /** Key and certificate of the platform's own authority. */
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

/** Certificate of a program of the platform. */
export interface PlatformCertificate {
  /** Secret that contains it. */
  readonly secret: string;
  readonly commonName: string;
  /** Host names of a server; empty for the certificate of a client. */
  readonly hosts: readonly string[];
}

/** Every name of a Service, from the shortest to the complete one. */
const namesOf = (service: string, namespace: string): string[] =>
  ['', `.${namespace}`, `.${namespace}.svc`, `.${namespace}.svc.cluster.local`].map((rest) => service + rest);

/** Returns the certificates of an installation. Without `importer`, CDI serves uploads. */
export function platformCertificates(namespace: string, importer: boolean): PlatformCertificate[] {
  const client = (secret: string, commonName: string): PlatformCertificate => ({ secret, commonName, hosts: [] });
  return [
    { secret: operatorSecrets.virtApi, commonName: 'virt-api', hosts: namesOf('virt-api', namespace) },
    client(operatorSecrets.handlerClient, certificateNames.handlerClient),
    { secret: operatorSecrets.handlerServer, commonName: certificateNames.handlerServer, hosts: ['virt-handler'] },
    ...(importer
      ? [
          {
            secret: operatorSecrets.uploadProxy,
            commonName: UPLOAD_PROXY_SERVICE,
            hosts: [...namesOf(UPLOAD_PROXY_SERVICE, namespace), ...namesOf(EXPORT_PROXY_SERVICE, namespace)],
          },
          client(operatorSecrets.uploadClient, certificateNames.uploadClient),
        ]
      : []),
  ];
}
