import { isIP } from 'node:net';

/** Validates an IP address. */
export const isIpAddress = (text: unknown): string[] =>
  isIP(String(text ?? '')) ? [] : ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'];

/** Validates a range of addresses. */
export function isCidr(text: string): string[] {
  const [, address = '', bits = ''] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? [];
  const family = isIP(address);
  const valid = family !== 0 && Number(bits) <= (family === 6 ? 128 : 32);
  return valid ? [] : ['must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'];
}

/** Validates an address outside of the machine: neither unspecified nor loopback nor link-local. */
export function isEndpointAddress(text: string): string[] {
  if (!isIP(text)) return ['must be a valid IP address'];
  if (/^(0\.0\.0\.0|::)$/.test(text)) return [`may not be unspecified (${text})`];
  if (/^127\.|^::1$/.test(text)) return ['may not be in the loopback range (127.0.0.0/8, ::1/128)'];
  if (/^169\.254\.|^fe[89ab]/i.test(text)) return ['may not be in the link-local range (169.254.0.0/16, fe80::/10)'];
  if (/^224\.0\.0\.|^ff02:/i.test(text)) {
    return ['may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)'];
  }
  return [];
}

/** Name rules of Kubernetes: each returns Kubernetes' messages; empty means valid. */
export type NameRule = (value: string) => string[];

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const LABEL_1035 = '[a-z]([-a-z0-9]*[a-z0-9])?';
const QUALIFIED = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const LABEL_VALUE = '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?';
const CONFIG_KEY = '[-._a-zA-Z0-9]+';

const full = (pattern: string) => new RegExp(`^${pattern}$`);

/** `message (e.g. 'a', or 'b', regex used for validation is '…')` */
export function regexError(message: string, pattern: string, ...examples: string[]): string {
  if (!examples.length) return `${message} (regex used for validation is '${pattern}')`;
  // Kubernetes puts a comma after each example, also before an `or`.
  const shown = examples.map((example) => `'${example}', `).join(' or ');
  return `${message} (e.g. ${shown}regex used for validation is '${pattern}')`;
}

const tooLong = (max: number, unit = 'characters') => `must be no more than ${max} ${unit}`;

export const isDns1123Label: NameRule = (value) => {
  const wrong = value.length > 63 ? [tooLong(63)] : [];
  if (full(LABEL).test(value)) return wrong;
  if (full(SUBDOMAIN).test(value)) return [...wrong, 'must not contain dots'];
  return [
    ...wrong,
    regexError(
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
      LABEL,
      'my-name',
      '123-abc',
    ),
  ];
};

export const isDns1123Subdomain: NameRule = (value) => {
  const wrong = value.length > 253 ? [tooLong(253)] : [];
  if (full(SUBDOMAIN).test(value)) return wrong;
  return [
    ...wrong,
    regexError(
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
      SUBDOMAIN,
      'example.com',
    ),
  ];
};

/** Validates a host with a wildcard as its first label. */
export const isWildcardSubdomain: NameRule = (value) => {
  const pattern = `\\*\\.${SUBDOMAIN}`;
  const wrong = value.length > 253 ? [tooLong(253)] : [];
  if (!full(pattern).test(value)) {
    wrong.push(
      regexError(
        "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
        pattern,
        '*.example.com',
      ),
    );
  }
  return wrong;
};

export const isDns1035Label: NameRule = (value) => {
  const wrong = value.length > 63 ? [tooLong(63)] : [];
  if (full(LABEL_1035).test(value)) return wrong;
  return [
    ...wrong,
    regexError(
      "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
      LABEL_1035,
      'my-name',
      'abc-123',
    ),
  ];
};

/** RBAC names: anything that is one URL path segment. */
export const isPathSegment: NameRule = (value) => {
  if (value === '.' || value === '..') return [`may not be '${value}'`];
  return ['/', '%'].filter((c) => value.includes(c)).map((c) => `may not contain '${c}'`);
};

/** Label keys, annotation keys, finalizers: `[prefix/]name`. */
export const isQualifiedName: NameRule = (value) => {
  const message =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
  const parts = value.split('/');
  if (parts.length > 2) {
    return [
      `a valid label key ${regexError(message, QUALIFIED, 'MyName', 'my.name', '123-abc')} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const wrong: string[] = [];
  if (parts.length === 2) {
    if (!parts[0]) wrong.push('prefix part must be non-empty');
    else
      wrong.push(
        ...isDns1123Subdomain(parts[0]).map((text) => `prefix part ${text.replace('253 characters', '253 bytes')}`),
      );
  }
  const name = parts[parts.length - 1];
  if (!name) wrong.push('name part must be non-empty');
  else if (name.length > 63) wrong.push(`name part ${tooLong(63, 'bytes')}`);
  if (!full(QUALIFIED).test(name)) {
    wrong.push(`name part ${regexError(message, QUALIFIED, 'MyName', 'my.name', '123-abc')}`);
  }
  return wrong;
};

export const isLabelValue: NameRule = (value) => {
  const wrong = value.length > 63 ? [tooLong(63, 'bytes')] : [];
  if (full(LABEL_VALUE).test(value)) return wrong;
  return [
    ...wrong,
    regexError(
      "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
      LABEL_VALUE,
      'MyValue',
      'my_value',
      '12345',
    ),
  ];
};

export const isConfigMapKey: NameRule = (value) => {
  const wrong = value.length > 253 ? [tooLong(253)] : [];
  if (!full(CONFIG_KEY).test(value)) {
    wrong.push(
      regexError(
        "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
        CONFIG_KEY,
        'key.name',
        'KEY_NAME',
        'key-name',
      ),
    );
  }
  if (value === '.') wrong.push("must not be '.'");
  else if (value === '..') wrong.push("must not be '..'");
  else if (value.startsWith('..')) wrong.push("must not start with '..'");
  return wrong;
};

export const isPortName: NameRule = (value) => {
  const wrong = value.length > 15 ? [tooLong(15)] : [];
  if (!/^[-a-z0-9]+$/.test(value)) {
    wrong.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  }
  if (!/[a-z]/.test(value)) wrong.push('must contain at least one letter (a-z)');
  if (value.includes('--')) wrong.push('must not contain consecutive hyphens');
  if (value.startsWith('-') || value.endsWith('-')) wrong.push('must not begin or end with a hyphen');
  return wrong;
};

export const isEnvVarName: NameRule = (value) => {
  if (!value) return ['environment variable name must be non-empty'];

  if (/^[\x20-\x3c\x3e-\x7e]+$/.test(value)) return [];
  return ["a valid environment variable name must consist only of printable ASCII characters other than '='"];
};

/** TCP and UDP ports. */
export const isPortNumber = (value: number): string[] =>
  Number.isInteger(value) && value >= 1 && value <= 65535 ? [] : ['must be between 1 and 65535, inclusive'];

/** Rule for names; also applied to `generateName`, to which five characters are added. */
export type ObjectNameRule = (name: string, isPrefix: boolean) => string[];

const forPrefix =
  (rule: NameRule): ObjectNameRule =>
  (name, isPrefix) =>
    rule(isPrefix && name.length > 1 && name.endsWith('-') ? `${name.slice(0, -1)}a` : name);

export const subdomainName = forPrefix(isDns1123Subdomain);
export const labelName = forPrefix(isDns1123Label);
export const dns1035Name = forPrefix(isDns1035Label);
export const pathSegmentName: ObjectNameRule = (name, isPrefix) =>
  isPrefix ? isPathSegment(name).filter((text) => text.includes('contain')) : isPathSegment(name);
