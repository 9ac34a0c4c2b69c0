import { certificates } from '../../../../../src/cli/doctor/checks/certificates';
import { operatorSecrets, platformCertificates } from '../../../../../src/api/install/certificates';
import { createAuthority, issueLeaf } from '../../../../../src/runtime/kube/issue';
import { type Broken, expectRow, NOW, type Row } from '../healthy';

const DAY = 86_400_000;
const WEEK = { from: NOW - 2 * DAY, until: NOW + 5 * DAY };
const base64 = (pem: string): string => Buffer.from(pem).toString('base64');

let secrets: object[];
let bundle: string;
let otherBundle: string;
let oldBundle: string;
let oldLeaf: string;
let endingLeaf: string;

beforeAll(async () => {
  const authority = await createAuthority('ours', WEEK);
  const other = await createAuthority('other', WEEK);
  const old = await createAuthority('old', { from: NOW - 9 * DAY, until: NOW - 2 * DAY });
  const wanted = platformCertificates('kubevirt', true);
  const leaf = async (from: number, until: number): Promise<string> =>
    (await issueLeaf(authority, wanted[0]!, { from, until })).cert;
  secrets = await Promise.all(
    wanted.map(async (each) => ({
      metadata: { name: each.secret, namespace: 'kubevirt' },
      certificate: (await issueLeaf(authority, each, { from: NOW - DAY / 2, until: NOW + DAY / 2 })).cert,
    })),
  );
  oldLeaf = await leaf(NOW - 2 * DAY, NOW - DAY);
  endingLeaf = await leaf(NOW - DAY, NOW + DAY / 48);
  bundle = base64(`${old.cert}\n${authority.cert}`);
  otherBundle = base64(other.cert);
  oldBundle = base64(old.cert);
});

const trust = (f: Broken, caBundle: string): void => {
  for (const { webhooks } of [...f.mutatingWebhooks, ...f.validatingWebhooks]) {
    for (const each of webhooks) each.clientConfig.caBundle = caBundle;
  }
  for (const { spec } of f.apiServices) spec.caBundle = caBundle;
};
const ready = (f: Broken): void => {
  f.secrets = structuredClone(secrets);
  trust(f, bundle);
};
const secretOf = (f: Broken, name: string): Broken =>
  f.secrets.find(({ metadata }: { metadata: { name: string } }) => metadata.name === name);

test.each<Row>([
  ['certificates of one authority have no problem, beside an earlier one', () => {}, []],
  [
    'a missing Secret',
    (f) => f.secrets.shift(),
    [`error Secret "kubevirt/${operatorSecrets.virtApi}": it does not exist`],
  ],
  [
    'an empty Secret',
    (f) => delete secretOf(f, operatorSecrets.handlerServer).certificate,
    [`error Secret "kubevirt/${operatorSecrets.handlerServer}": it has no certificate`],
  ],
  [
    'a damaged certificate',
    (f) => (secretOf(f, operatorSecrets.handlerClient).certificate = '-----BEGIN CERTIFICATE-----\nx'),
    ['its certificate cannot be read = delete the Secret'],
  ],
  [
    'a certificate that ended',
    (f) => (secretOf(f, operatorSecrets.virtApi).certificate = oldLeaf),
    [`error Secret "kubevirt/${operatorSecrets.virtApi}": the certificate ended 1 day ago`],
  ],
  [
    'a certificate that should have been renewed',
    (f) => (secretOf(f, operatorSecrets.virtApi).certificate = endingLeaf),
    ['the certificate ends in 30 minutes and has not been renewed'],
  ],
  ['a clock that is behind', (f) => (f.now = NOW - 1.5 * DAY), [...Array(5)].map(() => 'not valid for another 1 day')],
  [
    'another authority in all registrations is one finding',
    (f) => trust(f, otherBundle),
    ['error caBundle of virt-api-mutator, virt-api-validator, v1.subresources.kubevirt.io'],
  ],
  [
    'another authority in one registration',
    (f) => (f.apiServices[0].spec.caBundle = otherBundle),
    ['error caBundle of v1.subresources.kubevirt.io: it does not contain the authority that issued'],
  ],
  ['an authority that ended', (f) => trust(f, oldBundle), ['the certificate ended 2 days ago']],
  ['a bundle without certificates', (f) => trust(f, base64('x')), ['it contains no readable certificate']],
  [
    'a registration without a bundle is left to the check of webhooks',
    (f) => delete f.apiServices[0].spec.caBundle,
    [],
  ],
  [
    'without Secrets, authorities are still checked',
    (f) => [delete f.secrets, trust(f, oldBundle)],
    ['ended 2 days ago'],
  ],
  ['without Secrets, nobody knows who issued a certificate', (f) => [delete f.secrets, trust(f, otherBundle)], []],
])('%s', (name, breaks, wanted) => expectRow(certificates, [name, (f) => [ready(f), breaks(f)], wanted]));
