import type { PeerCertificate } from 'node:tls';

/**
 * Common name of the only allowed caller, virt-api, in a certificate signed by the client CA. It is KubeVirt's name for the
 * certificate with which handlers are called; a handler's serving certificate has another name, so that no node can reach
 * the guests of others (CVE-2025-64434).
 */
export const CALLER_COMMON_NAME = 'kubevirt.io:system:client:virt-handler';

/** Returns why a caller is rejected; undefined if it is allowed. */
export function callerProblem(certificate: PeerCertificate | undefined): string | undefined {
  const names = certificate?.subject?.CN as string | string[] | undefined;
  if (!names || Array.isArray(names)) return 'a client certificate with one common name is required';
  return names === CALLER_COMMON_NAME ? undefined : `client "${names}" may not call virt-handler`;
}
