import {
  decideAuthorities,
  trustedCertificates,
  unexpired,
  withCurrent,
  withTrust,
  type Authorities,
} from '../../../../../src/runtime/operator/certificates/authorities';
import { factsOf, type CertificateFacts } from '../../../../../src/runtime/operator/certificates/facts';
import { createAuthority } from '../../../../../src/runtime/kube/issue';

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 0, 1);
const RENEW = 2 * HOUR;
const OVERLAP = 300_000;
const lifetimes = {
  authority: { durationMs: 10 * HOUR, renewBeforeMs: RENEW },
  leaf: { durationMs: HOUR, renewBeforeMs: HOUR / 5 },
  overlapMs: OVERLAP,
};

/** Only the times matter for the decision. */
const valid = (from: number, until: number): CertificateFacts => ({ from, until }) as CertificateFacts;
const old = valid(NOW - HOUR, NOW + HOUR);
const fresh = valid(NOW, NOW + 10 * HOUR);
const seen = (parts: Partial<Authorities>): Authorities => ({ past: [], ...parts });

describe('the next change', () => {
  test.each<[string, Authorities, number, object]>([
    ['is a new authority without any', seen({}), NOW, { do: 'create' }],
    ['is far away from the renewal', seen({ current: fresh }), NOW, { do: 'none', again: fresh.until - RENEW }],
    [
      'is not before the renewal',
      seen({ current: fresh }),
      fresh.until - RENEW - 1,
      { do: 'none', again: fresh.until - RENEW },
    ],
    ['is an announcement at the renewal', seen({ current: fresh }), fresh.until - RENEW, { do: 'announce' }],
    ['is an announcement after the renewal', seen({ current: fresh }), fresh.until - RENEW + 1, { do: 'announce' }],
    ['is an announcement until the end', seen({ current: fresh }), fresh.until - 1, { do: 'announce' }],
    ['is a new authority at the end', seen({ current: fresh }), fresh.until, { do: 'create' }],
    ['is a new authority after the end', seen({ current: fresh }), fresh.until + 1, { do: 'create' }],
    [
      'is not before the overlap ends',
      seen({ current: old, next: fresh, trustedSince: NOW }),
      NOW + OVERLAP - 1,
      { do: 'none', again: NOW + OVERLAP },
    ],
    [
      'is a promotion when the overlap ends',
      seen({ current: old, next: fresh, trustedSince: NOW }),
      NOW + OVERLAP,
      { do: 'promote' },
    ],
    [
      'is a promotion after the overlap',
      seen({ current: old, next: fresh, trustedSince: NOW }),
      NOW + OVERLAP + 1,
      { do: 'promote' },
    ],
    [
      'waits for an authority that no Secret has yet, however old it is',
      seen({ current: valid(NOW - HOUR, NOW + 3 * HOUR), next: fresh }),
      NOW + HOUR,
      { do: 'none', again: NOW + HOUR + OVERLAP },
    ],
    [
      'is an immediate promotion if the current authority has ended',
      seen({ current: old, next: fresh, trustedSince: old.until - 1 }),
      old.until,
      { do: 'promote' },
    ],
    ['is a promotion if the current authority is lost', seen({ next: fresh }), NOW, { do: 'promote' }],
    [
      'replaces an announced authority that has ended',
      seen({ current: valid(NOW, NOW + 2 * HOUR), next: valid(NOW - 9 * HOUR, NOW), trustedSince: NOW - 8 * HOUR }),
      NOW,
      { do: 'announce' },
    ],
    ['is a new authority if all have ended', seen({ current: old, next: fresh }), fresh.until, { do: 'create' }],
  ])('%s', (_, authorities, now, want) => expect(decideAuthorities(authorities, lifetimes, now)).toEqual(want));

  test.each<[string, Authorities, number, object]>([
    ['back before the authority', seen({ current: fresh }), fresh.from - 1, { do: 'create' }],
    [
      'back to the begin of the authority',
      seen({ current: fresh }),
      fresh.from,
      { do: 'none', again: fresh.until - RENEW },
    ],
    [
      'back during an overlap, which begins again',
      seen({ current: old, next: valid(NOW - HOUR, NOW + 10 * HOUR), trustedSince: NOW }),
      NOW - 1,
      { do: 'none', again: NOW - 1 + OVERLAP },
    ],
    ['back before both authorities', seen({ current: old, next: fresh }), NOW - 2 * HOUR, { do: 'create' }],
    ['forward after everything', seen({ current: old, next: fresh }), NOW + 1000 * HOUR, { do: 'create' }],
  ])('copes with a clock that was set %s', (_, authorities, now, want) =>
    expect(decideAuthorities(authorities, lifetimes, now)).toEqual(want),
  );
});

describe('the begin of an overlap', () => {
  test.each<[string, Authorities, number | undefined]>([
    ['is recorded', seen({ current: old, next: fresh }), NOW],
    ['is recorded once', seen({ current: old, next: fresh, trustedSince: NOW - 1 }), undefined],
    ['is recorded again if it is in the future', seen({ current: old, next: fresh, trustedSince: NOW + 1 }), NOW],
    ['needs an announced authority', seen({ current: old }), undefined],
  ])('%s', (_, authorities, want) => expect(withTrust(authorities, NOW)?.trustedSince).toBe(want));
});

describe('trusted certificates', () => {
  const made = async (name: string, until: number): Promise<CertificateFacts> =>
    factsOf(await createAuthority(name, { from: NOW - HOUR, until }))!;
  let first: CertificateFacts;
  let second: CertificateFacts;
  beforeAll(async () => {
    first = await made('first', NOW + HOUR);
    second = await made('second', NOW + 5 * HOUR);
  });
  const certificates = (pem: string): number => pem.split('BEGIN CERTIFICATE').length - 1;

  test('are those that sign and that will sign', () => {
    const pem = trustedCertificates(seen({ current: first, next: second }), NOW);
    expect(pem).toBe(`${first.pair.cert.trim()}\n${second.pair.cert.trim()}\n`);
  });

  test('include an earlier authority until it ends', () => {
    const after = withCurrent(seen({ current: first, next: second }), second);
    expect(after).toEqual({ current: second, past: [first.pair.cert] });
    expect(certificates(trustedCertificates(after, NOW + HOUR - 1))).toBe(2);
    expect(trustedCertificates(after, NOW + HOUR)).toBe(second.pair.cert);
  });

  test('are listed once', () => {
    expect(certificates(trustedCertificates(seen({ current: first, past: [first.pair.cert] }), NOW))).toBe(1);
  });

  test('contain no damaged certificate', () => {
    const damaged = first.pair.cert.replace(/\n[A-Za-z0-9+/]{20}/, '\nAAAAAAAAAAAAAAAAAAAA');
    expect(unexpired([damaged, 'text', second.pair.cert], NOW)).toEqual([second.pair.cert.trim()]);
  });
});
