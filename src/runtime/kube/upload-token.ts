/** Tokens for uploads: JSON Web Tokens (RFC 7519), signed by virt-api. They contain the certificate of their signer (`x5c`). */
import { createPrivateKey, randomUUID, sign, verify, X509Certificate } from 'node:crypto';
import type { KeyPair } from './pem';
import { parseCertificates } from './pem';
import { isVirtApi, type VirtApiTrust } from './virt-api-signature';

/** Claim that a token allows to upload to. */
export interface UploadTarget {
  readonly namespace: string;
  readonly name: string;
  /** UID of the claim. A new claim of the same name needs another token. */
  readonly uid: string;
}

/** Content of a valid token. */
export interface UploadPermission extends UploadTarget {
  /** Identifies the token, so that it is used once. */
  readonly id: string;
}

export const TOKEN_SECONDS = 5 * 60;
/** Difference of clocks that is accepted, as CDI does. */
const LEEWAY_SECONDS = 10;
const ISSUER = 'virt-api';
/** Distinguishes these tokens from others that the same key signs. */
const AUDIENCE = 'upload.cdi.kubevirt.io';
const MOST_CHARACTERS = 16 << 10;

interface Claims extends UploadTarget {
  readonly iss: string;
  readonly aud: string;
  readonly jti: string;
  /** Seconds. */
  readonly iat: number;
  readonly exp: number;
}

const ALGORITHMS: Readonly<Record<string, string>> = { ec: 'ES256', rsa: 'RS256' };

/** A token that is valid for five minutes from `now` (milliseconds). */
export function uploadToken({ namespace, name, uid }: UploadTarget, { cert, key }: KeyPair, now: number): string {
  const privateKey = createPrivateKey(key);
  const [own] = parseCertificates(cert, 'serving certificate');
  const alg = ALGORITHMS[privateKey.asymmetricKeyType ?? ''];
  if (!alg) throw new Error(`the key of virt-api has the type ${privateKey.asymmetricKeyType} (allowed: ec, rsa)`);
  const iat = Math.floor(now / 1000);
  const claims: Claims = {
    ...{ iss: ISSUER, aud: AUDIENCE, jti: randomUUID(), iat, exp: iat + TOKEN_SECONDS },
    ...{ namespace, name, uid },
  };
  const content = [{ alg, typ: 'JWT', x5c: [own!.raw.toString('base64')] }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const signature = sign('sha256', Buffer.from(content), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${content}.${signature.toString('base64url')}`;
}

/** The permission of a token; undefined unless virt-api signed it and it is valid at `now` (milliseconds). */
export function verifyUploadToken(token: string, trust: VirtApiTrust, now: number): UploadPermission | undefined {
  if (token.length > MOST_CHARACTERS) return undefined;
  try {
    const [header = '', payload = '', signature = '', ...more] = token.split('.');
    if (more.length > 0) return undefined;
    const { alg, x5c } = parsed(header) as { alg?: unknown; x5c?: readonly string[] };
    const { iss, aud, jti, iat, exp, namespace, name, uid } = parsed(payload) as Claims;
    if (iss !== ISSUER || aud !== AUDIENCE) return undefined;
    const seconds = now / 1000;
    if (!(iat - LEEWAY_SECONDS <= seconds) || !(seconds < exp + LEEWAY_SECONDS) || exp - iat > TOKEN_SECONDS)
      return undefined;
    const certificate = new X509Certificate(Buffer.from(x5c?.[0] ?? '', 'base64'));
    if (!isVirtApi(certificate, trust, iat * 1000)) return undefined;
    const { publicKey } = certificate;
    if (alg !== ALGORITHMS[publicKey.asymmetricKeyType ?? '']) return undefined;
    const bytes = Buffer.from(signature, 'base64url');
    const isSigned = verify(
      'sha256',
      Buffer.from(`${header}.${payload}`),
      { key: publicKey, dsaEncoding: 'ieee-p1363' },
      bytes,
    );
    return isSigned ? { id: jti, namespace, name, uid } : undefined;
  } catch {
    return undefined; // not a token
  }
}

const parsed = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString());
