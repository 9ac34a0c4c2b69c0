import { X509Certificate } from 'node:crypto';
import { parseCertificates } from './pem';

/** Identity of virt-api: the authority of its serving certificate (PEM), and its name there. */
export interface VirtApiTrust {
  readonly authority: string;
  readonly host: string;
}

/** Name in virt-api's serving certificate, which no other program of the platform has. */
export const virtApiHost = (namespace: string): string => `virt-api.${namespace}.svc`;

/** Whether it is a certificate of virt-api that was valid at that time. */
export function isVirtApi(certificate: X509Certificate, { authority: authorities, host }: VirtApiTrust, at: number) {
  return (
    !certificate.ca &&
    certificate.checkHost(host, { subject: 'never' }) !== undefined &&
    Date.parse(certificate.validFrom) <= at &&
    at <= Date.parse(certificate.validTo) &&
    parseCertificates(authorities, 'authority of virt-api').some(
      (authority) => certificate.checkIssued(authority) && certificate.verify(authority.publicKey),
    )
  );
}
