/** Rules on the webhook that converts custom resources. */
import { Cause, invalid, required } from '../../schema/cause';
import { dns1035Label, dns1123Subdomain } from '../../schema/names';

/** Address of a webhook. */
export interface ClientConfig {
  url?: string;
  service?: { name?: string; namespace?: string; port?: number; path?: string };
  caBundle?: string;
}

/** Validates the address of a webhook. */
export function clientRules({ url, service }: ClientConfig, at: string): Cause[] {
  if ((url === undefined) === (service === undefined))
    return [required(at, 'exactly one of url or service is required')];
  if (url !== undefined) return urlRules(url, `${at}.url`);
  const { name = '', namespace = '', port = 443, path } = service ?? {};
  const here = `${at}.service`;
  const causes: Cause[] = [];
  if (name === '') causes.push(required(`${here}.name`, 'service name is required'));
  if (namespace === '') causes.push(required(`${here}.namespace`, 'service namespace is required'));
  if (port < 1 || port > 65535)
    causes.push(invalid(`${here}.port`, port, 'port is not valid: must be between 1 and 65535, inclusive'));
  return [...causes, ...(path === undefined || path === '/' ? [] : pathRules(path, `${here}.path`))];
}

function pathRules(path: string, at: string): Cause[] {
  const wrong = path.startsWith('/') ? [] : ["must start with a '/'"];
  const segments = path.slice(1).replace(/\/$/, '').split('/');
  segments.forEach((segment, i) => {
    if (segment === '') wrong.push(`segment[${i}] may not be empty`);
    else wrong.push(...dns1123Subdomain(segment).map((why) => `segment[${i}]: ${why}`));
  });
  return wrong.map((why) => invalid(at, path, why));
}

function urlRules(text: string, at: string): Cause[] {
  const form = 'desired format: https://host[/path]';
  const [, scheme = ''] = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(text) ?? [];
  if (scheme !== 'https') return [invalid(at, scheme, `'https' is the only allowed URL scheme; ${form}`)];
  if (!URL.canParse(text)) return [required(at, `url must be a valid URL; ${form}`)];
  const { username, hash, search } = new URL(text);
  return [
    ...(username ? [invalid(at, username, 'user information is not permitted in the URL')] : []),
    ...(hash ? [invalid(at, hash.slice(1), 'fragments are not permitted in the URL')] : []),
    ...(search ? [invalid(at, search.slice(1), 'query parameters are not permitted in the URL')] : []),
  ];
}

/** Validates the versions of the review that a webhook understands. */
export function reviewVersionRules(versions: readonly string[], at: string): Cause[] {
  if (versions.length === 0) return [required(at)];
  const causes = versions.flatMap((version, i) =>
    versions.indexOf(version) < i
      ? [invalid(`${at}[${i}]`, version, 'duplicate version')]
      : dns1035Label(version).map((why) => invalid(`${at}[${i}]`, version, why)),
  );
  if (!versions.some((version) => version === 'v1' || version === 'v1beta1'))
    causes.push(invalid(at, versions, 'must include at least one of v1, v1beta1'));
  return causes;
}
