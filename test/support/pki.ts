import 'reflect-metadata';
import { generateKeyPairSync, webcrypto } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import * as x509 from '@peculiar/x509';

/** A certificate and its key, in PEM. */
export interface Pair {
  cert: string;
  key: string;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY = 86_400_000;

async function exportPair(cert: x509.X509Certificate, keys: webcrypto.CryptoKeyPair): Promise<Pair> {
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey as never));
  const lines = der
    .toString('base64')
    .match(/.{1,64}/g)!
    .join('\n');
  return { cert: cert.toString('pem'), key: `-----BEGIN PRIVATE KEY-----\n${lines}\n-----END PRIVATE KEY-----\n` };
}

const newKeys = () =>
  webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']) as Promise<webcrypto.CryptoKeyPair>;

/** A certificate authority for one test. */
export class TestCa {
  private serial = 1;

  private constructor(
    private readonly keys: webcrypto.CryptoKeyPair,
    private readonly certificate: x509.X509Certificate,
    public readonly pem: string,
  ) {}

  public static async create(name: string): Promise<TestCa> {
    x509.cryptoProvider.set(webcrypto as never);
    const keys = await newKeys();
    const certificate = await x509.X509CertificateGenerator.createSelfSigned({
      serialNumber: '01',
      name: `CN=${name}`,
      notBefore: new Date(Date.now() - DAY),
      notAfter: new Date(Date.now() + 30 * DAY),
      signingAlgorithm: ALGORITHM,
      keys,
      extensions: [new x509.BasicConstraintsExtension(true, undefined, true)],
    });
    return new TestCa(keys, certificate, `${certificate.toString('pem')}\n`);
  }

  /** A leaf certificate. `subject` is a DN (`CN=admin,O=system:masters`), `names` are DNS names and IP addresses. */
  public async issue(subject: x509.JsonName, names: readonly string[] = []): Promise<Pair> {
    const keys = await newKeys();
    const cert = await x509.X509CertificateGenerator.create({
      serialNumber: (++this.serial).toString(16).padStart(2, '0'),
      subject,
      issuer: this.certificate.subject,
      notBefore: new Date(Date.now() - DAY),
      notAfter: new Date(Date.now() + 30 * DAY),
      signingAlgorithm: ALGORITHM,
      publicKey: keys.publicKey,
      signingKey: this.keys.privateKey,
      extensions: names.length
        ? [
            new x509.SubjectAlternativeNameExtension(
              names.map((value) => ({ type: /^[\d.]+$|:/.test(value) ? ('ip' as const) : ('dns' as const), value })),
            ),
          ]
        : [],
    });
    return exportPair(cert, keys);
  }
}

/** Writes PEM files of these names into a folder; answers their paths. */
export function writePems<N extends string>(folder: string, texts: Readonly<Record<N, string>>): Record<N, string> {
  const paths = Object.entries<string>(texts).map(([name, text]) => {
    const path = join(folder, `${name}.pem`);
    writeFileSync(path, text, { mode: 0o600 });
    return [name, path];
  });
  return Object.fromEntries(paths) as Record<N, string>;
}

/** A key that signs service account tokens. */
export function serviceAccountKey(): string {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
    type: 'pkcs8',
    format: 'pem',
  }) as string;
}
