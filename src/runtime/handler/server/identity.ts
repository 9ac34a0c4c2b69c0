import type { PeerCertificate } from 'node:tls';

/**
 * Who may call: virt-api, with a certificate of this common name signed by the client CA. It is KubeVirt's name for the
 * certificate with which handlers are called; a handler's own serving certificate has another one, so that no node can
 * speak to the guests of others (CVE-2025-64434).
 */
export const CALLER_COMMON_NAME = 'kubevirt.io:system:client:virt-handler';

/** The cause for which a caller is refused; undefined: it may. */
export function refuseCaller(certificate: PeerCertificate | undefined): string | undefined {
  const names = certificate?.subject?.CN as string | string[] | undefined;
  if (!names || Array.isArray(names)) return 'a client certificate with one common name is required';
  return names === CALLER_COMMON_NAME ? undefined : `client "${names}" may not call virt-handler`;
}
