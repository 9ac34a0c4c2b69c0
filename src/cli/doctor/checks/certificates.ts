import { X509Certificate } from 'node:crypto';
import { certificatesIn } from '../../../api/certificates';
import { operatorSecrets, platformCertificates } from '../../../api/install/certificates';
import { error, warning, type Check, type Finding } from '../finding';
import type { CertificateSecret, Facts } from '../facts';
import { hasImporter, hasOwnOperator } from '../platform';
import { registrations, type Registration } from '../registrations';
import { grouped, nameOf, spanText } from '../words';

/** Certificates in Secrets, and the authorities that the API server trusts. */
export const certificates: Check = {
  name: 'certificates',
  reads: ['deployments', 'secrets', 'mutatingWebhooks', 'validatingWebhooks', 'apiServices'],
  find,
};

/** Certificates are renewed when a fifth of their lifetime is left, or less if the user sets it. */
const OVERDUE_FRACTION = 0.05;
const RENEWAL = 'virt-operator or cert-manager renews it; check that it runs, and the clocks of the nodes';

function find(facts: Facts): Finding[] {
  const ofSecrets = facts.secrets && hasOwnOperator(facts) ? secretFindings(facts, facts.secrets) : [];
  return [...ofSecrets, ...bundleFindings(facts)];
}

function secretFindings(facts: Facts, secrets: readonly CertificateSecret[]): Finding[] {
  const { namespace, now } = facts;
  return platformCertificates(namespace, hasImporter(facts)).flatMap(({ secret }) => {
    const subject = `Secret "${namespace}/${secret}"`;
    const found = secrets.find((each) => nameOf(each) === secret);
    if (!found?.certificate) {
      const cause = `${found ? 'it has no certificate' : 'it does not exist'}, so the Pods that mount it cannot start`;
      return [error(subject, cause, 'virt-operator or cert-manager writes it; check that it runs and may write it')];
    }
    const certificate = parse(found.certificate);
    if (!certificate) {
      const remedy = `delete the Secret, so that it is issued again: kubectl -n ${namespace} delete secret ${secret}`;
      return [error(subject, 'its certificate cannot be read', remedy)];
    }
    const age = ageFinding(subject, [certificate], now);
    return age ? [age] : [];
  });
}

function bundleFindings(facts: Facts): Finding[] {
  const bundled = registrations(facts).filter((each) => each.caBundle !== undefined);
  // virt-operator writes the same bundle into all of them
  return [...grouped(bundled, ({ caBundle }) => caBundle ?? '').values()].flatMap((group) =>
    bundleFinding(group, facts),
  );
}

function bundleFinding(group: readonly Registration[], facts: Facts): Finding[] {
  const subject = `caBundle of ${[...new Set(group.map(({ object }) => object))].join(', ')}`;
  const parsed = certificatesIn(Buffer.from(group[0]?.caBundle ?? '', 'base64').toString('utf8')).map(parse);
  const authorities = parsed.flatMap((each) => each ?? []);
  if (authorities.length === 0) {
    return [error(subject, 'it contains no readable certificate, so the API server cannot call virt-api', WRITTEN)];
  }
  const age = ageFinding(subject, authorities, facts.now);
  if (age) return [age];
  const leaf = leafOfVirtApi(facts);
  if (!leaf || authorities.some((authority) => isIssuedBy(leaf, authority))) return [];
  const cause = `it does not contain the authority that issued the certificate in Secret "${facts.namespace}/${operatorSecrets.virtApi}", so the API server does not trust virt-api`;
  return [error(subject, cause, WRITTEN)];
}

const WRITTEN =
  'virt-operator or cert-manager writes it; check that it runs, and remove other writers of these objects';

function leafOfVirtApi({ secrets = [] }: Facts): X509Certificate | undefined {
  return parse(secrets.find((each) => nameOf(each) === operatorSecrets.virtApi)?.certificate ?? '');
}

const isIssuedBy = (leaf: X509Certificate, authority: X509Certificate): boolean =>
  leaf.checkIssued(authority) && leaf.verify(authority.publicKey);

/** The certificate that lasts longest counts: a bundle keeps earlier authorities until they end. */
function ageFinding(subject: string, list: readonly X509Certificate[], now: number): Finding | undefined {
  const until = Math.max(...list.map(({ validTo }) => Date.parse(validTo)));
  const from = Math.min(...list.map(({ validFrom }) => Date.parse(validFrom)));
  if (until <= now) return error(subject, `the certificate ended ${spanText(now - until)} ago`, RENEWAL);
  if (from > now) return error(subject, `the certificate is not valid for another ${spanText(from - now)}`, RENEWAL);
  if (until - now > (until - from) * OVERDUE_FRACTION) return undefined;
  return warning(subject, `the certificate ends in ${spanText(until - now)} and has not been renewed`, RENEWAL);
}

function parse(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}
