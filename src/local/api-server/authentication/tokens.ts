import { createPrivateKey, createPublicKey, createHash, KeyObject, randomUUID, sign, verify } from 'node:crypto';
import { Store } from '../store/store';
import { AnyObject, UserInfo } from '../types';

/** Keys of service account tokens, in PEM: RSA or P-256. */
export interface ServiceAccountKeys {
  readonly privateKey: string;
  /** Keys of tokens that are still accepted. Default: the public half of `privateKey`. */
  readonly publicKeys?: readonly string[];
}

export interface BoundObject {
  readonly kind: string;
  readonly apiVersion?: string;
  readonly name: string;
  readonly uid: string;
}

export interface TokenRequest {
  readonly namespace: string;
  readonly serviceAccount: { name: string; uid: string };
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
  readonly boundTo?: BoundObject;
  readonly node?: { name: string; uid?: string };
}

export interface ReviewedToken {
  readonly user: UserInfo;
  readonly audiences: readonly string[];
}

/** Without an error for what is not a token of this server. */
export interface RejectedToken {
  readonly error?: string;
}

interface Claims {
  iss: string;
  sub: string;
  aud: string[];
  exp: number;
  nbf: number;
  jti?: string;
  'kubernetes.io': Bound;
}

interface Bound {
  namespace: string;
  serviceaccount: { name: string; uid: string };
  pod?: { name: string; uid: string };
  secret?: { name: string; uid: string };
  node?: { name: string; uid?: string };
}

const encode = (value: object | Buffer) =>
  (Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value))).toString('base64url');

/** Issues and verifies the JWTs of service accounts. A token is valid while its ServiceAccount and its bound object exist. */
export class ServiceAccountTokens {
  private readonly privateKey: KeyObject;
  private readonly publicKeys: readonly KeyObject[];
  private readonly algorithm: 'RS256' | 'ES256';

  public constructor(
    keys: ServiceAccountKeys,
    public readonly issuer: string,
    public readonly audiences: readonly string[],
    private readonly store: Store,
  ) {
    this.privateKey = createPrivateKey(keys.privateKey);
    this.publicKeys = (keys.publicKeys ?? [keys.privateKey]).map((pem) => createPublicKey(pem));
    this.algorithm = this.privateKey.asymmetricKeyType === 'ec' ? 'ES256' : 'RS256';
  }

  public issue(request: TokenRequest): { token: string; expires: Date } {
    const now = Math.floor(Date.now() / 1000);
    const { namespace, serviceAccount, boundTo, node } = request;
    const claims: Claims & { iat: number } = {
      aud: [...request.audiences],
      exp: now + request.expirationSeconds,
      iat: now,
      iss: this.issuer,
      jti: randomUUID(),
      'kubernetes.io': {
        namespace,
        ...(node ? { node } : {}),
        ...(boundTo ? { [boundTo.kind.toLowerCase()]: { name: boundTo.name, uid: boundTo.uid } } : {}),
        serviceaccount: { name: serviceAccount.name, uid: serviceAccount.uid },
      },
      nbf: now,
      sub: `system:serviceaccount:${namespace}:${serviceAccount.name}`,
    };
    const head = encode({ alg: this.algorithm, kid: keyId(createPublicKey(this.privateKey)) });
    const body = `${head}.${encode(claims)}`;
    const signature = sign('sha256', Buffer.from(body), { key: this.privateKey, dsaEncoding: 'ieee-p1363' });
    return { token: `${body}.${encode(signature)}`, expires: new Date(claims.exp * 1000) };
  }

  /** Public keys of tokens, as a JWK set. */
  public jwks(): { keys: object[] } {
    return {
      keys: this.publicKeys.map((key) => ({
        use: 'sig',
        kid: keyId(key),
        alg: key.asymmetricKeyType === 'ec' ? 'ES256' : 'RS256',
        ...key.export({ format: 'jwk' }),
      })),
    };
  }

  /** OpenID configuration for those who verify tokens themselves. */
  public openIdConfiguration(address: string): object {
    return {
      issuer: this.issuer,
      jwks_uri: `https://${address}/openid/v1/jwks`,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: [this.algorithm],
    };
  }

