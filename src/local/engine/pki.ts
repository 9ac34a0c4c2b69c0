import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAuthority, issueLeaf, type LeafRequest } from '../../runtime/kube/issue';
import type { KeyPair } from '../../runtime/kube/pem';
import { writeSecret } from './secret-file';

export type { KeyPair } from '../../runtime/kube/pem';

const dayMs = 24 * 60 * 60 * 1000;

/** Valid from a day ago, so that a clock that is set back does not invalidate it. */
const validFor = (days: number): { from: number; until: number } => ({
  from: Date.now() - dayMs,
  until: Date.now() + days * dayMs,
});

/** Certificate authority of the engine. Created once; its leaf certificates are created at each start. */
export class Authority {
  private constructor(private readonly pair: KeyPair) {}

  /** Certificate, PEM. */
  public get cert(): string {
    return this.pair.cert;
  }

  /** Reads `<dir>/<name>.{crt,key}`, or creates them (valid for ten years). */
  public static async open(dir: string, name: string): Promise<Authority> {
    const certFile = join(dir, `${name}.crt`);
    const keyFile = join(dir, `${name}.key`);
    if (!existsSync(certFile)) {
      const made = await createAuthority(`virt8s-${name}`, validFor(3650));
      mkdirSync(dir, { recursive: true, mode: 0o700 });
      writeSecret(keyFile, made.key);
      writeSecret(certFile, made.cert);
    }
    return new Authority({ cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') });
  }

  /** Creates a key and its certificate, valid for one year. */
  public issue(request: LeafRequest): Promise<KeyPair> {
    return issueLeaf(this.pair, request, validFor(365));
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
