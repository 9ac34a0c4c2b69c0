import { isIP } from 'node:net';
import { type Finding, named, text } from '../findings';
import { isDnsSubdomain } from '../names';
import { mistakesOf } from '../mistakes';
import { InstanceRule, mistake } from './rule';

const MOST_SERVERS = 3;
const MOST_SEARCHES = 6;
const LONGEST_SEARCHES = 256;
const policies = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];

/** Validates name resolution by Kubernetes' rules for Pods. Clients know these mistakes by short field names. */
export const dns: InstanceRule = (spec, at) => {
  const { dnsPolicy: policy, dnsConfig: config } = spec;
  const path = at.at('dnsConfig');
  const errors: Finding[] = [];
  if (policy && !policies.includes(policy)) {
    const message = `DNSPolicy: ${policy} is not supported, valid values: [${policies.join(' ')} ]`;
    const extra = { value: policy, allowed: policies, type: 'FieldValueNotSupported' } as const;
    errors.push(...mistake('dns-policy', at.at('dnsPolicy'), message, 'use an allowed policy', extra));
  }
  if (policy === 'None') {
    const type = 'FieldValueRequired';
    if (!config) {
      const message = text`must provide \`${named(path, 1)}\` when \`${named(at.at('dnsPolicy'), 1)}\` is None`;
      return [
        ...errors,
        ...mistake('dns-config', path, message, text`add ${named(path.at('nameservers'), 2)}`, { type }),
      ];
    }
    if (!config.nameservers?.length) {
      const message = text`must provide at least one DNS nameserver when \`${named(at.at('dnsPolicy'), 1)}\` is None`;
      const extra = { type, field: 'nameservers' } as const;
      return [...errors, ...mistake('dns-config', path.at('nameservers'), message, 'add a nameserver', extra)];
    }
  }
  if (!config) return errors;
  const { nameservers = [], searches = [], options = [] } = config;
  const finding = (field: string, below: (string | number)[], message: string, remedy: string, got?: unknown) =>
    mistake('dns-config', path.at(...below), message, remedy, { value: got, field });
  if (nameservers.length > MOST_SERVERS) {
    const message = `must not have more than ${MOST_SERVERS} nameservers: [${nameservers.join(' ')}]`;
    errors.push(...finding('nameservers', ['nameservers'], message, 'remove some nameservers', nameservers.length));
  }
  const unknownServers = mistakesOf(nameservers, (server, i) => {
    if (isIP(server) && !server.includes('%')) return [];
    return finding(
      'nameservers',
      ['nameservers', i],
      `must be valid IP address: ${server}`,
      'use an IP address',
      server,
    );
  });
  errors.push(...unknownServers);
  if (searches.length > MOST_SEARCHES) {
    const message = `must not have more than ${MOST_SEARCHES} search paths`;
    errors.push(...finding('searchDomains', ['searches'], message, 'remove some search paths', searches.length));
  }
  if (Buffer.byteLength(searches.join(' ')) > LONGEST_SEARCHES) {
    const message = `must not have more than ${LONGEST_SEARCHES} characters (including spaces) in the search list`;
    errors.push(...finding('searchDomains', ['searches'], message, 'remove some search paths'));
  }
  const strange = mistakesOf(searches, (search, i) => {
    if (isDnsSubdomain(search)) return [];
    const message = `"${search}" is not an RFC 1123 subdomain`;
    return finding(
      'searchDomains',
      ['searches', i],
      message,
      'use lower case letters, digits, dashes and dots',
      search,
    );
  });
  const nameless = mistakesOf(options, ({ name }, i) =>
    name ? [] : finding('options', ['options', i, 'name'], 'Option.Name must not be empty', 'name the option'),
  );
  return [...errors, ...strange, ...nameless];
};
