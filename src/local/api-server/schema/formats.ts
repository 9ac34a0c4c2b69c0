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
const GO_DURATION = /^[-+]?(\d+(\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)((\d+(\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h))*$/;
const WORD_DURATION = /^((\d+)\s*([A-Za-zµ]+)\s*)+$/;
const DURATION_UNITS =
  /^(ns|nanos?|nanoseconds?|us|µs|micros?|microseconds?|ms|millis?|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|wks?|weeks?)$/;

const hex = (group: string) => new RegExp(`^${group}$`, 'i');

/** Formats that Kubernetes checks, by name without dashes; any other `format` is documentation. */
const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  bsonobjectid: (t) => /^[0-9a-f]{24}$/i.test(t),
  uri: isRequestUri,
  email: (t) => /^[^\s@<>"(),:;[\]\\]+@[^\s@<>"(),:;[\]\\]+$/.test(t),
  hostname: (t) => t.length <= 255 && HOST_NAME.test(t),
  ipv4: (t) => isIPv4(t),
  ipv6: (t) => isIPv6(t) && !t.includes('%'),
  cidr: isCidr,
  mac: isMac,
  uuid: (t) => hex('[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}').test(t),
  uuid3: (t) => hex('[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}').test(t),
  uuid4: (t) => hex('[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}').test(t),
  uuid5: (t) => hex('[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}').test(t),
  isbn: (t) => isIsbn10(t) || isIsbn13(t),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  creditcard: (t) => CREDIT_CARD.test(t.replace(/\D+/g, '')),
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

function isRequestUri(text: string): boolean {
  if (text.startsWith('/')) return !/[\s\x00-\x1f\x7f]/.test(text);
  return /^[a-zA-Z][a-zA-Z0-9+.-]*:\/\/[^\s\x00-\x1f\x7f]*$/.test(text) && URL.canParse(text);
}

function isCidr(text: string): boolean {
  const [, ip = '', bits = ''] = /^(.*)\/(\d+)$/.exec(text) ?? [];
  if (bits.length > 1 && bits.startsWith('0')) return false;
  return (isIPv4(ip) && Number(bits) <= 32) || (isIPv6(ip) && Number(bits) <= 128);
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
  const plain = text.replace(/[\r\n]/g, '');
  return plain.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(plain);
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

function isDuration(text: string): boolean {
  if (text === '0' || GO_DURATION.test(text)) return true;
  if (!WORD_DURATION.test(text)) return false;
  return [...text.matchAll(/(\d+)\s*([A-Za-zµ]+)/g)].every(([, , unit = '']) => DURATION_UNITS.test(unit));
}
