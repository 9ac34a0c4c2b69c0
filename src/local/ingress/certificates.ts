import { X509Certificate, createPrivateKey } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { Secret } from '../core-v1';

/** A Secret as it is presented in handshakes, or why it cannot be. */
export type Certificate = { readonly context: SecureContext } | { readonly problem: string };

/** Reads the certificate chain and the key of a Secret of type kubernetes.io/tls. */
export function certificateOf({ data }: Secret): Certificate {
  const [cert, key] = ['tls.crt', 'tls.key'].map((name) => Buffer.from(data?.[name] ?? '', 'base64').toString());
  if (!cert || !key) return { problem: 'lacks tls.crt or tls.key' };
  try {
    if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) {
      return { problem: 'has a key that does not belong to its certificate' };
    }
    return { context: createSecureContext({ cert, key }) };
  } catch {
    return { problem: 'has a certificate or a key that is not PEM' };
  }
}
