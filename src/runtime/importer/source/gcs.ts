import { createPrivateKey, sign, type KeyObject } from 'node:crypto';
import { ImportError } from '../import-error';

export interface ServiceAccount {
  readonly email: string;
  readonly key: KeyObject;
  readonly keyId?: string;
}

const HOST = 'storage.googleapis.com';
const SCOPE = 'https://www.googleapis.com/auth/devstorage.read_only';
const LIFETIME_S = 3600;

/** Address of an object whose URL is `gs://BUCKET/OBJECT`, or the one that Google's console shows. */
export function objectUrl(url: string): string {
  const [, bucket, object] = /^gs:\/\/([^/]+)\/(.+)$/s.exec(url) ?? [];
  if (bucket !== undefined && object !== undefined) {
    return `https://${HOST}/${bucket}/${object.split('/').map(encodeURIComponent).join('/')}`;
  }
  return url.replace(/^https:\/\/storage\.cloud\.google\.com\//, `https://${HOST}/`);
}

/** Reads `credentials.json`. @throws ImportError if it is not the key file of a service account */
export function serviceAccountOf(text: string): ServiceAccount {
  try {
    const file = JSON.parse(text) as { client_email?: unknown; private_key: string; private_key_id?: string };
    if (typeof file.client_email !== 'string') throw new Error('client_email is missing');
    return { email: file.client_email, key: createPrivateKey(file.private_key), keyId: file.private_key_id };
  } catch {
    // the cause may contain a part of the secret
    throw new ImportError(
      'RequestInvalid',
      'credentials.json in the Secret of secretRef is not the key of a service account',
      'create a key of the type JSON for a service account, and put that file into the Secret',
    );
  }
}

/** Token that the service account signs itself, which Google's API accepts without an exchange (AIP-4111). */
export function tokenOf({ email, key, keyId }: ServiceAccount, now: number): string {
  const seconds = Math.floor(now / 1000);
  const header = { alg: 'RS256', typ: 'JWT', kid: keyId };
  const claims = { iss: email, sub: email, scope: SCOPE, iat: seconds, exp: seconds + LIFETIME_S };
  const text = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
}
