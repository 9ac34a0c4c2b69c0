import { Duration, JsonPatch } from 'cdk8s';
import { durationText, patchTexts } from '../../../../src/constructs/protection/text';

test.each([
  [Duration.millis(0), '0s'],
  [Duration.millis(1), '1ms'],
  [Duration.millis(1500), '1500ms'],
  [Duration.seconds(1), '1s'],
  [Duration.seconds(90), '90s'],
  [Duration.minutes(1), '1m'],
  [Duration.minutes(90), '90m'],
  [Duration.days(1), '24h'],
])('%s is written %s', (duration, want) => expect(durationText(duration)).toBe(want));

test('each patch is JSON of its own', () => {
  expect(patchTexts(undefined)).toBeUndefined();
  expect(patchTexts([JsonPatch.remove('/a'), JsonPatch.add('/b', 1)])).toEqual([
    '{"op":"remove","path":"/a"}',
    '{"op":"add","path":"/b","value":1}',
  ]);
});
