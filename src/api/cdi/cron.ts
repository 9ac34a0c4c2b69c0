/** Schedules as `robfig/cron` reads them: five fields, or a word like `@daily`. */
import { zoneExists } from '../time-zone';

interface Field {
  readonly low: number;
  readonly high: number;
  readonly names?: readonly string[];
}

const fields: readonly Field[] = [
  { low: 0, high: 59 },
  { low: 0, high: 23 },
  { low: 1, high: 31 },
  { low: 1, high: 12, names: ['', ...'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')] },
  { low: 0, high: 6, names: 'sun mon tue wed thu fri sat'.split(' ') },
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
