import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { KeyPair } from '../../kube/pem';

/** A certificate whose key belongs to it, and the parts of it that decisions depend on. */
export interface CertificateFacts {
  readonly pair: KeyPair;
  readonly certificate: X509Certificate;
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly until: number;
}

/** Reads a pair; undefined if a part is missing or damaged, or if the key is that of another certificate. */
export function factsOf(pair: Partial<KeyPair>): CertificateFacts | undefined {
  const { cert, key } = pair;
  if (!cert || !key) return undefined;
  try {
    const certificate = new X509Certificate(cert);
    if (!certificate.checkPrivateKey(createPrivateKey(key))) return undefined;
    return { pair: { cert, key }, certificate, ...validityOf(certificate) };
  } catch {
    return undefined;
  }
}

/** Time for which a certificate is valid, in milliseconds since 1970. */
export const validityOf = ({ validFrom, validTo }: X509Certificate): { from: number; until: number } => ({
  from: Date.parse(validFrom),
  until: Date.parse(validTo),
});

export const isValidAt = ({ from, until }: { from: number; until: number }, now: number): boolean =>
  from <= now && now < until;
