import type { KubeVirtSelfSignConfiguration } from '../../../api/generated/kubevirt-v1';
import { operatorSecrets, platformCertificates, type PlatformCertificate } from '../../../api/install/certificates';
import { createAuthority, issueLeaf, type Validity } from '../../kube/issue';
import {
  BACKDATED_MS,
  decideAuthorities,
  trustedCertificates,
  unexpired,
  withCurrent,
  withTrust,
  type Authorities,
} from './authorities';
import { factsOf, type CertificateFacts } from './facts';
import { reasonToIssue, renewalOf } from './leaf';
import { lifetimesOf, type Lifetime, type Lifetimes } from './lifetimes';
import { authoritiesIn, authoritySecret, leafSecret, pairIn, textOf, type Secret } from './secrets';

/** Reads and writes the Secrets of the platform. */
export interface SecretStore {
  find(name: string): Secret | undefined;
  /** Creates a Secret, or merges these keys into it; fails if it was changed since `find`. */
  write(name: string, data: Record<string, string | null>): Promise<void>;
}

/** Certificates of an installation, after a pass. */
export interface Certificates {
  /** Authorities that programs trust, PEM. */
  readonly trusted: string;
  /** Time of the next change, in milliseconds since 1970. */
  readonly again: number;
  /** Changes of this pass, in words. */
  readonly changes: readonly string[];
}

interface Options {
  readonly namespace: string;
  readonly importer: boolean;
  readonly store: SecretStore;
  readonly now: () => number;
}

/** Creates and renews the authorities and certificates of an installation. All state is in the Secrets. */
export async function keepCertificates(
  given: KubeVirtSelfSignConfiguration | undefined,
  { namespace, importer, store, now }: Options,
): Promise<Certificates> {
  const lifetimes = lifetimesOf(given);
  const changes: string[] = [];
  const { authorities, again } = await keepAuthorities(lifetimes, store, now(), changes);
  const authority = authorities.current;
  const trusted = trustedCertificates(authorities, now());
  const renewals = [again];
  for (const wanted of platformCertificates(namespace, importer)) {
    renewals.push(await keepLeaf(wanted, authority, trusted, lifetimes.leaf, store, now(), changes));
  }
  // each Secret has the announced authority now, so the time of its overlap begins
  const distributed = withTrust(authorities, now());
  if (distributed) await store.write(operatorSecrets.authority, authoritySecret(distributed));
  return { trusted, again: Math.min(...renewals), changes };
}

type WithCurrent = Authorities & { readonly current: CertificateFacts };

async function keepAuthorities(
  lifetimes: Lifetimes,
  store: SecretStore,
  now: number,
  changes: string[],
): Promise<{ authorities: WithCurrent; again: number }> {
  let authorities = authoritiesIn(store.find(operatorSecrets.authority));
  let isChanged = false;
  // a step may make another one possible; each of them moves the state forward, and two are the most
  for (;;) {
    const step = decideAuthorities(authorities, lifetimes, now);
    if (step.do === 'none') {
      if (isChanged) await store.write(operatorSecrets.authority, authoritySecret(authorities));
      return { authorities: authorities as WithCurrent, again: step.again };
    }
    authorities = await withStep(step.do, authorities, lifetimes.authority, now);
    isChanged = true;
    changes.push(CHANGES[step.do]);
  }
}

const CHANGES = {
  create: 'a new authority signs the certificates of the platform',
  announce: 'a new authority is trusted, and will sign',
  promote: 'the new authority signs the certificates of the platform',
} as const;

async function withStep(
  step: keyof typeof CHANGES,
  authorities: Authorities,
  lifetime: Lifetime,
  now: number,
): Promise<Authorities> {
  const kept = { ...authorities, past: unexpired(authorities.past, now) };
  if (step === 'promote' && kept.next) return withCurrent(kept, kept.next);
  const pair = await createAuthority(`kubevirt-ca@${Math.floor(now / 1000)}`, validity(lifetime, now));
  const made = factsOf(pair);
  if (!made) throw new Error('the new authority cannot be read');
  return step === 'announce' ? { ...kept, next: made } : withCurrent(kept, made);
}

/** Returns the time of the next renewal. */
async function keepLeaf(
  wanted: PlatformCertificate,
  authority: CertificateFacts,
  trusted: string,
  lifetime: Lifetime,
  store: SecretStore,
  now: number,
  changes: string[],
): Promise<number> {
  const secret = store.find(wanted.secret);
  const found = factsOf(pairIn(secret));
  const reason = reasonToIssue(found, wanted, authority, lifetime, now);
  if (found && reason === undefined) {
    if (textOf(secret, 'ca.crt') !== trusted) await store.write(wanted.secret, leafSecret(found.pair, trusted));
    return renewalOf(found, authority, lifetime);
  }
  const { from, until } = validity(lifetime, now);
  const pair = await issueLeaf(authority.pair, wanted, { from, until: Math.min(until, authority.until) });
  await store.write(wanted.secret, leafSecret(pair, trusted));
  if (secret) changes.push(`the certificate in Secret ${wanted.secret} is renewed: ${reason}`);
  return renewalOf(factsOf(pair) ?? authority, authority, lifetime);
}

const validity = ({ durationMs }: Lifetime, now: number): Validity => ({
  from: now - BACKDATED_MS,
  until: now + durationMs,
});
