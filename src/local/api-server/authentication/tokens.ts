import { createPrivateKey, createPublicKey, createHash, KeyObject, randomUUID, sign, verify } from 'node:crypto';
import { Store } from '../store/store';
import { UserInfo } from '../types';

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

interface Claims {
  iss: string;
  sub: string;
  aud: string[];
  exp: number;
  nbf: number;
  jti?: string;
  'kubernetes.io'?: {
    namespace: string;
    serviceaccount: { name: string; uid: string };
    pod?: { name: string; uid: string };
    secret?: { name: string; uid: string };
    node?: { name: string; uid?: string };
  };
}

const encode = (value: object | Buffer) =>
  (Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value))).toString('base64url');

/** Issues and verifies the JWTs of service accounts. A token is valid while its ServiceAccount and its bound Pod exist. */
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

  /** User of a token; undefined if it is not valid, has expired, or has none of `audiences`. */
  public review(token: string, audiences: readonly string[] = this.audiences): ReviewedToken | undefined {
    const [head, payload, signature, ...rest] = token.split('.');
    if (!signature || rest.length) return undefined;
    const claims = decodeClaims(payload);
    if (!claims || claims.iss !== this.issuer) return undefined;
    const signed = Buffer.from(`${head}.${payload}`);
    const bytes = Buffer.from(signature, 'base64url');
    const genuine = this.publicKeys.some((key) => verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, bytes));
    if (!genuine) return undefined;
    const now = Date.now() / 1000;
    if (claims.exp < now || claims.nbf > now + 5) return undefined;
    const shared = audiences.filter((audience) => claims.aud.includes(audience));
    const bound = claims['kubernetes.io'];
    if (!shared.length || !bound || !this.alive(bound)) return undefined;
    return { user: userOf(claims, bound), audiences: shared };
  }

  private alive(bound: NonNullable<Claims['kubernetes.io']>): boolean {
    const { namespace, serviceaccount, pod, secret } = bound;
    const isAlive = (resource: string, object?: { name: string; uid: string }) => {
      if (!object) return true;
      const found = this.store.get({ resource, namespace, name: object.name });
      return found?.metadata.uid === object.uid;
    };
    return isAlive('/serviceaccounts', serviceaccount) && isAlive('/pods', pod) && isAlive('/secrets', secret);
  }
}

function userOf(claims: Claims, bound: NonNullable<Claims['kubernetes.io']>): UserInfo {
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
