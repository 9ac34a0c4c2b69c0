import { decide } from '../../../../../src/runtime/controller/instance/decide';
import { seen, vmi } from '../fixtures';

const withDataVolume = vmi({}, (v) => (v.spec.volumes = [{ name: 'root', dataVolume: { name: 'dv' } }]));
const claims = new Map([['dv', { uid: 'claim-uid' }]]);

test.each([
  ['Succeeded', true],
  ['WaitForFirstConsumer', false],
  ['PendingPopulation', false],
  ['ImportInProgress', false],
  ['', false],
])('a launcher is made for a DataVolume in phase "%s": %s', (phase, isMade) => {
  const actions = decide(seen(withDataVolume, { claims, dataVolumes: new Map([['dv', phase]]) }));
  expect(actions.some((action) => action.do === 'createPod')).toBe(isMade);
});

test('an instance whose disk waits for a consumer says what to do', () => {
  const dataVolumes = new Map([['dv', 'WaitForFirstConsumer']]);
  expect(decide(seen(withDataVolume, { claims, dataVolumes }))).toContainEqual(
    expect.objectContaining({
      do: 'tell',
      reason: 'DataVolumePending',
      message: expect.stringMatching(/^DataVolume "dv" is not filled before a Pod uses its claim .*bind\.immediate/),
    }),
  );
});
