import { Cron } from 'croner';
import { zoneExists } from './time-zone';

/** Times of a cron expression, as `robfig/cron` reads it in Kubernetes. */
export interface Schedule {
  /** First time after `after`, in milliseconds; undefined if there is none. */
  next(after: number): number | undefined;
}

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const MONTHS = ['', 'jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const BOUNDS: readonly Bounds[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: MONTHS },
  { min: 0, max: 6, names: DAYS },
];
const DESCRIPTORS: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};
const EVERY = '@every ';
const UNIT_MS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

/**
 * Parses a schedule of a CronJob: five fields, or a descriptor such as `@hourly` or `@every 5m`.
 * @throws Error with the message of Kubernetes' parser
 */
export function parseSchedule(text: string, timeZone?: string): Schedule {
  const { spec, zone } = withZone(text);
  const pattern = Object.hasOwn(DESCRIPTORS, spec) ? DESCRIPTORS[spec]! : spec;
  if (pattern.startsWith(EVERY)) return every(pattern);
  if (pattern.startsWith('@')) throw new Error(`unrecognized descriptor: ${pattern}`);
  const fields = pattern.split(/\s+/).filter(Boolean);
  if (fields.length !== 5) {
    throw new Error(`expected exactly 5 fields, found ${fields.length}: [${fields.join(' ')}]`);
  }
  const values = fields.map((field, i) => parseField(field, BOUNDS[i]!));
  // A field without any value (`,`) matches no time.
  if (values.includes('')) return { next: () => undefined };
  const cron = new Cron(values.join(' '), { timezone: zone ?? timeZone ?? 'UTC', paused: true, domAndDow: false });
  return { next: (after) => cron.nextRun(new Date(after))?.getTime() };
}

function withZone(text: string): { spec: string; zone?: string } {
  if (!text) throw new Error('empty spec string');
  const [, name, rest] = /^(?:CRON_)?TZ=(\S*)(.*)$/s.exec(text) ?? [];
  if (name === undefined) return { spec: text };
  if (!rest) throw new Error('invalid schedule format: runtime error: slice bounds out of range [:-1]');
  const zone = name || 'UTC';
  if (!zoneExists(zone)) throw new Error(`provided bad location ${name}: unknown time zone ${name}`);
  return { spec: rest.trim(), zone };
}

/** A fixed interval, which counts from the last time and not from the clock. */
function every(pattern: string): Schedule {
  const text = pattern.slice(EVERY.length);
  const matches = [...text.matchAll(/(\d+\.?\d*|\.\d+)(ns|us|µs|ms|s|m|h)/g)];
  if (!matches.length || matches.map(([part]) => part).join('') !== text.replace(/^[-+]/, '')) {
    throw new Error(`failed to parse duration ${pattern}: time: invalid duration ${JSON.stringify(text)}`);
  }
  const ms = matches.reduce((sum, [, count, unit]) => sum + Number(count) * UNIT_MS[unit!]!, 0);
  const seconds = text.startsWith('-') ? 1 : Math.max(1, Math.floor(ms / 1000));
  return { next: (after) => (Math.floor(after / 1000) + seconds) * 1000 };
}

/** Values of a field: `*`, or a list of numbers. */
function parseField(field: string, bounds: Bounds): string {
  const values = new Set<number>();
  let star = false;
  for (const part of field.split(',').filter(Boolean)) {
    const range = parseRange(part, bounds);
    star ||= range.star;
    for (let value = range.start; value <= range.end; value += range.step) values.add(value);
  }
  return star ? '*' : [...values].sort((a, b) => a - b).join(',');
}

function parseRange(part: string, { min, max, names }: Bounds) {
  const [span = '', stepText, ...slashes] = part.split('/');
  const [low = '', high, ...hyphens] = span.split('-');
  const any = low === '*' || low === '?';
  let start = min;
  let end = max;
  if (!any) {
    start = number(low, names);
    end = start;
    if (hyphens.length) throw new Error(`too many hyphens: ${part}`);
    if (high !== undefined) end = number(high, names);
  }
  if (slashes.length) throw new Error(`too many slashes: ${part}`);
  const step = stepText === undefined ? 1 : number(stepText);
  if (stepText !== undefined && high === undefined) end = max;
  if (start < min) throw new Error(`beginning of range (${start}) below minimum (${min}): ${part}`);
  if (end > max) throw new Error(`end of range (${end}) above maximum (${max}): ${part}`);
  if (start > end) throw new Error(`beginning of range (${start}) beyond end of range (${end}): ${part}`);
  if (step === 0) throw new Error(`step of range should be a positive number: ${part}`);
  return { start, end, step, star: any && step === 1 };
}

function number(text: string, names?: readonly string[]): number {
  const named = text ? (names?.indexOf(text.toLowerCase()) ?? -1) : -1;
  if (named >= 0) return named;
  if (!/^[-+]?\d+$/.test(text)) {
    throw new Error(`failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`);
  }
  const value = Number(text);
  if (!Number.isSafeInteger(value)) {
    throw new Error(
      `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: value out of range`,
    );
  }
  if (value < 0) throw new Error(`negative number (${value}) not allowed: ${text}`);
  return value;
}
