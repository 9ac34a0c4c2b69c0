import 'reflect-metadata';
import { generateKeyPairSync, webcrypto } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as x509 from '@peculiar/x509';
import { writeSecret } from './secret-file';

/** Certificate and key, PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** Subject and usage of a leaf certificate. */
export interface LeafRequest {
  readonly commonName: string;
  /** Organizations, which Kubernetes treats as groups. */
  readonly organizations?: readonly string[];
  /** Host names and addresses of a server certificate. Without them, it is a client certificate. */
  readonly hosts?: readonly string[];
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const dayMs = 24 * 60 * 60 * 1000;

/** Certificate authority of the engine. Created once; its leaf certificates are created at each start. */
export class Authority {
  private constructor(
    public readonly cert: string,
    private readonly certificate: x509.X509Certificate,
    private readonly key: webcrypto.CryptoKey,
  ) {}

  /** Reads `<dir>/<name>.{crt,key}`, or creates them (valid for ten years). */
  public static async open(dir: string, name: string): Promise<Authority> {
    const certFile = join(dir, `${name}.crt`);
    const keyFile = join(dir, `${name}.key`);
    if (!existsSync(certFile)) {
      const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
      const now = Date.now();
      const certificate = await x509.X509CertificateGenerator.createSelfSigned({
        serialNumber: serial(),
        name: `CN=virt8s-${name}`,
        notBefore: new Date(now - dayMs),
        notAfter: new Date(now + 3650 * dayMs),
        keys,
        signingAlgorithm: algorithm,
        extensions: [
          new x509.BasicConstraintsExtension(true, undefined, true),
          new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
          await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
        ],
      });
      mkdirSync(dir, { recursive: true, mode: 0o700 });
      writeSecret(keyFile, await privatePem(keys.privateKey));
      writeSecret(certFile, certificate.toString('pem') + '\n');
    }
    const cert = readFileSync(certFile, 'utf8');
    const der = x509.PemConverter.decodeFirst(readFileSync(keyFile, 'utf8'));
    const key = await webcrypto.subtle.importKey('pkcs8', der, algorithm, true, ['sign']);
    return new Authority(cert, new x509.X509Certificate(cert), key);
  }

  /** Creates a key and its certificate, valid for one year. */
  public async issue({ commonName, organizations = [], hosts = [] }: LeafRequest): Promise<KeyPair> {
    const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
    const now = Date.now();
    const subject = [...organizations.map((o) => ({ O: [o] })), { CN: [commonName] }];
    const usage = hosts.length > 0 ? x509.ExtendedKeyUsage.serverAuth : x509.ExtendedKeyUsage.clientAuth;
    const certificate = await x509.X509CertificateGenerator.create({
      serialNumber: serial(),
      subject,
      issuer: this.certificate.subject,
      notBefore: new Date(now - dayMs),
      notAfter: new Date(now + 365 * dayMs),
      publicKey: keys.publicKey,
      signingKey: this.key,
      signingAlgorithm: algorithm,
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([usage]),
        await x509.AuthorityKeyIdentifierExtension.create(this.certificate.publicKey),
        ...(hosts.length > 0
          ? [
              new x509.SubjectAlternativeNameExtension(
                hosts.map((value) => ({ type: /^[\d.]+$|:/.test(value) ? 'ip' : 'dns', value })),
              ),
            ]
          : []),
      ],
    });
    return { cert: `${certificate.toString('pem')}\n`, key: await privatePem(keys.privateKey) };
  }
}

/** File of the key that signs ServiceAccount tokens: PEM, P-256, created once. */
export function serviceAccountKey(dir: string): string {
  const file = join(dir, 'service-account.key');
  const publicFile = join(dir, 'service-account.pub');
  if (!existsSync(publicFile)) {
    const pair = generateKeyPairSync('ec', {
      namedCurve: 'P-256',
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    writeSecret(file, pair.privateKey);
    writeSecret(publicFile, pair.publicKey);
  }
  return file;
}

async function privatePem(key: webcrypto.CryptoKey): Promise<string> {
  return `${x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY')}\n`;
}

function serial(): string {
  // the first bit stays 0: a serial number is positive (RFC 5280, 4.1.2.2)
  return `01${Buffer.from(webcrypto.getRandomValues(new Uint8Array(8))).toString('hex')}`;
}
