import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';

/** A certificate chain and its key. PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** @throws Error when certificate and key do not match, as in the middle of a renewal */
export function readKeyPair(certFile: string, keyFile: string): KeyPair {
  const pair = { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
  parseCertificates(pair.cert, certFile);
  checkPair(pair, `${certFile} and ${keyFile}`);
  return pair;
}

/** @throws Error naming `where` */
export function checkPair(pair: KeyPair, where: string): void {
  // without a key, TLS would accept the certificate and fail at each handshake
  if (!pair.key.trim()) throw new Error(`${where}: the key is empty`);
  try {
    createSecureContext({ cert: pair.cert, key: pair.key });
  } catch (error) {
    throw new Error(`${where}: certificate and key cannot be used together: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** @throws Error when the file contains no certificate: either nobody or the system's authorities would be trusted */
export function readAuthorities(file: string): string {
  const text = readFileSync(file, 'utf8');
  parseCertificates(text, file);
  return text;
}

/** Requires at least one certificate, and that each of them is valid. @throws Error naming `where` */
export function parseCertificates(text: string, where: string): X509Certificate[] {
  const blocks =
    text.match(/-----BEGIN (?:TRUSTED )?CERTIFICATE-----[\s\S]*?-----END (?:TRUSTED )?CERTIFICATE-----/g) ?? [];
  const begun = text.match(/-----BEGIN (?:TRUSTED )?CERTIFICATE-----/g)?.length ?? 0;
  if (begun === 0) throw new Error(`${where}: contains no PEM certificate`);
  if (begun !== blocks.length) throw new Error(`${where}: a PEM certificate is cut off`);
  return blocks.map((block) => {
    try {
      return new X509Certificate(block);
    } catch (error) {
      throw new Error(`${where}: invalid PEM certificate: ${(error as Error).message}`, { cause: error });
    }
  });
}
