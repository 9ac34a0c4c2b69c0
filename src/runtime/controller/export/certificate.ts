import { webcrypto } from 'node:crypto';

/** Certificate and its key, PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY_MS = 24 * 3_600_000;

/** Creates a key and a certificate for these host names that its clients trust as it is. */
export async function selfSigned(hosts: readonly string[], now: number, notAfter: number): Promise<KeyPair> {
  // loaded by the first export
  await import('reflect-metadata');
  const x509 = await import('@peculiar/x509');
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    // the first bit stays 0: a serial number is positive (RFC 5280, 4.1.2.2)
    serialNumber: `01${Buffer.from(webcrypto.getRandomValues(new Uint8Array(8))).toString('hex')}`,
    // a common name has at most 64 characters
    name: [{ CN: ['virt-export'] }],
    notBefore: new Date(now - DAY_MS),
    notAfter: new Date(notAfter),
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(hosts.map((value) => ({ type: 'dns', value }))),
    ],
  });
  const key = x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY');
  return { cert: `${certificate.toString('pem')}\n`, key: `${key}\n` };
}
