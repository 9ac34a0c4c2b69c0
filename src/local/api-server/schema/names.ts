const DNS_1035 = '[a-z]([-a-z0-9]*[a-z0-9])?';
const DNS_1123_LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const DNS_1123_SUBDOMAIN = `${DNS_1123_LABEL}(\\.${DNS_1123_LABEL})*`;

/** Validates a DNS-1035 label (`my-name`). */
export function dns1035Label(name: string): string[] {
  return check(
    name,
    63,
    DNS_1035,
    `a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '${DNS_1035}')`,
  );
}

/** Validates a domain name (`example.com`). */
export function dns1123Subdomain(name: string): string[] {
  return check(
    name,
    253,
    DNS_1123_SUBDOMAIN,
    `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${DNS_1123_SUBDOMAIN}')`,
  );
}

const check = (name: string, max: number, pattern: string, message: string): string[] => [
  ...(name.length > max ? [`must be no more than ${max} bytes`] : []),
  ...(new RegExp(`^${pattern}$`).test(name) ? [] : [message]),
];
