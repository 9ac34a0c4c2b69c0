import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';

/** A certificate, with those that lead to its authority, and its key. PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** @throws Error when the two do not belong together, as in the middle of a renewal */
export function readKeyPair(certFile: string, keyFile: string): KeyPair {
  const pair = { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
  parseCertificates(pair.cert, certFile);
  checkPair(pair, `${certFile} and ${keyFile}`);
  return pair;
}

/** @throws Error naming `where` */
export function checkPair(pair: KeyPair, where: string): void {
  // without one, TLS would take the certificate alone and fail at each handshake
  if (!pair.key.trim()) throw new Error(`${where}: the key is empty`);
  try {
    createSecureContext({ cert: pair.cert, key: pair.key });
  } catch (error) {
    throw new Error(`${where}: certificate and key cannot be used together: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** @throws Error when the file holds no certificate: it would trust nobody, or the system's authorities */
export function readAuthorities(file: string): string {
  const text = readFileSync(file, 'utf8');
  parseCertificates(text, file);
  return text;
}

/** At least one certificate, and each of them whole. @throws Error naming `where` */
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
      throw new Error(`${where}: a PEM certificate cannot be read: ${(error as Error).message}`, { cause: error });
    }
  });
}
