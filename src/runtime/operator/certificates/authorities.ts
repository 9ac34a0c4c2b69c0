import { X509Certificate } from 'node:crypto';
import { certificatesIn } from '../../../api/certificates';
import { isValidAt, validityOf, type CertificateFacts } from './facts';
import type { Lifetimes } from './lifetimes';

/** The authorities of an installation. */
export interface Authorities {
  /** Signs certificates. */
  readonly current?: CertificateFacts;
  /** Is trusted already, and signs when every program has had time to read it. */
  readonly next?: CertificateFacts;
  /** Time since which every Secret has the next authority, in milliseconds since 1970; undefined before that. */
  readonly trustedSince?: number;
  /** Certificates of earlier authorities, PEM: programs trust them until they end. */
  readonly past: readonly string[];
}

/** The validity of a certificate begins this long before it is made, because clocks of nodes differ. */
export const BACKDATED_MS = 5 * 60_000;

/** A change of the authorities; `none` until `again` (milliseconds since 1970). */
export type AuthorityStep =
  | { readonly do: 'none'; readonly again: number }
  /** Makes an authority that signs at once: there is none that programs trust. */
  | { readonly do: 'create' }
  /** Makes the authority that will sign later. */
  | { readonly do: 'announce' }
  /** Lets the announced authority sign. */
  | { readonly do: 'promote' };

/** Decides the next change. A clock that was set back or forward makes an authority unusable, which is then replaced. */
export function decideAuthorities(authorities: Authorities, lifetimes: Lifetimes, now: number): AuthorityStep {
  const { current, next } = authorities;
  const usableNext = next && isValidAt(next, now) ? next : undefined;
  if (!current || !isValidAt(current, now)) return usableNext ? { do: 'promote' } : { do: 'create' };
  const renewal = current.until - lifetimes.authority.renewBeforeMs;
  if (!usableNext) return now >= renewal ? { do: 'announce' } : { do: 'none', again: renewal };
  const trusted = trustedSince(authorities, now) + lifetimes.overlapMs;
  return now >= trusted ? { do: 'promote' } : { do: 'none', again: trusted };
}

/** Time since which programs trust the next authority. It begins now if it was not distributed, or if the clock was set back. */
const trustedSince = ({ trustedSince: since }: Authorities, now: number): number =>
  since === undefined || since > now ? now : since;

/** Returns the authorities after every Secret got the next one; undefined if that is known already. */
export function withTrust(authorities: Authorities, now: number): Authorities | undefined {
  const { next, trustedSince: known } = authorities;
  if (!next || (known !== undefined && known <= now)) return undefined;
  return { ...authorities, trustedSince: now };
}

/** Returns the authorities after the announced one, or a new one, begins to sign. */
export function withCurrent({ current, past }: Authorities, made: CertificateFacts): Authorities {
  return { current: made, past: current ? [...past, current.pair.cert] : past };
}

/** Certificates that programs trust, PEM: the authorities that sign, will sign, and signed what may still be in use. */
export function trustedCertificates({ current, next, past }: Authorities, now: number): string {
  const own = [current, next].flatMap((each) => (each ? [each.pair.cert.trim()] : []));
  return [...new Set([...own, ...unexpired(past, now)])].join('\n') + '\n';
}

/** Removes certificates that have ended or cannot be read. */
export function unexpired(certificates: readonly string[], now: number): string[] {
  return certificates.flatMap(certificatesIn).filter((pem) => {
    try {
      return validityOf(new X509Certificate(pem)).until > now;
    } catch {
      return false;
    }
  });
}
