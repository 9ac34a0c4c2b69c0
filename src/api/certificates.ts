/** Common names in certificates of the platform. They are KubeVirt's, and contain no node addresses, because these change. */
export const certificateNames = {
  /** Serving certificate of every virt-handler. */
  handlerServer: 'kubevirt.io:system:node:virt-handler',
  /** Client certificate with which virt-api calls virt-handler. */
  handlerClient: 'kubevirt.io:system:client:virt-handler',
  /** Client certificate with which the upload proxy calls upload servers. CDI's name. */
  uploadClient: 'client.upload-server.cdi.kubevirt.io',
} as const;

/** Every certificate in a text in PEM, which may also contain comments. */
export const certificatesIn = (text: string): string[] =>
  text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
