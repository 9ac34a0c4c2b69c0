import { X509Certificate } from 'node:crypto';
import { certificatesIn } from '../../../../../src/api/certificates';
import { operatorSecrets, platformCertificates } from '../../../../../src/api/install/certificates';
import { validityOf } from '../../../../../src/runtime/operator/certificates/facts';
import type { Certificates, SecretStore } from '../../../../../src/runtime/operator/certificates/keeper';
import { keepCertificates } from '../../../../../src/runtime/operator/certificates/keeper';
import { textOf, type Secret } from '../../../../../src/runtime/operator/certificates/secrets';
import type { KubeVirtSelfSignConfiguration } from '../../../../../src/api/generated/kubevirt-v1';

export const leaves = platformCertificates('kubevirt', true).map(({ secret }) => secret);

/** Secrets in memory, with a clock, which record what programs trust. */
export class MemoryStore implements SecretStore {
  public readonly secrets = new Map<string, Secret>();
  public now: number;
  /** Names of the Secrets that were written. */
  public readonly written: string[] = [];
  /** Called before each write; what it throws is the answer of the API server. */
  public beforeWrite: (name: string) => void = () => undefined;
  /** Authorities that every Secret contains, PEM -> since when. */
  private readonly trusted = new Map<string, number>();
  /** Violations of the rules that keep connections working. */
  public readonly violations: string[] = [];

  public constructor(
    now: number,
    private readonly overlapMs = 0,
  ) {
    this.now = now;
  }

  public keep(given?: KubeVirtSelfSignConfiguration): Promise<Certificates> {
    return keepCertificates(given, { namespace: 'kubevirt', importer: true, store: this, now: () => this.now });
  }

  public find(name: string): Secret | undefined {
    return this.secrets.get(name);
  }

  public write(name: string, data: Record<string, string | null>): Promise<void> {
    try {
      this.beforeWrite(name);
    } catch (error) {
      return Promise.reject(error as Error);
    }
    const merged = Object.entries({ ...this.secrets.get(name)?.data, ...data }).filter(([, text]) => text !== null);
    const before = this.text(name, 'tls.crt');
    this.secrets.set(name, { metadata: { name }, data: Object.fromEntries(merged) } as Secret);
    this.written.push(name);
    if (leaves.includes(name)) this.observe(name, before);
    return Promise.resolve();
  }

  public text(name: string, key: string): string {
    return textOf(this.secrets.get(name), key);
  }

  public authority(): X509Certificate {
    return new X509Certificate(this.text(operatorSecrets.authority, 'tls.crt'));
  }

  public leaf(name: string): X509Certificate | undefined {
    const pem = this.text(name, 'tls.crt');
    return pem ? new X509Certificate(pem) : undefined;
  }

  /** Authorities in the Secret of a program. */
  public trustIn(name: string): X509Certificate[] {
    return certificatesIn(this.text(name, 'ca.crt')).map((pem) => new X509Certificate(pem));
  }

  private observe(name: string, before: string): void {
    const lists = leaves.map((each) => new Set(certificatesIn(this.text(each, 'ca.crt'))));
    for (const each of lists[0]!) {
      if (lists.every((list) => list.has(each)) && !this.trusted.has(each)) this.trusted.set(each, this.now);
    }
    if (this.text(name, 'tls.crt') !== before) this.check(name, before);
  }

  private check(name: string, before: string): void {
    const certificate = this.leaf(name)!;
    const issuer = this.trustIn(name).find((each) => certificate.verify(each.publicKey));
    if (!issuer) return void this.violations.push(`${name} does not trust its own issuer`);
    if (validityOf(certificate).until > validityOf(issuer).until) {
      this.violations.push(`${name} lasts longer than its authority`);
    }
    // nothing works anyway if there was no certificate, or if it had ended
    if (!before || validityOf(new X509Certificate(before)).until <= this.now) return;
    const since = this.trusted.get(issuer.toString().trim());
    if (since === undefined || this.now - since < this.overlapMs) {
      this.violations.push(
        `${name} got a certificate of an authority that not all programs have trusted for long enough`,
      );
    }
  }
}
