import { parseSchedule } from '../../../src/api/schedule';
import { zoneExists } from '../../../src/api/time-zone';

const next = (schedule: string, after: string, zone?: string): string | undefined => {
  const time = parseSchedule(schedule, zone).next(Date.parse(after));
  return time === undefined ? undefined : new Date(time).toISOString().replace('.000Z', 'Z');
};

describe('the next time of a schedule', () => {
  test.each([
    ['* * * * *', '2026-01-01T00:00:00Z', '2026-01-01T00:01:00Z'],
    ['*/15 * * * *', '2026-01-01T00:14:59Z', '2026-01-01T00:15:00Z'],
    ['*/15 * * * *', '2026-01-01T00:15:00Z', '2026-01-01T00:30:00Z'],
    // a number with a step starts there
    ['50/5 * * * *', '2026-01-01T00:00:00Z', '2026-01-01T00:50:00Z'],
    ['0 0 * * MON', '2026-01-01T00:00:00Z', '2026-01-05T00:00:00Z'],
    ['0 0 1 feb ?', '2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z'],
    ['@hourly', '2026-01-01T00:00:00Z', '2026-01-01T01:00:00Z'],
    ['@weekly', '2026-01-01T00:00:00Z', '2026-01-04T00:00:00Z'],
    ['@every 90s', '2026-01-01T00:00:00Z', '2026-01-01T00:01:30Z'],
    ['@every 1h30m', '2026-01-01T00:00:10Z', '2026-01-01T01:30:10Z'],
    // days of month and week are alternatives when both are restricted, even if one lists every day
    ['0 0 13 * 5', '2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'],
    ['0 0 1-31 * 1', '2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'],
    ['0 0 */2 * 1', '2026-01-01T00:00:00Z', '2026-01-03T00:00:00Z'],
    ['0 0 31 2 *', '2026-01-01T00:00:00Z', undefined],
    [', * * * *', '2026-01-01T00:00:00Z', undefined],
  ])('of %s after %s is %s', (schedule, after, want) => {
    expect(next(schedule, after)).toBe(want);
  });

  test('follows the time zone', () => {
    expect(next('0 9 * * *', '2026-01-01T00:00:00Z', 'Europe/Berlin')).toBe('2026-01-01T08:00:00Z');
    expect(next('0 9 * * *', '2026-07-01T00:00:00Z', 'Europe/Berlin')).toBe('2026-07-01T07:00:00Z');
    expect(next('CRON_TZ=Asia/Tokyo 0 9 * * *', '2026-01-01T00:00:00Z')).toBe('2026-01-02T00:00:00Z');
  });
});

test.each([
  ['', 'empty spec string'],
  ['* * * *', 'expected exactly 5 fields, found 4: [* * * *]'],
  ['60 * * * *', 'end of range (60) above maximum (59): 60'],
  ['59 * * * *', undefined],
  ['0 24 * * *', 'end of range (24) above maximum (23): 24'],
  ['0 0 0 * *', 'beginning of range (0) below minimum (1): 0'],
  ['0 0 * * 7', 'end of range (7) above maximum (6): 7'],
  ['5-1 * * * *', 'beginning of range (5) beyond end of range (1): 5-1'],
  ['*/0 * * * *', 'step of range should be a positive number: */0'],
  ['1-2-3 * * * *', 'too many hyphens: 1-2-3'],
  ['1/2/3 * * * *', 'too many slashes: 1/2/3'],
  ['a * * * *', 'failed to parse int from a: strconv.Atoi: parsing "a": invalid syntax'],
  ['@never', 'unrecognized descriptor: @never'],
  ['@every x', 'failed to parse duration @every x: time: invalid duration "x"'],
  ['TZ=Nowhere/At_all * * * * *', 'provided bad location Nowhere/At_all: unknown time zone Nowhere/At_all'],
])('reports what is wrong with "%s"', (schedule, want) => {
  const parse = (): unknown => parseSchedule(schedule);
  if (want) expect(parse).toThrow(want);
  else expect(parse).not.toThrow();
});

test.each([
  ['Etc/UTC', true],
  ['Europe/Berlin', true],
  ['Europe/Nowhere', false],
  ['', false],
])('knows whether "%s" is a time zone', (name, want) => {
  expect(zoneExists(name)).toBe(want);
});
