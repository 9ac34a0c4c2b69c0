import type { PeerCertificate } from 'node:tls';
import { certificateNames } from '../../../api/certificates';

/**
 * Common name of the only allowed caller, virt-api, in a certificate signed by the client CA. A handler's serving
 * certificate has another name, so that no node can reach the guests of others (CVE-2025-64434).
 */
export const CALLER_COMMON_NAME = certificateNames.handlerClient;

/** Returns why a caller is rejected; undefined if it is allowed. */
export function callerProblem(certificate: PeerCertificate | undefined): string | undefined {
  const names = certificate?.subject?.CN as string | string[] | undefined;
  if (!names || Array.isArray(names)) return 'a client certificate with one common name is required';
  return names === CALLER_COMMON_NAME ? undefined : `client "${names}" may not call virt-handler`;
}
