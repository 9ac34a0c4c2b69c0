/** Schedules as `robfig/cron` reads them: five fields, or a word like `@daily`. */
import { zoneExists } from '../time-zone';

interface Field {
  readonly name: string;
  readonly low: number;
  readonly high: number;
  readonly names?: readonly string[];
}

const fields: readonly Field[] = [
  { name: 'minute', low: 0, high: 59 },
  { name: 'hour', low: 0, high: 23 },
  { name: 'day', low: 1, high: 31 },
  { name: 'month', low: 1, high: 12, names: ['', ...'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')] },
  { name: 'weekday', low: 0, high: 6, names: 'sun mon tue wed thu fri sat'.split(' ') },
];

const words = ['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'];

/** Whether the text is a schedule. `isDuration` checks the text after `@every`, `isZone` a time zone before the fields. */
export function isSchedule(
  text: string,
  isDuration: (text: string) => boolean,
  isZone: (name: string) => boolean = isCronZone,
): boolean {
  const [, zone, rest = text] = /^(?:CRON_)?TZ=(\S*) (.*)$/s.exec(text) ?? [];
  if (zone !== undefined && !isZone(zone)) return false;
  const spec = zone === undefined ? rest : rest.trim();
  if (spec.startsWith('@')) {
    return words.includes(spec) || (spec.startsWith('@every ') && isDuration(spec.slice('@every '.length)));
  }
  const parts = spec.split(/\s+/).filter((part) => part !== '');
  return parts.length === fields.length && parts.every((part, i) => isField(part, fields[i]));
}

/** Returns how to correct a text that is not a schedule. Names the field at fault if there are five. */
export function scheduleRemedy(text: string): string {
  const parts = text.trim().split(/\s+/);
  const i = parts.length === fields.length ? parts.findIndex((part, k) => !isField(part, fields[k])) : -1;
  if (i < 0) return 'write minute, hour, day, month and weekday, such as "0 3 * * *", or @daily';
  const { name, low, high } = fields[i];
  return `write ${low} to ${high} for the ${name}, not ${parts[i]}`;
}

function isField(text: string, field: Field): boolean {
  // empty parts of a list are skipped, as by Go's FieldsFunc
  return text
    .split(',')
    .filter((part) => part !== '')
    .every((part) => isRange(part, field));
}

function isRange(text: string, { low, high, names = [] }: Field): boolean {
  const [range, step, ...more] = text.split('/');
  const [from, to, ...ends] = range.split('-');
  const number = (part: string): number => {
    const named = names.indexOf(part.toLowerCase());
    if (named >= 0 && part !== '') return named;
    return /^\+?\d+$/.test(part) ? Number(part) : NaN;
  };
  if (more.length > 0 || ends.length > 0) return false;
  const every = from === '*' || from === '?';
  const start = every ? low : number(from);
  const by = step === undefined ? 1 : /^\+?\d+$/.test(step) ? Number(step) : NaN;
  // a star is the whole range, even with a step; N/step ends at the maximum, which is at least N
  const end = every ? high : to === undefined ? start : number(to);
  return start >= low && end <= high && start <= end && by > 0;
}

/** Go's names of UTC and of the controller's own zone count, too. */
const isCronZone = (name: string): boolean => name === '' || name === 'Local' || zoneExists(name);