  /** User of a token that is valid for one of `audiences`, or why it is not. */
  public review(token: string, audiences: readonly string[] = this.audiences): ReviewedToken | RejectedToken {
    const [head, payload, signature, ...rest] = token.split('.');
    if (!signature || rest.length) return {};
    const claims = decodeClaims(payload);
    if (claims?.iss !== this.issuer) return {};
    const signed = Buffer.from(`${head}.${payload}`);
    const bytes = Buffer.from(signature, 'base64url');
    const genuine = this.publicKeys.some((key) => verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, bytes));
    if (!genuine) return { error: 'go-jose/go-jose: error in cryptographic primitive' };
    const shared = audiences.filter((audience) => claims.aud.includes(audience));
    if (!shared.length) {
      return {
        error: `token audiences ${quoted(claims.aud)} is invalid for the target audiences ${quoted(audiences)}`,
      };
    }
    const now = Date.now() / 1000;
    const error = timeError(claims, now) ?? this.bindingError(claims['kubernetes.io'], now);
    return error === undefined ? { user: userOf(claims, claims['kubernetes.io']), audiences: shared } : { error };
  }

  /** Error for a token whose account or bound object no longer exists. */
  private bindingError(bound: Bound, now: number): string | undefined {
    const { namespace, serviceaccount, pod, secret, node } = bound;
    const account = this.store.get({ resource: '/serviceaccounts', namespace, name: serviceaccount.name });
    if (!account) return `serviceaccounts ${JSON.stringify(serviceaccount.name)} not found`;
    if (account.metadata.uid !== serviceaccount.uid) {
      return `service account UID (${account.metadata.uid}) does not match claim (${serviceaccount.uid})`;
    }
    if (isGone(account, now)) return `service account ${namespace}/${serviceaccount.name} has been deleted`;
    for (const [kind, ref, home] of [
      ['secret', secret, namespace],
      ['pod', pod, namespace],
      // The node of a Pod's token is information, not a condition.
      ['node', pod ? undefined : node, ''],
    ] as const) {
      if (!ref) continue;
      const object = this.store.get({ resource: `/${kind}s`, namespace: home, name: ref.name });
      if (!object || isGone(object, now)) return 'service account token has been invalidated';
      if (object.metadata.uid !== ref.uid) {
        const what = `${kind[0].toUpperCase()}${kind.slice(1)}`.replace('Pod', 'pod');
        return `${what} UID (${object.metadata.uid}) does not match service account ${kind} ref claim (${ref.uid})`;
      }
    }
    return undefined;
  }
}

/** Seconds by which clocks may differ, and by which a deleted object outlives its deletion. */
const LEEWAY = 60;

/** Whether an object was deleted so long ago that it no longer counts although finalizers keep it. */
function isGone({ metadata }: AnyObject, now: number): boolean {
  return metadata.deletionTimestamp !== undefined && Date.parse(metadata.deletionTimestamp) / 1000 < now - LEEWAY;
}

/** Error for a token that is not valid at `now`, in seconds. */
export function timeError(claims: Pick<Claims, 'exp' | 'nbf'>, now: number): string | undefined {
  if (now - LEEWAY > claims.exp) return 'service account token has expired';
  return now + LEEWAY < claims.nbf ? 'service account token is not valid yet' : undefined;
}

const quoted = (list: readonly string[]) => `[${list.map((item) => JSON.stringify(item)).join(' ')}]`;

function userOf(claims: Claims, bound: Bound): UserInfo {
  const { namespace, serviceaccount, pod, node } = bound;
  const extra: Record<string, string[]> = {};
  if (claims.jti) extra['authentication.kubernetes.io/credential-id'] = [`JTI=${claims.jti}`];
  if (node) extra['authentication.kubernetes.io/node-name'] = [node.name];
  if (node?.uid) extra['authentication.kubernetes.io/node-uid'] = [node.uid];
  if (pod) {
    extra['authentication.kubernetes.io/pod-name'] = [pod.name];
    extra['authentication.kubernetes.io/pod-uid'] = [pod.uid];
  }
  return {
    username: claims.sub,
    uid: serviceaccount.uid,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
    ...(Object.keys(extra).length ? { extra } : {}),
  };
}

function decodeClaims(payload: string): Claims | undefined {
  try {
    return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Claims;
  } catch {
    return undefined;
  }
}

function keyId(key: KeyObject): string {
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('base64url');
}
