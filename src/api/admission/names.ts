import { isDnsLabel, isDnsSubdomain } from '../names';
import type { Finding } from '../findings';
import { InstanceRule, mistake } from './rule';

/** Validates host name and subdomain of the guest. */
export const guestNames: InstanceRule = (spec, at) => {
  const { hostname, subdomain } = spec;
  const errors: Finding[] = [];
  if (hostname && !isDnsLabel(hostname)) {
    const path = at.at('hostname');
    const message = `${path} does not conform to the kubernetes DNS_LABEL rules : "${hostname}" is not an RFC 1123 label`;
    const remedy = 'use up to 63 lower case letters, digits and dashes';
    errors.push(...mistake('hostname', path, message, remedy, { value: hostname }));
  }
  if (subdomain && !isDnsSubdomain(subdomain)) {
    const path = at.at('subdomain');
    const message = `${path} does not conform to the kubernetes DNS_SUBDOMAIN rules : "${subdomain}" is not an RFC 1123 subdomain`;
    const remedy = 'use lower case letters, digits, dashes and dots';
    errors.push(...mistake('subdomain', path, message, remedy, { value: subdomain }));
  }
  return errors;
};

/** Validates the ServiceAccount of the guest. */
export const serviceAccount: InstanceRule = (spec, at) => {
  const account = spec.serviceAccountName;
  if (!account) return [];
  const path = at.at('serviceAccountName');
  const errors: Finding[] = [];
  if (!isDnsSubdomain(account)) {
    const message = `${path} is not a valid service account name: "${account}" is not an RFC 1123 subdomain`;
    errors.push(...mistake('service-account', path, message, 'write the name of a ServiceAccount', { value: account }));
  }
  const other = (spec.volumes ?? []).find(
    ({ serviceAccount }) => serviceAccount && serviceAccount.serviceAccountName !== account,
  )?.serviceAccount;
  if (other) {
    const message =
      `spec.serviceAccountName "${account}" and serviceAccount volume "${other.serviceAccountName ?? ''}" must ` +
      'reference the same service account';
    errors.push(
      ...mistake('service-account', path, message, 'use the same ServiceAccount in both', { value: account }),
    );
  }
  return errors;
};
