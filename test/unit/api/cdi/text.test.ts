import { isSchedule } from '../../../../src/api/cdi/cron';
import { parseUrl } from '../../../../src/api/cdi/url';
import { parseDuration } from '../../../../src/api/duration';

const isDuration = (text: string): boolean => parseDuration(text) !== undefined;

test.each([
  ['0 12 * * *', true],
  ['*/5 0-23/2 1,15 jan-mar MON', true],
  ['5/10 * ? * *', true],
  ['@daily', true],
  ['@every 1h30m', true],
  ['TZ=Europe/Berlin 0 1 * * *', true],
  ['CRON_TZ=UTC @hourly', true],
  ['59 23 31 12 6', true],
  ['0 0 1 1 0', true],
  ['0 0 * Dec Sun', true],
  ['1,,2 * * * *', true],
  ['+5/+10 * * * *', true],
  ['*-99 * * * *', true],
  ['TZ=UTC  @daily ', true],
  ['TZ= 0 1 * * *', true],
  ['TZ=Local 0 1 * * *', true],
  [' @daily', false],
  ['TZ=UTC', false],
  ['TZ=UTC\t0 1 * * *', false],
  ['1,60 * * * *', false],
  ['1e1 * * * *', false],
  ['*/1e1 * * * *', false],
  ['70/10 * * * *', false],
  ['* * 32 * *', false],
  ['* * * 0 *', false],
  ['0 12 * *', false],
  ['0 12 * * * *', false],
  ['60 * * * *', false],
  ['* 24 * * *', false],
  ['* * 0 * *', false],
  ['* * * 13 *', false],
  ['* * * * 7', false],
  ['5-1 * * * *', false],
  ['*/0 * * * *', false],
  ['1-2-3 * * * *', false],
  ['1/2/3 * * * *', false],
  ['a * * * *', false],
  ['@often', false],
  ['@every day', false],
  ['TZ=Nowhere/City 0 1 * * *', false],
  ['', false],
])('%j is a schedule: %s', (text, want) => expect(isSchedule(text, isDuration)).toBe(want));

test.each<[string, number | undefined]>([
  ['1h30m', 5_400_000],
  ['-1.5s', -1500],
  ['500ms', 500],
  ['.5m', 30_000],
  ['0', 0],
  ['1', undefined],
  ['h', undefined],
  ['1d', undefined],
  ['1h 30m', undefined],
  ['', undefined],
])('%j takes %s ms', (text, want) => expect(parseDuration(text)).toBe(want));

test.each(['1', '1.', '1h', '.5m'])('a million times %j is read in one pass', (unit) => {
  expect(parseDuration(`${unit.repeat(1_000_000)}x`)).toBeUndefined();
});

test.each<[string, string | undefined, string | undefined]>([
  ['https://a.example/b?c=d', 'https', 'https'],
  ['HTTP://a', 'http', 'http'],
  ['docker:a/b', 'docker', 'docker'],
  ['http://user:pass@a:80/', 'http', 'http'],
  ['http://[::1]:80/a', 'http', 'http'],
  ['/a/b', '', ''],
  ['a/b', '', undefined],
  ['a:b/c', 'a', 'a'],
  ['', '', undefined],
  ['a/%zz', undefined, undefined],
  ['/a/%zz', undefined, undefined],
  ['1a:b', undefined, undefined],
  ['//a:port/b', undefined, ''],
  ['///a:port/b', '', ''],
  ['http://a#b', 'http', undefined],
  ['http://a/#%zz', undefined, undefined],
  ['http://:80/', 'http', 'http'],
  ['http://:port/', undefined, undefined],
  ['http://a:b:80/', 'http', 'http'],
  ['http://@a/', 'http', 'http'],
  ['http://{@a/', undefined, undefined],
  ['http://a@b@c/', 'http', 'http'],
  ['http://[::1]/', 'http', 'http'],
  ['http://[::1]a/', undefined, undefined],
  [':/a', undefined, undefined],
  [':a', undefined, undefined],
  ['http://a b/', undefined, undefined],
  ['http://a:port/', undefined, undefined],
  ['http://[::1/', undefined, undefined],
  ['http://a/%zz', undefined, undefined],
  ['http://a/\n', undefined, undefined],
  ['http://%41/', undefined, undefined],
])('%j has the scheme %s, as a request %s', (text, want, absolute) => {
  expect(parseUrl(text)?.scheme).toBe(want);
  expect(parseUrl(text, true)?.scheme).toBe(absolute);
});
