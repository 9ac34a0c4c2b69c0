import { isDryRun, parseOptions } from '../../../../../src/runtime/api-server/subresources/options';
import type { OptionsType } from '../../../../../src/runtime/api-server/subresources/options';

test.each([
  ['an empty body', '', {}],
  ['null', 'null', {}],
  ['an object', '{"kind":"StartOptions","paused":true}', { kind: 'StartOptions', paused: true }],
  ['null fields', '{"paused":null,"dryRun":["All"]}', { dryRun: ['All'] }],
])('%s is read', (_, body, expected) => {
  expect(parseOptions('StartOptions', body)).toEqual(expected);
});

test.each<[OptionsType, string, RegExp]>([
  ['StartOptions', '{', /Can not unmarshal Request body to struct/],
  ['StartOptions', '[]', /must be an object/],
  ['StartOptions', '{"pasued":true}', /unknown field "pasued" in StartOptions/],
  ['StartOptions', '{"constructor":1}', /unknown field "constructor"/],
  ['StartOptions', '{"paused":"yes"}', /StartOptions.paused must be true or false/],
  ['StopOptions', '{"gracePeriod":1.5}', /StopOptions.gracePeriod must be a whole number/],
  ['PauseOptions', '{"dryRun":["Some"]}', /dryRun must be \["All"\]/],
])('%s %s is rejected', (kind, body, message) => {
  expect(() => parseOptions(kind, body)).toThrow(message);
});

test('only All is a dry run', () => {
  expect([{}, { dryRun: [] }, { dryRun: ['All'] }].map(isDryRun)).toEqual([false, false, true]);
});
