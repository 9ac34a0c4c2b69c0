import type { PlatformCertificate } from '../../../../../src/api/install/certificates';
import { createAuthority, issueLeaf } from '../../../../../src/runtime/kube/issue';
import { factsOf, type CertificateFacts } from '../../../../../src/runtime/operator/certificates/facts';
import { reasonToIssue, renewalOf } from '../../../../../src/runtime/operator/certificates/leaf';

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 0, 1);
const END = NOW + 10 * HOUR;
const lifetime = { durationMs: 10 * HOUR, renewBeforeMs: 2 * HOUR };
const server: PlatformCertificate = { secret: 's', commonName: 'virt-api', hosts: ['virt-api', 'virt-api.kubevirt'] };
const client: PlatformCertificate = { secret: 'c', commonName: 'virt-api', hosts: [] };

const authorityOf = async (until: number): Promise<CertificateFacts> =>
  factsOf(await createAuthority('ca', { from: NOW - HOUR, until }))!;
const issued = async (by: CertificateFacts, wanted: PlatformCertificate, until = END): Promise<CertificateFacts> =>
  factsOf(await issueLeaf(by.pair, wanted, { from: NOW, until }))!;

let authority: CertificateFacts;
let leaf: CertificateFacts;
beforeAll(async () => {
  authority = await authorityOf(END + 10 * HOUR);
  leaf = await issued(authority, server);
});

describe('a certificate is issued', () => {
  test.each<[string, number, string | undefined]>([
    ['before it is valid', NOW - 1, 'it is not valid now'],
    ['not when it begins', NOW, undefined],
    ['not before its renewal', END - 2 * HOUR - 1, undefined],
    ['at its renewal', END - 2 * HOUR, 'it ends soon'],
    ['after its renewal', END - 2 * HOUR + 1, 'it ends soon'],
    ['before its end', END - 1, 'it ends soon'],
    ['at its end', END, 'it is not valid now'],
  ])('%s', (_, now, want) => expect(reasonToIssue(leaf, server, authority, lifetime, now)).toBe(want));

  test.each<[string, PlatformCertificate | undefined, PlatformCertificate, string | undefined]>([
    ['if it is missing', undefined, server, 'it is missing or damaged'],
    ['if it has another name', server, { ...server, commonName: 'other' }, 'it has another name'],
    ['if a host name is missing', server, { ...server, hosts: [...server.hosts, 'more'] }, 'it has other host names'],
    ['if a host name is removed', server, { ...server, hosts: ['virt-api'] }, 'it has other host names'],
    ['not if host names have another order', server, { ...server, hosts: [...server.hosts].reverse() }, undefined],
    ['not for a client', client, client, undefined],
    ['if a client becomes a server', client, server, 'it has other host names'],
  ])('%s', async (_, has, wanted, want) => {
    const found = has && (await issued(authority, has));
    expect(reasonToIssue(found, wanted, authority, lifetime, NOW)).toBe(want);
  });

  test('if another authority of the same name signed it', async () => {
    const other = await authorityOf(END + 10 * HOUR);
    expect(reasonToIssue(leaf, server, other, lifetime, NOW)).toBe('another authority signed it');
  });
});

test.each([
  ['before it ends', 0, -lifetime.renewBeforeMs],
  ['when the next authority signs, if it ends with its authority', 10 * HOUR, 10 * HOUR],
])('a certificate is renewed %s', async (_, later, want) => {
  const made = await issued(authority, client, END + later);
  expect(renewalOf(made, authority, lifetime)).toBe(END + want);
});
