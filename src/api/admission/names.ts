import { isDnsLabel, isDnsSubdomain } from '../names';
import type { Finding } from '../findings';
import { InstanceRule, mistake } from './rule';

/** What the guest is called. */
export const guestNames: InstanceRule = (spec, at) => {
  const { hostname, subdomain } = spec;
  const errors: Finding[] = [];
  if (hostname && !isDnsLabel(hostname)) {
    const path = at.at('hostname');
    const message = `${path} does not conform to the kubernetes DNS_LABEL rules : "${hostname}" is no RFC 1123 label`;
    const remedy = 'use up to 63 lower case letters, digits and dashes';
    errors.push(...mistake('hostname', path, message, remedy, { value: hostname }));
  }
  if (subdomain && !isDnsSubdomain(subdomain)) {
    const path = at.at('subdomain');
    const message = `${path} does not conform to the kubernetes DNS_SUBDOMAIN rules : "${subdomain}" is no RFC 1123 subdomain`;
    const remedy = 'use lower case letters, digits, dashes and dots';
    errors.push(...mistake('subdomain', path, message, remedy, { value: subdomain }));
  }
  return errors;
};

/** Whose rights the guest has. */
export const serviceAccount: InstanceRule = (spec, at) => {
  const account = spec.serviceAccountName;
  if (!account) return [];
  const path = at.at('serviceAccountName');
  const errors: Finding[] = [];
  if (!isDnsSubdomain(account)) {
    const message = `${path} is not a valid service account name: "${account}" is no RFC 1123 subdomain`;
    errors.push(...mistake('service-account', path, message, 'name a ServiceAccount', { value: account }));
  }
  const other = (spec.volumes ?? []).find(
    ({ serviceAccount }) => serviceAccount && serviceAccount.serviceAccountName !== account,
  )?.serviceAccount;
  if (other) {
    const message =
      `spec.serviceAccountName "${account}" and serviceAccount volume "${other.serviceAccountName ?? ''}" must ` +
      'reference the same service account';
    errors.push(...mistake('service-account', path, message, 'name the same in both', { value: account }));
  }
  return errors;
};
