import { Fields } from './fields';
import { isDns1123Subdomain, regexError } from './names';

const PATH = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const isPath = new RegExp(`^${PATH}$`);

/** Validates the name of a controller: a domain and a path, `acme.io/foo`. */
export function validateDomainPrefixedPath(value: string, at: Fields): void {
  const slash = value.indexOf('/');
  const host = value.slice(0, Math.max(slash, 0));
  const path = value.slice(slash + 1);
  if (!value) at.required();
  else if (!host || !path) at.invalid(value, 'must be a domain-prefixed path (such as "acme.io/foo")');
  else {
    at.invalidEach(host, isDns1123Subdomain(host));
    if (!isPath.test(path)) at.invalid(path, regexError('Invalid path', PATH));
  }
}
