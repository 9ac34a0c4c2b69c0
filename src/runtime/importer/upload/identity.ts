import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as x509 from '@peculiar/x509';
import { identityFiles } from './identity-files';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY_MS = 24 * 3600 * 1000;
/** Longer than any upload waits; the Pod and its key end with the upload. */
const VALID_DAYS = 3650;

/**
 * Makes the key and certificate of an upload server. The key never leaves the Pod. The certificate becomes the termination message
 * of an init container, so that the proxy reads it in the status of the Pod and trusts exactly this server.
 *
 * @returns the certificate in PEM
 */
export async function makeIdentity(folder: string): Promise<string> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const now = Date.now();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: '01',
    name: 'CN=upload-server',
    notBefore: new Date(now - DAY_MS),
    notAfter: new Date(now + VALID_DAYS * DAY_MS),
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: 'upload-server' }]),
    ],
  });
  const key = x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY');
  const pem = certificate.toString('pem');
  await writeFile(join(folder, identityFiles.key), key, { mode: 0o600 });
  await writeFile(join(folder, identityFiles.certificate), pem, { mode: 0o600 });
  return pem;
}
