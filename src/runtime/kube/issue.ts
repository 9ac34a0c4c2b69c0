import { webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import type * as X509 from '@peculiar/x509';
import type { KeyPair } from './pem';

/** Time for which a certificate is valid, in milliseconds since 1970. */
export interface Validity {
  readonly from: number;
  readonly until: number;
}

/** Subject and usage of a certificate that an authority signs. */
export interface LeafRequest {
  readonly commonName: string;
  /** Organizations, which Kubernetes treats as groups. */
  readonly organizations?: readonly string[];
  /** Host names and addresses of a server. Without them, it is the certificate of a client. */
  readonly hosts?: readonly string[];
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** Creates a certificate authority and its key. PEM. */
export async function createAuthority(commonName: string, { from, until }: Validity): Promise<KeyPair> {
  const x509 = await library();
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serial(),
    name: [{ CN: [commonName] }],
    notBefore: new Date(from),
    notAfter: new Date(until),
    keys,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return pairOf(x509, certificate, keys.privateKey);
}

/** Creates a key and its certificate, which the authority signs. PEM. @throws Error if the authority cannot be read */
export async function issueLeaf(
  authority: KeyPair,
  { commonName, organizations = [], hosts = [] }: LeafRequest,
  { from, until }: Validity,
): Promise<KeyPair> {
  const x509 = await library();
  const issuer = new x509.X509Certificate(authority.cert);
  const der = x509.PemConverter.decodeFirst(authority.key);
  const signingKey = await webcrypto.subtle.importKey('pkcs8', der, algorithm, false, ['sign']);
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const usage = hosts.length > 0 ? x509.ExtendedKeyUsage.serverAuth : x509.ExtendedKeyUsage.clientAuth;
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serial(),
    subject: [...organizations.map((o) => ({ O: [o] })), { CN: [commonName] }],
    issuer: issuer.subject,
    notBefore: new Date(from),
    notAfter: new Date(until),
    publicKey: keys.publicKey,
    signingKey,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([usage]),
      await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey),
      ...(hosts.length > 0
        ? [
            new x509.SubjectAlternativeNameExtension(
              hosts.map((value) => ({ type: isIP(value) ? 'ip' : 'dns', value })),
            ),
          ]
        : []),
    ],
  });
  return pairOf(x509, certificate, keys.privateKey);
}

/** Loaded by the first certificate: most programs issue none. */
async function library(): Promise<typeof X509> {
  await import('reflect-metadata');
  return import('@peculiar/x509');
}

async function pairOf(
  x509: typeof X509,
  certificate: X509.X509Certificate,
  privateKey: webcrypto.CryptoKey,
): Promise<KeyPair> {
  const key = x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', privateKey), 'PRIVATE KEY');
  return { cert: `${certificate.toString('pem')}\n`, key: `${key}\n` };
}

function serial(): string {
  // the first bit stays 0: a serial number is positive (RFC 5280, 4.1.2.2)
  return `01${Buffer.from(webcrypto.getRandomValues(new Uint8Array(8))).toString('hex')}`;
}
