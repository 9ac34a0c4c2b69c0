import { fillOf } from '../../../../../src/runtime/controller/virtual-machine/data-volumes';

test.each([
  ['Succeeded', 'filled'],
  ['WaitForFirstConsumer', 'needs a consumer'],
  ['PendingPopulation', 'needs a consumer'],
  ['Failed', 'failed'],
  ['ImportInProgress', 'being filled'],
  ['Paused', 'being filled'],
  ['', 'being filled'],
  [undefined, 'being filled'],
])('a DataVolume in phase %s is %s', (phase, want) => {
  expect(fillOf(phase)).toBe(want);
});
