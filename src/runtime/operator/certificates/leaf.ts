import type { PlatformCertificate } from '../../../api/install/certificates';
import { isValidAt, type CertificateFacts } from './facts';
import type { Lifetime } from './lifetimes';

/** Object identifiers of certificate usages (RFC 5280, 4.2.1.12). */
const USAGE = { server: '1.3.6.1.5.5.7.3.1', client: '1.3.6.1.5.5.7.3.2' } as const;

/** Returns why a certificate must be issued (again); undefined if it can stay. */
export function reasonToIssue(
  found: CertificateFacts | undefined,
  wanted: PlatformCertificate,
  authority: CertificateFacts,
  lifetime: Lifetime,
  now: number,
): string | undefined {
  if (!found) return 'it is missing or damaged';
  const { certificate } = found;
  if (!isValidAt(found, now)) return 'it is not valid now';
  if (!certificate.verify(authority.certificate.publicKey)) return 'another authority signed it';
  if (certificate.subject !== `CN=${wanted.commonName}`) return 'it has another name';
  if (hostsOf(certificate.subjectAltName) !== [...wanted.hosts].sort().join()) return 'it has other host names';
  const usage = wanted.hosts.length > 0 ? USAGE.server : USAGE.client;
  if (certificate.keyUsage?.join() !== usage) return 'it has another usage';
  return now >= renewalOf(found, authority, lifetime) ? 'it ends soon' : undefined;
}

/**
 * Time at which a certificate is renewed, in milliseconds since 1970. One that ends with its authority is renewed when the
 * next authority signs; renewing it before that would not make it last longer.
 */
export function renewalOf({ until }: CertificateFacts, authority: CertificateFacts, lifetime: Lifetime): number {
  return until >= authority.until ? authority.until : until - lifetime.renewBeforeMs;
}

/** Sorted host names of `DNS:a, DNS:b`. */
const hostsOf = (names: string | undefined): string =>
  (names ?? '')
    .split(', ')
    .filter(Boolean)
    .map((name) => name.replace(/^DNS:/, ''))
    .sort()
    .join();
