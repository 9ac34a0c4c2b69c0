import { scheduleRemedy } from '../../../../src/api/cdi/cron';

const GENERAL = 'write minute, hour, day, month and weekday, such as "0 3 * * *", or @daily';

test.each([
  ['60 * * * *', 'write 0 to 59 for the minute, not 60'],
  ['0 24 * * *', 'write 0 to 23 for the hour, not 24'],
  ['0 3 0 * *', 'write 1 to 31 for the day, not 0'],
  ['0 3 * 13 *', 'write 1 to 12 for the month, not 13'],
  ['0 3 * * funday', 'write 0 to 6 for the weekday, not funday'],
  ['0 3 * *', GENERAL],
  ['0 0 3 * * *', GENERAL],
  ['@noon', GENERAL],
])('says how to correct %s', (text, remedy) => expect(scheduleRemedy(text)).toBe(remedy));
