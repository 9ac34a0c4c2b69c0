import { isIPv4, isIPv6 } from 'node:net';

const SHORT_NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const LONG_NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const HOST_NAME =
  /^([a-zA-Z0-9\p{S}\p{L}]((-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)|([a-zA-Z0-9\p{S}\p{L}](([a-zA-Z0-9-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?)(\.)){1,}([a-zA-Z\p{L}]){2,63})$/u;
const CREDIT_CARD =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$/;
const RGB =
  /^rgb\(\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*,\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*,\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*\)$/;
const DATE_TIME = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(\.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$/i;
const GO_DURATION = /^[-+]?(0|((\d+(\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h))+)$/;
const DURATION_UNITS = /^(ns|nano.*|us|µs|micro.*|ms|milli.*|s|sec.*|m|min.*|h|hr|hour.*|d|day.*|w|wk|week.*)$/i;
const ATOM = /^[\w!#$%&'*+\-/=?^`{|}~\u0080-\uffff]+$/;
const QUOTED = /^"(?:[^"\\]|\\.)+"$/;
const DISPLAY_NAME = /^(?:[\w!#$%&'*+\-/=?^`{|}~\u0080-\uffff\s.]|"(?:[^"\\]|\\.)*")*$/;

const hex = (group: string) => new RegExp(`^${group}$`, 'i');

/** Formats that Kubernetes checks, by name without dashes; any other `format` is documentation. */
const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  bsonobjectid: (t) => /^[0-9a-f]{24}$/i.test(t),
  uri: isRequestUri,
  email: isMailbox,
  hostname: (t) => t.length <= 255 && HOST_NAME.test(t) && t.split('.').every((part) => part.length <= 63),
  ipv4: (t) => t.includes('.') && isIp(t),
  ipv6: (t) => isIPv6(t) && !t.includes('%'), // the only one that is strict about leading zeros
  cidr: isCidr,
  mac: isMac,
  uuid: (t) => hex('[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}').test(t),
  uuid3: (t) => hex('[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}').test(t),
  uuid4: (t) => hex('[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}').test(t),
  uuid5: (t) => hex('[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}').test(t),
  isbn: (t) => isIsbn10(t) || isIsbn13(t),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  creditcard: isCreditCard,
  ssn: (t) => /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(t),
  hexcolor: (t) => /^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/.test(t),
  rgbcolor: (t) => RGB.test(t),
  byte: isBase64,
  password: () => true,
  date: isDate,
  duration: isDuration,
  datetime: isDateTime,
  k8sshortname: (t) => t.length <= 63 && SHORT_NAME.test(t),
  k8slongname: (t) => t.length <= 253 && LONG_NAME.test(t),
};

/** The check of a string format; undefined when Kubernetes ignores the format. */
export function formatCheck(format: string | undefined): ((text: string) => boolean) | undefined {
  const name = (format ?? '').replaceAll('-', '');
  return Object.hasOwn(FORMATS, name) ? FORMATS[name] : undefined;
}

/** Whether Go accepts the target of a request: an absolute path, or a URI with a scheme. */
function isRequestUri(text: string): boolean {
  if (/[\x00-\x1f\x7f]/.test(text)) return false;
  const [, scheme, rest = ''] = /^([a-zA-Z][a-zA-Z0-9+.-]*):(.*)$/s.exec(text) ?? [];
  if (scheme === undefined ? !text.startsWith('/') : !rest.startsWith('/')) return scheme !== undefined;
  if (/%(?![0-9a-fA-F]{2})/.test(text)) return false;
  const [, authority] = /^\/\/([^/?#]*)/.exec(rest) ?? [];
  return authority === undefined || /^([^\s<>"@]*@)?(\[[^\]]*\]|[^\s<>":[\]@]*)(:\d*)?$/.test(authority);
}

/** One address (RFC 5322), with or without a name before it. */
function isMailbox(text: string): boolean {
  const plain = text.trim();
  const open = plain.endsWith('>') ? plain.lastIndexOf('<') : -1;
  if (open >= 0 && !DISPLAY_NAME.test(plain.slice(0, open))) return false;
  const address = open >= 0 ? plain.slice(open + 1, -1) : plain;
  const at = address.lastIndexOf('@');
  if (at < 0) return false;
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)];
  const dotted = (name: string) => name.split('.').every((part) => ATOM.test(part));
  return (QUOTED.test(local) || dotted(local)) && (dotted(domain) || /^\[[^[\]\\]*\]$/.test(domain));
}

/** Whether the text is an address; leading zeros are allowed, because old clients send them. */
function isIp(text: string): boolean {
  const plain = text.replace(/(^|[.:])0+(?=\d+(\.|$))/g, '$1');
  return isIPv4(plain) || (isIPv6(plain) && !plain.includes('%'));
}

function isCidr(text: string): boolean {
  const [, ip = '', bits = ''] = /^(.*)\/(\d+)$/.exec(text) ?? [];
  return isIp(ip) && Number(bits) <= (ip.includes(':') ? 128 : 32);
}

/** The number's form and its check digit. */
function isCreditCard(text: string): boolean {
  const number = text.replace(/\D+/g, '');
  if (!CREDIT_CARD.test(number)) return false;
  const sum = [...number].reverse().reduce((n, c, i) => {
    const digit = Number(c) * (i % 2 === 0 ? 1 : 2);
    return n + (digit > 9 ? digit - 9 : digit);
  }, 0);
  return sum % 10 === 0;
}

function isMac(text: string): boolean {
  const bytes = [6, 8, 20];
  const pairs = /^[0-9a-fA-F]{2}(?:([:-])[0-9a-fA-F]{2})(?:\1[0-9a-fA-F]{2})*$/.test(text);
  if (pairs) return bytes.includes((text.length + 1) / 3);
  return /^[0-9a-fA-F]{4}(\.[0-9a-fA-F]{4})+$/.test(text) && bytes.includes(((text.length + 1) / 5) * 2);
}

const digits = (text: string): string => text.replace(/[\s-]+/g, '');

function isIsbn10(text: string): boolean {
  const isbn = digits(text);
  if (!/^[0-9]{9}[0-9X]$/.test(isbn)) return false;
  const sum = [...isbn].reduce((n, c, i) => n + (10 - i) * (c === 'X' ? 10 : Number(c)), 0);
  return sum % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const isbn = digits(text);
  if (!/^[0-9]{13}$/.test(isbn)) return false;
  return [...isbn].reduce((n, c, i) => n + (i % 2 === 0 ? 1 : 3) * Number(c), 0) % 10 === 0;
}

function isBase64(text: string): boolean {
  return /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/.test(text);
}

function isDate(text: string): boolean {
  const [, y, m, d] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  if (y === undefined) return false;
  const date = new Date(Date.UTC(Number(y), Number(m) - 1, Number(d)));
  return date.getUTCMonth() === Number(m) - 1 && date.getUTCDate() === Number(d);
}

function isDateTime(text: string): boolean {
  if (text.length < 4) return false;
  const [date = '', time] = text.toLowerCase().split('t');
  if (time === undefined || !isDate(date)) return false;
  const [, hour, minute, second] = DATE_TIME.exec(time) ?? [];
  return hour !== undefined && Number(hour) <= 23 && Number(minute) <= 59 && Number(second) <= 59;
}

/** Go's durations, or any text with a number and a unit in it (`3 days`). */
function isDuration(text: string): boolean {
  if (GO_DURATION.test(text)) return true;
  return [...text.matchAll(/(?<!\d)\d+\s*([A-Za-zµ]+)/g)].some(([, unit = '']) => DURATION_UNITS.test(unit));
}
