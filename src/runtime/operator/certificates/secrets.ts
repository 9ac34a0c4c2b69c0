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
const KEYS = { cert: 'tls.crt', key: 'tls.key', nextCert: 'next.crt', nextKey: 'next.key', past: 'past.crt' } as const;

/** Text of a key of a Secret; empty if it is absent. */
export const textOf = (secret: Secret | undefined, key: string): string =>
  Buffer.from(secret?.data?.[key] ?? '', 'base64').toString('utf8');

/** Reads the pair of a Secret that a program mounts. */
export const pairIn = (secret: Secret | undefined): KeyPair => ({
  cert: textOf(secret, KEYS.cert),
  key: textOf(secret, KEYS.key),
});

/** Reads the Secret with the authorities. Damaged parts count as absent. */
export function authoritiesIn(secret: Secret | undefined): Authorities {
  const current = factsOf(pairIn(secret));
  const next = factsOf({ cert: textOf(secret, KEYS.nextCert), key: textOf(secret, KEYS.nextKey) });
  return {
    ...(current ? { current } : {}),
    ...(next ? { next } : {}),
    past: certificatesIn(textOf(secret, KEYS.past)),
  };
}

/** Content of the Secret with the authorities; `null` removes a key in a merge patch. */
export function authoritySecret({ current, next, past }: Authorities): Record<string, string | null> {
  return encoded({
    [KEYS.cert]: current?.pair.cert,
    [KEYS.key]: current?.pair.key,
    [KEYS.nextCert]: next?.pair.cert,
    [KEYS.nextKey]: next?.pair.key,
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
