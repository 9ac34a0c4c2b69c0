import type { KubeObject } from '../../../api';
import { certificatesIn } from '../../../api/certificates';
import type { KeyPair } from '../../kube/pem';
import { factsOf } from './facts';
import type { Authorities } from './authorities';

/** Secret, as far as certificates need it. Values are in base64. */
export interface Secret extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

/** Keys of the Secret with the platform's authorities. The first two are cert-manager's. */
const KEYS = {
  ...{ cert: 'tls.crt', key: 'tls.key', nextCert: 'next.crt', nextKey: 'next.key', past: 'past.crt' },
  /** Time in ISO 8601. */
  trustedSince: 'next.trusted-since',
} as const;

/** Text of a key of a Secret; empty if it is absent. */
export const textOf = (secret: Secret | undefined, key: string): string =>
  Buffer.from(secret?.data?.[key] ?? '', 'base64').toString('utf8');

/** Reads the pair of a Secret that a program mounts. */
export const pairIn = (secret: Secret | undefined): KeyPair => ({
  cert: textOf(secret, KEYS.cert),
  key: textOf(secret, KEYS.key),
});

/**
 * Reads the Secret with the authorities. Damaged parts count as absent, but a certificate without its key has signed what
 * is in use: it belongs to the past.
 */
export function authoritiesIn(secret: Secret | undefined): Authorities {
  const current = factsOf(pairIn(secret));
  const next = factsOf({ cert: textOf(secret, KEYS.nextCert), key: textOf(secret, KEYS.nextKey) });
  const trustedSince = Date.parse(textOf(secret, KEYS.trustedSince));
  return {
    ...(current ? { current } : {}),
    ...(next ? { next, ...(Number.isNaN(trustedSince) ? {} : { trustedSince }) } : {}),
    past: [KEYS.past, ...(current ? [] : [KEYS.cert])].flatMap((key) => certificatesIn(textOf(secret, key))),
  };
}

/** Content of the Secret with the authorities; `null` removes a key in a merge patch. */
export function authoritySecret(authorities: Authorities): Record<string, string | null> {
  const { current, next, trustedSince, past } = authorities;
  return encoded({
    [KEYS.cert]: current?.pair.cert,
    [KEYS.key]: current?.pair.key,
    [KEYS.nextCert]: next?.pair.cert,
    [KEYS.nextKey]: next?.pair.key,
    [KEYS.trustedSince]: trustedSince === undefined ? undefined : new Date(trustedSince).toISOString(),
    [KEYS.past]: past.length > 0 ? `${past.join('\n')}\n` : undefined,
  });
}

/** Content of a Secret that a program mounts. */
export const leafSecret = ({ cert, key }: KeyPair, trusted: string): Record<string, string | null> =>
  encoded({ [KEYS.cert]: cert, [KEYS.key]: key, 'ca.crt': trusted });

const encoded = (texts: Record<string, string | undefined>): Record<string, string | null> =>
  Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [
      key,
      text === undefined ? null : Buffer.from(text, 'utf8').toString('base64'),
    ]),
  );
