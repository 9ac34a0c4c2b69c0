import { createPrivateKey, sign, verify, X509Certificate } from 'node:crypto';
import type { CloneSource } from '../../api/cdi/clone-source';
import type { KeyPair } from './pem';
import { parseCertificates } from './pem';
import { isVirtApi, type VirtApiTrust } from './virt-api-signature';

/** Statement of virt-api: the author of a DataVolume with this name may copy this source. */
export interface CloneStatement {
  readonly from: CloneSource;
  /** The DataVolume; its name is generated from `prefix` if it is not known yet. */
  readonly to: { readonly namespace: string; readonly name?: string; readonly prefix?: string };
  /** Milliseconds. */
  readonly issuedAt: number;
}

/** Prevents a signature for another purpose from being used as one of these. */
const CONTEXT = 'virt8s.io clone token 1\n';
/** Characters that the API server appends to `generateName`. */
const GENERATED_LENGTH = 5;
const MOST_CHARACTERS = 16 << 10;
/** Time between a statement and the creation of its DataVolume: other webhooks are called in between. */
const VALID_MS = 5 * 60_000;
/** Clocks of virt-api and of the API server may differ. */
const SKEW_MS = 60_000;

/** Signs a statement with the key of virt-api's serving certificate, which is part of the token. */
export function cloneToken(statement: CloneStatement, { cert, key }: KeyPair): string {
  const payload = Buffer.from(JSON.stringify(statement));
  const signature = sign(undefined, signed(payload), createPrivateKey(key));
  const [own] = parseCertificates(cert, 'serving certificate');
  return [payload, signature, own!.raw].map((part) => part.toString('base64url')).join('.');
}

export interface TokenUse {
  readonly namespace: string;
  readonly name: string;
  /** Time at which the DataVolume was created. */
  readonly createdAt: number;
}

/** The statement of a token for this DataVolume; undefined unless virt-api signed it for exactly that. */
export function verifyCloneToken(
  token: string,
  { namespace, name, createdAt }: TokenUse,
  trust: VirtApiTrust,
): CloneStatement | undefined {
  if (token.length > MOST_CHARACTERS) return undefined;
  try {
    const [payload, signature, raw, ...more] = token.split('.').map((part) => Buffer.from(part, 'base64url'));
    if (!payload || !signature || !raw || more.length > 0) return undefined;
    const statement = JSON.parse(payload.toString()) as CloneStatement;
    const { issuedAt, to } = statement;
    const isNamed = to.name === undefined ? isGeneratedFrom(to.prefix, name) : to.name === name;
    const isFor = to.namespace === namespace && isNamed;
    if (!isFor || !(createdAt - issuedAt < VALID_MS) || !(issuedAt - createdAt < SKEW_MS)) return undefined;
    const certificate = new X509Certificate(raw);
    if (!isVirtApi(certificate, trust, issuedAt)) return undefined;
    return verify(undefined, signed(payload), certificate.publicKey, signature) ? statement : undefined;
  } catch {
    return undefined; // not a token
  }
}

const isGeneratedFrom = (prefix: string | undefined, name: string): boolean =>
  prefix !== undefined && name.startsWith(prefix) && name.length === prefix.length + GENERATED_LENGTH;

const signed = (payload: Buffer): Buffer => Buffer.concat([Buffer.from(CONTEXT), payload]);
